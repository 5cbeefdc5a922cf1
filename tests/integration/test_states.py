"""Periods of states, and readings around events, over a tiny lake; computed from its files."""

from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import polars as pl
import pytest

from agent.answer import DeclineReason
from tests.asking import Thread, table_of
from tests.stored import JUNE_1, NOW


@cache
def _stored(lake: Path, metric: str) -> pl.DataFrame:
    paths = sorted(lake.glob(f"*/plugin=*/metric={metric}/*.parquet"))
    frame = pl.concat(pl.read_parquet(path, hive_partitioning=False) for path in paths)
    return frame.with_columns(pl.col("node").cast(pl.String)) if "node" in frame.columns else frame


def _drained(lake: Path, node: str) -> list[datetime]:
    """When a check of 1 June said that ``node`` is drained."""
    states = _stored(lake, "state").filter(
        (pl.col("node") == node)
        & (pl.col("nagiosdrained").cast(pl.String) == "1")
        & pl.col("timestamp").is_between(JUNE_1, NOW, closed="left")
    )
    return sorted(set(states["timestamp"]))


def _down(lake: Path, node: str) -> list[datetime]:
    states = _stored(lake, "state").filter(
        (pl.col("node") == node)
        & (pl.col("description").cast(pl.String) == "alive::ping")
        & (pl.col("value") > 0)
        & pl.col("timestamp").is_between(JUNE_1, NOW, closed="left")
    )
    return sorted(set(states["timestamp"]))


def _mean(lake: Path, metric: str, nodes: str, start: datetime, end: datetime) -> float:
    """The mean of the samples of ``nodes`` from ``start`` up to ``end``."""
    frame = _stored(lake, metric).unique(["timestamp", "node"])
    inside = (pl.col("timestamp") >= start) & (pl.col("timestamp") < end)
    values = frame.filter(inside & pl.col("node").is_in(nodes.split()))["value"].to_list()
    return float(sum(values) / len(values))


def test_tells_how_long_a_node_was_drained(thread: Thread, lake: Path) -> None:
    times = _drained(lake, "12")

    answer = thread.found("how long was node 12 drained on 1 June 2022?")

    period = table_of(answer).row(0, named=True)
    assert (period["first result"], period["last result"]) == (times[0], times[-1])
    assert table_of(answer, 1)["time (min)"].item() == pytest.approx(len(times) * 15)
    assert "A check's result stands until the next one" in answer.text


def test_tells_when_nodes_did_not_answer_to_ping(thread: Thread, lake: Path) -> None:
    down = {node: times for node in map(str, range(40)) if (times := _down(lake, node))}

    answer = thread.found("how long were nodes unreachable on 1 June 2022?")

    totals = table_of(answer, 1)
    told = dict(zip(totals["node"].cast(pl.String), totals["time (min)"], strict=True))
    assert told == pytest.approx({node: len(times) * 15.0 for node, times in down.items()})
    assert "26" in told


def test_tells_since_when_a_node_is_drained_and_which_check_fails(
    thread: Thread, lake: Path
) -> None:
    begun = min(
        _stored(lake, "state").filter(
            (pl.col("node") == "12") & (pl.col("nagiosdrained").cast(pl.String) == "1")
        )["timestamp"]
    )

    answer = thread.found(
        "which nodes were drained at 12:00 on 1 June 2022, since when, and with which check?"
    )

    since = dict(table_of(answer).select("node", "first result").rows())
    assert since[12] == begun
    assert "filesys::local::mount CRITICAL" in answer.text


