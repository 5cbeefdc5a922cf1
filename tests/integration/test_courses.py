"""How values go over time, asked over a tiny lake; computed again straight from the files."""

from datetime import datetime, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path
from statistics import linear_regression, median

import polars as pl
import pytest

from tests.asking import Thread, table_of
from tests.stored import JUNE_1, NOW


@cache
def _samples(lake: Path, metric: str, node: str) -> list[tuple[datetime, float]]:
    """The samples of a node on 1 June, in order, each once."""
    paths = sorted(lake.glob(f"*/plugin=*/metric={metric}/*.parquet"))
    frame = pl.concat(pl.read_parquet(path, hive_partitioning=False) for path in paths)
    time = pl.col("timestamp")
    day = frame.filter((pl.col("node").cast(pl.String) == node) & (time >= JUNE_1) & (time < NOW))
    rows = day.unique("timestamp", keep="first").sort("timestamp").select("timestamp", "value")
    return [(moment, float(value)) for moment, value in rows.rows()]


Period = list[tuple[datetime, float]]


def _above(samples: list[tuple[datetime, float]], bound: float) -> list[Period]:
    """Successive samples above ``bound``, cut where more than three spacings lie between two."""
    gaps = [(b - a).total_seconds() for (a, _), (b, _) in pairwise(samples)]
    longest = 3 * median(gap for gap in gaps if gap > 0)
    found: list[Period] = []
    last: datetime | None = None
    for moment, value in samples:
        if value <= bound:
            last = None
            continue
        if last is None or (moment - last).total_seconds() > longest:
            found.append([])
        found[-1].append((moment, value))
        last = moment
    return found


def _minutes(period: Period) -> float:
    return (period[-1][0] - period[0][0]).total_seconds() / 60


def test_lists_each_period_above_a_bound_with_its_peak(thread: Thread, lake: Path) -> None:
    periods = _above(_samples(lake, "total_power", "12"), 700)

    answer = thread.found("When was node 12 above 700 W on 1 June 2022 and for how long each time?")

    table = table_of(answer)
    assert table["first sample"].to_list() == [p[0][0] for p in periods]
    assert table["last sample"].to_list() == [p[-1][0] for p in periods]
    assert table["between them (min)"].to_list() == pytest.approx([_minutes(p) for p in periods])
    assert table["samples"].to_list() == [len(p) for p in periods]
    assert table["highest (W)"].to_list() == [max(v for _, v in p) for p in periods]
    assert "it ends with a sample that does not keep the bound" in answer.text


def test_counts_the_periods_of_each_node_of_a_rack(thread: Thread, lake: Path) -> None:
    nodes = [str(node) for node in range(20)]
    counts = {n: len(_above(_samples(lake, "ambient", n), 24)) for n in nodes}

    answer = thread.found("How often did the inlet of rack 0 exceed 24 °C on 1 June 2022?")

    table = table_of(answer)
    assert dict(zip(table["node"].cast(pl.String), table["periods"], strict=True)) == counts
    assert table_of(answer, 1).height == sum(counts.values())


def test_ranks_nodes_by_their_number_of_periods(thread: Thread, lake: Path) -> None:
    counts = {str(n): len(_above(_samples(lake, "ambient", str(n)), 24)) for n in range(20, 40)}

    answer = thread.found(
        "Which node of rack 1 exceeded 24 °C at the inlet most often on 1 June 2022?"
    )

    table = table_of(answer)
    assert table.height == 1
    assert table["periods"].item() == max(counts.values())
    assert counts[str(table["node"].item())] == max(counts.values())


def test_tells_the_longest_period(thread: Thread, lake: Path) -> None:
    longest = max(_above(_samples(lake, "total_power", "5"), 800), key=_minutes)

    answer = thread.found("What was the longest time node 5 was above 800 W on 1 June 2022?")

    row = table_of(answer).row(0, named=True)
    assert row["first sample"] == longest[0][0]
    assert row["between them (min)"] == pytest.approx(_minutes(longest))


def test_tells_when_a_bound_was_first_and_last_kept(thread: Thread, lake: Path) -> None:
    periods = _above(_samples(lake, "total_power", "5"), 800)

    first = thread.found("When did node 5 first exceed 800 W on 1 June 2022?")
    last = thread.found("When was node 5 last above 800 W on 1 June 2022?")

    assert table_of(first)["first sample"].item() == periods[0][0][0]
    assert table_of(last)["last sample"].item() == periods[-1][-1][0]


