"""What counts as a change between two answers."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent import Answer, Answered, AnswerTable, Declined, DeclineReason
from agent.answer import Cell
from bot.digests.changes import carried, changes
from bot.digests.snapshot import (
    MOST_ROWS,
    PartSnapshot,
    RowSnapshot,
    TableSnapshot,
    snapshot_of,
)
from bot.messages import Reply, Status
from bot.outcome import Failed, Outcome
from tests.fakes.digest_parts import ScriptedAnswers
from tests.fakes.recording_platform import a_message

Row = tuple[Cell, ...]


def taken(answer: Answer | Failed) -> PartSnapshot:
    return snapshot_of(Outcome(answer, Reply(a_message("").thread, Status.COMPLETED, ""), "t", 0))


@pytest.fixture
def files(tmp_path: Path) -> ScriptedAnswers:
    return ScriptedAnswers(tmp_path, {})


def between(
    files: ScriptedAnswers,
    columns: tuple[str, ...],
    before: list[Row],
    now: list[Row],
    by_percent: float | None = None,
) -> tuple[str, ...]:
    old, new = taken(files.table(columns, *before)), taken(files.table(columns, *now))
    return changes((old,), (new,), by_percent)


NODES = ("node", "maximum (°C)")


def test_things_that_come_and_go_are_named(files: ScriptedAnswers) -> None:
    before: list[Row] = [("38", 43.0), ("607", 42.0)]
    now: list[Row] = [("607", 42.0), ("12", 41.0)]

    assert between(files, NODES, before, now) == ("power: new 12.", "power: no longer 38.")
    assert between(files, NODES, before, now, 5) == ("power: new 12.", "power: no longer 38.")


def test_other_numbers_of_the_same_things_are_no_change(files: ScriptedAnswers) -> None:
    before: list[Row] = [("38", 43.0), ("607", 42.0)]

    assert not between(files, NODES, before, [("607", 50.0), ("38", 10.0)])


@pytest.mark.parametrize(
    ("value", "changed"), [(105.0, True), (104.9, False), (95.0, True), (95.1, False)]
)
def test_a_number_counts_from_the_threshold_on(
    files: ScriptedAnswers, value: float, changed: bool
) -> None:
    found = between(files, NODES, [("38", 100.0)], [("38", value)], 5)

    assert bool(found) is changed
    if changed:
        assert "38 maximum (°C): 100 before" in found[0]


@given(st.floats(1e-3, 1e6), st.sampled_from([1, 2.5, 5, 10, 50]))
def test_exactly_the_threshold_counts_whatever_the_number(old: float, percent: float) -> None:
    def one(value: float) -> tuple[PartSnapshot]:
        rows = (RowSnapshot(("n",), 0, (value,)),)
        return (PartSnapshot("answered", (TableSnapshot("t", ("v",), 1, rows, ""),)),)

    grown, lessened = old * (1 + percent / 100), old * (1 - percent / 100)

    assert changes(one(old), one(grown), percent)
    assert changes(one(old), one(lessened), percent)
    assert not changes(one(old), one(old + (grown - old) * 0.99), percent)
    assert not changes(one(old), one(old), percent)


def test_numbers_without_things_count_when_they_differ(files: ScriptedAnswers) -> None:
    found = between(files, ("average", "minimum"), [(1.34, 1.2)], [(1.41, 1.2)])

    assert found == ("power, average: 1.34 before, 1.41 now (+5.2 %).",)
    assert not between(files, ("average",), [(1.34,)], [(1.34,)])


def test_hours_are_compared_in_their_order(files: ScriptedAnswers) -> None:
    def hours(day: int, *values: float) -> list[Row]:
        return [(datetime(2022, 6, day, n, tzinfo=UTC), value) for n, value in enumerate(values)]

    columns = ("hour", "average")

    assert not between(files, columns, hours(1, 1.0, 2.0), hours(2, 1.01, 2.0), 5)
    assert len(between(files, columns, hours(1, 1.0, 2.0), hours(2, 1.0, 3.0), 5)) == 1
    assert "1 rows, 2 before" in between(files, columns, hours(1, 1.0, 2.0), hours(2, 1.0), 5)[0]
    assert "2 rows, 1 before" in between(files, columns, hours(1, 1.0), hours(2, 1.0, 2.0), 5)[0]


def test_jobs_are_things_though_they_are_numbers(files: ScriptedAnswers) -> None:
    found = between(files, ("job", "node count"), [(101, 4)], [(102, 4)])

    assert found == ("power: new 102.", "power: no longer 101.")


def test_a_state_belongs_to_the_thing(files: ScriptedAnswers) -> None:
    found = between(files, ("node", "state"), [("38", "WARNING")], [("38", "CRITICAL")])

    assert found == ("power: new 38 CRITICAL.", "power: no longer 38 WARNING.")


def test_how_many_samples_there_were_is_no_change(files: ScriptedAnswers) -> None:
    columns = ("node", "maximum", "samples")

    assert not between(files, columns, [("38", 43.0, 35)], [("38", 43.0, 99)], 5)


def test_a_value_that_comes_or_goes_counts(files: ScriptedAnswers) -> None:
    rows: list[Row] = [("a", 1.0), ("b", None)]
    others: list[Row] = [("a", None), ("b", 2.0)]

    assert between(files, NODES, rows, others, 5) == (
        "power, a maximum (°C): 1 before, nothing now.",
        "power, b maximum (°C): nothing before, 2 now.",
    )
    assert between(files, NODES, [("a", 0.0)], [("a", 0.1)], 5)


def test_none_at_all_is_less_than_some(files: ScriptedAnswers) -> None:
    assert between(files, NODES, [("38", 1.0)], []) == ("power: no longer 38.",)
    assert between(files, NODES, [], [("38", 1.0)]) == ("power: new 38.",)
    assert not between(files, NODES, [], [])


def test_of_many_changes_the_first_are_told_and_the_rest_counted(files: ScriptedAnswers) -> None:
    before: list[Row] = [(str(n), 1.0) for n in range(40)]
    now: list[Row] = [(str(n), 2.0) for n in range(40)]

    found = between(files, NODES, before, now, 5)

    assert len(found) == 9
    assert found[-1] == "and 32 more changes."
    come = between(files, NODES, [], before)
    assert "and 30 more" in come[0]


def test_long_tables_are_compared_as_a_whole(tmp_path: Path) -> None:
    def long_one(value: int) -> PartSnapshot:
        path = tmp_path / f"{value}.csv"
        path.write_text("node,v\n" + f"1,{value}\n" * (MOST_ROWS + 1))
        preview: tuple[Row, ...] = (("1", value),)
        return taken(Answered("", (AnswerTable("t", ("node", "v"), MOST_ROWS + 1, path, preview),)))

    assert not changes((long_one(1),), (long_one(1),), None)
    assert changes((long_one(1),), (long_one(2),), None)
    assert not long_one(1).tables[0].rows


def test_how_it_ended_counts(files: ScriptedAnswers) -> None:
    answered = taken(files.table(("average",), (1.0,)))
    nothing = taken(Declined(DeclineReason.NO_DATA, "none"))
    failed = taken(Failed("sorry"))

    assert changes((answered,), (nothing,), 5) == ("Answered before, no data now.",)
    assert changes((nothing,), (answered,), 5) == ("No data before, answered now.",)
    assert changes((answered,), (failed,), 5) == ("Answered before, failed now.",)
    assert not changes((nothing,), (nothing,), 5)


def test_what_failed_is_later_compared_with_the_tables_before_it(files: ScriptedAnswers) -> None:
    one, other = (taken(files.table(("average",), (value,))) for value in (1.0, 2.0))

    after = carried((one,), (taken(Failed("sorry")),))

    assert changes(after, (other,), 5) == (
        "Failed before, answered now.",
        "power, average: 1 before, 2 now (+100.0 %).",
    )