def _not_ok(lake: Path, states: set[int]) -> dict[tuple[str, str], list[list[datetime]]]:
    """The periods of each check of a compute node in ``states``; results come each 15 minutes."""
    found: dict[tuple[str, str], list[list[datetime]]] = {}
    rows = _stored(lake, "state").filter(
        pl.col("timestamp").is_between(JUNE_1, NOW, closed="left")
        & pl.col("node").str.to_integer(strict=False).is_between(0, 39)
    )
    named = rows.with_columns(pl.col("description").cast(pl.String)).sort("timestamp")
    for (node, check), part in named.group_by("node", "description", maintain_order=True):
        last = False
        for moment, state in part.select("timestamp", "value").rows():
            if state in states:
                periods = found.setdefault((str(node), str(check)), [])
                periods.append([moment]) if not last else periods[-1].append(moment)
            last = state in states
    return found


def test_names_the_checks_that_were_critical_for_long(thread: Thread, lake: Path) -> None:
    wanted = {
        (node, check, period[0])
        for (node, check), periods in _not_ok(lake, {2}).items()
        for period in periods
        if period[-1] - period[0] >= timedelta(hours=1)
    }

    answer = thread.found("Which nodes had a check critical for over an hour on 1 June 2022?")

    table = table_of(answer).with_columns(pl.col("node").cast(pl.String))
    assert set(table.select("node", "check", "first result").rows()) == wanted
    assert wanted
    assert "for more than 60 min" in answer.text


def test_counts_how_often_checks_were_not_ok(thread: Thread, lake: Path) -> None:
    counts = {key: len(periods) for key, periods in _not_ok(lake, {1, 2, 3}).items()}
    wanted = {(*key, number) for key, number in counts.items() if number >= 1}

    answer = thread.found("How often were checks not ok on 1 June 2022?")

    table = table_of(answer).with_columns(pl.col("node").cast(pl.String))
    assert set(table.select("node", "check", "periods").rows()) == wanted


def test_tells_the_longest_outage(thread: Thread, lake: Path) -> None:
    times = _down(lake, "26")

    answer = thread.found("How long was the longest ping outage of node 26 on 1 June 2022?")

    minutes = (times[-1] - times[0]).total_seconds() / 60
    assert table_of(answer)["between them (min)"].item() == pytest.approx(minutes)


def test_a_node_that_was_never_drained(thread: Thread) -> None:
    answer = thread.found("how long was node 5 drained on 1 June 2022?")

    assert answer.text.startswith("Node 5 was not drained on 2022-06-01 UTC.")


def test_that_one_node_was_not_drained_says_nothing_of_others(thread: Thread) -> None:
    answer = thread.found("was node 5 drained on 1 June 2022?")

    assert answer.text.startswith("Node 5 was not drained on 2022-06-01 UTC.")


def test_reads_the_hour_before_a_node_went_down(thread: Thread, lake: Path) -> None:
    went_down = _down(lake, "26")[0]

    answer = thread.found("average power of node 26 in the hour before it went down on 1 June 2022")

    mean = _mean(lake, "total_power", "26", went_down - timedelta(hours=1), went_down)
    assert table_of(answer, 2)["average (W)"].item() == pytest.approx(mean)
    assert "The event: check results from" in answer.text


def test_tells_what_is_there_where_one_side_of_an_event_has_no_data(
    thread: Thread, lake: Path
) -> None:
    answer = thread.found(
        "average power of node 26 20 minutes before and after node 26 went down on 1 June 2022"
    )

    went_down = _down(lake, "26")[0]
    mean = _mean(lake, "total_power", "26", went_down - timedelta(minutes=20), went_down)
    assert table_of(answer, 2)["average (W)"].item() == pytest.approx(mean)
    assert "There are no data of total node power of node 26" in answer.text


def test_reads_while_a_node_was_drained(thread: Thread, lake: Path) -> None:
    times = _drained(lake, "12")

    answer = thread.found("average power of node 12 during the drain of node 12 on 1 June 2022")

    start = min(
        _stored(lake, "state").filter(
            (pl.col("node") == "12") & (pl.col("nagiosdrained").cast(pl.String) == "1")
        )["timestamp"]
    )
    mean = _mean(lake, "total_power", "12", start, times[-1] + timedelta(seconds=1))
    assert table_of(answer, 2)["average (W)"].item() == pytest.approx(mean)


