"""What is asked of the job table."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from types import MappingProxyType

from retrieval.measures import Condition, Group, Ranking
from retrieval.request import TimeWindow

COUNTED_EACH: Mapping[Group, timedelta] = MappingProxyType(
    {
        Group.HOUR: timedelta(hours=1),
        Group.DAY: timedelta(days=1),
        Group.WEEK: timedelta(days=7),
    }
)
"""The intervals in which running jobs are counted."""
MOST_COUNTED = 62
"""How many of them a request may have."""


class JobTime(StrEnum):
    """How jobs stand to a window of time."""

    OVERLAPS = "running in"
    STARTED = "started in"
    ENDED = "ended in"
    SUBMITTED = "submitted in"


@dataclass(frozen=True, slots=True)
class JobFilter:
    """Which jobs are wanted."""

    ids: tuple[int, ...] = ()
    users: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    partitions: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()
    racks: tuple[str, ...] = ()
    node_count: Condition | None = None
    run_seconds: Condition | None = None
    wait_seconds: Condition | None = None
    gpu_count: Condition | None = None
    time: JobTime = JobTime.OVERLAPS
    window: TimeWindow | None = None
    until: datetime | None = None
    """Where set, a job that ended later had run until then, and for no longer."""
    ended_by: datetime | None = None
    """Where set, only jobs that had ended by then."""


class JobMeasure(StrEnum):
    """What is computed from a group of jobs."""

    COUNT = "jobs"
    NODES = "different nodes"
    USERS = "different users"
    NODE_HOURS = "node-hours"
    CORE_HOURS = "CPU core-hours"
    THREAD_HOURS = "hardware thread-hours"
    GPU_HOURS = "GPU-hours"
    SIZE_AVERAGE = "average number of nodes per job"
    SIZE_MAXIMUM = "largest number of nodes of a job"
    SIZE_MINIMUM = "smallest number of nodes of a job"
    SIZE_MEDIAN = "median number of nodes per job"
    GPUS_AVERAGE = "average number of GPUs per job"
    GPUS_MAXIMUM = "largest number of GPUs of a job"
    GPUS_MINIMUM = "smallest number of GPUs of a job"
    GPUS_MEDIAN = "median number of GPUs per job"
    CORES_AVERAGE = "average number of CPU cores per job"
    CORES_MAXIMUM = "largest number of CPU cores of a job"
    CORES_MINIMUM = "smallest number of CPU cores of a job"
    CORES_MEDIAN = "median number of CPU cores per job"
    WAIT_AVERAGE = "average waiting time"
    WAIT_MAXIMUM = "longest waiting time"
    WAIT_MINIMUM = "shortest waiting time"
    WAIT_MEDIAN = "median waiting time"
    WAIT_TOTAL = "total waiting time"
    WAIT_STDDEV = "standard deviation of the waiting time"
    WAIT_P25 = "25th percentile of the waiting time"
    WAIT_P75 = "75th percentile of the waiting time"
    WAIT_P90 = "90th percentile of the waiting time"
    WAIT_P95 = "95th percentile of the waiting time"
    WAIT_P99 = "99th percentile of the waiting time"
    RUN_AVERAGE = "average run time"
    RUN_MAXIMUM = "longest run time"
    RUN_MINIMUM = "shortest run time"
    RUN_MEDIAN = "median run time"
    RUN_TOTAL = "total run time"
    RUN_STDDEV = "standard deviation of the run time"
    RUN_P25 = "25th percentile of the run time"
    RUN_P75 = "75th percentile of the run time"
    RUN_P90 = "90th percentile of the run time"
    RUN_P95 = "95th percentile of the run time"
    RUN_P99 = "99th percentile of the run time"


class JobColumn(StrEnum):
    """What can be listed of a job."""

    JOB = "job"
    USER = "user"
    STATE = "state"
    PARTITION = "partition"
    QOS = "qos"
    NODES = "nodes"
    NODE_COUNT = "node count"
    SUBMIT = "submitted"
    START = "started"
    END = "ended"
    RUN = "run time"
    WAIT = "waiting time"
    CORES = "CPU cores"
    GPUS = "GPUs"
    EXIT_CODE = "exit code"
    TIME_LIMIT = "time limit"


@dataclass(frozen=True, slots=True)
class JobsRequest:
    """Jobs, or what is computed from them."""

    which: JobFilter
    measures: tuple[JobMeasure, ...] = ()
    """Empty: the jobs themselves are listed."""
    columns: tuple[JobColumn, ...] = ()
    groups: tuple[Group, ...] = ()
    ranking: Ranking | None = None
    order_by: JobMeasure | JobColumn | None = None
    unit: str = ""
    """The unit that values are wanted in; empty for seconds and hours as they are."""
    windows: tuple[TimeWindow, ...] = ()
    """More than one window: the same for each, to be compared."""
    now: datetime | None = None
    """What ended later was still running then."""
    share_of: tuple[str, ...] | None = None
    """Where shares of all jobs are asked for: the states that are meant, or none for every one."""
    clipped: bool = False
    """True where only the part of a job within the window counts."""
    having: tuple[tuple[JobMeasure, Condition], ...] = ()
    """Bounds that the measures of a group must keep."""
