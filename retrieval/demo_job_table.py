"""The job table of the demo lake: one row a job, split by the month of its end."""

import csv
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from retrieval.demo_plan import Job
from retrieval.demo_profile import dice
from retrieval.demo_rows import write_table

PLUGIN: Final = "job_table"
METRIC: Final = "job_info_marconi100"
_ARROW: Final = {
    "bool": pa.bool_(),
    "int32": pa.int32(),
    "string": pa.string(),
    "timestamp": pa.timestamp("ms", "UTC"),
    "uint16": pa.uint16(),
    "uint32": pa.uint32(),
}
_LAID_OUT: Final = 4
"""Jobs of more nodes have no text on their CPUs, which would be long."""
_THREADS_A_SLOT: Final = 32
_RUN_TIME_KNOWN: Final = 0.55
_EXIT_CODE_KNOWN: Final = 0.4
_EXIT_CODES: Final = {"COMPLETED": "0:0", "FAILED": "1:0", "OUT_OF_MEMORY": "0:125"}


def job_schema() -> pa.Schema:
    """All columns of the job table as published; most of them hold nothing but null."""
    text = files("retrieval").joinpath("data", "job_columns.csv").read_text("utf-8")
    rows = csv.DictReader(text.splitlines())
    return pa.schema([pa.field(row["name"], _ARROW[row["dtype"]]) for row in rows])


def write_job_table(root: Path, jobs: Sequence[Job], seed: int) -> int:
    """Write the job table below ``root``, one file a month of end; gives the number of rows."""
    rng = dice(seed, "job table")
    months: dict[str, list[Job]] = {}
    for k in rng.permutation(len(jobs)):
        job = jobs[int(k)]
        month = datetime.fromtimestamp(job.end, UTC).strftime("%y-%m")
        months.setdefault(month, []).append(job)
    schema = job_schema()
    for month, ended in sorted(months.items()):
        columns = _columns(ended, rng)
        arrays = [
            pa.array(columns[field.name], field.type)
            if field.name in columns
            else pa.nulls(len(ended), field.type)
            for field in schema
        ]
        write_table(root, month, PLUGIN, METRIC, pa.table(arrays, schema=schema))
    return len(jobs)


def _columns(jobs: Sequence[Job], rng: np.random.Generator) -> dict[str, list[Any]]:
    known = rng.random((2, len(jobs)))
    priorities = rng.integers(20_000, 160_000, len(jobs)).tolist()
    laid_out = [job if len(job.nodes) <= _LAID_OUT else None for job in jobs]
    return {
        "job_id": [job.job_id for job in jobs],
        "array_job_id": [job.array for job in jobs],
        "user_id": [job.user for job in jobs],
        "group_id": [job.user // 4 for job in jobs],
        "partition": [job.partition for job in jobs],
        "qos": [job.qos for job in jobs],
        "job_state": [job.state for job in jobs],
        "submit_time": [1000 * job.submit for job in jobs],
        "eligible_time": [1000 * job.submit for job in jobs],
        "start_time": [1000 * job.start for job in jobs],
        "end_time": [1000 * job.end for job in jobs],
        "time_limit": [job.limit // 60 for job in jobs],
        "time_limit_str": [_limit_text(job.limit) for job in jobs],
        "run_time": [
            job.end - job.start if share < _RUN_TIME_KNOWN else None
            for job, share in zip(jobs, known[0], strict=True)
        ],
        "exit_code": [
            _EXIT_CODES.get(job.state, "0:15") if share < _EXIT_CODE_KNOWN else None
            for job, share in zip(jobs, known[1], strict=True)
        ],
        "num_nodes": [len(job.nodes) for job in jobs],
        "num_cpus": [job.threads * len(job.nodes) for job in jobs],
        "nodes": [str(list(job.nodes)) for job in jobs],
        "tres_per_node": [f"gres:gpu:{job.gpus}" if job.gpus else None for job in jobs],
        "cpus_allocated": [job and str(dict.fromkeys(job.nodes, job.threads)) for job in laid_out],
        "cpus_alloc_layout": [job and _layout(job) for job in laid_out],
        "priority": priorities,
        "nice": [0] * len(jobs),
        "contiguous": [False] * len(jobs),
    }


def _layout(job: Job) -> str:
    """Which hardware threads the job has on each node, as the published text."""
    each = job.threads // len(job.slots)
    threads = [slot * _THREADS_A_SLOT + k for slot in job.slots for k in range(each)]
    return "{" + ", ".join(f"{node}: {threads}" for node in job.nodes) + "}"


def _limit_text(seconds: int) -> str:
    """A duration as the workload manager writes it: ``20:00``, ``1:30:00``, ``1-00:00:00``."""
    days, rest = divmod(seconds, 86_400)
    hours, rest = divmod(rest, 3600)
    minutes, seconds = divmod(rest, 60)
    if days:
        return f"{days}-{hours:02d}:{minutes:02d}:{seconds:02d}"
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
