"""A sensor that reads nothing but 0 for a week is called dead; one that stood still is not."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from agent import Analyst
from tests.asking import Thread, analyst_over, number_of
from tests.stored import NOW

DEAD = "dead or not supported"


@pytest.fixture(scope="module")
def partly_dead(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Analyst]:
    """Node 3's fan never turns, node 5's stands for some hours; all PSUs of all nodes read 0."""
    copy = tmp_path_factory.mktemp("dead") / "lake"
    shutil.copytree(lake, copy)
    of_node, value = pl.col("node").cast(pl.String), pl.col("value")
    zero = pl.lit(0)
    for path in copy.glob("*/plugin=ipmi_pub/metric=fan1_1/*.parquet"):
        at = pl.col("timestamp").dt
        stood = (of_node == "5") & (at.day() == 1) & at.hour().is_between(2, 3)
        still = pl.when((of_node == "3") | stood).then(zero).otherwise(value)
        _rewrite(path, still)
    for path in copy.glob("*/plugin=ipmi_pub/metric=ps0_input_power/*.parquet"):
        _rewrite(path, zero)
    with analyst_over(copy, tmp_path_factory.mktemp("answers")) as made:
        yield made


def _rewrite(path: Path, value: pl.Expr) -> None:
    frame = pl.read_parquet(path, hive_partitioning=False)
    dtype = frame.schema["value"]
    frame.with_columns(value.cast(dtype).alias("value")).write_parquet(path)


def test_a_sensor_that_only_reads_zero_is_called_dead(partly_dead: Analyst) -> None:
    thread = Thread(partly_dead, NOW)

    fan = thread.found("average of fan1_1 of node 3 on 1 June 2022")
    supply = thread.found("maximum of ps0_input_power over all nodes on 1 June 2022")

    assert number_of(fan, "average (RPM)") == 0
    assert DEAD in fan.text
    assert DEAD in supply.text


def test_a_sensor_that_read_zero_for_some_hours_is_not(partly_dead: Analyst) -> None:
    thread = Thread(partly_dead, NOW)

    stood = thread.found("maximum of fan1_1 of node 5 on 1 June 2022 from 02:00 to 03:30")
    turning = thread.found("average of fan1_1 of node 7 on 1 June 2022")

    assert number_of(stood, "maximum (RPM)") == 0
    assert DEAD not in stood.text
    assert DEAD not in turning.text


def test_a_count_of_zero_is_no_dead_sensor(partly_dead: Analyst) -> None:
    answer = Thread(partly_dead, NOW).ask(
        "how many nodes had a fan1_1 above 30000 RPM on 1 June 2022"
    )

    assert DEAD not in answer.text
