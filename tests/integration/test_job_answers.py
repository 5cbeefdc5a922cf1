"""Groups of jobs over a tiny lake, their bounds, orders and lengths, computed again from files."""

from datetime import UTC, datetime

import polars as pl
import pytest

from tests.asking import Thread, table_of
from tests.stored import JUNE_1, NOW, Stored

_SECONDS = (pl.col("end_time") - pl.col("start_time")).dt.total_milliseconds() / 1000
_SO_FAR = (
    pl.min_horizontal("end_time", pl.lit(NOW)) - pl.col("start_time")
).dt.total_milliseconds() / 1000
"""What is known at the test's now of how long jobs ran."""
_WAITED = (pl.col("start_time") - pl.col("submit_time")).dt.total_milliseconds() / 1000
_ON_1_JUNE = (pl.col("start_time") < NOW) & (pl.col("end_time") > JUNE_1)
_CLIPPED = (
    pl.min_horizontal("end_time", pl.lit(NOW)) - pl.max_horizontal("start_time", pl.lit(JUNE_1))
).dt.total_milliseconds() / 3.6e6


def _texts(frame: pl.DataFrame, column: str) -> list[str]:
    return [str(value) for value in frame[column]]


def test_users_with_more_jobs_than_a_bound(thread: Thread, stored: Stored) -> None:
    answer = thread.found("users with more than 3 jobs on 1 June 2022")

    counts = stored.jobs().filter(_ON_1_JUNE).group_by("user_id").len()
    many = counts.filter(pl.col("len") > 3)
    assert 0 < many.height < counts.height
    told = dict(zip(_texts(table_of(answer), "user"), table_of(answer)["jobs"], strict=True))
    assert told == {str(user): count for user, count in many.rows()}
    assert f"users with jobs > 3 ({many.height})" in answer.text


def test_users_by_their_hours_within_the_window(thread: Thread, stored: Stored) -> None:
    answer = thread.found("which users used more than 10 node-hours on 1 June 2022")

    hours = (
        stored.jobs().filter(_ON_1_JUNE).group_by("user_id")
        .agg((pl.col("num_nodes") * _CLIPPED).sum().alias("hours")).filter(pl.col("hours") > 10)
        .sort("user_id")
    )  # fmt: skip
    table = table_of(answer)
    assert hours.height > 0
    assert _texts(table, "user") == _texts(hours, "user_id")
    assert table["node-hours (h)"].to_list() == pytest.approx(hours["hours"].to_list())


def test_the_jobs_that_used_the_most_core_hours(thread: Thread, stored: Stored) -> None:
    answer = thread.found("Which 5 jobs on 1 June 2022 used the most CPU core-hours?")

    used = (pl.col("num_cpus") / 4 * _CLIPPED).alias("hours")
    best = stored.jobs().filter(_ON_1_JUNE).with_columns(used).sort("hours", descending=True)
    table = table_of(answer)
    assert table["CPU core-hours (h)"].to_list() == pytest.approx(best["hours"][:5].to_list())
    assert table["job"][0] == best["job_id"][0]
    assert str(table["user"][0]) == str(best["user_id"][0])


def test_waiting_times_of_partitions_in_order(thread: Thread, stored: Stored) -> None:
    answer = thread.found("average waiting time per partition on 1 June 2022, longest first")

    means = (
        stored.jobs().filter(_ON_1_JUNE).group_by("partition").agg(_WAITED.mean().alias("wait"))
        .sort("wait", descending=True)
    )  # fmt: skip
    table = table_of(answer)
    assert means.height > 1
    assert _texts(table, "partition") == _texts(means, "partition")
    assert table["average waiting time (s)"].to_list() == pytest.approx(means["wait"].to_list())


@pytest.mark.parametrize(
    ("words", "column", "measure"),
    [
        ("total waiting time of jobs", "total waiting time (s)", _WAITED.sum()),
        (
            "standard deviation of run times of jobs",
            "standard deviation of the run time (s)",
            _SO_FAR.std(ddof=0),
        ),
        (
            "95th percentile of the waiting time of jobs",
            "95th percentile of the waiting time (s)",
            _WAITED.quantile(0.95, "linear"),
        ),
        ("shortest run time of jobs", "shortest run time (s)", _SO_FAR.min()),
    ],
)
def test_lengths_by_quality_of_service(
    thread: Thread, stored: Stored, words: str, column: str, measure: pl.Expr
) -> None:
    answer = thread.found(f"{words} by qos on 1 June 2022")

    jobs = stored.jobs().filter(_ON_1_JUNE).with_columns(pl.col("qos").cast(pl.String))
    right = jobs.group_by("qos").agg(measure.alias("x")).sort("qos")
    assert table_of(answer)[column].to_list() == pytest.approx(right["x"].to_list())