def test_reads_the_nodes_of_a_job_around_its_end(thread: Thread, lake: Path) -> None:
    jobs = _stored(lake, "job_info_marconi100")
    job = jobs.filter(pl.col("job_id") == 2984101).row(0, named=True)
    end, nodes = job["end_time"], job["nodes"].strip("[]").replace(",", " ")

    answer = thread.found("average power in the 30 minutes before job 2984101 ended")

    table = table_of(answer, 1)
    assert table["average (W)"].item() == pytest.approx(
        _mean(lake, "total_power", nodes, end - timedelta(minutes=30), end)
    )
    assert "Job 2984101 started at" in answer.text


def test_an_event_that_did_not_happen_is_no_data(thread: Thread) -> None:
    declined = thread.declined("average power of node 5 in the hour before it was drained")

    assert declined.reason is DeclineReason.NO_DATA


def test_asks_how_long_before_or_after(thread: Thread) -> None:
    declined = thread.declined("average power of node 26 after it went down on 1 June 2022")

    assert "How long before or after?" in declined.text


def test_names_the_nodes_whose_fan_stands_still(thread: Thread, lake: Path) -> None:
    fan = _stored(lake, "fan1_1").filter(
        (pl.col("value") == 0) & pl.col("timestamp").is_between(JUNE_1, NOW, closed="left")
    )

    answer = thread.found("On which nodes was fan1_1 standing still on 1 June 2022?")

    table = table_of(answer)
    assert set(table["node"].cast(pl.String)) == set(fan["node"]) == {"34"}


def test_names_the_nodes_on_one_power_supply(thread: Thread, lake: Path) -> None:
    idle = {
        node
        for supply in ("ps0_input_power", "ps1_input_power")
        for node in _stored(lake, supply).filter(
            (pl.col("value") <= 10) & pl.col("timestamp").is_between(JUNE_1, NOW, closed="left")
        )["node"]
    }

    answer = thread.found("Which nodes run on one power supply on 1 June 2022?")

    assert set(table_of(answer)["node"].cast(pl.String)) == idle
    assert "17" in idle


def test_tells_when_nodes_were_rebooted(thread: Thread, lake: Path) -> None:
    boots = _stored(lake, "boottime").filter(
        pl.col("timestamp").is_between(JUNE_1, NOW, closed="left")
        & (pl.col("value") >= JUNE_1.timestamp())
    )
    last = boots.group_by("node").agg(pl.col("value").max())
    wanted = {int(n): datetime.fromtimestamp(int(v), UTC) for n, v in last.rows()}

    answer = thread.found("which nodes rebooted on 1 June 2022?")

    assert dict(table_of(answer).select("node", "booted at").rows()) == wanted
    assert "booted at" in answer.text


def _boots(lake: Path, since: datetime) -> dict[str, list[float]]:
    """The times of boot behind ``since`` that the samples of 1 June report, by node."""
    rows = _stored(lake, "boottime").filter(
        pl.col("timestamp").is_between(JUNE_1, NOW, closed="left")
        & (pl.col("value") >= since.timestamp())
        & pl.col("node").str.to_integer(strict=False).is_between(0, 39)
    )
    return {str(node): sorted(set(part["value"])) for (node,), part in rows.group_by("node")}


def test_tells_how_often_nodes_were_rebooted(thread: Thread, lake: Path) -> None:
    wanted = {node: len(boots) for node, boots in _boots(lake, JUNE_1).items()}

    answer = thread.found("How often did the nodes reboot on 1 June 2022?")

    table = table_of(answer)
    assert dict(zip(table["node"].cast(pl.String), table["reboots"], strict=True)) == wanted
    assert wanted


