"""A reply as Mattermost posts, each of them within what the server takes."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent import Choice
from bot.messages import Act, Fact, FactKind, Reply, ReplyFile, ReplyTable, Status
from bot.outlet import Part
from bot.platforms.mattermost_attachments import (
    actions_of,
    progress_part,
    reply_parts,
    settled_part,
    why_part,
)
from bot.platforms.mattermost_markdown import posts, uncalled
from tests.fakes.recording_platform import a_thread

TURN = "0123456789abcdef"
FOLDER = Path("answers")
FACTS = (
    Fact("Time", ("2022-06-01 00:00 to 02:00 UTC",)),
    Fact("Notes", ("node 4 has no samples",)),
    Fact("Query", ("SELECT ?x WHERE {}",), FactKind.SPARQL),
    Fact("Trace", (f"{TURN}, 0.21 s",)),
)
ACTION_ID = re.compile(r"[A-Za-z0-9]+")


def a_file(name: str, kind: str = "image/png") -> ReplyFile:
    return ReplyFile(name, FOLDER / name, kind, f"what {name} shows")


def a_table(rows: int = 3, of: int = 3, columns: int = 2, cell: str = "12.5") -> ReplyTable:
    names = tuple(f"column {number}" for number in range(columns))
    cells = tuple((cell,) * columns for _ in range(rows))
    right = (True,) * columns
    return ReplyTable("hottest nodes", names, cells, right, of, a_file("hot.csv", "text/csv"))


def a_reply(markdown: str = "Node 3 drew **812 W**.", **more: Any) -> Reply:
    return replace(Reply(a_thread(), Status.COMPLETED, markdown, facts=FACTS), **more)


def actions(*given: Part) -> list[dict[str, Any]]:
    return [action for part in given for each in part.body for action in actions_of(each)]


def names(*given: Part) -> list[str]:
    return [str(action["name"]) for action in actions(*given)]


def parts(reply: Reply, turn: str = TURN) -> tuple[Part, ...]:
    """The parts of ``reply``, none of which a server of 5.37 would refuse."""
    made = reply_parts(reply, turn)
    for part in made:
        assert 0 < len(part.text) <= 16_383
        assert len(part.files) <= 10
        ids = [str(action["id"]) for action in actions(part)]
        assert len(set(ids)) == len(ids)
        assert all(ACTION_ID.fullmatch(each) for each in ids)
    return made


def test_an_answer_is_one_post_with_words_table_evidence_and_buttons() -> None:
    (post,) = parts(a_reply(tables=(a_table(),)))

    assert post.text.startswith(
        "Node 3 drew **812 W**.\n\n**hottest nodes**\n\n|column 0|column 1|"
    )
    assert "|---:|---:|" in post.text
    assert "*Time: 2022-06-01 00:00 to 02:00 UTC" in post.text
    assert names(post) == ["Show query", "Show work", "CSV", "Helpful", "Not helpful"]


def test_what_a_preview_leaves_out_is_said_and_is_in_the_file() -> None:
    post, files = parts(a_reply(tables=(a_table(rows=20, of=400),)))

    assert "*first 10 of 400 rows; all of them in the CSV*" in post.text
    assert "CSV" not in names(post)
    assert [file.name for file in files.files] == ["hot.csv"]


def test_pictures_come_before_tables_and_a_post_has_ten_files_at_most() -> None:
    pictures = tuple(a_file(f"plot{number}.png") for number in range(11))

    _, first, second = parts(a_reply(tables=(a_table(of=400),), files=pictures))

    assert [file.name for file in first.files] == [f"plot{number}.png" for number in range(10)]
    assert [file.name for file in second.files] == ["plot10.png", "hot.csv"]
    assert "what plot10.png shows" in second.text


@pytest.mark.parametrize("said", ["@all", "@channel", "@here", "@ada", "(@ada)"])
def test_no_name_in_an_answer_calls_anybody(said: str) -> None:
    (post,) = parts(a_reply(f"Told by {said}.", tables=(a_table(cell=said),)))

    assert "@" in post.text
    assert not re.search(r"@\w", post.text)


def test_less_than_three_is_no_heart() -> None:
    (post,) = parts(a_reply("It drew <3 W; `<3`.", tables=(a_table(cell="<3 W"),)))

    assert "It drew <\N{WORD JOINER}3 W; `<3`." in post.text
    assert "|<\N{WORD JOINER}3 W|" in post.text


@pytest.mark.parametrize("said", ["fe80::100:1", "ipmi:fire:avg", "a:fan_1:b"])
def test_no_name_is_an_emoji(said: str) -> None:
    choice = Choice("1", said)
    reply = a_reply(tables=(a_table(cell=said),), choices=(choice,), status=Status.CLARIFICATION)

    (post,) = parts(reply)

    for shown in (post.text.replace("\\", ""), *names(post)):
        assert not re.search(r":(100|fire|fan_1):", shown)
        assert said in shown.replace("\N{WORD JOINER}", "")


def test_a_time_of_day_may_be_copied_as_it_stands() -> None:
    (post,) = parts(a_reply(tables=(a_table(cell="2022-06-01 16:00:00Z"),)))

    assert "|2022-06-01 16:00:00Z|" in post.text


def test_code_stays_as_it_is() -> None:
    code = "`@all`\n```\n@here | x\n```"

    assert uncalled(code) == code


def test_rows_that_one_post_does_not_hold_are_in_the_file_alone() -> None:
    post, files = parts(a_reply(tables=(a_table(rows=10, of=10, columns=20, cell="x" * 150),)))

    (rows,) = (block for block in post.text.split("\n\n") if block.startswith("|"))
    assert len(rows.split("\n")) == 2 + 4
    assert "*first 4 of 10 rows; all of them in the CSV*" in post.text
    assert files.files


def test_a_table_of_which_no_post_holds_a_row_is_a_file_alone() -> None:
    wide = replace(a_table(columns=20, cell="*" * 500), columns=("_" * 500,) * 20)

    post, files = parts(a_reply(tables=(wide,)))

    assert "|" not in post.text
    assert files.files


def test_files_alone_come_without_a_post_of_words() -> None:
    (post,) = parts(a_reply("", facts=(), files=(a_file("nodes.csv", "text/csv"),)))

    assert [file.name for file in post.files] == ["nodes.csv"]


def test_where_a_server_takes_no_large_file_the_pictures_still_come() -> None:
    _, post = parts(a_reply(tables=(a_table(of=400),), files=(a_file("plot.png"),)))

    pictures, words = post.instead
    assert [file.name for file in pictures.files] == ["plot.png"]
    assert pictures.text.endswith("hot.csv could not be attached here.")
    assert "plot.png could" not in pictures.text
    assert words.files == ()
    assert "plot.png could not be attached here.\nhot.csv could not" in words.text


def test_no_backslash_stands_before_what_is_no_mark() -> None:
    (post,) = parts(a_reply(tables=(a_table(cell="<b> a-b"),)))

    assert r"|<b\> a-b|" in post.text


def test_notes_are_never_empty_marks() -> None:
    (post,) = parts(a_reply(facts=(Fact("Notes", ("one\n\n two",)),)))

    assert post.text.endswith("*one*\n\n*two*")


def test_no_sign_in_a_cell_is_a_mark() -> None:
    (post,) = parts(a_reply(tables=(a_table(cell="a|b *c* `d` ~~e~~\nf"),)))

    assert r"|a\|b \*c\* \`d\` \~\~e\~\~ f|" in post.text


def choices(count: int, length: int = 10) -> tuple[Choice, ...]:
    return tuple(Choice(str(n), f"{n:02} ".ljust(length, "x")) for n in range(count))


def asked(count: int, length: int = 10) -> Reply:
    return a_reply("Which?", status=Status.CLARIFICATION, choices=choices(count, length))


def test_up_to_twenty_five_choices_are_buttons() -> None:
    (post,) = parts(asked(25))

    assert [a["integration"]["context"]["value"] for a in actions(post)] == [
        str(number) for number in range(25)
    ]
    assert {a["type"] for a in actions(post)} == {"button"}


def test_more_choices_are_a_menu() -> None:
    (post,) = parts(asked(26))

    (menu,) = actions(post)
    assert (menu["type"], len(menu["options"])) == ("select", 26)


def test_choices_that_no_menu_holds_are_listed_as_well() -> None:
    (post,) = parts(asked(200, 70))

    (menu,) = actions(post)
    assert len(menu["options"]) < 200
    assert "200. 199 xxx" in post.text


def test_a_label_that_is_cut_is_written_out() -> None:
    (post,) = parts(asked(2, 100))

    assert f"1. 00 {'x' * 97}" in post.text


def test_a_choice_that_was_made_leaves_no_button() -> None:
    (post,) = parts(asked(3))

    settled = settled_part(post, "chose _the_ first", "@ada")

    assert names(settled) == []
    assert settled.text.endswith(r"*@ada chose \_the\_ first*")


def test_the_longest_post_has_room_for_the_choice_that_was_made() -> None:
    words = ("line " * 20 + "\n") * 153
    (post,) = parts(replace(asked(2), markdown=words, facts=()))

    settled = settled_part(post, "*" * 1000, "@" + "a" * 64)

    assert len(post.text) > 15_000
    assert len(settled.text) <= 16_383


def test_an_answer_without_choices_is_settled_as_it_is() -> None:
    (post,) = parts(a_reply())

    assert settled_part(post, "chose that") is post


def test_progress_has_a_button_that_stops_it() -> None:
    part = progress_part("reading the lake", 12.4, TURN)

    assert part.text.endswith("12 s")
    assert names(part) == ["Stop"]
    assert actions(part)[0]["integration"]["context"]["act"] == Act.STOP


def test_reasons_are_a_menu() -> None:
    (menu,) = actions(why_part("Why?", choices(3), TURN))

    assert menu["integration"]["context"]["act"] == Act.UNHELPFUL
    assert [option["value"] for option in menu["options"]] == ["0", "1", "2"]


def test_without_a_turn_nothing_can_be_pressed() -> None:
    reply = a_reply("Which?", status=Status.CLARIFICATION, choices=choices(3))

    (post,) = parts(reply, "")

    assert names(post) == []
    assert "1. 00" in post.text


@given(st.text(max_size=400), st.integers(1, 400))
@settings(max_examples=50, deadline=None)
def test_long_words_are_split_and_none_is_lost(line: str, times: int) -> None:
    text = "\n".join([f"word {line}"] * times)

    made = posts([text])

    assert all(len(each) <= 16_383 for each in made)
    assert re.sub(r"\s|`", "", "".join(made)) == re.sub(r"\s|`", "", text)


def test_code_that_is_split_is_code_in_both() -> None:
    first, second = posts(["\n".join(["```", *["SELECT ?node WHERE { }"] * 1000, "```"])])[:2]

    assert first.startswith("```\n")
    assert first.endswith("\n```")
    assert second.startswith("```\n")


def test_what_buttons_hold_is_within_the_properties_of_a_post() -> None:
    assert_fits(parts(asked(25, 25)))


def test_choices_among_answers_leave_room_for_the_buttons_below() -> None:
    """As in a digest of which one question was asked back."""
    made = parts(replace(asked(25, 25), status=Status.COMPLETED))

    assert names(*made)[-4:] == ["Show query", "Show work", "Helpful", "Not helpful"]
    assert_fits(made)


def assert_fits(made: tuple[Part, ...]) -> None:
    (post,) = made
    token = {"url": "https://" + "x" * 60, "context": {"token": "0" * 64}}
    sent = [{**action, "integration": token} for action in actions(post)]

    assert len(json.dumps(sent, separators=(",", ":"))) < 7_800
