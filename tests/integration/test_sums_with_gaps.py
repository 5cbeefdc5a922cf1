"""Sums over nodes of which some lack samples, each computed again from the files.

Of rack 1, node 25 has no power from 10:00 to 11:00 and node 30 none at all; the nodes of rack 0
lack one sample in twenty each, at moments of their own. Of the air at their inlets and of the
supplies there are samples of one half of the nodes at a time.
"""

import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import polars as pl
import pytest

from agent import Analyst
from tests.asking import Thread, analyst_over, number_of, table_of
from tests.lakes import tiny_lake
from tests.stored import JUNE_1, NOW, Stored

_NODE = pl.col("node").cast(pl.String).cast(pl.Int64)
_TIME = pl.col("timestamp")
_SILENT, _BROKEN = 30, 25
_SPOKE = 19
_BREAK = (datetime(2022, 6, 1, 10, tzinfo=NOW.tzinfo), datetime(2022, 6, 1, 11, tzinfo=NOW.tzinfo))


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    whole = tiny_lake(tmp_path_factory.mktemp("lake") / "whole")
    root = tmp_path_factory.mktemp("gaps") / "lake"
    shutil.copytree(whole, root)
    step = _TIME.dt.epoch("s") // 20
    broken = (_NODE == _BROKEN) & _TIME.is_between(*_BREAK, closed="left")
    single = (_NODE < 20) & ((step + 7 * _NODE) % 20 == 0)
    _thin(root, "total_power", ~(broken | (_NODE == _SILENT) | single))
    _thin(root, "ps0_input_power", (_NODE + _TIME.dt.epoch("s") // 7200) % 2 == 0)
    return root


def _thin(root: Path, metric: str, kept: pl.Expr) -> None:
    for path in root.glob(f"*/plugin=ipmi_pub/metric={metric}/*.parquet"):
        pl.read_parquet(path, hive_partitioning=False).filter(kept).write_parquet(path)


@pytest.fixture(scope="module")
def analyst(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Analyst]:
    with analyst_over(lake, tmp_path_factory.mktemp("answers")) as made:
        yield made


def _rack(stored: Stored, rack: int) -> pl.DataFrame:
    return stored.on_1_june("total_power").filter(rack == _NODE // 20)


def _powers(frame: pl.DataFrame) -> list[float]:
    return [float(value) for value in frame["value"]]


def _whole(stored: Stored) -> pl.DataFrame:
    """The power of rack 1 at the moments at which all its nodes but the silent one speak."""
    moments = _rack(stored, 1).group_by("timestamp").agg(pl.col("value").sum(), pl.len())
    whole = moments.filter(pl.col("len") == _SPOKE).sort("timestamp")
    assert 0 < moments.height - whole.height < 0.1 * moments.height
    return whole


def _minutes(stored: Stored, rack: int, sensors: int) -> pl.DataFrame:
    """The sums of the means of each minute in which so many sensors have a sample."""
    slot = _TIME.dt.truncate("1m").alias("slot")
    means = _rack(stored, rack).group_by("node", slot).agg(pl.col("value").mean())
    sums = means.group_by("slot").agg(pl.col("value").sum(), pl.len())
    return sums.filter(pl.col("len") == sensors).sort("slot")


def test_an_extreme_is_one_of_moments_with_all_sensors(thread: Thread, stored: Stored) -> None:
    answer = thread.found("maximum, minimum, median power of rack 1 as a whole on 1 June 2022")

    whole = _whole(stored)["value"]
    every = _rack(stored, 1)["timestamp"].n_unique()
    naive = _rack(stored, 1).group_by("timestamp").agg(pl.col("value").sum())["value"]
    assert number_of(answer, "minimum (W)") == whole.min() != naive.min()
    assert number_of(answer, "maximum (W)") == whole.max()
    assert number_of(answer, "median (W)") == whole.median()
    assert f"{every - len(whole):,} of {every:,} moments are left out of the sums" in answer.text
    assert "The sum is without node 30, of which there are no samples" in answer.text
    assert "Partial" not in answer.text


def test_a_spread_is_that_of_the_sum(thread: Thread, stored: Stored) -> None:
    answer = thread.found("standard deviation of the power of rack 1 on 1 June 2022")

    spread = _whole(stored)["value"].std(ddof=0)
    assert number_of(answer, "standard deviation (W)") == pytest.approx(spread)


def test_a_share_of_the_time_is_of_whole_moments(thread: Thread, stored: Stored) -> None:
    whole = _whole(stored)["value"]
    bound = float(whole.quantile(0.2) or 0) // 100 * 100

    answer = thread.found(f"what share of the time was rack 1 below {bound:.0f} W on 1 June 2022?")

    share = 100 * (whole < bound).sum() / len(whole)
    assert number_of(answer, "share of the samples (%)") == pytest.approx(share)


def test_a_period_lies_in_whole_moments(thread: Thread, stored: Stored) -> None:
    """The sum without its broken node is below the bound, that of all nodes never."""
    whole = _whole(stored)
    bound = min(_powers(whole)) // 10 * 10

    answer = thread.ask(f"when was rack 1 below {bound:.0f} W on 1 June 2022?")

    naive = _rack(stored, 1).group_by("timestamp").agg(pl.col("value").sum())
    assert min(_powers(naive)) < bound
    assert "never" in answer.text


def test_things_are_picked_by_whole_moments(thread: Thread, stored: Stored) -> None:
    bound = min(_powers(_whole(stored))) // 10 * 10
    others = _minutes(stored, 0, 20)["value"]

    answer = thread.found(f"which racks were below {bound:.0f} W on 1 June 2022?")

    expected = ["0"] if (others < bound).any() else []
    assert [str(r) for r in table_of(answer)["rack"].to_list()] == expected


def test_a_series_has_the_intervals_with_all_sensors(thread: Thread, stored: Stored) -> None:
    answer = thread.found("total power of rack 1 as a whole on 1 June 2022 over time")

    minutes = _minutes(stored, 1, _SPOKE)
    table = table_of(answer)
    assert table.height == minutes.height < 24 * 60 - 60
    assert table.to_series(-1).to_list() == pytest.approx(minutes["value"].to_list())
    assert (
        f"{1440 - minutes.height} of 1,440 intervals of 1 minute are left out of the sums"
        in answer.text
    )


def test_hours_without_a_sensor_are_left_out(thread: Thread, stored: Stored) -> None:
    means = thread.found("hourly average power of rack 1 as a whole on 1 June 2022")
    energies = thread.found("energy of rack 1 on 1 June 2022 per hour")

    hour = _TIME.dt.truncate("1h").alias("hour")
    each = _rack(stored, 1).group_by("node", hour).agg(pl.col("value").mean())
    sums = each.group_by("hour").agg(pl.col("value").sum(), pl.len()).sort("hour")
    whole = sums.filter(pl.col("len") == _SPOKE)
    assert whole.height == 23
    # A gap within an hour adds nothing to its energy.
    for answer, scale, least in ((means, 1, 1.0), (energies, 0.001, 0.9)):
        table = table_of(answer)
        assert table["hour"].to_list() == whole["hour"].to_list()
        expected = (scale * whole["value"]).to_list()
        assert table.to_series(-1).to_list() == pytest.approx(expected, rel=1.0001 - least)
        assert "1 of 24 hours are left out of the sums" in answer.text


def test_an_energy_says_what_is_missing(thread: Thread, stored: Stored) -> None:
    answer = thread.found("energy of rack 1 on 1 June 2022")

    missing = _SPOKE * 4320 - _rack(stored, 1).height
    assert f"adds nothing to an energy: {missing:,} of {_SPOKE * 4320:,} samples" in answer.text
    assert "The sum is without node 30" in answer.text


def test_single_samples_that_lack_are_met_by_means(thread: Thread, stored: Stored) -> None:
    """One of twenty moments is whole where each of twenty nodes lacks another one."""
    answer = thread.found("minimum power of rack 0 as a whole on 1 June 2022")

    minutes = _minutes(stored, 0, 20)
    assert minutes.height == 24 * 60
    assert number_of(answer, "minimum (W)") == pytest.approx(minutes["value"].min())
    assert "Values are means of 1 minute" in answer.text


def test_a_sum_that_is_never_whole_is_refused(thread: Thread) -> None:
    answer = thread.declined("maximum of PSU 0 input power of all nodes summed up on 1 June 2022")

    assert "There is no sum of" in answer.text


def test_a_share_of_racks_is_one_of_racks(thread: Thread, stored: Stored) -> None:
    bound = max(_powers(_minutes(stored, 1, _SPOKE)))
    assert (_minutes(stored, 0, 20)["value"] < bound).all()

    answer = thread.found(f"what percentage of racks were above {bound - 1:.0f} W on 1 June 2022?")

    assert number_of(answer, "racks with samples") == 2
    assert number_of(answer, "share (%)") == 50


def test_the_day_is_the_one_of_the_files(stored: Stored) -> None:
    assert _rack(stored, 1)["timestamp"].min() == JUNE_1
