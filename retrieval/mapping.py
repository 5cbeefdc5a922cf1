"""Which tables and columns of the lake make readings and jobs, and their properties."""

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from ontology.vocabulary import ODA, READING, RUNS_ON, TIMESTAMP, VALUE
from retrieval.query_result import Kind
from retrieval.request import Metric

CHECK_RESULT = ODA + "CheckResult"
SCHEDULER_READING = ODA + "SchedulerReading"
READING_CLASSES = frozenset({READING, CHECK_RESULT, SCHEDULER_READING})
THREADS_PER_CORE = 4
SHARED_PROPERTIES = frozenset({ODA + "partitionId", ODA + "userId"})
"""Properties of jobs that other things have too: they do not make their subject a job."""


@dataclass(frozen=True, slots=True)
class Mapped:
    """How one property is computed from a table's columns."""

    columns: tuple[str, ...]
    value: pl.Expr
    kind: Kind
    category: bool = False
    """Whether the value is a Categorical column as it stands."""


_TAG_PROPERTIES = {
    "description": "checkName",
    "host_group": "hostGroup",
    "state_type": "stateType",
    "qos": "qosName",
    "job_state": "jobStateName",
}
_DRAINED = "nagiosdrained"
READING_PROPERTIES = frozenset(
    {
        VALUE,
        TIMESTAMP,
        *(ODA + name for name in ("textValue", "drained", *_TAG_PROPERTIES.values())),
    }
)
"""Every property that some reading has."""


def reading_classes(metric: Metric) -> frozenset[str]:
    """The classes of a reading of ``metric``, superclasses included."""
    if "description" in metric.tags:
        return frozenset({READING, CHECK_RESULT})
    if {"qos", "job_state"} & set(metric.tags):
        return frozenset({READING, SCHEDULER_READING})
    return frozenset({READING})


def reading_properties(metric: Metric) -> dict[str, Mapped]:
    """The properties of a reading of ``metric`` by IRI, over the columns of ``Lake.readings``."""
    value = (
        (ODA + "textValue", Mapped(("value",), pl.col("value"), Kind.STRING))
        if metric.dtype == "string"
        else (VALUE, Mapped(("value",), pl.col("value"), Kind.DOUBLE))
    )
    time = Mapped(("timestamp",), pl.col("timestamp"), Kind.DATE_TIME)
    found = {TIMESTAMP: time, value[0]: value[1]}
    for tag in metric.tags:
        if tag in _TAG_PROPERTIES:
            found[ODA + _TAG_PROPERTIES[tag]] = Mapped((tag,), pl.col(tag), Kind.STRING, True)
        elif tag == _DRAINED:
            found[ODA + "drained"] = Mapped((tag,), pl.col(tag) == "1", Kind.BOOLEAN)
    return found


def _stored(column: str, kind: Kind, dtype: pl.DataType) -> Mapped:
    return Mapped((column,), pl.col(column).cast(dtype), kind)


def _string(column: str) -> Mapped:
    return _stored(column, Kind.STRING, pl.String())


def _integer(column: str) -> Mapped:
    return _stored(column, Kind.INTEGER, pl.Int64())


def _time(column: str) -> Mapped:
    return _stored(column, Kind.DATE_TIME, pl.Datetime("ms", "UTC"))


def _seconds(first: str, last: str) -> Mapped:
    span = (pl.col(last) - pl.col(first)).dt.total_milliseconds() / 1000
    return Mapped((first, last), span, Kind.DOUBLE)


_GPUS_PER_NODE = (
    pl.col("tres_per_node")
    .cast(pl.String)
    .str.extract(r"gres:gpu:(?:[A-Za-z]\w*:)?(\d+)")
    .cast(pl.Int64)
    .fill_null(0)
)
_CORES = pl.col("num_cpus").cast(pl.Float64) / THREADS_PER_CORE
_LIMIT = pl.col("time_limit").cast(pl.Float64) * 60

JOB_PROPERTIES: Mapping[str, Mapped] = {
    ODA + name: mapped
    for name, mapped in {
        "jobId": _integer("job_id"),
        "userId": _string("user_id"),
        "groupId": _string("group_id"),
        "jobState": _string("job_state"),
        "partitionId": _string("partition"),
        "qosId": _string("qos"),
        "submitTime": _time("submit_time"),
        "eligibleTime": _time("eligible_time"),
        "startTime": _time("start_time"),
        "endTime": _time("end_time"),
        "nodeCount": _integer("num_nodes"),
        "threadCount": _integer("num_cpus"),
        "coreCount": Mapped(("num_cpus",), _CORES, Kind.DOUBLE),
        "gpusPerNode": Mapped(("tres_per_node",), _GPUS_PER_NODE, Kind.INTEGER),
        "gpuCount": Mapped(
            ("tres_per_node", "num_nodes"),
            _GPUS_PER_NODE * pl.col("num_nodes").cast(pl.Int64),
            Kind.INTEGER,
        ),
        "runSeconds": _seconds("start_time", "end_time"),
        "waitSeconds": _seconds("submit_time", "start_time"),
        "timeLimitSeconds": Mapped(("time_limit",), _LIMIT, Kind.DOUBLE),
        "exitCode": _string("exit_code"),
        "sharesNodes": Mapped(("shared",), pl.col("shared").cast(pl.String) != "0", Kind.BOOLEAN),
        "priority": _integer("priority"),
        "arrayJobId": _integer("array_job_id"),
    }.items()
}
"""The properties of a job by IRI, over the columns of ``Lake.jobs``."""

JOB_KEY = "job_id"
NODE_IDS = Mapped(("nodes",), pl.col("nodes").cast(pl.String).str.extract_all(r"\d+"), Kind.STRING)
"""The ids of a job's nodes, as a list: "[79, 107]" is two of them."""

JOB_ONLY = frozenset({RUNS_ON, *JOB_PROPERTIES} - SHARED_PROPERTIES)
"""Properties that nothing but a job has."""
