"""Rows that go back in time, come twice, or jump, and what is answered from them."""

import shutil
from pathlib import Path

import polars as pl
import pytest

from tests.asking import Thread, analyst_over, table_of
from tests.stored import NOW

QUESTIONS = (
    "average, minimum and maximum total power of node 5 on 1 June 2022",
    "energy of node 5 on 1 June 2022",
    "hourly average total power of node 5 on 1 June 2022",
    "longest time that the total power of node 5 was above 600 W on 1 June 2022",
    "longest gap in total power of node 5 on 1 June 2022",
    "total power of node 5 on 1 June 2022 at 10:00",
)


def _changed(lake: Path, to: Path, change: str) -> Path:
    shutil.copytree(lake, to)
    for path in to.glob("*/plugin=ipmi_pub/metric=total_power/*.parquet"):
        frame = pl.read_parquet(path, hive_partitioning=False)
        match change:
            case "backwards":
                frame = frame.reverse()
            case "shuffled":
                frame = frame.sample(fraction=1, shuffle=True, seed=7)
            case "twice":
                frame = pl.concat([frame, frame.reverse()])
            case _:
                assert change == "jumping"
                # A clock that was set: readings that say they are years away are no part of a day.
                far = frame.head(50).with_columns(pl.col("timestamp").dt.offset_by("-3y"))
                frame = pl.concat([frame, far])
        frame.write_parquet(path)
    return to


@pytest.mark.parametrize("change", ["backwards", "shuffled", "twice", "jumping"])
def test_the_order_of_rows_changes_no_answer(change: str, lake: Path, tmp_path: Path) -> None:
    unruly = _changed(lake, tmp_path / "lake", change)

    with analyst_over(lake, tmp_path / "a") as one, analyst_over(unruly, tmp_path / "b") as other:
        for question in QUESTIONS:
            expected = table_of(Thread(one, NOW).found(question))
            assert table_of(Thread(other, NOW).found(question)).equals(expected), question
