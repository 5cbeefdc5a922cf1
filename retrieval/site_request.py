"""What is asked of the site, its catalogue and its monitoring checks."""

from dataclasses import dataclass
from enum import StrEnum

from retrieval.measures import Condition, Course
from retrieval.request import Entity, Metric, TimeWindow


class Subject(StrEnum):
    """What a topology or catalogue request is about."""

    NODES = "nodes"
    RACKS = "racks"
    ROOMS = "rooms"
    CRACS = "CRAC units"
    PANELS = "cooling panels"
    PUMPS = "pumps"
    PARTITIONS = "partitions"
    RACK_OF = "rack"
    POSITION = "position"
    PLUGINS = "plugins"
    METRICS = "metrics"
    METRIC_FACTS = "facts of a metric"
    CHECKS = "checks"
    GPUS_PER_NODE = "GPUs"


@dataclass(frozen=True, slots=True)
class SiteRequest:
    """What exists: the topology of the site, its plugins and its metrics."""

    subject: Subject
    count: bool = False
    entities: tuple[Entity, ...] = ()
    """The things asked about, or the racks that contain what is listed, or nodes beside it."""
    by_rack: bool = False
    """For a number of nodes: that of each rack."""
    x: int | None = None
    y: int | None = None
    plugin: str = ""
    word: str = ""
    """Only metrics whose name or description holds this word."""
    unit: str = ""
    metrics: tuple[Metric, ...] = ()
    held: bool = False
    """Only what the lake has data of."""


class CheckResultKind(StrEnum):
    """What is listed of monitoring checks."""

    NODES = "nodes"
    NODE_COUNT = "number of nodes"
    BY_CHECK = "nodes by check"
    BY_NODE = "checks by node"
    PERIODS = "periods"


@dataclass(frozen=True, slots=True)
class ChecksRequest:
    """Results of monitoring checks, or drained nodes."""

    kind: CheckResultKind
    window: TimeWindow
    instant: bool = False
    checks: tuple[str, ...] = ()
    states: tuple[int, ...] = ()
    hard: bool | None = None
    drained: bool | None = None
    nodes: tuple[str, ...] = ()
    racks: tuple[str, ...] = ()
    compute_only: bool = True
    ongoing: bool = False
    """For periods: only those that still last at the end of the window."""
    course: Course = Course.PERIODS
    """For periods: all of them, the longest, the first, the last, or how many."""
    longer: float = 0.0
    """For periods: only those in which the state held for more than so many seconds."""
    often: Condition | None = None
    """For periods: only things with so many of them."""
    causes: bool = False
    """For periods of drained nodes: which checks were not OK meanwhile is wanted too."""
    share: bool = False
    """For a number of nodes: its share of all nodes that have results of these checks."""
