"""Questions about real telemetry, each held against a computation that shares no code with ours."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest
from PIL import Image

from agent import Analyst
from agent.answer import DeclineReason
from tests.asking import Thread, analyst_over, number_of, table_of

SLICE = Path(__file__).resolve().parents[1] / "data" / "real-slice"
NOW = datetime(2022, 10, 1, tzinfo=UTC)
SIX = "nodes 10, 38, 104, 335, 355 and 578"


@pytest.fixture(scope="module")
def analyst(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Analyst]:
    with analyst_over(SLICE, tmp_path_factory.mktemp("real")) as made:
        yield made


@pytest.fixture
def thread(analyst: Analyst) -> Thread:
    return Thread(analyst, NOW)


def _stored(plugin: str, metric: str) -> pl.DataFrame:
    folder = SLICE / "year_month=22-09" / f"plugin={plugin}" / f"metric={metric}"
    frame = pl.read_parquet(folder / "a_0.parquet", hive_partitioning=False)
    return frame.with_columns(pl.col("node").cast(pl.String), pl.col("value").cast(pl.Float64))


def _of(plugin: str, metric: str, node: str, first: int = 1, last: int = 30) -> pl.DataFrame:
    """The samples of a node on the days ``first`` to ``last`` of September 2022, in order."""
    day = pl.col("timestamp").dt.day()
    mine = (pl.col("node") == node) & day.is_between(first, last)
    return _stored(plugin, metric).filter(mine).sort("timestamp")


def test_average_and_maximum_power_of_a_node_on_a_day(thread: Thread) -> None:
    answer = thread.found(
        "What were the average and maximum total power of node 104 on 12 September 2022?"
    )

    values = _of("ipmi_pub", "total_power", "104", 12, 12)["value"].to_list()
    assert len(values) == 95
    assert number_of(answer, "average (W)") == pytest.approx(sum(values) / 95)
    assert number_of(answer, "maximum (W)") == max(values)
    assert "680.02 W" in answer.text
    assert "1,058.2 W" in answer.text


def test_hottest_inlet_of_the_six_nodes_and_when(thread: Thread) -> None:
    answer = thread.found(f"Which of the {SIX} had the hottest inlet in September 2022, and when?")

    hottest = _stored("ipmi_pub", "ambient").sort("value", "timestamp", descending=[True, False])
    node, value, moment = hottest.select("node", "value", "timestamp").row(0)
    row = table_of(answer).sort("maximum (°C)", descending=True).row(0, named=True)
    assert str(row["node"]) == node == "38"
    assert row["maximum (°C)"] == pytest.approx(value)
    assert row["time of the maximum"] == moment
    assert "41.2 °C" in answer.text


def test_gpu_power_of_a_node_against_another_as_a_line_plot(thread: Thread) -> None:
    answer = thread.found(
        "Plot the GPU 0 power of node 335 against node 355 on 12 September 2022 as a line"
    )

    drawn = table_of(answer).sort("node", "time")
    for node in ("335", "355"):
        mine = drawn.filter(pl.col("node").cast(pl.String) == node)
        stored = _of("ganglia_pub", "Gpu0_power_usage", node, 12, 12)
        assert mine.height == stored.height > 90
        assert mine["GPU 0 power (W)"].to_list() == pytest.approx(stored["value"].to_list())
        assert mine["time"].to_list() == stored["timestamp"].to_list()
    if "no sandbox" in answer.text:
        pytest.skip("no program can be isolated on this machine")
    (picture,) = answer.artifacts
    assert picture.media_type == "image/png"
    with Image.open(picture.path) as image:
        assert image.size == (1200, 700)
        assert len(image.convert("RGB").getcolors(1 << 24) or []) > 20


def test_nodes_with_a_filesystem_warning_in_nagios(thread: Thread) -> None:
    answer = thread.found("Which nodes had a filesystem warning in nagios in September 2022?")

    is_file_system = pl.col("description").cast(pl.String).str.starts_with("filesys::")
    warned = _stored("nagios_pub", "state").filter(is_file_system & (pl.col("value") == 1))
    table = table_of(answer)
    assert [str(node) for node in table["node"]] == sorted(set(warned["node"])) == ["38"]
    assert table["samples"].to_list() == [warned.height]
    assert table["first"].to_list() == [warned["timestamp"].min()]
    assert table["last"].to_list() == [warned["timestamp"].max()]


@pytest.mark.parametrize(("node", "bound"), [("38", 35), ("355", 25)])
def test_fan_speeds_of_a_node_while_its_inlet_was_hot(
    thread: Thread, node: str, bound: int
) -> None:
    answer = thread.found(
        f"What were the fan speeds of node {node} while its inlet was above {bound} °C"
        " in September 2022?"
    )

    hot = _of("ipmi_pub", "ambient", node).filter(pl.col("value") > bound)["timestamp"]
    speeds = pl.concat(
        _of("ipmi_pub", f"fan{fan}_{part}", node) for fan in range(4) for part in range(2)
    ).filter(pl.col("timestamp").is_in(hot.implode()))["value"]
    assert speeds.len() >= 8 * 20
    assert number_of(answer, "average (RPM)") == pytest.approx(speeds.mean())
    assert number_of(answer, "minimum (RPM)") == speeds.min()
    assert number_of(answer, "maximum (RPM)") == speeds.max()


def test_daily_means_of_a_week(thread: Thread) -> None:
    answer = thread.found("daily average power of node 335 from 5 to 11 September 2022")

    stored = _of("ipmi_pub", "total_power", "335", 5, 11)
    means = stored.group_by(pl.col("timestamp").dt.day()).agg(pl.col("value").mean())
    table = table_of(answer)
    assert table["average (W)"].to_list() == pytest.approx(
        means.sort("timestamp")["value"].to_list()
    )


def test_energy_holds_each_sample_until_the_next(thread: Thread) -> None:
    answer = thread.found("Energy in kWh of node 578 on 20 September 2022")

    samples = _of("ipmi_pub", "total_power", "578", 20, 20)
    times, values = samples["timestamp"].to_list(), samples["value"].to_list()
    quarter = timedelta(minutes=15)
    held = [min(b - a, 3 * quarter) for a, b in pairwise(times)] + [quarter]
    joules = sum(v * h.total_seconds() for v, h in zip(values, held, strict=True))
    assert number_of(answer, "energy (kWh)") == pytest.approx(joules / 3.6e6)


def test_hours_above_a_bound(thread: Thread) -> None:
    answer = thread.found(
        "For how many hours was the power of node 10 above 1 kW in September 2022?"
    )

    above = _of("ipmi_pub", "total_power", "10").filter(pl.col("value") > 1000)
    column = answer.tables[0].columns[-1]
    hours = number_of(answer, column) / (60 if "(min)" in column else 1)
    # Each sample above the bound stands for a quarter of an hour, or for a gap of up to three.
    assert above.height / 4 <= hours <= above.height / 4 * 1.2


def test_a_percentile_is_interpolated(thread: Thread) -> None:
    answer = thread.found("95th percentile of the inlet temperature of node 355 in September 2022")

    values = sorted(_of("ipmi_pub", "ambient", "355")["value"].to_list())
    place = 0.95 * (len(values) - 1)
    low = int(place)
    expected = values[low] + (place - low) * (values[low + 1] - values[low])
    assert number_of(answer, "95th percentile (°C)") == pytest.approx(expected)


def test_a_complement_is_said_to_be_one(thread: Thread) -> None:
    answer = thread.found("average CPU utilisation of node 104 on 12 September 2022")

    idle = _of("ganglia_pub", "cpu_idle", "104", 12, 12)["value"].to_list()
    assert number_of(answer, "average (%)") == pytest.approx(100 - sum(idle) / len(idle))
    assert "idle" in answer.text


def test_a_fan_that_stood_still(thread: Thread) -> None:
    answer = thread.found("Which nodes had fan0_0 at 0 RPM in September 2022?")

    still = _stored("ipmi_pub", "fan0_0").filter(pl.col("value") == 0)
    table = table_of(answer)
    assert [str(node) for node in table["node"]] == sorted(set(still["node"])) == ["38"]
    assert table["samples"].item() == still.height


def test_hottest_moments_are_told_as_periods(thread: Thread) -> None:
    answer = thread.found(
        "When was the inlet temperature of node 355 above 32 °C in September 2022?"
    )

    hot = _of("ipmi_pub", "ambient", "355").filter(pl.col("value") > 32)
    table = table_of(answer)
    assert table["first sample"].min() == hot["timestamp"].min()
    assert table["last sample"].max() == hot["timestamp"].max()


def test_days_without_data_are_named(thread: Thread) -> None:
    answer = thread.found(
        "On which days between 25 and 30 September 2022 did node 104 report no power reading?"
    )

    days = set(_of("ipmi_pub", "total_power", "104", 25, 30)["timestamp"].dt.day())
    silent = [day for day in range(25, 31) if day not in days]
    assert [moment.day for moment in table_of(answer).to_series(-1)] == silent == [29, 30]
    assert "2022-09-29, 2022-09-30" in answer.text


def test_of_all_nodes_those_that_sent_anything_are_ranked(thread: Thread) -> None:
    answer = thread.found("Top 3 nodes by average power in September 2022")

    means = _stored("ipmi_pub", "total_power").group_by("node").agg(pl.col("value").mean())
    best = means.sort("value", descending=True).head(3)
    table = table_of(answer)
    assert [str(node) for node in table["node"]] == best["node"].to_list()
    assert table["average (W)"].to_list() == pytest.approx(best["value"].to_list())


def test_a_node_without_telemetry_has_no_number(thread: Thread) -> None:
    answer = thread.declined("average power of node 900 on 12 September 2022")

    assert answer.reason is DeclineReason.NO_DATA
    assert "no data" in answer.text


def test_a_month_that_the_lake_lacks_has_no_number(thread: Thread) -> None:
    answer = thread.declined("average power of node 104 in August 2022")

    assert answer.reason is DeclineReason.NO_DATA
    assert "2022-09" in answer.text


def test_a_metric_that_the_lake_lacks_has_no_number(thread: Thread) -> None:
    answer = thread.declined("average free memory of node 104 on 12 September 2022")

    assert answer.reason is DeclineReason.NO_DATA
    assert "mem_free" in answer.text