def test_tells_when_a_node_was_rebooted_last(thread: Thread, lake: Path) -> None:
    last = _boots(lake, datetime(2022, 1, 1, tzinfo=UTC))["26"][-1]

    answer = thread.found("when did node 26 last reboot")

    assert table_of(answer)["booted at"].item() == datetime.fromtimestamp(last, UTC)
    assert "Last reboot of node 26" in answer.text


def test_lists_the_jobs_on_a_node_when_it_went_down(thread: Thread, lake: Path) -> None:
    told = _down(lake, "26")[0]
    jobs = _stored(lake, "job_info_marconi100")
    there = jobs.filter(
        pl.col("nodes")
        .str.strip_chars("[]")
        .str.split(",")
        .list.eval(pl.element().str.strip_chars())
        .list.contains("26")
        & (pl.col("start_time") <= told)
        & (pl.col("end_time") > told - timedelta(minutes=15))
    )

    answer = thread.found("Which jobs were running on node 26 when it went down on 1 June 2022?")

    assert set(table_of(answer, 2)["job"]) == set(there["job_id"])
    assert there.height
    assert "The event: check results from" in answer.text


def test_asks_for_what_gpus_were_held_back(thread: Thread) -> None:
    choices = thread.asked_back("Which GPUs throttled on 1 June 2022?").choices

    assert [choice.id for choice in choices] == ["gpu_thermal_violation", "gpu_power_violation"]


def test_tells_the_share_of_nodes_in_a_state(thread: Thread, lake: Path) -> None:
    states = _stored(lake, "state").filter(
        pl.col("timestamp").is_between(JUNE_1, NOW, closed="left"),
        pl.col("node").cast(pl.Int64, strict=False) < 980,
    )
    drained = states.filter(pl.col("nagiosdrained").cast(pl.String) == "1")["node"].n_unique()
    pings = states.filter(pl.col("description").cast(pl.String) == "alive::ping")
    down = pings.filter(pl.col("value") > 0)["node"].n_unique()

    of_drained = thread.found("what percentage of the nodes was drained on 1 June 2022?")
    of_down = thread.found("share of nodes that were down on 1 June 2022")

    assert 0 < drained < states["node"].n_unique()
    assert table_of(of_drained).row(0) == pytest.approx(
        (drained, states["node"].n_unique(), 100 * drained / states["node"].n_unique())
    )
    assert 0 < down < pings["node"].n_unique()
    assert table_of(of_down).row(0) == pytest.approx(
        (down, pings["node"].n_unique(), 100 * down / pings["node"].n_unique())
    )
    assert "nodes with results of alive::ping" in of_down.text
    assert table_of(of_drained, 1).height == drained


def test_the_share_at_a_moment_is_of_the_results_that_stand_then(
    thread: Thread, lake: Path
) -> None:
    moment = _drained(lake, "12")[1]
    reach = moment - timedelta(hours=1)
    states = _stored(lake, "state").filter(
        pl.col("timestamp").is_between(reach, moment),
        pl.col("node").cast(pl.Int64, strict=False) < 980,
    )
    last = states.sort("timestamp").group_by("node", "description").last()
    drained = last.filter(pl.col("nagiosdrained").cast(pl.String) == "1")["node"].n_unique()

    answer = thread.found(f"percentage of drained nodes on 1 June 2022 at {moment:%H:%M}")

    assert drained > 0
    assert table_of(answer)["nodes"].item() == drained
    assert table_of(answer)["nodes with check results"].item() == last["node"].n_unique()


@pytest.mark.parametrize(
    "question",
    [
        "percentage of drained nodes with a critical check on 1 June 2022",
        "share of nodes drained per day for 1-2 June 2022",
        "what share of nodes was drained for more than 2 hours on 1 June 2022?",
    ],
)
def test_a_share_of_a_part_of_the_nodes_is_refused(thread: Thread, question: str) -> None:
    assert thread.declined(question).reason is DeclineReason.NOT_UNDERSTOOD
