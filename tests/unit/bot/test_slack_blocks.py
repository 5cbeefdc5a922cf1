"""A reply as Slack messages, each of them held to Slack's limits."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agent import Choice
from bot.messages import Act, Fact, FactKind, Reply, ReplyFile, ReplyTable, Status
from bot.outlet import Part
from bot.platforms.slack_actions import Action, read_action
from bot.platforms.slack_blocks import progress_part, reply_parts, settled_part, why_part
from tests.block_kit import complaints, raw_markdown
from tests.fakes.recording_platform import a_thread

TURN = "0123456789abcdef"
FOLDER = Path("answers")
PLOT = ReplyFile("power.png", FOLDER / "power.png", "image/png", "Power of node 3")
FACTS = (
    Fact("Time", ("2022-06-01 00:00 to 02:00 UTC", "2022-06-01 02:00 to 04:00 CEST")),
    Fact("Metrics", ("total_power (ipmi) in W",)),
    Fact("Samples", ("1,230 of 1,240 expected (99.2%)",)),
    Fact("Notes", ("node 4 has no samples",)),
    Fact("Query", ("SELECT ?x WHERE {}",), FactKind.SPARQL),
    Fact("Trace", (f"{TURN}, 0.21 s",)),
)


def a_table(rows: int = 3, of: int = 3, columns: int = 2, cell: str = "12.5") -> ReplyTable:
    names = tuple(f"column {number}" for number in range(columns))
    csv = ReplyFile("hottest.csv", FOLDER / "hottest.csv", "text/csv", "hottest nodes")
    cells = tuple((cell,) * columns for _ in range(rows))
    return ReplyTable("hottest nodes", names, cells, (True,) * columns, of, csv)


def a_reply(markdown: str = "Node 3 drew **812 W**.", **more: Any) -> Reply:
    reply = Reply(a_thread(), Status.COMPLETED, markdown, facts=FACTS)
    return replace(reply, **more)


def forms(part: Part) -> list[Part]:
    return [part, *(form for each in part.instead for form in forms(each))]


def as_sent(part: Part) -> dict[str, Any]:
    return {"text": part.text, "blocks": [dict(block) for block in part.body]}


def parts(reply: Reply, turn: str = TURN) -> tuple[Part, ...]:
    """The parts of ``reply``, none of which Slack would refuse in any form."""
    made = reply_parts(reply, turn)
    for part in made:
        for form in forms(part):
            assert complaints(as_sent(form)) == []
    return made


def kinds(part: Part) -> list[object]:
    return [block["type"] for block in part.body]


def elements(*given: Part) -> list[dict[str, Any]]:
    blocks: list[Any] = [b for part in given for b in part.body if b["type"] == "actions"]
    return [element for block in blocks for element in block["elements"]]


def labels(*given: Part) -> list[str]:
    return [str(element["text"]["text"]) for element in elements(*given)]


def test_an_answer_is_one_message_with_words_table_evidence_and_buttons() -> None:
    (message,) = parts(a_reply(tables=(a_table(),)))

    assert kinds(message) == ["section", "section", "table", "context", "actions"]
    assert labels(message) == ["Show query", "Show work", "CSV", "Helpful", "Not helpful"]
    assert "Node 3 drew 812 W." in message.text
    assert "12.5" in message.text


def test_no_mark_of_markdown_is_left_as_it_was_written() -> None:
    text = "# Nodes\n**3** and **4**\n| a | b |\n|---|---|\n| 1 | 2 |\n- `x ** y`"

    assert [raw_markdown(as_sent(part)) for part in parts(a_reply(text))] == [[]]
    assert raw_markdown({"blocks": [{"type": "mrkdwn", "text": "all **raw**"}]})


def test_every_button_tells_what_it_does_and_for_which_turn() -> None:
    acts = [read_action(element) for element in elements(*parts(a_reply()))]

    assert [(a.act, a.turn) for a in acts if a] == [
        (Act.QUERY, TURN),
        (Act.WORK, TURN),
        (Act.HELPFUL, TURN),
        (Act.UNHELPFUL, TURN),
    ]


def test_the_evidence_says_time_metrics_samples_and_trace_in_one_line_and_then_the_notes() -> None:
    (message,) = parts(a_reply())

    context: Any = message.body[1]
    line, notes = (element["text"] for element in context["elements"])
    assert line.startswith("Time: 2022-06-01 00:00 to 02:00 UTC; 2022-06-01 02:00 to 04:00 CEST")
    assert line.endswith(f"Trace: {TURN}, 0.21 s")
    assert "SELECT" not in line
    assert notes == "node 4 has no samples"


def test_a_note_that_the_words_say_is_not_said_again() -> None:
    (message,) = parts(a_reply("Node 3 drew 812 W.\n_node 4 has no samples_"))

    assert message.text.count("node 4 has no samples") == 1
    assert "_node" not in message.text


def test_a_button_stands_only_where_it_does_something() -> None:
    no_query = tuple(fact for fact in FACTS if fact.kind is FactKind.TEXT)

    assert labels(*parts(a_reply(facts=no_query))) == ["Show work", "Helpful", "Not helpful"]
    assert labels(*parts(a_reply(), turn="")) == []


def test_an_error_shows_its_reference_and_asks_for_no_thanks() -> None:
    failed = Reply(a_thread(), Status.FAILED, "Sorry.", facts=(Fact("Trace", (TURN,)),))

    (message,) = parts(failed)

    assert labels(message) == ["Show work"]
    assert TURN in message.text


def test_a_picture_and_a_long_table_follow_as_files() -> None:
    message, plot, csv = parts(a_reply(tables=(a_table(of=400),), files=(PLOT,)))

    assert (plot.text, plot.files) == ("Power of node 3", (PLOT,))
    assert [file.name for file in csv.files] == ["hottest.csv"]
    assert "first 3 of 400 rows; all of them in the CSV" in message.text
    assert "CSV" not in labels(message)


def test_only_the_first_rows_are_shown() -> None:
    message, csv = parts(a_reply(tables=(a_table(rows=20, of=20),)))

    table: Any = message.body[2]
    assert len(table["rows"]) == 11
    assert "first 10 of 20 rows" in message.text
    assert csv.files


def test_a_table_has_a_form_for_workspaces_without_tables_with_the_same_rows() -> None:
    (message,) = parts(a_reply(tables=(a_table(),)))

    plainer, words = message.instead
    assert "table" not in kinds(plainer)
    texts: list[Any] = [block["text"] for block in plainer.body if "text" in block]
    assert any(text["text"].startswith("```\ncolumn 0") for text in texts)
    assert labels(plainer) == labels(message)
    assert (words.body, words.text) == ((), message.text)


def test_a_wide_table_shows_so_many_columns_and_all_of_it_is_in_the_csv() -> None:
    message, csv = parts(a_reply(tables=(a_table(columns=30),)))

    assert "20 of 30 columns" in message.text
    assert csv.files


def test_a_table_that_no_message_holds_is_a_file_alone() -> None:
    message, csv = parts(a_reply(tables=(a_table(columns=20, cell="&" * 500),)))

    assert "table" not in kinds(message)
    assert csv.files


def test_a_table_without_rows_is_no_file() -> None:
    (message,) = parts(a_reply(tables=(a_table(rows=0, of=0),)))

    assert "table" not in kinds(message)


def test_an_empty_cell_is_shown_as_missing() -> None:
    (message,) = parts(a_reply(tables=(a_table(cell=""),)))

    assert "\N{EN DASH}" in message.text


def test_each_table_has_a_message_of_its_own() -> None:
    made = parts(a_reply(tables=(a_table(), a_table(), a_table())))

    assert [kinds(part).count("table") for part in made] == [1, 1, 1]
    assert labels(*made) == labels(made[-1])


def test_a_long_answer_is_split_and_each_message_is_whole_in_words() -> None:
    lines = [f"node {number} drew {number} W & more" for number in range(900)]

    made = parts(a_reply("\n".join(lines)))

    assert len(made) > 5
    assert "\n".join(part.text for part in made).split("\n")[: len(lines)] == lines
    assert labels(*made) == labels(made[-1])


CHOICES = tuple(Choice(f"metric_{number}", f"metric {number}") for number in range(120))


@pytest.mark.parametrize("count", [1, 2, 25])
def test_choices_are_buttons(count: int) -> None:
    made = parts(a_reply("Which?", status=Status.CLARIFICATION, choices=CHOICES[:count]))

    read = [read_action(element) for element in elements(*made)]
    assert [(a.act, a.value) for a in read if a] == [
        (Act.CHOOSE, choice.id) for choice in CHOICES[:count]
    ]


@pytest.mark.parametrize("count", [26, 100])
def test_many_choices_are_a_menu(count: int) -> None:
    made = parts(a_reply("Which?", status=Status.CLARIFICATION, choices=CHOICES[:count]))

    (menu,) = elements(*made)
    assert menu["type"] == "static_select"
    chosen = read_action({"action_id": menu["action_id"], "selected_option": menu["options"][7]})
    assert chosen is not None
    assert (chosen.act, chosen.turn, chosen.value) == (Act.CHOOSE, TURN, "metric_7")
    assert len(menu["options"]) == count


def test_what_no_menu_holds_is_listed() -> None:
    made = parts(a_reply("Which?", status=Status.CLARIFICATION, choices=CHOICES))

    assert "120. metric 119" in made[0].text


def test_a_label_that_no_button_holds_is_listed_in_full() -> None:
    long = Choice("a", "the inlet " * 20)

    (message,) = parts(a_reply("Which?", status=Status.CLARIFICATION, choices=(long,)))

    assert long.label.strip() in message.text
    assert len(labels(message)[0]) == 75


def test_the_choice_that_was_made_stands_in_place_of_the_buttons() -> None:
    (message,) = parts(a_reply("Which?", status=Status.CLARIFICATION, choices=CHOICES[:3]))

    settled = settled_part(message, "Ada chose: metric 1")

    assert elements(settled) == []
    assert "Ada chose: metric 1" in settled.text
    assert complaints(as_sent(settled)) == []
    assert settled_part(settled, "again") is settled


def test_whoever_chose_is_named_as_slack_names_people_and_what_they_chose_is_no_mark_up() -> None:
    (message,) = parts(a_reply("Which?", status=Status.CLARIFICATION, choices=CHOICES[:3]))

    settled = settled_part(message, "chose: <@U02BEN> & " + "long " * 1000, "U01ADA")

    told = json.dumps(settled.body[-1])
    assert "<@U01ADA> chose: &lt;@U02BEN&gt; &amp; long" in told
    (called,) = complaints(as_sent(settled))
    assert "calls somebody: <@U01ADA>" in called


def test_why_an_answer_did_not_help_is_chosen_from_a_menu_that_is_read_back() -> None:
    asked = why_part("What was wrong?", CHOICES[:3], "0123456789abcdef")

    assert complaints(as_sent(asked)) == []
    (menu,) = elements(asked)
    pressed = {"action_id": menu["action_id"], "selected_option": menu["options"][1]}
    assert read_action(pressed) == Action(Act.UNHELPFUL, "0123456789abcdef", CHOICES[1].id)


def test_buttons_of_an_answer_are_no_choices_to_settle() -> None:
    (message,) = parts(a_reply())

    assert settled_part(message, "note") is message


def test_progress_says_what_is_done_for_how_long_and_can_be_stopped() -> None:
    part = progress_part("querying <b>", 12.4, TURN)

    assert part.text == "querying <b> … 12 s"
    (stop,) = elements(part)
    read = read_action(stop)
    assert read is not None
    assert (read.act, read.turn) == (Act.STOP, TURN)
    assert complaints(as_sent(part)) == []


words = st.text(st.characters(codec="utf-8"), max_size=200)


@settings(deadline=None, max_examples=40)
@example(markdown="a ```b\n```x`\n`a```b`", cells=[["```", "a", "b"]], names=["```"], notes=["```"])
@given(
    markdown=st.text("ab &<>*_~`|#-\n", max_size=12_000),
    cells=st.lists(st.lists(words, min_size=3, max_size=3), max_size=12),
    names=st.lists(words.filter(str.strip), max_size=40),
    notes=st.lists(words, max_size=40),
)
def test_no_reply_is_refused(
    markdown: str, cells: list[list[str]], names: list[str], notes: list[str]
) -> None:
    rows = tuple(tuple(row) for row in cells)
    csv = ReplyFile("t.csv", FOLDER / "t.csv", "text/csv", "t")
    table = ReplyTable("a <table> & more", ("a", "b", "c"), rows, (True, False, True), 99, csv)
    choices = tuple(Choice(f"id {number}", name) for number, name in enumerate(names))
    facts = (*FACTS, Fact("Notes", tuple(notes)))

    made = parts(a_reply(markdown, tables=(table, table), choices=choices, facts=facts))

    assert made
