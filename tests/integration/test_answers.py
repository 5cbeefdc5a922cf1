"""Questions over a tiny lake; every number is computed again, straight from the files."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest
from PIL import Image

from agent.answer import Declined, DeclineReason, NeedsClarification
from retrieval.errors import LakeError
from tests.asking import Thread, analyst_over, number_of, table_of
from tests.stored import JUNE_1, NOW, Stored


def _mean(values: pl.Series) -> float:
    numbers = values.to_list()
    return float(sum(numbers) / len(numbers))


def _held(times: list[datetime], period: timedelta) -> list[float]:
    """Seconds for which each sample stands: until the next, or three periods at the most."""
    gaps = [min(b - a, 3 * period) for a, b in pairwise(times)]
    return [gap.total_seconds() for gap in [*gaps, period]]


def test_mean_lowest_and_highest_power_of_a_node(thread: Thread, stored: Stored) -> None:
    answer = thread.found("average, minimum and maximum power of node 5 on 1 June 2022")

    values = stored.on_1_june("total_power", "5")["value"]
    assert number_of(answer, "average (W)") == pytest.approx(_mean(values))
    assert number_of(answer, "minimum (W)") == values.min()
    assert number_of(answer, "maximum (W)") == values.max()


def test_energy_of_all_nodes(thread: Thread, stored: Stored) -> None:
    answer = thread.found("energy of all compute nodes on 1 June 2022 between 8:00 and 10:00")

    joules = 0.0
    for _, mine in stored.hour("ipmi_pub", "total_power", 8, 10).sort("timestamp").group_by("node"):
        times = mine["timestamp"].to_list()
        seconds = _held(times, timedelta(seconds=20))
        joules += sum(v * s for v, s in zip(mine["value"], seconds, strict=True))
    assert number_of(answer, "energy (kWh)") == pytest.approx(joules / 3.6e6)


def test_the_nodes_with_the_highest_mean(thread: Thread, stored: Stored) -> None:
    answer = thread.found("top 3 nodes by average power on 1 June 2022")

    means = stored.on_1_june("total_power").group_by("node").agg(pl.col("value").mean())
    best = means.sort("value", descending=True).head(3)
    table = table_of(answer)
    assert [str(node) for node in table["node"]] == best["node"].to_list()
    assert table["average (W)"].to_list() == pytest.approx(best["value"].to_list())


def test_mean_by_rack(thread: Thread, stored: Stored) -> None:
    answer = thread.found("average node power per rack on 1 June 2022, 10:00 to 11:00")

    samples = stored.hour("ipmi_pub", "total_power", 10, 11)
    rack = pl.col("node").cast(pl.Int64) // 20
    means = samples.group_by(rack.alias("rack")).agg(pl.col("value").mean()).sort("rack")
    table = table_of(answer).sort("rack")
    assert table["rack"].to_list() == means["rack"].to_list() == [0, 1]
    assert table["average (W)"].to_list() == pytest.approx(means["value"].to_list())


def test_mean_by_hour(thread: Thread, stored: Stored) -> None:
    answer = thread.found("hourly mean power of node 5 on 1 June 2022")

    hours = stored.on_1_june("total_power", "5").group_by(pl.col("timestamp").dt.hour())
    means = hours.agg(pl.col("value").mean()).sort("timestamp")
    table = table_of(answer)
    assert table.height == 24
    assert table["average (W)"].to_list() == pytest.approx(means["value"].to_list())


def test_the_value_at_a_moment_is_the_latest_sample(thread: Thread, stored: Stored) -> None:
    answer = thread.found("What was the power of node 5 at 12:00 on 1 June 2022?")

    until = stored.on_1_june("total_power", "5").filter(
        pl.col("timestamp") <= JUNE_1 + timedelta(hours=12)
    )
    assert number_of(answer, "value (W)") == until["value"][-1]


def test_the_nodes_that_were_hot(thread: Thread, stored: Stored) -> None:
    answer = thread.found("Which nodes were above 28 °C at the inlet on 1 June 2022?")

    hot = stored.on_1_june("ambient").filter(pl.col("value") > 28)
    told = table_of(answer)
    assert [str(node) for node in told["node"]] == sorted(set(hot["node"])) == ["31"]
    assert told["maximum (°C)"].item() == pytest.approx(hot["value"].max())
    assert told["samples"].item() == hot.height


def test_the_nodes_that_were_hot_at_a_moment(thread: Thread, stored: Stored) -> None:
    answer = thread.found("which nodes were above 23 °C at the inlet at 14:00 on 1 June 2022")

    moment = JUNE_1 + timedelta(hours=14)
    latest = (
        stored.on_1_june("ambient").filter(pl.col("timestamp") <= moment).sort("timestamp")
        .group_by("node").last()
    )  # fmt: skip
    hot = latest.filter(pl.col("value") > 23)["node"]
    assert sorted(str(node) for node in table_of(answer)["node"]) == sorted(hot)


def test_a_rack_at_a_moment_is_the_sum_of_the_last_samples_of_its_nodes(
    thread: Thread, stored: Stored
) -> None:
    answer = thread.found("which racks drew more than 1 W at 14:00 on 1 June 2022")

    moment = JUNE_1 + timedelta(hours=14)
    latest = (
        stored.on_1_june("total_power").filter(pl.col("timestamp") <= moment).sort("timestamp")
        .group_by("node").last().with_columns(rack=pl.col("node").cast(pl.Int64) // 20)
    )  # fmt: skip
    sums = dict(latest.group_by("rack").agg(pl.col("value").sum()).iter_rows())
    told = table_of(answer)
    assert dict(zip(told["rack"].cast(pl.Int64), told["maximum (W)"], strict=True)) == sums


def test_means_are_of_the_interval_that_was_asked_for(thread: Thread, stored: Stored) -> None:
    answer = thread.found("power of node 5 on 1 June 2022 between 14:00 and 14:30 every 5 minutes")

    at = JUNE_1 + timedelta(hours=14)
    power = stored.on_1_june("total_power", "5").filter(
        pl.col("timestamp").is_between(at, at + timedelta(minutes=30))
    )
    means = (
        power.sort("timestamp")
        .group_by_dynamic("timestamp", every="5m")
        .agg(pl.col("value").mean())
    )
    assert table_of(answer)["total node power (W)"].to_list() == pytest.approx(
        means["value"].to_list()
    )


def test_nodes_are_counted_by_their_mean(thread: Thread, stored: Stored) -> None:
    answer = thread.found(
        "How many nodes had an average inlet temperature above 22.3 degrees on 1 June 2022?"
    )

    means = stored.on_1_june("ambient").group_by("node").agg(pl.col("value").mean())
    hot = means.filter(pl.col("value") > 22.3)
    assert 0 < hot.height < 40
    assert answer.text.startswith(f"{hot.height} node")


def test_minutes_above_a_bound(thread: Thread, stored: Stored) -> None:
    answer = thread.found(
        "For how many minutes was the power of node 5 above 600 W on 1 June 2022?"
    )

    samples = stored.on_1_june("total_power", "5")
    seconds = _held(samples["timestamp"].to_list(), timedelta(seconds=20))
    above = sum(s for s, v in zip(seconds, samples["value"], strict=True) if v > 600)
    assert number_of(answer, "time (min)") == pytest.approx(above / 60)


def test_periods_above_a_bound(thread: Thread, stored: Stored) -> None:
    answer = thread.found("When was the inlet temperature of node 31 above 40 °C on 1 June 2022?")

    hot = stored.on_1_june("ambient", "31").filter(pl.col("value") > 40)["timestamp"]
    table = table_of(answer)
    assert table["first sample"].min() == hot.min()
    assert table["last sample"].max() == hot.max()
    covered = sum(
        hot.is_between(first, last).sum()
        for first, last in table.select("first sample", "last sample").rows()
    )
    assert covered == hot.len()


def test_mean_of_each_gpu(thread: Thread, stored: Stored) -> None:
    answer = thread.found("mean utilisation of each GPU of node 7 on 1 June 2022")

    means = [
        _mean(stored.on_1_june(f"Gpu{gpu}_gpu_utilization", "7", "ganglia_pub")["value"])
        for gpu in range(4)
    ]
    table = table_of(answer)
    assert table["GPU"].to_list() == [0, 1, 2, 3]
    assert table["average (%)"].to_list() == pytest.approx(means)


def test_cpu_utilisation_is_what_is_not_idle(thread: Thread, stored: Stored) -> None:
    answer = thread.found("average CPU utilisation of rack 1 on 1 June 2022 from 9:00 to 10:00")

    node = pl.col("node").cast(pl.Int64)
    idle = stored.hour("ganglia_pub", "cpu_idle", 9, 10).filter(node.is_between(20, 39))
    assert number_of(answer, "average (%)") == pytest.approx(100 - _mean(idle["value"]))


def test_mean_pue(thread: Thread, stored: Stored) -> None:
    answer = thread.found("What was the average PUE on 1 June 2022?")

    values = stored.between("logics_pub", "Pue", JUNE_1, NOW)["value"]
    assert number_of(answer, "average") == pytest.approx(_mean(values))


def test_the_warmest_moment_outside(thread: Thread, stored: Stored) -> None:
    answer = thread.found("highest outdoor temperature on 1 June 2022 and when")

    samples = stored.between("weather_pub", "temp", JUNE_1, NOW)
    value, moment = samples.sort("value", "timestamp", descending=[True, False]).select(
        "value", "timestamp"
    ).row(0)  # fmt: skip
    row = table_of(answer).row(0, named=True)
    assert row["maximum (°C)"] == pytest.approx(value)
    assert row["time of the maximum"] == moment


def test_daily_means_outside(thread: Thread, stored: Stored) -> None:
    answer = thread.found("daily mean outdoor temperature from 29 May to 1 June 2022")

    days = stored.samples("weather_pub", "temp").filter(pl.col("timestamp") < NOW)
    means = days.group_by(pl.col("timestamp").dt.date()).agg(pl.col("value").mean())
    table = table_of(answer)
    assert table.height == 4
    assert table["average (°C)"].to_list() == pytest.approx(
        means.sort("timestamp")["value"].to_list()
    )


def test_mean_of_each_crac(thread: Thread, stored: Stored) -> None:
    answer = thread.found("average supply air temperature of each CRAC on 1 June 2022")

    samples = stored.between("vertiv_pub", "Supply_Air_Temperature", JUNE_1, NOW)
    means = samples.group_by("device").agg(pl.col("value").mean()).sort("device")
    table = table_of(answer).sort("crac")
    assert table["crac"].to_list() == means["device"].to_list()
    assert table["average (°C)"].to_list() == pytest.approx(means["value"].to_list())


def test_scaled_integers_are_told_in_degrees(thread: Thread, stored: Stored) -> None:
    answer = thread.found("average supply water temperature of Q102 on 1 June 2022")

    tenths = stored.between("schneider_pub", "PLC_PLC_Q101.Temp_mandata", JUNE_1, NOW)
    mine = tenths.filter(pl.col("panel") == "Q102")["value"]
    assert number_of(answer, "average (°C)") == pytest.approx(_mean(mine) / 10)


def test_idle_nodes_by_partition(thread: Thread, stored: Stored) -> None:
    answer = thread.found("average number of idle nodes of each partition according to slurm"
                          " on 1 June 2022")  # fmt: skip

    samples = stored.between("slurm_pub", "s21.totals.total_nodes_idle", JUNE_1, NOW)
    means = samples.group_by("partition").agg(pl.col("value").mean()).sort("partition")
    table = table_of(answer).sort("partition")
    assert [str(name) for name in table["partition"]] == means["partition"].to_list()
    assert table.to_series(-1).to_list() == pytest.approx(means["value"].to_list())


def test_failed_jobs_are_those_that_ended_so(thread: Thread, stored: Stored) -> None:
    answer = thread.found("How many jobs failed on 31 May 2022?")

    day = pl.col("end_time").dt.date() == datetime(2022, 5, 31, tzinfo=UTC).date()
    failed = stored.jobs().filter(day & (pl.col("job_state").cast(pl.String) == "FAILED"))
    assert number_of(answer, "jobs") == failed.height > 0
    assert "ended" in answer.text


def test_jobs_started_each_day(thread: Thread, stored: Stored) -> None:
    answer = thread.found("number of jobs started each day from 29 May to 1 June 2022")

    started = stored.jobs().group_by(pl.col("start_time").dt.date().alias("day")).len()
    counted = dict(started.iter_rows())
    table = table_of(answer)
    assert table.height == 4
    assert {m.date(): n for m, n in table.rows()} == {
        m.date(): counted[m.date()] for m in table["day"]
    }


def test_jobs_of_a_node_in_a_window_are_those_that_overlap(thread: Thread, stored: Stored) -> None:
    answer = thread.found("Which jobs ran on node 5 on 1 June 2022?")

    nodes = pl.col("nodes").str.extract_all(r"\d+").list.eval(pl.element().cast(pl.Int64))
    mine = stored.jobs().filter(
        nodes.list.contains(5) & (pl.col("start_time") < NOW) & (pl.col("end_time") > JUNE_1)
    )
    assert sorted(table_of(answer)["job"]) == sorted(mine["job_id"])


def test_the_users_with_the_most_node_hours(thread: Thread, stored: Stored) -> None:
    answer = thread.found("top 3 users by node-hours for jobs started on 31 May 2022")

    started = pl.col("start_time").dt.date() == datetime(2022, 5, 31, tzinfo=UTC).date()
    seconds = (pl.col("end_time") - pl.col("start_time")).dt.total_milliseconds() / 1000
    hours = (
        stored.jobs().filter(started)
        .group_by("user_id").agg((pl.col("num_nodes") * seconds / 3600).sum().alias("hours"))
        .sort("hours", descending=True).head(3)
    )  # fmt: skip
    table = table_of(answer)
    assert [str(user) for user in table["user"]] == [str(user) for user in hours["user_id"]]
    assert table["node-hours (h)"].to_list() == pytest.approx(hours["hours"].to_list())


def test_how_many_nodes_jobs_have_on_average_and_at_most(thread: Thread, stored: Stored) -> None:
    answer = thread.found("average and maximum number of nodes per job started on 31 May 2022")

    day = datetime(2022, 5, 31, tzinfo=UTC).date()
    sizes = stored.jobs().filter(pl.col("start_time").dt.date() == day)["num_nodes"]
    table = table_of(answer)
    assert table["average number of nodes per job"].item() == pytest.approx(_mean(sizes))
    assert table["largest number of nodes of a job"].item() == sizes.max()


def test_what_is_known_of_a_job(thread: Thread, stored: Stored) -> None:
    answer = thread.found("user, state, start and end of job 2984101")

    job = stored.jobs().filter(pl.col("job_id") == 2984101).row(0, named=True)
    row = table_of(answer).row(0, named=True)
    assert (row["job"], row["state"]) == (2984101, "NODE_FAIL")
    assert str(row["user"]) == str(job["user_id"])
    assert (row["started"], row["ended"]) == (job["start_time"], job["end_time"])


def test_power_while_a_job_ran_is_that_of_its_nodes(thread: Thread, stored: Stored) -> None:
    answer = thread.found("average power of job 1000882")

    job = stored.jobs().filter(pl.col("job_id") == 1000882)
    nodes = job.select(pl.col("nodes").str.extract_all(r"\d+").explode()).to_series().to_list()
    first, last = job.select("start_time", "end_time").row(0)
    samples = stored.between("ipmi_pub", "total_power", first, last, closed=True)
    mine = samples.filter(pl.col("node").is_in(nodes))["value"]
    assert number_of(answer, "average (W)") == pytest.approx(_mean(mine))


def test_the_longest_jobs_and_their_power(thread: Thread, stored: Stored) -> None:
    answer = thread.found("For the 2 longest single-node jobs that started on 1 June 2022 give"
                          " min, max and average power")  # fmt: skip

    jobs = stored.jobs().filter(
        (pl.col("start_time") >= JUNE_1) & (pl.col("start_time") < NOW) & (pl.col("num_nodes") == 1)
    )
    length = pl.col("end_time") - pl.col("start_time")
    longest = jobs.sort(length, "job_id", descending=[True, False]).head(2)
    table = table_of(answer, 1)
    assert sorted(table["job"]) == sorted(longest["job_id"])


def test_drained_nodes(thread: Thread, stored: Stored) -> None:
    answer = thread.found("Which nodes were drained on 1 June 2022?")

    states = stored.between("nagios_pub", "state", JUNE_1, NOW)
    drained = states.filter(pl.col("nagiosdrained") == "1").filter(
        pl.col("node").cast(pl.Int64) < 980
    )
    assert [str(node) for node in table_of(answer)["node"]] == sorted(set(drained["node"]))


def test_nodes_that_did_not_answer_to_ping(thread: Thread, stored: Stored) -> None:
    answer = thread.found("Which compute nodes were not reachable by ping on 1 June 2022?")

    states = stored.between("nagios_pub", "state", JUNE_1, NOW)
    down = states.filter((pl.col("description") == "alive::ping") & (pl.col("value") > 0))
    nodes = {node for node in down["node"] if int(node) < 980}
    assert [str(node) for node in table_of(answer)["node"]] == sorted(nodes) == ["26"]


def test_the_correlation_of_hourly_means(thread: Thread, stored: Stored) -> None:
    answer = thread.found(
        "correlation between the chiller power and the outdoor temperature on 1 June 2022"
        " with hourly means"
    )

    hours = []
    for plugin, metric in (("logics_pub", "Tot_chiller"), ("weather_pub", "temp")):
        samples = stored.between(plugin, metric, JUNE_1, NOW)
        by_hour = samples.group_by(pl.col("timestamp").dt.hour()).agg(pl.col("value").mean())
        hours.append(by_hour.sort("timestamp"))
    both = hours[0].join(hours[1], on="timestamp", suffix="_other")
    r = both.select(pl.corr("value", "value_other")).item()
    assert table_of(answer)["Pearson r"].item() == pytest.approx(r)


def test_days_without_data(thread: Thread, stored: Stored) -> None:
    answer = thread.found(
        "On which days between 29 May and 1 June 2022 did node 5 report no power reading?"
    )

    samples = stored.samples("ipmi_pub", "total_power").filter(pl.col("node") == "5")
    days = set(samples["timestamp"].dt.date())
    silent = [day for day in (29, 30, 31) if datetime(2022, 5, day, tzinfo=UTC).date() not in days]
    assert [moment.day for moment in table_of(answer)["day without data"]] == silent == [29, 30]


@pytest.mark.parametrize(
    ("question", "number"),
    [("How many nodes are there in M100?", 980), ("How many racks are there?", 49),
     ("How many compute nodes does rack 7 have?", 20), ("how many CRAC units are there", 6)],
)  # fmt: skip
def test_what_exists_is_counted(thread: Thread, question: str, number: int) -> None:
    answer = thread.found(question)

    assert f"{number}" in answer.text
    assert table_of(answer).item() == number


def test_what_has_data_is_told_with_its_months(thread: Thread, lake: Path) -> None:
    files = [path.relative_to(lake).parts[:3] for path in lake.glob("*/*/*/*.parquet")]
    held = {(plugin.partition("=")[2], metric.partition("=")[2]) for _, plugin, metric in files}

    plugins = table_of(thread.found("what data do you have?"))["plugin"].to_list()
    metrics = table_of(thread.found("which metrics have data"))
    known = thread.found("list all metrics")

    assert sorted(plugins) == sorted({plugin for plugin, _ in held})
    told = set(metrics.select("plugin", "metric").iter_rows())
    assert told == held
    assert f"data of {len(told)} of them, in files of May 2022 to June 2022." in known.text
    assert table_of(known).height > len(told)


def test_the_nodes_of_the_rack_of_a_node(thread: Thread) -> None:
    beside = table_of(thread.found("Which nodes share a rack with node 618?"))

    assert beside["node"].to_list() == [n for n in range(600, 620) if n != 618]
    assert beside["rack"].unique().to_list() == [30]


def test_the_nodes_of_each_rack_are_counted(thread: Thread) -> None:
    answer = thread.found("How many compute nodes does each rack have?")

    assert "20 in each" in answer.text
    assert table_of(answer).rows() == [(rack, 20) for rack in range(49)]


@pytest.mark.parametrize(("row", "number"), [(10, 16), (8, 0)])
def test_the_row_of_racks_is_told(thread: Thread, row: int, number: int) -> None:
    answer = thread.found(f"How many racks are in row Y={row}?")

    assert answer.text == f"There are {number} racks at Y = {row}."


def test_checks_are_listed_whatever_their_state(thread: Thread, stored: Stored) -> None:
    answer = thread.found("Which nagios checks exist?")

    results = stored.samples("nagios_pub", "state")
    results = results.filter(pl.col("timestamp").is_between(NOW - timedelta(days=31), NOW))
    counted = results.group_by("description").agg(pl.col("node").n_unique()).sort("description")
    assert table_of(answer).rows() == counted.rows()


def test_where_a_node_stands(thread: Thread) -> None:
    assert "rack 30" in thread.found("Which rack holds node 618?").text


def test_an_answer_states_its_evidence(thread: Thread, stored: Stored) -> None:
    answer = thread.found("average power of node 5 on 1 June 2022")

    evidence = answer.evidence
    assert [(r.start, r.end) for r in evidence.time_ranges] == [(JUNE_1, NOW)]
    assert [(m.plugin, m.metric, m.unit) for m in evidence.metrics] == [
        ("ipmi_pub", "total_power", "W")
    ]
    assert evidence.entities == ("node 5",)
    assert "SELECT" in evidence.queries[0]
    assert evidence.samples_got == stored.on_1_june("total_power", "5").height
    assert evidence.samples_expected == pytest.approx(24 * 3600 / 20, rel=0.01)


def test_words_are_read_in_the_zone_of_the_site(lake: Path, tmp_path: Path, stored: Stored) -> None:
    with analyst_over(lake, tmp_path, "Europe/Rome") as analyst:
        answer = Thread(analyst, NOW).found("average power of node 5 on 1 June 2022")

    two_hours = timedelta(hours=2)
    samples = stored.between("ipmi_pub", "total_power", JUNE_1 - two_hours, NOW - two_hours)
    mine = samples.filter(pl.col("node") == "5")["value"]
    assert number_of(answer, "average (W)") == pytest.approx(_mean(mine))
    assert "UTC" in answer.text
    assert "CEST" in answer.text


@pytest.mark.xfail(reason="the days are told as UTC has them", strict=True)
def test_days_are_those_of_the_site(lake: Path, tmp_path: Path) -> None:
    with analyst_over(lake, tmp_path, "Europe/Rome") as analyst:
        answer = Thread(analyst, NOW).found(
            "On which days between 29 May and 1 June 2022 did node 5 report no power reading?"
        )

    # The first samples are of 31 May 22:00 UTC, which is 1 June in Rome.
    assert "2022-05-29, 2022-05-30, 2022-05-31" in answer.text


def test_follow_ups_lean_on_the_question_before(thread: Thread, stored: Stored) -> None:
    thread.found("average power of node 5 on 1 June 2022")

    other_node = thread.found("and for node 6?")
    other_measure = thread.found("and the maximum?")
    other_metric = thread.found("What about its inlet temperature?")

    power = stored.on_1_june("total_power", "6")["value"]
    inlet = stored.on_1_june("ambient", "6")["value"]
    assert number_of(other_node, "average (W)") == pytest.approx(_mean(power))
    assert number_of(other_measure, "maximum (W)") == power.max()
    assert number_of(other_metric, "maximum (°C)") == pytest.approx(inlet.max())


def test_a_bound_of_a_follow_up_is_in_the_unit_before_it(thread: Thread, stored: Stored) -> None:
    thread.found("how many nodes drew more than 0.6 kW on average on 1 June 2022?")

    answer = thread.found("and more than 0.7?")

    means = stored.on_1_june("total_power").group_by("node").agg(pl.col("value").mean())
    assert table_of(answer).height == means.filter(pl.col("value") > 700).height


def test_a_bound_is_told_where_it_is_written_out_in_a_smaller_unit(thread: Thread) -> None:
    thread.found("nodes with average power below 900 kW on 1 June 2022")

    answer = thread.found("and above 150?")

    assert answer.text.startswith("No node had an average total node power above 150,000 W")


def test_a_ranking_by_the_highest_stays_so_at_another_time(thread: Thread, stored: Stored) -> None:
    thread.found("which node had the highest power on 1 June 2022 between 13:00 and 14:00")

    answer = thread.found("and between 14:00 and 15:00?")

    at = JUNE_1 + timedelta(hours=14)
    power = stored.on_1_june("total_power").filter(
        pl.col("timestamp").is_between(at, at + timedelta(hours=1))
    )
    assert number_of(answer, "maximum (W)") == power["value"].max()


@pytest.mark.parametrize("words", ["and the average?", "and on 1 June 2022?"])
def test_a_follow_up_that_changes_nothing_is_not_answered_again(thread: Thread, words: str) -> None:
    thread.found("average power of node 5 on 1 June 2022")

    assert isinstance(thread.ask(words), Declined)


def test_a_question_of_its_own_leans_on_nothing(thread: Thread) -> None:
    thread.found("average power of node 5 on 1 June 2022")

    assert "49" in thread.found("How many racks are there?").text


def test_a_follow_up_without_a_question_before_is_not_guessed(thread: Thread) -> None:
    assert isinstance(thread.ask("and for node 6?"), Declined)


@pytest.mark.parametrize(
    "reply", ["inlet_temperature", "inlet (ambient) temperature", "1", "the inlet one"]
)
def test_a_clarification_is_answered_by_id_or_label(
    thread: Thread, stored: Stored, reply: str
) -> None:
    asked = thread.asked_back("average temperature of node 7 on 1 June 2022")
    answer = thread.found(reply)

    values = stored.on_1_june("ambient", "7")["value"]
    assert asked.choices[0].id == "inlet_temperature"
    assert number_of(answer, "average (°C)") == pytest.approx(_mean(values))


def test_a_new_question_is_answered_although_a_choice_is_pending(thread: Thread) -> None:
    thread.asked_back("average temperature of node 7 on 1 June 2022")

    answer = thread.found("What was the average CPU utilisation of node 7 on 1 June 2022?")

    assert answer.evidence.metrics[0].metric == "cpu_idle"


def test_a_choice_holds_for_follow_ups(thread: Thread) -> None:
    thread.asked_back("average temperature of node 7 on 1 June 2022")
    thread.found("inlet_temperature")

    assert not isinstance(thread.ask("and for node 8?"), NeedsClarification)


def test_an_end_before_its_start_is_asked_about(thread: Thread, stored: Stored) -> None:
    asked = thread.asked_back("average power of node 5 from 1 June 2022 12:00 to 1 June 2022 08:00")
    answer = thread.found(asked.choices[0].label)

    samples = stored.hour("ipmi_pub", "total_power", 8, 12)
    mine = samples.filter(pl.col("node") == "5")["value"]
    assert number_of(answer, "average (W)") == pytest.approx(_mean(mine))


def test_a_time_that_is_missing_is_asked_for(thread: Thread) -> None:
    assert "time" in thread.asked_back("average power of node 5").text


def test_the_number_shown_beside_a_choice_makes_it(thread: Thread) -> None:
    asked = thread.asked_back("average power of node 5 on 06/01/2022")

    answer = thread.ask("1")

    assert asked.choices[0].label == "6 January 2022"
    assert "2022-01-06" in answer.text


def test_a_chart_is_drawn_in_the_sandbox(thread: Thread, stored: Stored) -> None:
    answer = thread.found(
        "Retrieve the inlet temperature of nodes 5 and 31 on 1 June 2022 from 10:00 to 12:00"
        " and create a line plot comparing the nodes."
    )

    samples = stored.hour("ipmi_pub", "ambient", 10, 12).filter(pl.col("node").is_in(["5", "31"]))
    assert table_of(answer).height == samples.height
    if "no sandbox" in answer.text:
        pytest.skip("no program can be isolated on this machine")
    (picture,) = answer.artifacts
    assert picture.media_type == "image/png"
    assert "5, 31" in picture.title
    with Image.open(picture.path) as image:
        assert image.size == (1200, 700)
    assert len(answer.evidence.code) == 1


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("average power of node 2000 on 1 June 2022", DeclineReason.UNKNOWN_ENTITY),
        ("average exhaust temperature of node 5 on 1 June 2022", DeclineReason.UNKNOWN_METRIC),
        ("average power of node 900 on 1 June 2022", DeclineReason.NO_DATA),
        ("average power of node 5 in March 2021", DeclineReason.NO_DATA),
        ("average free memory of node 5 on 1 June 2022", DeclineReason.NO_DATA),
        ("average power of node 5 tomorrow", DeclineReason.OUT_OF_SCOPE),
        ("delete the readings of node 5", DeclineReason.OUT_OF_SCOPE),
        ("average power of node 5 on 1 June 2022 ignoring outliers", DeclineReason.NOT_UNDERSTOOD),
    ],
)
def test_what_cannot_be_answered_is_declined(
    thread: Thread, question: str, reason: DeclineReason
) -> None:
    answer = thread.declined(question)

    assert answer.reason is reason
    assert answer.text.endswith((".", "?"))


def test_a_damaged_file_is_named_to_whoever_runs_the_service(tmp_path: Path, lake: Path) -> None:
    damaged = tmp_path / "lake"
    for metric in ("total_power", "ambient"):
        below = Path("year_month=22-06", "plugin=ipmi_pub", f"metric={metric}", "a_0.parquet")
        (damaged / below).parent.mkdir(parents=True)
        (damaged / below).write_bytes((lake / below).read_bytes())
    broken = damaged / "year_month=22-06/plugin=ipmi_pub/metric=ambient/a_0.parquet"
    broken.write_bytes(broken.read_bytes()[:-100])

    with analyst_over(damaged, tmp_path) as analyst:
        thread = Thread(analyst, NOW)
        assert thread.found("average power of node 5 on 1 June 2022")
        with pytest.raises(LakeError, match=r"metric=ambient/a_0\.parquet"):
            thread.ask("average inlet temperature of node 5 on 1 June 2022")


def test_the_same_once_more_as_a_file_is_no_misunderstanding(thread: Thread) -> None:
    first = thread.found("average power of node 5 on 1 June 2022")

    assert table_of(thread.found("as csv")).equals(table_of(first))
    assert table_of(thread.found("as csv")).equals(table_of(first))


def test_all_nodes_stand_instead_of_the_node_before(thread: Thread, stored: Stored) -> None:
    thread.found("maximum power of node 5 on 1 June 2022")

    answer = thread.found("and for all nodes")

    assert answer.evidence.entities == ()
    highest = stored.on_1_june("total_power")["value"].max()
    assert number_of(answer, "maximum (W)") == highest


def test_all_racks_are_those_of_the_question_before(thread: Thread) -> None:
    thread.found("mean power of rack 0 on 1 June 2022")

    answer = thread.found("for all racks")

    assert [metric.metric for metric in answer.evidence.metrics] == ["total_power"]
    assert answer.evidence.entities == ()


@pytest.mark.parametrize(
    ("before", "word", "said"),
    [
        ("mean power of rack 0 on 1 June 2022", "and for all nodes", "of the whole machine"),
        ("mean utilisation of GPU 0 of node 7 on 1 June 2022", "all GPUs", "with the metric"),
    ],
)
def test_all_that_may_be_of_several_is_refused(
    thread: Thread, before: str, word: str, said: str
) -> None:
    thread.found(before)

    assert said in thread.declined(word).text


def test_what_is_ranked_stays_through_a_follow_up(thread: Thread) -> None:
    first = thread.found("which nodes had the highest power on 1 June 2022")

    second = thread.found("and on 31 May 2022")

    assert table_of(second).columns == table_of(first).columns == ["node", "maximum (W)"]
    assert table_of(second).height == table_of(first).height > 1


def test_its_value_after_a_ranking_is_asked_for_by_name(thread: Thread) -> None:
    thread.found("which node had the highest power on 1 June 2022")

    assert "Name what" in thread.declined("and its ambient temperature").text


@pytest.mark.parametrize("said", ["for all racks", "all racks"])
def test_all_racks_after_a_count_are_listed(thread: Thread, said: str) -> None:
    thread.found("how many nodes are there")

    assert [table.name for table in thread.found(said).tables] == ["racks"]


def test_all_nodes_alone_are_those_of_the_question_before(thread: Thread) -> None:
    thread.found("maximum power of node 5 on 1 June 2022")

    answer = thread.found("all nodes")

    assert [metric.metric for metric in answer.evidence.metrics] == ["total_power"]
