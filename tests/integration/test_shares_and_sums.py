"""Shares, ratios and sums over a tiny lake; every number is computed again from the files."""

from datetime import datetime, timedelta
from pathlib import Path

import polars as pl
import pytest

from tests.asking import Thread, analyst_over, number_of, table_of
from tests.lakes import tiny_lake, tiny_profile
from tests.stored import JUNE_1, NOW, Stored


def _rack_power(stored: Stored, rack: int) -> pl.DataFrame:
    """The power of a rack of twenty nodes at each moment at which all of them tell it."""
    mine = stored.on_1_june("total_power").filter(pl.col("node").cast(pl.Int64) // 20 == rack)
    sums = mine.group_by("timestamp").agg(pl.col("value").sum(), pl.len())
    return sums.filter(pl.col("len") == 20).sort("timestamp")


def test_the_share_of_the_time_above_a_bound(thread: Thread, stored: Stored) -> None:
    answer = thread.found("what share of the time was node 5 above 700 W on 1 June 2022?")

    above = stored.on_1_june("total_power", "5")["value"] > 700
    assert 0 < above.sum() < len(above)
    assert number_of(answer, "share of the samples (%)") == pytest.approx(
        100 * above.sum() / len(above)
    )


def test_the_share_of_nodes(thread: Thread, stored: Stored) -> None:
    answer = thread.found("percentage of nodes with a mean inlet above 22 °C on 1 June 2022")

    means = stored.on_1_june("ambient").group_by("node").agg(pl.col("value").mean())
    nodes = means.filter(pl.col("node").cast(pl.Int64) < 40)
    above = nodes.filter(pl.col("value") > 22).height
    assert 0 < above < nodes.height
    assert number_of(answer, "share (%)") == pytest.approx(100 * above / nodes.height)
    assert table_of(answer, 1).height == above


def test_a_node_with_several_sensors_counts_once(thread: Thread, stored: Stored) -> None:
    answer = thread.found("what share of nodes had a GPU utilisation above 76 % on 1 June 2022?")

    gpus = [stored.on_1_june(f"Gpu{n}_gpu_utilization", plugin="ganglia_pub") for n in range(4)]
    each = pl.concat(gpus).group_by("node").agg(pl.col("value").max())
    above = each.filter(pl.col("value") > 76).height
    assert 0 < above < each.height
    assert number_of(answer, "share (%)") == pytest.approx(100 * above / each.height)


def test_the_share_of_a_whole(thread: Thread, stored: Stored) -> None:
    answer = thread.found("what fraction of the facility power were the chillers on 1 June 2022?")

    chillers, whole = (stored.on_1_june(m, plugin="logics_pub") for m in ("Tot_chiller", "Tot"))
    share = 100 * chillers["value"].to_numpy().mean() / whole["value"].to_numpy().mean()
    assert number_of(answer, "share (%)") == pytest.approx(share)


def test_a_ratio_of_powers_in_other_units(thread: Thread, stored: Stored) -> None:
    answer = thread.found("ratio of chiller power to the power of node 5 on 1 June 2022")

    chillers = stored.on_1_june("Tot_chiller", plugin="logics_pub")["value"].to_numpy().mean()
    node = stored.on_1_june("total_power", "5")["value"].to_numpy().mean()
    assert number_of(answer, "ratio") == pytest.approx(1000 * chillers / node)
    assert "ratios are not averaged" in answer.text


def _kilowatt_hours(frame: pl.DataFrame) -> float:
    """The energy of a power in kW, each sample of which stands until the next one."""
    rows = frame.sort("timestamp")
    gaps = (rows["timestamp"].diff().dt.total_milliseconds() / 3.6e6).to_list()[1:]
    return float(sum(v * h for v, h in zip(rows["value"], [*gaps, gaps[-1]], strict=True)))


def test_a_ratio_of_energies_by_day(thread: Thread, stored: Stored) -> None:
    answer = thread.found("chiller to IT energy, day by day, 31 May and 1 June 2022")

    expected = []
    for first in (JUNE_1 - timedelta(days=1), JUNE_1):
        chillers, it = (
            _kilowatt_hours(stored.between("logics_pub", m, first, first + timedelta(days=1)))
            for m in ("Tot_chiller", "Tot_ict")
        )
        expected.append(chillers / it)
    assert table_of(answer)["ratio"].to_list() == pytest.approx(expected)


def test_what_the_chillers_draw_is_divided_by_what_all_nodes_draw(
    thread: Thread, stored: Stored
) -> None:
    answer = thread.found("watts of chillers per watts of compute on 1 June 2022")

    chillers = stored.on_1_june("Tot_chiller", plugin="logics_pub")["value"].to_numpy().mean()
    nodes = stored.on_1_june("total_power").group_by("node").agg(pl.col("value").mean())
    assert nodes.height == 40
    assert number_of(answer, "ratio") == pytest.approx(1000 * chillers / nodes["value"].sum())


def test_the_rate_of_failed_jobs(thread: Thread, stored: Stored) -> None:
    answer = thread.found("what percentage of jobs failed on 1 June 2022?")

    end = pl.col("end_time")
    ended = stored.jobs().filter((end >= datetime(2022, 6, 1, tzinfo=NOW.tzinfo)) & (end < NOW))
    failed = ended.filter(pl.col("job_state") == "FAILED").height
    assert failed > 0
    assert number_of(answer, "share (%)") == pytest.approx(100 * failed / ended.height)


def test_the_rate_of_failed_jobs_of_each_user(thread: Thread, stored: Stored) -> None:
    answer = thread.found("failure rate per user on 1 June 2022")

    ended = stored.jobs().filter(pl.col("end_time").is_between(JUNE_1, NOW, closed="left"))
    failed = (pl.col("job_state") == "FAILED").sum()
    each = ended.group_by(pl.col("user_id").cast(pl.Int64)).agg(failed.alias("n"), pl.len())
    expected = {user: (n, jobs, 100 * n / jobs) for user, n, jobs in each.rows()}
    found = {user: (n, jobs, share) for user, n, jobs, share in table_of(answer).rows()}
    assert set(found) == set(expected)
    assert 0 < sum(n for n, _, _ in expected.values()) < ended.height
    assert all(found[user] == pytest.approx(cells) for user, cells in expected.items())


def test_the_share_of_a_users_jobs(thread: Thread, stored: Stored) -> None:
    ended = stored.jobs().filter(pl.col("end_time").is_between(JUNE_1, NOW, closed="left"))
    user = ended["user_id"].cast(pl.String).mode().sort()[0]
    mine = ended.filter(pl.col("user_id").cast(pl.String) == user)
    completed = mine.filter(pl.col("job_state") == "COMPLETED").height

    answer = thread.found(f"share of user {user}'s jobs that completed on 1 June 2022")

    assert 0 < completed < mine.height
    assert table_of(answer).row(0) == pytest.approx(
        (completed, mine.height, 100 * completed / mine.height)
    )


def test_two_windows_have_a_share_each(thread: Thread, stored: Stored) -> None:
    answer = thread.found("what fraction of jobs failed on 30 May 2022 and on 1 June 2022?")

    expected = []
    for first in (JUNE_1 - timedelta(days=2), JUNE_1):
        inside = pl.col("end_time").is_between(first, first + timedelta(days=1), closed="left")
        ended = stored.jobs().filter(inside)["job_state"].to_list()
        expected.append(100 * ended.count("FAILED") / len(ended))
    assert table_of(answer)["share (%)"].to_list() == pytest.approx(expected)


def test_what_had_not_ended_by_now_is_in_no_share(thread: Thread, stored: Stored) -> None:
    answer = thread.found("what share of the jobs submitted on 1 June 2022 failed?")

    submitted = pl.col("submit_time").is_between(JUNE_1, NOW, closed="left")
    jobs = stored.jobs().filter(submitted)
    ended = jobs.filter(pl.col("end_time") <= NOW)
    failed = ended.filter(pl.col("job_state") == "FAILED").height
    assert ended.height < jobs.height
    assert table_of(answer).row(0) == pytest.approx(
        (failed, ended.height, 100 * failed / ended.height)
    )
    assert "had not ended by now" in answer.text


def test_the_jobs_of_which_a_share_is_taken_may_be_bounded(thread: Thread, stored: Stored) -> None:
    answer = thread.found("what share of the jobs longer than 1 hour failed on 1 June 2022?")

    lasted = pl.col("end_time") - pl.col("start_time") > timedelta(hours=1)
    inside = pl.col("end_time").is_between(JUNE_1, NOW, closed="left")
    ended = stored.jobs().filter(inside & lasted)
    failed = ended.filter(pl.col("job_state") == "FAILED").height
    assert failed > 0
    assert table_of(answer).row(0) == pytest.approx(
        (failed, ended.height, 100 * failed / ended.height)
    )


def test_the_extremes_of_a_rack_are_those_of_its_sum(thread: Thread, stored: Stored) -> None:
    answer = thread.found("maximum and minimum power of rack 1 as a whole on 1 June 2022 and when")

    sums = _rack_power(stored, 1)
    assert number_of(answer, "maximum (W)") == sums["value"].max()
    assert number_of(answer, "minimum (W)") == sums["value"].min()
    assert f"{4320 - sums.height} of 4,320 moments are left out of the sums" in answer.text
    when = table_of(answer)["time of the maximum"].item()
    assert sums.filter(pl.col("timestamp") == when)["value"].item() == sums["value"].max()


def test_a_bound_on_a_rack_is_one_on_its_sum(thread: Thread, stored: Stored) -> None:
    bound = float(_rack_power(stored, 1)["value"].quantile(0.8) or 0) // 100 * 100

    share = thread.found(f"what share of the time was rack 1 above {bound:.0f} W on 1 June 2022?")
    racks = thread.found(f"which racks exceeded {bound:.0f} W on 1 June 2022?")

    sums = {rack: _rack_power(stored, rack)["value"] for rack in (0, 1)}
    assert number_of(share, "share of the samples (%)") == pytest.approx(
        100 * (sums[1] > bound).sum() / len(sums[1])
    )
    expected = [rack for rack, values in sums.items() if (values > bound).any()]
    assert table_of(racks)["rack"].to_list() == expected


def _deltas(stored: Stored) -> pl.DataFrame:
    """Of each compute node the mean core temperature of its GPU 0 minus its mean inlet."""
    core, inlet = (
        stored.on_1_june(metric).group_by("node").agg(pl.col("value").mean().alias(metric))
        for metric in ("gpu0_core_temp", "ambient")
    )
    delta = (pl.col("gpu0_core_temp") - pl.col("ambient")).alias("delta")
    both = core.join(inlet, on="node").filter(pl.col("node").cast(pl.Int64) < 40)
    return both.with_columns(delta).sort("delta")


def test_one_quantity_minus_another_for_each_thing(thread: Thread, stored: Stored) -> None:
    answer = thread.found(
        "GPU 0 core temperature minus inlet temperature of each node on 1 June 2022"
    )

    table = table_of(answer).cast({"node": pl.String})
    expected = dict(_deltas(stored).select("node", "delta").iter_rows())
    found = dict(table.select("node", "first minus second (°C)").iter_rows())
    assert found == pytest.approx(expected)
    assert len(set(found.values())) > 1


def test_one_quantity_minus_another_that_shares_its_name(tmp_path: Path) -> None:
    metrics = frozenset({"Supply_Air_Temperature", "Return_Air_Temperature"})
    lake = tiny_lake(tmp_path / "air", profile=tiny_profile(metrics=metrics))
    with analyst_over(lake, tmp_path) as analyst:
        _air_temperatures(Thread(analyst, NOW), Stored(lake))


def _air_temperatures(thread: Thread, stored: Stored) -> None:
    latest = thread.found("supply minus return air temperature, all CRACs, on 1 June 2022 at 12:00")
    hourly = thread.found("return minus supply air temperature of each CRAC per hour, 1 June 2022")

    noon = JUNE_1 + timedelta(hours=12)
    supply, of_return = (
        stored.on_1_june(f"{side}_Air_Temperature", plugin="vertiv_pub")
        for side in ("Supply", "Return")
    )
    last = {
        side: dict(
            frame.filter(pl.col("timestamp") <= noon).sort("timestamp").group_by("device").last()
            .select("device", "value").iter_rows()
        )
        for side, frame in (("supply", supply), ("return", of_return))
    }  # fmt: skip
    found = dict(table_of(latest).select("crac", "first minus second (°C)").iter_rows())
    assert found == pytest.approx({c: last["supply"][c] - last["return"][c] for c in found})
    assert len(found) == len(last["supply"]) > 1

    hour = pl.col("timestamp").dt.truncate("1h")
    means = [
        frame.group_by("device", hour).agg(pl.col("value").mean()) for frame in (of_return, supply)
    ]
    both = means[0].join(means[1], on=["device", "timestamp"]).sort("device", "timestamp")
    expected = (both["value"] - both["value_right"]).to_list()
    table = table_of(hourly).sort("crac", "hour")
    assert table["first minus second (°C)"].to_list() == pytest.approx(expected)
    assert "Differences are of the averages" in hourly.text


@pytest.mark.parametrize(("words", "last"), [("largest", True), ("smallest", False)])
def test_things_are_ranked_by_the_difference_of_two_quantities(
    words: str, last: bool, thread: Thread, stored: Stored
) -> None:
    answer = thread.found(
        f"which node had the {words} difference between the core temperature of GPU 0 and the"
        " inlet temperature on 1 June 2022?"
    )

    order = _deltas(stored)["node"].to_list()
    assert table_of(answer)["node"].cast(pl.String).to_list() == [order[-1 if last else 0]]
    assert "whatever its sign" in answer.text


def test_a_ranking_by_a_difference_that_is_none_is_refused(thread: Thread) -> None:
    declined = thread.declined(
        "top 3 nodes by difference between total power and inlet temperature on 1 June 2022"
    )

    assert "two" in declined.text


def _at_noon(stored: Stored) -> pl.DataFrame:
    """The last sample of the power of each compute node at noon of 1 June."""
    noon = datetime(2022, 6, 1, 12, tzinfo=NOW.tzinfo)
    until = stored.on_1_june("total_power").filter(pl.col("timestamp") <= noon)
    last = until.sort("timestamp").group_by("node").last().cast({"node": pl.Int64})
    return last.filter(pl.col("timestamp") > noon - timedelta(minutes=1), pl.col("node") < 40)


def test_a_bound_at_a_moment_is_one_on_the_last_sample(thread: Thread, stored: Stored) -> None:
    last = _at_noon(stored)
    bound = float(last["value"].to_numpy().mean()) // 10 * 10 + 5

    share = thread.found(f"percentage of nodes above {bound:.0f} W on 1 June 2022 at 12:00")

    above = last.filter(pl.col("value") > bound)
    assert 0 < above.height < last.height
    assert number_of(share, "nodes") == above.height
    assert number_of(share, "share (%)") == pytest.approx(100 * above.height / last.height)
    found = dict(table_of(share, 1).select("node", "maximum (W)").iter_rows())
    assert found == dict(above.select("node", "value").iter_rows())


def test_a_bound_on_a_rack_at_a_moment_is_one_on_the_sum(thread: Thread, stored: Stored) -> None:
    racks = _at_noon(stored).group_by(pl.col("node") // 20).agg(pl.col("value").sum())
    bound = float(racks["value"].to_numpy().mean())

    answer = thread.found(f"which racks are above {bound:.0f} W on 1 June 2022 at 12:00")

    above = racks.filter(pl.col("value") > bound)
    found = dict(table_of(answer).select("rack", "maximum (W)").iter_rows())
    assert found == dict(above.select("node", "value").iter_rows())
