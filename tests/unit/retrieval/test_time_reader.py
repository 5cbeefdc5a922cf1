"""What the time reader makes of words, told by a table of cases and by two properties."""

from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.request import TimeWindow
from retrieval.time_reader import Alternative, ReadWindow, TimeReading, read_times

CASES: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parent / "time_cases.yaml").read_text(encoding="utf-8")
)
NOW = datetime(2022, 6, 15, 10, tzinfo=UTC)
EIGHT_TO_NINE = TimeWindow(
    datetime(2022, 6, 1, 8, tzinfo=UTC), datetime(2022, 6, 1, 9, tzinfo=UTC), includes_end=True
)
HEAP = """1 2 3 7 10 12 24 30 99 2022 900 1st 3rd 08:00 9:30 10h30 9am 25:00 2022-06-01 03/04/2022
2022-06-01T08:00Z on from to between and until since before after at in the of for over last next
previous same period day week month year hours minutes morning night yesterday today tomorrow noon
midnight Monday Friday June May march second first half end beginning Q2 weekend UTC CEST Rome time
- – , . ( ) / : + node rack GPU ago earlier later now full whole W % each"""  # noqa: RUF001
WORDS = HEAP.split()


def _reading(text: str, zone: str = "UTC", previous: TimeWindow | None = None) -> TimeReading:
    return read_times(text, NOW, ZoneInfo(zone), previous)


def _bounds(window: TimeWindow) -> str:
    ends = [end.strftime("%Y-%m-%dT%H:%M:%S") for end in (window.start, window.end)]
    start, end = (end.removesuffix(":00") if end.count(":") == 2 else end for end in ends)
    return f"{start}/{end}{']' if window.includes_end else ')'}"


def _told(read: ReadWindow, zone: str = "UTC") -> str:
    told = f"{_bounds(read.window)} {read.granularity.value}"
    return told if read.zone == zone else f"{told} {read.zone}"


def _options(options: tuple[Alternative, ...]) -> list[str]:
    return [_bounds(option.window) for option in options]


@pytest.mark.parametrize(("text", "windows"), CASES["windows"])
def test_reads_the_windows_that_a_text_names(text: str, windows: list[str]) -> None:
    reading = _reading(text)

    assert [_told(read) for read in reading.windows] == windows
    assert not reading.problems


@pytest.mark.parametrize(("text", "windows"), CASES["rome"])
def test_reads_words_without_a_zone_in_that_of_the_site(text: str, windows: list[str]) -> None:
    reading = _reading(text, "Europe/Rome")

    assert [_told(read, "Europe/Rome") for read in reading.windows] == windows
    assert not reading.problems


@pytest.mark.parametrize(("text", "window", "others"), CASES["vague"])
def test_offers_the_other_readings_of_vague_words(
    text: str, window: str, others: list[str]
) -> None:
    (read,) = _reading(text).windows

    assert _told(read) == window
    assert [other.label for other in read.alternatives] == others


@pytest.mark.parametrize(("text", "window", "relation"), CASES["comparisons"])
def test_reads_a_window_told_by_its_distance_from_another(
    text: str, window: str, relation: str
) -> None:
    first, second = _reading(text).windows

    assert first.relation is None
    assert _told(second) == window
    assert second.relation == relation


@pytest.mark.parametrize(("text", "window"), CASES["follow_ups"])
def test_reads_a_follow_up_from_the_window_of_the_earlier_question(text: str, window: str) -> None:
    (read,) = _reading(text, previous=EIGHT_TO_NINE).windows

    assert _told(read) == window
    assert read.relation is None


@pytest.mark.parametrize(("text", "kind", "options"), CASES["problems"])
def test_says_why_words_give_no_window(text: str, kind: str, options: list[str]) -> None:
    reading = _reading(text)

    (problem,) = reading.problems
    assert problem.kind.value == kind
    assert _options(problem.options) == options
    assert problem.stops
    assert not reading.windows


@pytest.mark.parametrize(("text", "kind", "windows", "options"), CASES["clock_changes"])
def test_names_clock_times_that_a_clock_change_skipped_or_repeated(
    text: str, kind: str, windows: list[str], options: list[str]
) -> None:
    reading = _reading(text, "Europe/Rome")

    (problem,) = reading.problems
    assert problem.kind.value == kind
    assert _options(problem.options) == options
    assert problem.stops is not bool(windows)
    assert [_told(read, "Europe/Rome") for read in reading.windows] == windows


@pytest.mark.parametrize(("text", "pieces"), CASES["spans"])
def test_marks_the_words_that_it_took(text: str, pieces: list[str]) -> None:
    reading = _reading(text)

    assert [text[start:end] for start, end in reading.spans] == pieces


@pytest.mark.parametrize("text", CASES["nothing"])
def test_leaves_other_words_alone(text: str) -> None:
    assert _reading(text) == TimeReading()


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("in June", "The year was not given: June 2022 was taken."),
        ("on 20 June", "The year was not given: 20 June 2021 was taken."),
        ("at 09:00", "No day was given: today, 15 June 2022, was taken."),
        ("before 1 June 2022", "No start was given: data since 2020 are taken."),
        ("on 15 June 2022", "The window was cut at now: data after now are never used."),
        ("Monday 1 June 2022", "1 June 2022 was a Wednesday; the date was taken."),
        ("10:00 on 1-2 June 2022", "The hours were taken on each of the days."),
    ],
)
def test_notes_what_it_assumed(text: str, note: str) -> None:
    assert note in _reading(text).notes


@pytest.mark.parametrize("text", ["today", "this week", "on 1 June 2022 from 8 to 9"])
def test_has_nothing_to_note_where_nothing_was_assumed(text: str) -> None:
    assert not _reading(text).notes


def test_takes_the_year_of_the_earlier_question() -> None:
    earlier = TimeWindow(datetime(2021, 3, 1, tzinfo=UTC), datetime(2021, 3, 2, tzinfo=UTC))

    (read,) = _reading("and on 3 March?", previous=earlier).windows

    assert _bounds(read.window) == "2021-03-03T00:00/2021-03-04T00:00)"


def test_reads_now_without_a_zone_as_utc() -> None:
    (read,) = read_times("last hour", datetime(2022, 6, 15, 10), ZoneInfo("UTC")).windows  # noqa: DTZ001

    assert read.window.end == NOW


def _is_sound(text: str, reading: TimeReading) -> bool:
    spans = reading.spans
    inside = all(0 <= start < end <= len(text) for start, end in spans)
    apart = all(before[1] <= after[0] for before, after in pairwise(spans))
    ordered = all(
        read.window.start <= read.window.end <= NOW and read.window.start.tzinfo is UTC
        for read in reading.windows
    )
    return inside and apart and ordered


@given(st.text(max_size=200), st.sampled_from(["UTC", "Europe/Rome"]))
def test_reads_any_text_without_failing(text: str, zone: str) -> None:
    assert _is_sound(text, _reading(text, zone))


@settings(deadline=None)  # no timing is asserted, also not by hypothesis
@given(
    st.lists(st.sampled_from(WORDS), max_size=14),
    st.sampled_from(["UTC", "Europe/Rome"]),
    st.sampled_from([None, EIGHT_TO_NINE]),
    st.sampled_from([" ", ""]),
)
def test_reads_any_heap_of_words_about_time_without_failing(
    words: list[str], zone: str, previous: TimeWindow | None, gap: str
) -> None:
    text = gap.join(words)

    assert _is_sound(text, _reading(text, zone, previous))