def test_tells_the_first_and_the_last_time_in_one(thread: Thread, lake: Path) -> None:
    periods = _above(_samples(lake, "total_power", "5"), 800)

    answer = thread.found("When did node 5 first and last exceed 800 W on 1 June 2022?")

    row = table_of(answer).row(0, named=True)
    assert (row["first sample"], row["last sample"]) == (periods[0][0][0], periods[-1][-1][0])
    assert (row["samples"], row["periods"]) == (sum(map(len, periods)), len(periods))


def test_names_the_nodes_that_kept_a_bound_so_often(thread: Thread, lake: Path) -> None:
    counts = {str(n): len(_above(_samples(lake, "ambient", str(n)), 24)) for n in range(20, 40)}
    often = {node: number for node, number in counts.items() if number > 3}

    answer = thread.found(
        "Which nodes of rack 1 exceeded 24 °C at the inlet more than 3 times on 1 June 2022?"
    )

    table = table_of(answer)
    assert dict(zip(table["node"].cast(pl.String), table["periods"], strict=True)) == often
    assert 0 < len(often) < 20
    assert "more than 3 times" in answer.text


def test_says_that_a_bound_was_held_from_the_start(thread: Thread) -> None:
    answer = thread.found("When did node 5 first exceed 10 W on 1 June 2022?")

    assert "It was so already at the first sample in this time." in answer.text


def test_leaves_out_periods_that_are_too_short(thread: Thread, lake: Path) -> None:
    wanted = [p for p in _above(_samples(lake, "total_power", "5"), 800) if _minutes(p) >= 5]

    answer = thread.found("When was node 5 above 800 W for more than 5 minutes on 1 June 2022?")

    assert table_of(answer)["first sample"].to_list() == [p[0][0] for p in wanted]


def test_never_is_an_answer(thread: Thread) -> None:
    answer = thread.found("How often did node 5 exceed 9 kW on 1 June 2022?")

    assert "never" in answer.text


def test_a_follow_up_asks_the_same_of_another_node(thread: Thread, lake: Path) -> None:
    thread.found("How often did node 5 exceed 800 W on 1 June 2022?")

    answer = thread.found("and for node 6?")

    assert table_of(answer)["periods"].item() == len(
        _above(_samples(lake, "total_power", "6"), 800)
    )


def _gaps(samples: list[tuple[datetime, float]], seconds: float) -> list[tuple[datetime, datetime]]:
    times = [JUNE_1, *(moment for moment, _ in samples), NOW]
    return [(a, b) for a, b in pairwise(times) if (b - a).total_seconds() > seconds]


def test_lists_the_gaps_of_a_node_that_was_out(thread: Thread, lake: Path) -> None:
    gaps = _gaps(_samples(lake, "total_power", "26"), 600)

    answer = thread.found("gaps longer than 10 minutes in the power of node 26 on 1 June 2022")

    table = table_of(answer)
    assert list(zip(table["without samples from"], table["to"], strict=True)) == gaps
    assert gaps
    assert "1 gap longer than 10 min" in answer.text


def test_names_the_nodes_with_a_long_gap(thread: Thread, lake: Path) -> None:
    nodes = {node for node in range(40) if _gaps(_samples(lake, "total_power", str(node)), 3600)}

    answer = thread.found(
        "Which nodes of racks 0 and 1 had a gap of more than 1 hour in their power on 1 June 2022?"
    )

    assert set(table_of(answer)["node"]) == nodes
    assert set(table_of(answer, 1)["node"]) == nodes


def test_a_gap_that_nobody_measures_is_one_of_three_spacings(thread: Thread, lake: Path) -> None:
    gaps = _gaps(_samples(lake, "total_power", "26"), 60)

    answer = thread.found("when was node 26 silent on 1 June 2022?")

    assert table_of(answer)["without samples from"].to_list() == [start for start, _ in gaps]
    assert "No metric was named" in answer.text


def test_tells_the_longest_gap(thread: Thread, lake: Path) -> None:
    start, end = max(_gaps(_samples(lake, "ambient", "26"), 60), key=lambda gap: gap[1] - gap[0])

    answer = thread.found("longest gap in the inlet temperature of node 26 on 1 June 2022")

    row = table_of(answer).row(0)
    assert row[1:3] == (start, end)


