from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from tests.lakes import tiny_lake, tiny_profile


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    profile = replace(tiny_profile(), metrics=frozenset({"job_info_marconi100"}))
    return tiny_lake(tmp_path_factory.mktemp("jobs") / "lake", profile=profile)


def jobs(lake: Path, month: str = "*") -> pl.DataFrame:
    pattern = f"{lake}/year_month={month}/plugin=job_table/metric=job_info_marconi100/a_0.parquet"
    return pl.read_parquet(pattern, hive_partitioning=False)


def test_jobs_lie_in_the_month_of_their_end(lake: Path) -> None:
    for month, number in (("22-05", 5), ("22-06", 6)):
        assert set(jobs(lake, month)["end_time"].dt.month().to_list()) == {number}


def test_the_job_table_has_the_published_columns_most_of_them_empty(lake: Path) -> None:
    table = jobs(lake)

    empty = [name for name in table.columns if table[name].null_count() == table.height]
    assert len(table.columns) == 89
    assert len(empty) > 60
    assert 0.3 < table["run_time"].null_count() / table.height < 0.6
    assert table.schema["num_nodes"] == pl.UInt16
    assert table.schema["start_time"] == pl.Datetime("ms", "UTC")


def test_jobs_count_threads_and_name_nodes_in_a_text(lake: Path) -> None:
    job = jobs(lake).filter(pl.col("job_id") == 1000882).row(0, named=True)

    assert job["nodes"] == "[4, 5, 6, 7]"
    assert (job["num_nodes"], job["num_cpus"]) == (4, 512)
    assert job["tres_per_node"] == "gres:gpu:4"
    assert job["time_limit_str"] == "1-00:00:00"


@pytest.mark.parametrize("seed", [1, 2])
def test_no_node_gives_more_threads_than_it_has(tmp_path: Path, seed: int) -> None:
    profile = replace(tiny_profile(), metrics=frozenset({"job_info_marconi100"}))
    table = jobs(tiny_lake(tmp_path / "lake", seed=seed, profile=profile))
    each = table.select(
        pl.col("nodes").str.strip_chars("[]").str.split(", ").alias("node"),
        pl.col("start_time", "end_time"),
        (pl.col("num_cpus") / pl.col("num_nodes")).alias("threads"),
    ).explode("node")
    starts = each.select("node", time="start_time", step="threads")
    ends = each.select("node", time="end_time", step=-pl.col("threads"))

    in_use = (
        pl.concat([starts, ends])
        .sort("time", "step")
        .select(pl.col("step").cum_sum().over("node"), "node")
    )

    most = dict(in_use.group_by("node").agg(pl.col("step").max()).iter_rows())
    assert all(used <= 128 for used in most.values())
    shared = each.filter(pl.col("node").is_in(["36", "37", "38", "39"]))
    assert shared["threads"].max() < 128  # type: ignore[operator]
