"""When digests are due, held against clocks that are looked at minute by minute."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.digests.schedule import Schedule

MINUTE = timedelta(minutes=1)
CHANGES = (
    ("Europe/Rome", datetime(2022, 3, 27, 1, tzinfo=UTC)),
    ("Europe/Rome", datetime(2022, 10, 30, 1, tzinfo=UTC)),
    ("America/New_York", datetime(2022, 3, 13, 7, tzinfo=UTC)),
    ("America/New_York", datetime(2022, 11, 6, 6, tzinfo=UTC)),
    # Half an hour only.
    ("Australia/Lord_Howe", datetime(2022, 10, 1, 15, 30, tzinfo=UTC)),
    ("Australia/Lord_Howe", datetime(2022, 4, 2, 15, tzinfo=UTC)),
    # At midnight, so that a day begins at one, or its last hour comes twice.
    ("Africa/Cairo", datetime(2023, 4, 27, 22, tzinfo=UTC)),
    ("Africa/Cairo", datetime(2023, 10, 26, 21, tzinfo=UTC)),
    # The 30th of December 2011 was left out.
    ("Pacific/Apia", datetime(2011, 12, 30, 10, tzinfo=UTC)),
    ("Asia/Kolkata", datetime(2022, 6, 1, tzinfo=UTC)),
    ("UTC", datetime(2024, 2, 29, tzinfo=UTC)),
)
WEEKDAYS = {"*": range(7), "1-5": range(1, 6), "0,6": (0, 6), "3": (3,)}
HOURS = {"*": range(24), "2": (2,), "0": (0,), "1,2,3": (1, 2, 3), "*/2": range(0, 24, 2)}
HOURS |= {"23": (23,), "8,20": (8, 20)}
MINUTES = {"0": (0,), "30": (30,), "15,45": (15, 45), "*/20": (0, 20, 40)}


def shown(moment: datetime, zone: str) -> datetime:
    return moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None)


def brute_force(
    fields: tuple[str, str, str], zone: str, first: datetime, last: datetime
) -> list[datetime]:
    """Each minute of the span at which a person before a clock would say that it is due."""
    minutes, hours, days = MINUTES[fields[0]], HOURS[fields[1]], WEEKDAYS[fields[2]]

    def matches(clock: datetime) -> bool:
        day = (clock.weekday() + 1) % 7
        return clock.minute in minutes and clock.hour in hours and day in days

    due = []
    moment = first
    seen: set[datetime] = set()
    before = shown(moment - 26 * 60 * MINUTE, zone)
    # What the clocks showed in the day before counts as seen.
    past = moment - 26 * 60 * MINUTE
    while past < moment:
        before = shown(past, zone)
        seen.add(before)
        past += MINUTE
    while moment <= last:
        clock = shown(moment, zone)
        leaps = int((clock - before) / MINUTE)
        left_out = [before + n * MINUTE for n in range(1, leaps)]
        if fields[1] == "*":
            is_due = matches(clock)
        else:
            is_due = (matches(clock) and clock not in seen) or any(map(matches, left_out))
        if is_due:
            due.append(moment)
        seen.add(clock)
        before = clock
        moment += MINUTE
    return due


@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from(CHANGES),
    st.sampled_from(sorted(MINUTES)),
    st.sampled_from(sorted(HOURS)),
    st.sampled_from(sorted(WEEKDAYS)),
    st.integers(-1500, 60),
)
def test_is_due_when_somebody_before_a_clock_would_say_so(
    change: tuple[str, datetime], minute: str, hour: str, weekday: str, offset: int
) -> None:
    zone, jump = change
    first = jump + offset * MINUTE
    last = first + timedelta(hours=30)
    schedule = Schedule(f"{minute} {hour} * * {weekday}", zone)

    due = schedule.from_to(first - MINUTE, last)

    assert list(due) == brute_force((minute, hour, weekday), zone, first, last)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(CHANGES),
    st.sampled_from(sorted(MINUTES)),
    st.sampled_from(sorted(HOURS)),
    st.integers(-200_000, 200_000),
)
def test_the_latest_due_time_is_the_one_that_the_next_comes_after(
    change: tuple[str, datetime], minute: str, hour: str, seconds: int
) -> None:
    zone, jump = change
    schedule = Schedule(f"{minute} {hour} * * *", zone)
    moment = jump + timedelta(seconds=seconds)

    latest, following = schedule.latest(moment), schedule.after(moment)

    assert latest <= moment < following
    assert schedule.after(latest) == following
    assert schedule.latest(following) == following
    assert schedule.latest(following - timedelta(seconds=1)) == latest


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(CHANGES), st.sampled_from(sorted(MINUTES)), st.sampled_from(sorted(HOURS)))
def test_no_two_due_times_have_one_name(
    change: tuple[str, datetime], minute: str, hour: str
) -> None:
    zone, jump = change
    schedule = Schedule(f"{minute} {hour} * * *", zone)

    due = schedule.from_to(jump - timedelta(days=1), jump + timedelta(days=2))

    assert len({schedule.local(one) for one in due}) == len(due)


def test_a_time_in_the_hour_that_is_left_out_comes_as_the_clocks_jump() -> None:
    schedule = Schedule("30 2 * * *", "Europe/Rome")

    due = schedule.after(datetime(2022, 3, 26, 12, tzinfo=UTC))

    assert schedule.local(due) == "2022-03-27T03:00+02:00"
    assert schedule.local(schedule.after(due)) == "2022-03-28T02:30+02:00"


def test_a_time_in_the_hour_that_comes_twice_counts_once() -> None:
    schedule = Schedule("30 2 * * *", "Europe/Rome")

    due = schedule.after(datetime(2022, 10, 29, 12, tzinfo=UTC))

    assert schedule.local(due) == "2022-10-30T02:30+02:00"
    # Asked in between, when clocks show the time before it for the second time.
    between = datetime(2022, 10, 30, 1, 10, tzinfo=UTC)
    assert schedule.local(schedule.after(between)) == "2022-10-31T02:30+01:00"


def test_rare_days_are_found() -> None:
    schedule = Schedule("0 8 29 2 *", "UTC")

    assert schedule.after(datetime(2022, 3, 1, tzinfo=UTC)) == datetime(2024, 2, 29, 8, tzinfo=UTC)
    assert schedule.latest(datetime(2022, 3, 1, tzinfo=UTC)) == datetime(2020, 2, 29, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("cron", "minutes"),
    [("*/15 * * * *", 15), ("0 8 * * *", 1440), ("0,5 8 * * 1", 5), ("0 * * * *", 60)],
)
def test_the_shortest_wait_is_that_between_two_runs(cron: str, minutes: int) -> None:
    assert Schedule(cron, "UTC").shortest_wait() == timedelta(minutes=minutes)


@pytest.mark.parametrize(
    ("cron", "said"),
    [
        ("61 * * * *", "bad minute"),
        ("0 8 * *", "not five fields"),
        ("0 0 8 * * *", "not five fields"),
        ("0 0 31 2 *", "bad day-of-month"),
        ("0 25 * * *", "bad hour"),
        ("", "not five fields"),
    ],
)
def test_what_is_no_cron_expression_is_refused_in_words(cron: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Schedule(cron, "UTC")
