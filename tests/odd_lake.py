"""A small lake of everything that telemetry should not have: repetitions, gaps, NaN, nulls."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl

START = datetime(2022, 6, 1, 10, tzinfo=UTC)
MONTH = "22-06"


def odd_lake(root: Path, minutes: int = 40) -> Path:
    """Write the lake below ``root``: ``minutes`` of nodes 0 to 5 and 980, and ten jobs.

    Of Gpu1_gpu_utilization there are two files, which overlap, and the second one holds more
    instants a millisecond.
    """
    frames = {
        "ipmi_pub": {"total_power": _power(), "ambient": _ambient()},
        "ganglia_pub": {
            "Gpu0_gpu_utilization": _utilisation(0),
            "Gpu1_gpu_utilization": _utilisation(1),
            "gexec": _texts(),
        },
        "nagios_pub": {"state": _checks()},
        "slurm_pub": {
            "s21.jobs.tot_jobs": _queued(),
            "total_nodes_alloc": _series("Int32", [960, 961, None, 970]),
        },
        "weather_pub": {"temp": _series("Float32", [21.5, 22.0, 22.0, float("nan")])},
        "logics_pub": {"Tot": _meters()},
    }
    for plugin, metrics in frames.items():
        for metric, frame in metrics.items():
            _write(root, plugin, metric, _until(frame, minutes))
    finer = _finer(_utilisation(1))
    _write(root, "ganglia_pub", "Gpu1_gpu_utilization", _until(finer, minutes), "a_1")
    _write(root, "job_table", "job_info_marconi100", _jobs())
    return root


def _write(root: Path, plugin: str, metric: str, frame: pl.DataFrame, name: str = "a_0") -> None:
    folder = root / f"year_month={MONTH}" / f"plugin={plugin}" / f"metric={metric}"
    folder.mkdir(parents=True, exist_ok=True)
    frame.write_parquet(folder / f"{name}.parquet")


def _until(frame: pl.DataFrame, minutes: int) -> pl.DataFrame:
    time = pl.col("timestamp").dt.replace_time_zone("UTC")
    return frame.filter(time.is_null() | (time < _at(minutes)))


def _at(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


def _readings(
    rows: list[dict[str, object]], value: pl.DataType, *, naive: bool = False
) -> pl.DataFrame:
    frame = pl.DataFrame(rows, schema_overrides={"value": value})
    time = pl.col("timestamp").cast(pl.Datetime("ms", "UTC"))
    return frame.with_columns(time.dt.replace_time_zone(None) if naive else time)


def _power() -> pl.DataFrame:
    """Not in order; node 1 repeats itself, 2 has a gap, 3 one sample, 4 nulls, 5 none."""
    rows: list[dict[str, object]] = []
    for node in ("2", "0", "1", "4"):
        for step in range(110, -1, -1):
            if node == "2" and 30 <= step < 60:
                continue
            value = None if node == "4" and step % 7 == 0 else 380 + 20 * ((step * 7) % 23)
            rows.append({"node": node, "timestamp": _at(step / 3), "value": value})
    rows += [row for row in rows if row["node"] == "1"][:40]
    rows.append({"node": "1", "timestamp": _at(11), "value": 9999})
    rows.append({"node": "3", "timestamp": _at(7), "value": 700})
    return _readings(rows, pl.Int32())


def _ambient() -> pl.DataFrame:
    """NaN, infinity, null and zeros of both signs, an instant missing, in a file without zone."""
    odd = {3: float("nan"), 5: None, 8: float("inf"), 9: float("-inf"), 11: -0.0, 13: 0.0}
    rows: list[dict[str, object]] = [
        {"node": node, "timestamp": _at(step), "value": odd.get(step, 20 + step / 4)}
        for node in ("0", "1", "2")
        for step in range(0, 40, 1 if node == "1" else 2)
    ]
    rows += [{"node": "3", "timestamp": _at(s), "value": float("nan")} for s in range(3)]
    rows.append({"node": "2", "timestamp": None, "value": 21.0})
    return _readings(rows, pl.Float32(), naive=True)


def _utilisation(gpu: int) -> pl.DataFrame:
    rows: list[dict[str, object]] = [
        {"node": node, "timestamp": _at(step * 0.35), "value": (step * 13 + gpu) % 101}
        for node in ("0", "1", "980")
        for step in range(60)
    ]
    return _readings(rows, pl.Int32()).with_columns(pl.col("node").cast(pl.Categorical))


def _finer(frame: pl.DataFrame) -> pl.DataFrame:
    """Some rows of ``frame`` and, within the same millisecond, others; and one more instant."""
    some = frame.filter(pl.col("node") != "980").head(50)
    some = some.with_columns(pl.col("timestamp").cast(pl.Datetime("us", "UTC")))
    later = some.with_columns(pl.col("timestamp") + pl.duration(microseconds=300), value=7)
    new = some.head(1).with_columns(pl.col("timestamp") - pl.duration(milliseconds=250))
    return pl.concat([some.head(20), later, new], how="vertical_relaxed")


def _texts() -> pl.DataFrame:
    texts = ["OFF", 'quo"ted \\ text', "ON\nOFF", None]
    rows: list[dict[str, object]] = [
        {"node": "0", "timestamp": _at(step), "value": text} for step, text in enumerate(texts)
    ]
    return _readings(rows, pl.String())


def _checks() -> pl.DataFrame:
    rows: list[dict[str, object]] = [
        {
            "node": node,
            "timestamp": _at(15 * step),
            "value": (step + number) % 4,
            "description": check,
            "host_group": None if node == "980" else "compute 100%",
            "nagiosdrained": "1" if node == "2" else "0",
            "state_type": "1" if step else "0",
        }
        for node in ("0", "2", "5", "980", "1101")
        for step in range(3)
        for number, check in enumerate(("alive::ping", "ssh::daemon", "sys::rvitals"))
    ]
    return _readings(rows, pl.Int32())


def _queued() -> pl.DataFrame:
    rows: list[dict[str, object]] = [
        {
            "partition": partition,
            "qos": qos,
            "job_state": state,
            "timestamp": _at(step),
            "value": step + len(state),
        }
        for partition in ("0", "1")
        for qos in ("1", "2")
        for state in ("RUNNING", "PENDING")
        for step in range(4)
    ]
    return _readings(rows, pl.Int32())


def _meters() -> pl.DataFrame:
    rows: list[dict[str, object]] = [
        {"panel": panel, "device": device, "timestamp": _at(5 * step), "value": 2600.5 + step}
        for panel, device in (("generals", "pue"), ("f-a", "cdz1"))
        for step in range(5)
    ]
    return _readings(rows, pl.Float32())


def _series(dtype: str, values: list[float | None]) -> pl.DataFrame:
    rows: list[dict[str, object]] = [
        {"timestamp": _at(10 * step), "value": value} for step, value in enumerate(values)
    ]
    return _readings(rows, pl.Int32() if dtype == "Int32" else pl.Float32())


def _jobs() -> pl.DataFrame:
    """Shared nodes, a job without times, without nodes, with a node twice, and one job twice."""
    spans: list[tuple[str | None, float | None, float | None]] = [
        ("[0, 1]", 2, 12),
        ("[1]", 8, 20.5),
        ("[1, 2]", 20.5, 39),
        ("[4]", -30, 90),
        ("[3]", 8, 9),
        ("[0]", 15, None),
        (None, 3, 6),
        ("[2, 2]", 5, 6),
        ("[]", 1, 2),
        ("[4, 0]", None, None),
    ]
    rows = [
        {
            "job_id": 1000882 + number,
            "user_id": number % 3,
            "group_id": 7,
            "job_state": None if number == 6 else ("COMPLETED", "FAILED")[number % 2],
            "partition": str(number % 2),
            "qos": "1",
            "submit_time": _at(-60 + number),
            "eligible_time": _at(-60 + number),
            "start_time": None if start is None else _at(start),
            "end_time": None if end is None else _at(end),
            "num_nodes": 1 + number % 2,
            "num_cpus": 128 if number else None,
            "tres_per_node": (None, "gres:gpu:4", "gres:gpu:tesla:2")[number % 3],
            "time_limit": 60,
            "exit_code": "0:0",
            "priority": 1000 + number,
            "array_job_id": 0,
            "shared": "0" if number else None,
            "nodes": nodes,
        }
        for number, (nodes, start, end) in enumerate(spans)
    ]
    times = ("submit_time", "eligible_time", "start_time", "end_time")
    frame = pl.DataFrame([*rows, {**rows[1], "job_state": "CANCELLED"}], infer_schema_length=None)
    return frame.with_columns(pl.col(times).cast(pl.Datetime("ms", "UTC")))