def test_says_when_a_node_last_reported(thread: Thread, lake: Path) -> None:
    before = [m for m, _ in _samples(lake, "total_power", "26") if m < JUNE_1.replace(hour=11)]

    answer = thread.found("when did node 26 last report power before 11:00 on 1 June 2022?")

    row = table_of(answer).row(0, named=True)
    assert row["last sample"] == before[-1]
    assert (
        row["until the end of the time (s)"]
        == (JUNE_1.replace(hour=11) - before[-1]).total_seconds()
    )
    assert "silent since then" in answer.text


def test_a_node_that_reports_is_not_called_silent(thread: Thread) -> None:
    answer = thread.found("since when has node 5 been silent?")

    assert "silent since" not in answer.text


def test_names_the_nodes_that_have_not_reported_since_a_time(thread: Thread, lake: Path) -> None:
    silent = [
        node
        for node in range(40)
        if not any(
            JUNE_1.replace(hour=9, minute=30) <= moment <= JUNE_1.replace(hour=10)
            for moment, _ in _samples(lake, "total_power", str(node))
        )
    ]

    answer = thread.found(
        "which nodes of racks 0 and 1 have not reported power from 09:30 to 10:00 on 1 June 2022?"
    )

    assert table_of(answer)["node"].to_list() == silent
    assert 26 in silent


def test_tells_the_change_from_one_time_to_another(thread: Thread, lake: Path) -> None:
    def mean(hour: int) -> float:
        start, end = JUNE_1.replace(hour=hour), JUNE_1.replace(hour=hour + 1)
        values = [v for m, v in _samples(lake, "ambient", "5") if start <= m <= end]
        return sum(values) / len(values)

    answer = thread.found(
        "How did the mean inlet temperature of node 5 change between 10:00-11:00 and 12:00-13:00"
        " on 1 June 2022?"
    )

    row = table_of(answer, 1).row(0)
    assert row == pytest.approx((mean(10), mean(12), mean(12) - mean(10)))
    assert "second minus first" in answer.text


def test_tells_when_the_level_changed_most(thread: Thread, lake: Path) -> None:
    samples = _samples(lake, "total_power", "5")
    values = [value for _, value in samples]

    def left(at: int) -> float:
        parts = (values[:at], values[at:])
        return sum(sum(v * v for v in p) - sum(p) ** 2 / len(p) for p in parts)

    best = min(range(1, len(values)), key=left)
    before, after = (sum(p) / len(p) for p in (values[:best], values[best:]))

    answer = thread.found("when did the power of node 5 jump on 1 June 2022?")

    row = table_of(answer).row(0, named=True)
    assert row["changed at"] == samples[best][0]
    assert row["mean before (W)"] == pytest.approx(before)
    assert row["mean after (W)"] == pytest.approx(after)
    assert "squared distances" in answer.text


def test_tells_the_largest_rise_and_fall_between_two_samples(thread: Thread, lake: Path) -> None:
    steps = [
        (value - before, moment)
        for (earlier, before), (moment, value) in pairwise(_samples(lake, "total_power", "26"))
        if (moment - earlier).total_seconds() <= 60
    ]

    answer = thread.found("largest step of the power of node 26 on 1 June 2022")

    row = table_of(answer).row(0, named=True)
    assert (row["largest rise (W)"], row["rise at"]) == max(
        steps, key=lambda s: (s[0], -s[1].timestamp())
    )
    assert (row["largest fall (W)"], row["fall at"]) == min(steps)


def test_tells_the_rate_of_change(thread: Thread, lake: Path) -> None:
    start, end = JUNE_1.replace(hour=5), JUNE_1.replace(hour=8)
    samples = [(m.timestamp(), v) for m, v in _samples(lake, "ambient", "5") if start <= m <= end]
    slope = linear_regression(*zip(*samples, strict=True)).slope * 3600

    answer = thread.found(
        "rate of change of the inlet temperature of node 5 from 05:00 to 08:00 on 1 June 2022"
    )

    assert table_of(answer)["rate of change (°C/h)"].item() == pytest.approx(slope)


def test_ranks_nodes_by_their_largest_step(thread: Thread, lake: Path) -> None:
    def largest(node: int) -> float:
        samples = _samples(lake, "ambient", str(node))
        return max(
            abs(value - before)
            for (earlier, before), (moment, value) in pairwise(samples)
            if (moment - earlier).total_seconds() <= 60
        )

    sizes = [largest(node) for node in range(20)]

    answer = thread.found(
        "which 2 nodes of rack 0 had the largest jump in inlet temperature on 1 June 2022?"
    )

    table = table_of(answer)
    told = table.select(pl.max_horizontal("largest rise (°C)", -pl.col("largest fall (°C)")))
    assert told.to_series().to_list() == pytest.approx(sorted(sizes, reverse=True)[:2])


