"""Answers to replies of the retrieval tools, and back."""

import json
import math
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest

from agent.answer import (
    Answer,
    Answered,
    AnswerTable,
    Artifact,
    Cell,
    Certified,
    Choice,
    Cost,
    Declined,
    DeclineReason,
    Evidence,
    MetricUse,
    NeedsClarification,
    TimeRange,
    Usage,
)
from agent.answer_codec import decode, encode, encode_failure
from agent.errors import ToolsUnavailable

NOON = datetime(2022, 6, 1, 12, tzinfo=UTC)
COST = Cost(Usage(1, 20, 3), Usage(2, 400, 50), Usage(), 1)
EVIDENCE = Evidence(
    (TimeRange(NOON, NOON + timedelta(hours=1)),),
    "Europe/Rome",
    (MetricUse("ipmi_pub", "total_power", "W"),),
    ("node 12",),
    ("SELECT 1",),
    "virtual",
    9,
    10,
    ("Taken as the mean.",),
    (),
    12.5,
    Certified("pair", "operations", date(2026, 12, 1), "The mean."),
)


def _table(*rows: tuple[Cell, ...], columns: str = "node time W") -> AnswerTable:
    csv = Path("/data/requests/one/power.csv")
    return AnswerTable("power", tuple(columns.split()), 500, csv, rows)


ROWS: tuple[tuple[Cell, ...], ...] = (("12", NOON, 812.5), ("13", None, None))
ANSWERS: list[Answer] = [
    Answered("It was 812 W.", (_table(*ROWS),), (), EVIDENCE, COST),
    Answered("None.", (_table(),)),
    NeedsClarification("Which one?", (Choice("gpu", "GPU"), Choice("cpu", "CPU")), EVIDENCE, COST),
    Declined(DeclineReason.NO_DATA, "There are no data.", EVIDENCE, COST),
]
STATUS = ["completed", "completed", "clarification", "rejected"]


def _over_the_wire(answer: Answer, request_id: str = "one") -> dict[str, object]:
    sent: dict[str, object] = json.loads(json.dumps(encode(answer, request_id), allow_nan=False))
    return sent


def _only_table(answer: Answer) -> dict[str, object]:
    tables = _over_the_wire(answer)["tables"]
    assert isinstance(tables, list)
    (table,) = tables
    assert isinstance(table, dict)
    return table


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda each: type(each).__name__)
def test_an_answer_comes_back_as_it_was(answer: Answer) -> None:
    reply = _over_the_wire(answer)

    assert decode(reply, lambda table: Path("/data/requests/one") / table) == answer


@pytest.mark.parametrize(("answer", "status"), list(zip(ANSWERS, STATUS, strict=True)))
def test_a_reply_has_the_same_keys_whatever_came_of_it(answer: Answer, status: str) -> None:
    reply = _over_the_wire(answer, "abc")

    assert list(reply) == list(encode_failure("No."))
    assert (reply["status"], reply["request_id"], reply["text"]) == (status, "abc", answer.text)


def test_a_reply_names_no_path_of_this_machine() -> None:
    assert "/data" not in json.dumps(_over_the_wire(ANSWERS[0]))


def test_times_are_told_in_utc_whatever_their_zone() -> None:
    rome = NOON.astimezone(timezone(timedelta(hours=2)))

    table = _only_table(Answered("x", (_table(("12", rome, 1.0)),)))

    assert table["times"] == ["time"]
    assert table["rows"] == [["12", "2022-06-01T12:00:00Z", 1.0]]


def test_a_number_that_is_none_is_not_taken_for_a_missing_one() -> None:
    answer = Answered("x", (_table((math.nan, math.inf), columns="a b"),))

    table = _only_table(answer)

    assert table["rows"] == [["nan", "inf"]]


def test_text_that_looks_like_a_time_or_a_number_stays_text() -> None:
    answer = Answered("x", (_table(("2022-06-01T12:00:00Z", "12"), columns="name node"),))

    back = decode(_over_the_wire(answer), Path)

    assert isinstance(back, Answered)
    assert back.tables[0].preview == (("2022-06-01T12:00:00Z", "12"),)


def test_pictures_do_not_travel() -> None:
    answer = Answered("x", (), (Artifact(Path("/data/plot.png"), "image/png", "A plot"),))

    assert decode(_over_the_wire(answer), Path) == Answered("x")


@pytest.mark.parametrize(
    "reply",
    [
        {},
        {"status": "completed"},
        _over_the_wire(ANSWERS[0]) | {"status": "perfect"},
        _over_the_wire(ANSWERS[0]) | {"tables": [{"name": "x"}]},
        encode_failure("The lake is broken."),
    ],
)
def test_what_is_no_answer_is_not_taken_for_one(reply: dict[str, object]) -> None:
    with pytest.raises(ToolsUnavailable):
        decode(reply, Path)