def test_node_hours_of_jobs_of_each_size(thread: Thread, stored: Stored) -> None:
    answer = thread.found("node-hours by node count of the jobs that started on 31 May 2022")

    started = pl.col("start_time").dt.date() == datetime(2022, 5, 31, tzinfo=UTC).date()
    hours = (
        stored.jobs().filter(started).group_by("num_nodes")
        .agg((pl.col("num_nodes") * _SECONDS / 3600).sum().alias("hours")).sort("num_nodes")
    )  # fmt: skip
    table = table_of(answer)
    assert hours.height > 1
    assert table["node count"].to_list() == hours["num_nodes"].to_list()
    assert table["node-hours (h)"].to_list() == pytest.approx(hours["hours"].to_list())


def test_node_hours_of_a_rack_are_those_of_its_nodes(thread: Thread, stored: Stored) -> None:
    answer = thread.found("node-hours of jobs by rack on 1 June 2022")

    each = stored.jobs().filter(_ON_1_JUNE).with_columns(
        pl.col("nodes").str.extract_all(r"\d+").alias("node"), _CLIPPED.alias("hours")
    ).explode("node").with_columns((pl.col("node").cast(pl.Int64) // 20).alias("rack"))  # fmt: skip
    hours = each.group_by("rack").agg(pl.col("hours").sum()).sort("rack")
    table = table_of(answer).sort("rack")
    assert table["rack"].to_list() == hours["rack"].to_list()
    assert table["node-hours (h)"].to_list() == pytest.approx(hours["hours"].to_list())


def test_jobs_by_node_of_a_rack_are_of_its_nodes_alone(thread: Thread, stored: Stored) -> None:
    answer = thread.found("how many jobs ran in rack 1 on 1 June 2022, per node")

    nodes = stored.jobs().filter(_ON_1_JUNE).select(
        pl.col("nodes").str.extract_all(r"\d+").alias("node")
    ).explode("node").group_by("node").len().filter(
        pl.col("node").cast(pl.Int64).is_between(20, 39)
    )  # fmt: skip
    told = dict(zip(_texts(table_of(answer), "node"), table_of(answer)["jobs"], strict=True))
    assert nodes.height
    assert told == dict(nodes.rows())


def test_a_last_place_that_is_shared_is_told(thread: Thread, stored: Stored) -> None:
    answer = thread.found("which user had the fewest jobs on 1 June 2022")

    counts = stored.jobs().filter(_ON_1_JUNE).group_by("user_id").len()["len"]
    shared = counts.filter(counts == counts.min()).len() > 1
    assert table_of(answer)["jobs"].to_list() == [counts.min()]
    assert ("The last place is shared" in answer.text) is shared


def test_the_length_of_each_job_is_drawn(thread: Thread, stored: Stored) -> None:
    answer = thread.found("histogram of run times of the jobs that ended on 31 May 2022")

    ended = pl.col("end_time").dt.date() == datetime(2022, 5, 31, tzinfo=UTC).date()
    jobs = stored.jobs().filter(ended).select("job_id", (_SECONDS / 3600).alias("h"))
    table = table_of(answer).sort("job")
    assert table["run time (h)"].to_list() == pytest.approx(jobs.sort("job_id")["h"].to_list())
    assert any(artifact.path.suffix == ".png" for artifact in answer.artifacts)


def _of_jobs(stored: Stored, jobs: pl.DataFrame) -> pl.DataFrame:
    """The power of each node on 1 June while each of ``jobs`` ran on it, with the job's columns."""
    each = jobs.with_columns(pl.col("nodes").str.extract_all(r"\d+").alias("node")).explode("node")
    joined = stored.on_1_june("total_power").join(each, on="node")
    ran = (pl.col("timestamp") >= pl.col("start_time")) & (
        pl.col("timestamp") <= pl.col("end_time")
    )
    return joined.filter(ran)


def _energies(samples: pl.DataFrame, key: str) -> dict[int, float]:
    """kWh of each ``key``: a sample stands until the next, or three usual gaps at the most."""
    gap = pl.col("timestamp").diff().shift(-1).dt.total_milliseconds() / 1000
    usual = pl.col("gap").median().over(key, "node")
    seconds = pl.min_horizontal(pl.col("gap").fill_null(usual), 3 * usual)
    each = samples.with_columns(gap.over(key, "node", order_by="timestamp").alias("gap"))
    joules = each.with_columns((pl.col("value") * seconds).alias("joules")).drop_nulls("joules")
    return dict(joules.group_by(key).agg(pl.col("joules").sum() / 3.6e6).rows())


def test_the_last_jobs_of_a_user(thread: Thread, stored: Stored) -> None:
    started = stored.jobs().filter(pl.col("start_time") < NOW)
    user = started["user_id"].mode()[0]

    answer = thread.found(f"the last 3 jobs of user {user}")

    mine = started.filter(pl.col("user_id") == user).sort("start_time", descending=True)
    assert table_of(answer)["started"].to_list() == mine["start_time"][:3].to_list()


def test_jobs_by_their_energy_and_the_mean_over_them(thread: Thread, stored: Stored) -> None:
    answer = thread.found("average energy per job on 1 June 2022")
    best = thread.found("top 3 jobs by energy on 1 June 2022")

    energies = _energies(_of_jobs(stored, stored.jobs().filter(_ON_1_JUNE)), "job_id")
    mean = table_of(answer).row(0, named=True)
    assert mean["jobs"] == len(energies) > 5
    told = sum(energies.values()) / len(energies)
    assert mean["average of the energies (kWh)"] == pytest.approx(told)
    assert dict(table_of(answer, 1).select("job", "energy (kWh)").rows()) == pytest.approx(energies)
    assert table_of(best)["energy (kWh)"].to_list() == pytest.approx(
        sorted(energies.values(), reverse=True)[:3]
    )


def test_the_power_of_jobs_by_partition(thread: Thread, stored: Stored) -> None:
    answer = thread.found("average node power of the jobs in each partition on 1 June 2022")

    samples = _of_jobs(stored, stored.jobs().filter(_ON_1_JUNE)).with_columns(
        pl.col("partition").cast(pl.String)
    )
    means = samples.group_by("partition").agg(pl.col("value").mean()).sort("partition")
    table = table_of(answer)
    assert means.height > 1
    assert _texts(table, "partition") == means["partition"].to_list()
    assert table["average (W)"].to_list() == pytest.approx(means["value"].to_list())


def test_jobs_whose_nodes_drew_more_than_a_bound(thread: Thread, stored: Stored) -> None:
    answer = thread.found(
        "Users of all jobs on 1 June 2022 whose nodes drew more than 700 W on average"
    )

    samples = _of_jobs(stored, stored.jobs().filter(_ON_1_JUNE))
    means = samples.group_by("job_id", "user_id").agg(pl.col("value").mean())
    above = means.filter(pl.col("value") > 700)
    table = table_of(answer)
    assert 0 < above.height < means.height
    assert dict(table.select("job", "user").rows()) == dict(
        above.select("job_id", "user_id").rows()
    )


@pytest.mark.parametrize(
    "question",
    [
        "how many jobs ended at 10:00 on 1 June 2022",
        "how many jobs failed at 10:00 each day from 30 May to 1 June 2022",
    ],
)
def test_what_ends_at_one_moment_is_not_counted(thread: Thread, question: str) -> None:
    assert "Give the start and the end" in thread.declined(question).text


def test_running_jobs_at_a_moment_of_each_day(thread: Thread, stored: Stored) -> None:
    answer = thread.found("how many jobs were running at 10:00 each day from 31 May to 1 June 2022")

    ten = JUNE_1.replace(hour=10)
    running = stored.jobs().filter((pl.col("start_time") <= ten) & (pl.col("end_time") > ten))
    assert running.height > 0
    assert table_of(answer)["jobs"][-1] == running.height


def test_running_jobs_are_not_counted_for_a_part_of_the_hours(thread: Thread) -> None:
    answer = thread.declined("how many jobs were running per hour from 1 May to 1 June 2022")

    assert "at most 62" in answer.text


def test_a_window_that_ends_where_the_lake_begins_has_no_jobs(thread: Thread) -> None:
    told = thread.declined("how many jobs failed in April 2022")

    assert told.text.startswith("There are no jobs from 2022-04-01 to 2022-04-30 UTC")
