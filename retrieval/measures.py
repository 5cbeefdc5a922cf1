"""The words of a request over readings: measures, groups, bounds, quantities, owners."""

from dataclasses import dataclass
from enum import StrEnum

from retrieval.request import EntityKind, Metric


class Measure(StrEnum):
    """What is computed from the samples of a group."""

    AVERAGE = "average"
    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    SUM = "sum"
    COUNT = "number of samples"
    MEDIAN = "median"
    P5 = "5th percentile"
    P10 = "10th percentile"
    P25 = "25th percentile"
    P75 = "75th percentile"
    P90 = "90th percentile"
    P95 = "95th percentile"
    P99 = "99th percentile"
    STDDEV = "standard deviation"
    RANGE = "difference of maximum and minimum"
    VARIATION = "coefficient of variation"
    ENERGY = "energy"
    DURATION = "time"
    SHARE = "share of the samples"
    TIME_OF_MAXIMUM = "time of the maximum"
    TIME_OF_MINIMUM = "time of the minimum"
    LATEST = "value"


class Course(StrEnum):
    """What is asked of how the samples of one sensor go over time."""

    PERIODS = "periods"
    PERIOD_COUNT = "number of periods"
    LONGEST_PERIOD = "longest period"
    FIRST_PERIOD = "first period"
    LAST_PERIOD = "last period"
    FIRST_AND_LAST = "first and last"
    GAPS = "gaps"
    LONGEST_GAP = "longest gap"
    LAST_SAMPLE = "last sample"
    CHANGE_POINT = "change point"
    STEP = "largest step"
    RISE = "largest rise"
    FALL = "largest fall"
    SLOPE = "rate of change"
    NEIGHBOURS = "other nodes of the rack at the same time"
    REBOOTS = "reboots"
    LAST_REBOOT = "last reboot"
    BETWEEN_TIMES = "change from one time to another"


OF_CHANGE = frozenset({Course.CHANGE_POINT, Course.STEP, Course.RISE, Course.FALL, Course.SLOPE})
"""Courses that ask how the values of a sensor change."""
OF_BOOTS = frozenset({Course.REBOOTS, Course.LAST_REBOOT})
"""Courses that tell the times of boot."""
OF_MISSING = frozenset({Course.GAPS, Course.LONGEST_GAP, Course.LAST_SAMPLE})
"""Courses that ask which samples there are, whatever their values."""


class Group(StrEnum):
    """What the samples or jobs are put together by."""

    OWNER = "owner"
    RACK = "rack"
    INDEX = "index"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    JOB = "job"
    USER = "user"
    STATE = "state"
    PARTITION = "partition"
    QOS = "qos"
    NODE_COUNT = "node count"
    GPUS = "GPUs"
    CORES = "CPU cores"
    CHECK = "check"


TIMES = frozenset({Group.HOUR, Group.DAY, Group.WEEK, Group.MONTH})
"""Those that put times together."""


class Comparison(StrEnum):
    """How a value stands to a bound."""

    ABOVE = ">"
    AT_LEAST = ">="
    BELOW = "<"
    AT_MOST = "<="
    EQUAL = "="
    UNEQUAL = "!="


class Applies(StrEnum):
    """What a condition is about."""

    SAMPLE = "any sample"
    ALL_SAMPLES = "every sample"
    MEASURE = "the measure"


@dataclass(frozen=True, slots=True)
class Condition:
    """A bound that samples, or the measure of a group, must keep."""

    comparison: Comparison
    bound: float
    applies: Applies = Applies.SAMPLE
    measure: Measure | None = None
    words: str = ""
    upper: float | None = None
    """For "between 10 and 20": the other bound."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The first ``limit`` groups by a measure."""

    descending: bool
    limit: int | None
    measure: Measure | None = None


@dataclass(frozen=True, slots=True)
class Selected:
    """A quantity that is asked for, with the metrics that hold it."""

    label: str
    """How an answer names it: "total power of a node"."""
    metrics: tuple[Metric, ...]
    complement: bool = False
    """True where the quantity is 100 minus the stored value."""
    summed: bool = False
    """True where the quantity is the sum of its metrics."""
    index_noun: str = ""
    """What its metrics are numbered by: "GPU"; empty for a quantity of one metric."""
    note: str = ""

    @property
    def unit(self) -> str:
        """The unit of its values."""
        return self.metrics[0].unit


@dataclass(frozen=True, slots=True)
class Owners:
    """Whose readings are wanted."""

    kind: EntityKind
    names: tuple[str, ...] = ()
    """Names of that kind; none means all of them."""
    racks: tuple[str, ...] = ()
    """For nodes: only those in these racks."""
    where: tuple[tuple[str, str], ...] = ()
    """Further (property, text) that the owner must have, such as a meter's device."""


@dataclass(frozen=True, slots=True)
class While:
    """Another quantity of the same owner that must keep a bound at the time of a sample."""

    quantity: Selected
    condition: Condition


class Wanted(StrEnum):
    """What kind of result a request is after."""

    SERIES = "series"
    MEASURES = "measures"
    OWNERS = "owners"
    OWNER_COUNT = "owner count"
    DISTRIBUTION = "distribution"
    SILENT_DAYS = "days without data"
    SILENT_OWNERS = "owners without data"
    CORRELATION = "correlation"
    COURSE = "course"
