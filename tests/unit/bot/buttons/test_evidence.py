"""What is shown on demand of an answer, and to whom."""

from collections import deque
from dataclasses import replace
from pathlib import Path

import pytest

from bot.buttons.evidence import NO_TABLE, NOTHING_KEPT, THERE_ALREADY, facts_markdown
from bot.buttons.pressed import NOT_RUNNING, NOT_SHOWN
from bot.errors import PlatformError
from bot.messages import Act, Fact, Reply, Status
from tests.fakes.recording_outlet import RecordingOutlet
from tests.fakes.recording_platform import a_thread
from tests.unit.bot.buttons.button_setting import ADA, BEN, QUERY, Setting, a_click, a_table


def test_the_query_is_shown_with_windows_rows_and_how_fresh_it_is(tmp_path: Path) -> None:
    age = "that graph was built for an earlier query, 3 hours ago"
    facts = (Fact("Time", ("2022-06-01 00:00 to 02:00 UTC",)), QUERY, Fact("How it ran", (age,)))
    reply = Reply(a_thread(), Status.COMPLETED, "812 W", (a_table(tmp_path),), facts=facts)

    shown = facts_markdown(reply)

    assert shown.split("\n") == [
        "**Time**",
        "2022-06-01 00:00 to 02:00 UTC",
        "**How it ran**",
        age,
        "**Rows**",
        "power: 40",
        "**Query**",
        "```sparql",
        QUERY.lines[0],
        "```",
    ]


def test_a_fence_in_a_query_ends_no_code() -> None:
    reply = Reply(a_thread(), Status.COMPLETED, "", facts=(replace(QUERY, lines=("a\n```\nb",)),))

    assert facts_markdown(reply).count("```") == 2


def test_the_query_is_told_to_whoever_asks_for_it_alone() -> None:
    setting = Setting()
    record = setting.answered(facts=(QUERY,))

    setting.buttons.act(a_click(record, Act.QUERY, author=BEN))

    assert setting.outlet.texts == ["812 W"]
    assert QUERY.lines[0] in "\n".join(setting.told(BEN))


def test_whoever_may_not_see_queries_sees_none() -> None:
    setting = Setting(refuses={BEN: "You may not do that here."})
    record = setting.answered(facts=(QUERY,))

    setting.buttons.act(a_click(record, Act.QUERY, author=BEN))

    assert setting.told(BEN) == ["You may not do that here."]


def test_few_steps_are_told_in_words() -> None:
    setting = Setting(tree="question\n└── tool")

    setting.buttons.act(a_click(setting.answered(), Act.WORK))

    assert setting.told(ADA) == ["```", "question", "└── tool", "```"]


def test_many_steps_are_a_file_once() -> None:
    setting = Setting(tree="a step\n" * 2000)
    record = setting.answered()

    setting.buttons.act(a_click(record, Act.WORK, number=1))
    setting.buttons.act(a_click(record, Act.WORK, author=BEN, number=2))

    (_, _, file) = setting.outlet.messages
    assert file.key == f"{record.trace_id}-work-1"
    assert file.part.files[0].name == f"steps-{record.trace_id}.txt"
    assert setting.told(BEN) == [THERE_ALREADY]


def test_steps_that_are_not_kept_are_said_to_be_gone() -> None:
    setting = Setting()

    setting.buttons.act(a_click(setting.answered(), Act.WORK))

    assert setting.told(ADA) == [NOTHING_KEPT]


def test_the_tables_are_posted_once_whoever_presses(tmp_path: Path) -> None:
    setting = Setting()
    tables = (a_table(tmp_path, "power"), a_table(tmp_path, "heat"))
    record = setting.answered(tables=tables)

    setting.buttons.act(a_click(record, Act.CSV, number=1))
    setting.elsewhere().buttons.act(a_click(record, Act.CSV, author=BEN, number=2))

    files = [file.name for m in setting.outlet.messages for file in m.part.files]
    assert files == ["power.csv", "heat.csv"]
    assert setting.told(BEN) == [THERE_ALREADY]


def test_tables_that_the_platform_did_not_take_come_with_the_next_try(tmp_path: Path) -> None:
    setting = Setting(RecordingOutlet({"post": deque([None, None, PlatformError("away")])}))
    click = a_click(setting.answered(tables=(a_table(tmp_path),)), Act.CSV)

    with pytest.raises(PlatformError):
        setting.buttons.act(click)
    setting.buttons.act(click)

    files = [file.name for m in setting.outlet.messages for file in m.part.files]
    assert files == ["power.csv"]


def test_a_table_that_may_never_be_posted_is_said_to_be_so(tmp_path: Path) -> None:
    setting = Setting(RecordingOutlet(refuses=frozenset({"power"})))
    record = setting.answered(tables=(a_table(tmp_path),))

    setting.buttons.act(a_click(record, Act.CSV))

    assert setting.told(ADA) == [NOT_SHOWN.format(turn=record.trace_id)]


def test_an_answer_without_a_table_says_so() -> None:
    setting = Setting()

    setting.buttons.act(a_click(setting.answered(), Act.CSV))

    assert setting.told(ADA) == [NO_TABLE]


@pytest.mark.parametrize("act", Act)
def test_no_button_is_without_a_word_or_a_deed(act: Act) -> None:
    setting = Setting(tree="steps")
    record = setting.asked_back()
    before = setting.outlet.texts

    setting.buttons.act(a_click(record, act, "gpu"))

    assert setting.outlet.whispers or setting.received or setting.outlet.texts != before


def test_a_stop_that_comes_this_far_has_nothing_to_stop() -> None:
    setting = Setting()

    setting.buttons.act(a_click(setting.answered(), Act.STOP))

    assert setting.told(ADA) == [NOT_RUNNING]