def test_names_the_nodes_of_the_rack_that_did_so_in_the_same_minutes(
    thread: Thread, lake: Path
) -> None:
    def minutes(node: int) -> set[datetime]:
        samples = _samples(lake, "ambient", str(node))
        return {m.replace(second=0) for m, value in samples if value > 23}

    itself = minutes(31)
    common = {n: len(minutes(n) & itself) for n in range(20, 40) if n != 31}

    answer = thread.found(
        "which other nodes of the rack of node 31 were above 23 °C at the inlet at the same time on"
        " 1 June 2022?"
    )

    told = dict(table_of(answer).select("node", "minutes in common").rows())
    assert told == {node: number for node, number in common.items() if number}
    assert told


def _facility(lake: Path, metric: str, device: str = "") -> list[tuple[datetime, float]]:
    """The samples of 1 June of a metric of ``device``, in order, each once."""
    paths = sorted(lake.glob(f"*/plugin=*/metric={metric}/*.parquet"))
    frame = pl.concat(pl.read_parquet(path, hive_partitioning=False) for path in paths)
    time = pl.col("timestamp")
    day = frame.filter((time >= JUNE_1) & (time < NOW))
    if device:
        day = day.filter(pl.col("device").cast(pl.String) == device)
    rows = day.unique("timestamp", keep="first").sort("timestamp").select("timestamp", "value")
    return [(moment, float(value)) for moment, value in rows.rows()]


def test_takes_values_while_another_thing_keeps_a_bound(thread: Thread, lake: Path) -> None:
    weather = _facility(lake, "temp")
    bound = round(median(value for _, value in weather), 1)
    spacing = median((b - a).total_seconds() for (a, _), (b, _) in pairwise(weather))
    stands = timedelta(seconds=spacing)
    times = [(p[0][0], p[-1][0] + stands) for p in _above(weather, bound)]
    power = _samples(lake, "total_power", "5")
    wanted = [v for moment, v in power if any(a <= moment < b for a, b in times)]

    answer = thread.found(
        f"average power of node 5 while the outdoor temperature was above {bound} °C on 1 June 2022"
    )

    assert table_of(answer, 1)["average (W)"].item() == pytest.approx(sum(wanted) / len(wanted))
    assert 0 < len(wanted) < len(power)
    assert "in these times" in answer.text
    assert "a value stands until the next sample" in answer.text


def test_takes_no_values_while_several_things_keep_a_bound(thread: Thread) -> None:
    declined = thread.declined(
        "average PUE while the supply air temperature was above 10 °C on 1 June 2022"
    )

    assert "must be on one sensor" in declined.text


def test_takes_values_in_the_hour_of_an_extreme(thread: Thread, lake: Path) -> None:
    hours: dict[datetime, list[float]] = {}
    for moment, value in _facility(lake, "temp"):
        hours.setdefault(moment.replace(minute=0, second=0), []).append(value)
    warmest = max(hours, key=lambda hour: sum(hours[hour]) / len(hours[hour]))
    end = warmest + timedelta(hours=1)
    inside = [v for m, v in _samples(lake, "total_power", "5") if warmest <= m < end]

    answer = thread.found(
        "average power of node 5 during the hour when the outdoor temperature was highest"
        " on 1 June 2022"
    )

    assert table_of(answer)["hour"].item() == warmest
    assert table_of(answer, 1)["average (W)"].item() == pytest.approx(sum(inside) / len(inside))


def test_lists_the_jobs_at_the_moment_of_an_extreme(thread: Thread, lake: Path) -> None:
    samples = _samples(lake, "total_power", "5")
    peak = max(value for _, value in samples)
    moment = next(m for m, value in samples if value == peak)
    paths = sorted(lake.glob("*/plugin=*/metric=job_info_marconi100/*.parquet"))
    jobs = pl.concat(pl.read_parquet(p, hive_partitioning=False) for p in paths)
    running = jobs.filter((pl.col("start_time") <= moment) & (pl.col("end_time") >= moment))

    answer = thread.found("Which jobs were running when the power of node 5 peaked on 1 June 2022?")

    assert set(table_of(answer, 1)["job"]) == set(running["job_id"])
