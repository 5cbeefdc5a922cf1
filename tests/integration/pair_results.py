"""What curated pairs must give on a tiny lake, computed from its files with Polars alone."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import polars as pl

from tests.stored import JUNE_1, NOW, Stored

Rows = list[tuple[Any, ...]]
HOUR = timedelta(hours=1)
V, T = pl.col("value"), pl.col("timestamp")
GPUS = range(4)
_HELD = 3
"""A sample stands for at most so many times the usual spacing."""


def power(s: Stored, node: str = "") -> pl.DataFrame:
    return s.on_1_june("total_power", node)


def inlet(s: Stored, node: str = "") -> pl.DataFrame:
    return s.on_1_june("ambient", node)


def gpu(s: Stored, name: str) -> pl.DataFrame:
    frames = [
        s.on_1_june(f"Gpu{n}_{name}", plugin="ganglia_pub").with_columns(gpu=pl.lit(str(n)))
        for n in GPUS
    ]
    return pl.concat(frames)


def a_day(s: Stored, plugin: str, metric: str) -> pl.DataFrame:
    return s.between(plugin, metric, JUNE_1, NOW)


def racked(frame: pl.DataFrame) -> pl.DataFrame:
    """With the rack of each node: twenty nodes a rack, in their order."""
    return frame.with_columns(rack=(pl.col("node").cast(pl.Int64) // 20).cast(pl.String))


def by(frame: pl.DataFrame, key: str, *what: pl.Expr) -> pl.DataFrame:
    return frame.group_by(key).agg(*what).sort(pl.col(key).cast(pl.Int64, strict=False), key)


def top(frame: pl.DataFrame, count: int, lowest: bool = False) -> Rows:
    """The first rows by their second column."""
    return frame.sort(frame.columns[1], descending=not lowest).head(count).rows()


def integral(frame: pl.DataFrame, value: pl.Expr = V) -> float:
    """Value times seconds of one sensor: each sample holds until the next, a gap is not filled."""
    ordered = frame.sort("timestamp")
    gaps = ordered["timestamp"].diff(null_behavior="ignore").shift(-1).dt.total_seconds()
    usual = gaps.median()
    assert isinstance(usual, float)
    held = gaps.fill_null(usual).clip(upper_bound=_HELD * usual)
    return float((ordered.select(value.cast(pl.Float64).alias("value"))["value"] * held).sum())


def kwh_by(frame: pl.DataFrame, key: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for (name, _), part in frame.group_by(key, "node"):
        found[str(name)] = found.get(str(name), 0.0) + integral(part) / 3.6e6
    return found


def runs(frame: pl.DataFrame, holds: pl.Expr) -> list[pl.DataFrame]:
    """Successive samples of one sensor that keep a bound, cut where samples are missing."""
    ordered = frame.sort("timestamp").with_columns(on=holds)
    gap = T.diff().dt.total_seconds() > _HELD * 20
    cut = (pl.col("on") != pl.col("on").shift(1)) | gap
    parts = ordered.with_columns(run=cut.fill_null(value=True).cum_sum()).filter("on")
    return parts.partition_by("run", maintain_order=True)


def together(s: Stored) -> pl.DataFrame:
    """The power of each rack at each moment."""
    return racked(power(s)).group_by("rack", "timestamp").agg(V.sum())


def two_minutes(frame: pl.DataFrame, value: pl.Expr, every: str = "2m") -> pl.DataFrame:
    return frame.group_by(T.dt.truncate(every).alias("slot")).agg(value.mean().alias("mean"))


def pearson(one: pl.DataFrame, other: pl.DataFrame) -> float:
    both = one.join(other, on="slot")
    return float(both.select(pl.corr("mean", "mean_right")).item())


def ran(s: Stored) -> pl.DataFrame:
    return s.jobs().filter((pl.col("start_time") < NOW) & (pl.col("end_time") > JUNE_1))


def started(s: Stored) -> pl.DataFrame:
    return s.jobs().filter(pl.col("start_time").is_between(JUNE_1, NOW, closed="left"))


def ended(s: Stored) -> pl.DataFrame:
    return s.jobs().filter(pl.col("end_time").is_between(JUNE_1, NOW, closed="left"))


def hours(s: Stored) -> pl.DataFrame:
    """The jobs of the day with the hours that they ran in it."""
    first = pl.max_horizontal(pl.col("start_time"), pl.lit(JUNE_1))
    last = pl.min_horizontal(pl.col("end_time"), pl.lit(NOW))
    return ran(s).with_columns(hours=(last - first).dt.total_milliseconds() / 3.6e6)


def of_job(s: Stored, job: int, frame: pl.DataFrame) -> pl.DataFrame:
    (row,) = s.jobs().filter(pl.col("job_id") == job).iter_rows(named=True)
    nodes = [name.strip() for name in str(row["nodes"]).strip("[]").split(",")]
    inside = T.is_between(row["start_time"], row["end_time"])
    return frame.filter(inside & pl.col("node").is_in(nodes))


def longest_job(s: Stored) -> dict[str, Any]:
    run = (pl.col("end_time") - pl.col("start_time")).alias("run")
    order = ended(s).with_columns(run).sort(["run", "job_id"], descending=[True, False])
    return order.row(0, named=True)


def checks(s: Stored) -> pl.DataFrame:
    """Results of checks on compute nodes."""
    frame = a_day(s, "nagios_pub", "state")
    return frame.filter(pl.col("host_group") == "compute")


def seen(frame: pl.DataFrame) -> Rows:
    """Node, number of results, the first and the last."""
    return by(frame, "node", pl.len(), T.min().alias("first"), T.max().alias("last")).rows()


def _level_change(frame: pl.DataFrame) -> Rows:
    """Every cut is tried: the one that leaves the least squared distances."""
    ordered = frame.sort("timestamp")
    x = ordered["value"].to_numpy()
    count, total = x.size, x.sum()
    left = x.cumsum()[:-1]
    sizes = pl.Series(range(1, count)).to_numpy()
    explained = left**2 / sizes + (total - left) ** 2 / (count - sizes)
    at = int(explained.argmax()) + 1
    before, after = float(x[:at].mean()), float(x[at:].mean())
    return [("5", ordered["timestamp"][at], before, after, after - before)]


def _slope(frame: pl.DataFrame) -> float:
    seconds = T.dt.epoch("ms") / 1000
    return float(frame.select(pl.cov(seconds, V) / seconds.var()).item()) * 3600


def _step(frame: pl.DataFrame, sign: int) -> tuple[float, datetime]:
    steps = frame.sort("timestamp").with_columns(step=V.diff(), gap=T.diff().dt.total_seconds())
    steps = steps.filter(pl.col("gap") <= _HELD * 20)
    best = steps.sort(pl.col("step") * sign, descending=True, maintain_order=True).row(
        0, named=True
    )
    return best["step"], best["timestamp"]


def _gap(frame: pl.DataFrame) -> Rows:
    ordered = frame.sort("timestamp").with_columns(till=T.shift(-1))
    length = (pl.col("till") - T).dt.total_seconds()
    found = ordered.with_columns(minutes=length / 60).filter(length > _HELD * 20)
    return [
        (r["node"], r["timestamp"], r["till"], r["minutes"], "between")
        for r in found.iter_rows(named=True)
    ]


def _at(frame: pl.DataFrame, moment: datetime) -> pl.DataFrame:
    """The last sample of each node at or before ``moment``, within one minute."""
    near = frame.filter(T.is_between(moment - timedelta(minutes=1), moment))
    return near.sort("timestamp").group_by("node").last()


def _two_times(s: Stored) -> list[float]:
    both = ((JUNE_1 - 2 * HOUR, JUNE_1), (NOW - 2 * HOUR, NOW))
    frames = (s.between("ipmi_pub", "total_power", *time, closed=True) for time in both)
    return [f.filter(pl.col("node") == "5").select(V.mean()).item() for f in frames]


RESULTS: dict[str, Callable[[Stored], Rows]] = {
    "node-power-mean": lambda s: power(s, "5").select(V.mean()).rows(),
    "node-power-measures": lambda s: power(s, "5").select(
        V.mean(), V.min().alias("min"), V.max().alias("max")
    ).rows(),
    "nodes-power-each": lambda s: by(
        power(s).filter(pl.col("node").is_in(["3", "4", "5"])), "node", V.max()
    ).rows(),
    "node-power-at": lambda s: _at(
        power(s, "7"), JUNE_1 + timedelta(hours=14, minutes=30)
    ).select("value").rows(),
    "node-power-series": lambda s: s.hour("ipmi_pub", "total_power", 8, 12).filter(
        pl.col("node") == "5"
    ).sort("timestamp").select("node", "timestamp", "value").rows(),
    "node-inlet-hourly": lambda s: inlet(s, "9").group_by(
        T.dt.truncate("1h")
    ).agg(V.mean()).sort("timestamp").rows(),
    "nodes-power-highest": lambda s: top(by(power(s), "node", V.mean()), 5),
    "nodes-power-lowest": lambda s: top(by(power(s), "node", V.mean()), 3, lowest=True),
    "nodes-inlet-hottest": lambda s: top(by(inlet(s), "node", V.max()), 1),
    "nodes-cpu-utilisation": lambda s: by(
        s.on_1_june("cpu_idle", plugin="ganglia_pub"), "node", 100 - V.mean()
    ).rows(),
    "nodes-power-above": lambda s: by(
        power(s).filter(V > 1000), "node", V.max(), pl.len(),
        T.min().alias("first"), T.max().alias("last"),
    ).rows(),
    "nodes-inlet-above-count": lambda s: by(
        inlet(s).filter(V > 25), "node", V.max(), pl.len(),
        T.min().alias("first"), T.max().alias("last"),
    ).rows(),
    "nodes-inlet-always-below": lambda s: by(
        inlet(s).filter(V.max().over("node") < 40), "node", V.min(), pl.len(),
        T.min().alias("first"), T.max().alias("last"),
    ).rows(),
    "nodes-power-mean-above": lambda s: by(
        power(s), "node", V.mean(), pl.len(), T.min().alias("first"), T.max().alias("last")
    ).filter(V > 600).rows(),
    "nodes-fan-still": lambda s: by(
        s.on_1_june("fan1_1").filter(V == 0), "node", V.min(), pl.len(),
        T.min().alias("first"), T.max().alias("last"),
    ).rows(),
    "node-time-above": lambda s: [(integral(power(s, "5"), V > 800) / 60,)],
    "node-share-above": lambda s: power(s, "5").select(100 * (V > 800).mean()).rows(),
    "node-power-p95": lambda s: power(s, "5").select(V.quantile(0.95, "linear")).rows(),
    "node-power-median": lambda s: power(s, "5").select(V.median()).rows(),
    "node-power-deviation": lambda s: power(s, "5").select(V.std(ddof=0)).rows(),
    "nodes-power-variation": lambda s: by(power(s), "node", V.std(ddof=0) / V.mean()).rows(),
    "node-power-cpu-correlation": lambda s: [(
        "total node power", "CPU utilisation",
        pearson(
            two_minutes(power(s, "10"), V),
            two_minutes(s.on_1_june("cpu_idle", "10", "ganglia_pub"), 100 - V),
        ),
    )],
    "node-inlet-spread": lambda s: inlet(s, "9").select(V.max(), V.min().alias("min")).rows(),
    "node-power-two-times": lambda s: [
        ("from 2022-05-31 22:00 to 2022-06-01 00:00 UTC", _two_times(s)[0]),
        ("from 2022-06-01 22:00 to 2022-06-02 00:00 UTC", _two_times(s)[1]),
    ],
    "node-psu-ratio": lambda s: [(
        a := s.on_1_june("ps0_input_power", "5")["value"].mean(),
        b := s.on_1_june("ps1_input_power", "5")["value"].mean(),
        a / b,  # type: ignore[operator]
    )],
    "periods-power-above": lambda s: [
        ("5", first, last, (last - first).total_seconds() / 60, r.height, r["value"].max())
        for r in runs(power(s, "5"), V > 800)
        for first, last in [(r["timestamp"][0], r["timestamp"][-1])]
    ],
    "gaps-power": lambda s: _gap(power(s, "26")),
    "last-power-sample": lambda s: [
        ("12", last := power(s, "12").row(-1, named=True)["timestamp"],
         power(s, "12")["value"][-1], (NOW - last).total_seconds())
    ],
    "change-power": lambda s: _level_change(power(s, "5")),
    "rise-power-largest": lambda s: [("5", *_step(power(s, "5"), 1))],
    "slope-inlet": lambda s: [("9", _slope(inlet(s, "9")))],
    "rack-power-mean": lambda s: racked(power(s)).filter(pl.col("rack") == "1").group_by(
        "node"
    ).agg(V.mean()).select(V.sum()).rows(),
    "racks-power-mean": lambda s: by(
        racked(power(s)).group_by("rack", "node").agg(V.mean()), "rack", V.sum()
    ).rows(),
    "rack-power-peak": lambda s: together(s).filter(pl.col("rack") == "0").sort(
        ["value", "timestamp"], descending=[True, False]
    ).head(1).select("value", "timestamp").rows(),
    "racks-power-highest-peak": lambda s: top(by(together(s), "rack", V.max()), 1),
    "racks-power-at": lambda s: by(
        racked(_at(power(s), JUNE_1 + 12 * HOUR)), "rack", V.sum()
    ).rows(),
    "racks-inlet-mean": lambda s: by(racked(inlet(s)), "rack", V.mean()).rows(),
    "racks-energy": lambda s: sorted(kwh_by(racked(power(s)), "rack").items()),
    "machine-power-peak": lambda s: power(s).group_by("timestamp").agg(V.sum()).sort(
        ["value", "timestamp"], descending=[True, False]
    ).head(1).select("value", "timestamp").rows(),
    "machine-energy": lambda s: [(sum(kwh_by(racked(power(s)), "rack").values()),)],
    "node-energy": lambda s: [(integral(power(s, "5")) / 3.6e6,)],
    "gpus-utilisation-mean": lambda s: gpu(s, "gpu_utilization").filter(
        pl.col("node") == "4"
    ).select(V.mean()).rows(),
    "gpus-utilisation-each": lambda s: by(
        gpu(s, "gpu_utilization").filter(pl.col("node") == "4"), "gpu", V.mean()
    ).rows(),
    "gpus-busy-share": lambda s: [(
        busy := gpu(s, "gpu_utilization").filter(V > 50)["node"].n_unique(),
        total := gpu(s, "gpu_utilization")["node"].n_unique(),
        100 * busy / total,
    )],
    "gpus-temperature-p99": lambda s: by(
        racked(gpu(s, "gpu_temp")), "rack", V.quantile(0.99, "linear")
    ).rows(),
    "pue-mean": lambda s: a_day(s, "logics_pub", "Pue").select(V.mean()).rows(),
    "it-power-share": lambda s: [(
        whole := a_day(s, "logics_pub", "Tot")["value"].mean(),
        part := a_day(s, "logics_pub", "Tot_ict")["value"].mean(),
        100 * part / whole,  # type: ignore[operator]
    )],
    "cracs-supply-mean": lambda s: by(
        a_day(s, "vertiv_pub", "Supply_Air_Temperature"), "device", V.mean()
    ).rows(),
    "crac-supply-highest": lambda s: a_day(s, "vertiv_pub", "Supply_Air_Temperature").filter(
        pl.col("device") == "cdz1"
    ).select(V.max()).rows(),
    "panel-flow-lowest": lambda s: a_day(
        s, "schneider_pub", "PLC_PLC_Q101.Portata_attiva"
    ).filter(pl.col("panel") == "Q101").select(V.min() / 10).rows(),
    "outdoor-temperature-highest": lambda s: a_day(s, "weather_pub", "temp").select(V.max()).rows(),
    "outdoor-silent-days": lambda s: [(JUNE_1 - timedelta(days=4),)],
    "pue-outdoor-correlation": lambda s: [(
        "PUE", "outdoor temperature",
        pearson(
            two_minutes(a_day(s, "logics_pub", "Pue"), V, "10m"),
            two_minutes(a_day(s, "weather_pub", "temp"), V, "10m"),
        ),
    )],
    "facility-energy": lambda s: [(integral(a_day(s, "logics_pub", "Tot")) / 3600,)],
    "jobs-count": lambda s: [(ran(s).height,)],
    "jobs-started-count": lambda s: [(started(s).height,)],
    "jobs-by-state": lambda s: by(ended(s), "job_state", pl.len()).rows(),
    "jobs-failed-share": lambda s: [(
        failed := ended(s).filter(pl.col("job_state") == "FAILED").height,
        ended(s).height,
        100 * failed / ended(s).height,
    )],
    "node-hours": lambda s: hours(s).select((pl.col("num_nodes") * pl.col("hours")).sum()).rows(),
    "users-by-node-hours": lambda s: [
        (str(user), total)
        for user, total in top(
            by(hours(s), "user_id", (pl.col("num_nodes") * pl.col("hours")).sum()), 5
        )
    ],
    "partition-core-hours": lambda s: by(
        hours(s), "partition", (pl.col("num_cpus") / 4 * pl.col("hours")).sum()
    ).rows(),
    "wait-mean": lambda s: started(s).select(
        (pl.col("start_time") - pl.col("submit_time")).dt.total_milliseconds().mean() / 1000
    ).rows(),
    "partition-run-mean": lambda s: by(
        ended(s), "partition",
        (pl.col("end_time") - pl.col("start_time")).dt.total_milliseconds().mean() / 1000,
    ).rows(),
    "users-count": lambda s: [(ran(s)["user_id"].n_unique(),)],
    "job-power-mean": lambda s: of_job(
        s, 3423336, s.samples("ipmi_pub", "total_power")
    ).select(V.mean()).rows(),
    "job-power-by-node": lambda s: by(
        of_job(s, 3423336, s.samples("ipmi_pub", "total_power")), "node", V.mean()
    ).rows(),
    "job-energy": lambda s: [(
        sum(integral(part) / 3.6e6 for _, part in of_job(
            s, 3423336, s.samples("ipmi_pub", "total_power")
        ).group_by("node")),
    )],
    "node-inlet-measures": lambda s: inlet(s, "9").select(
        V.mean(), V.min().alias("min"), V.max().alias("max")
    ).rows(),
    "racks-inlet-highest-sample": lambda s: by(racked(inlet(s)), "rack", V.max()).rows(),
    "rack-inlet-p95": lambda s: racked(inlet(s)).filter(pl.col("rack") == "1").select(
        V.quantile(0.95, "linear")
    ).rows(),
    "node-power-peak": lambda s: power(s, "5").sort(
        ["value", "timestamp"], descending=[True, False]
    ).head(1).select("value", "timestamp").rows(),
    "nodes-cpu-highest": lambda s: top(
        by(s.on_1_june("cpu_idle", plugin="ganglia_pub"), "node", 100 - V.mean()), 5
    ),
    "pue-time-above": lambda s: [(integral(a_day(s, "logics_pub", "Pue"), V > 1.35) / 60,)],
    "jobs-running-count": lambda s: [(
        s.jobs().filter(
            (pl.col("start_time") <= JUNE_1 + 12 * HOUR) & (pl.col("end_time") > JUNE_1 + 12 * HOUR)
        ).height,
    )],
    "nodes-drained": lambda s: seen(checks(s).filter(pl.col("nagiosdrained") == "1")),
    "nodes-down": lambda s: seen(
        checks(s).filter((pl.col("description") == "alive::ping") & (V > 0))
    ),
    "nodes-critical-count": lambda s: seen(checks(s).filter(V == 2)),
}  # fmt: skip
"""The rows of a pair's first table, by its id."""
