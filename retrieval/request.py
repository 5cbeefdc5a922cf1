"""The words that the symbolic half shares: entities, windows of time, and metrics."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class EntityKind(StrEnum):
    """The kinds of thing that a question can name."""

    SYSTEM = "system"
    DATA_CENTER = "data center"
    ROOM = "room"
    RACK = "rack"
    NODE = "node"
    CRAC = "crac"
    PANEL = "panel"
    PUMP = "pump"
    METER = "meter"
    PARTITION = "partition"
    JOB = "job"
    USER = "user"
    WEATHER = "weather"


@dataclass(frozen=True, slots=True, order=True)
class Entity:
    """One thing of the site by the name that the lake uses for it.

    Node ``"900"``, rack ``"45"``, CRAC ``"cdz1"``, panel ``"Q101"``, pump ``"P103"``,
    meter ``"generals/pue"`` (panel and device), job ``"3423336"``, user ``"17"``.
    """

    kind: EntityKind
    name: str


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """A span of time; both ends carry a time zone (UTC once read)."""

    start: datetime
    end: datetime
    includes_end: bool = False
    """True where the end was given as a clock time ("08:00 to 09:00" takes the sample at 09:00)."""

    @property
    def seconds(self) -> float:
        """The length of the window in seconds."""
        return (self.end - self.start).total_seconds()


@dataclass(frozen=True, slots=True)
class Metric:
    """One measured quantity of one plugin, as the catalogue has it."""

    plugin: str
    """Partition name: ``ipmi_pub``."""
    name: str
    """Partition name: ``total_power``; unique over all plugins."""
    unit: str
    """Symbol of the unit of the *scaled* value as people write it: ``W``, ``°C``, ``m³/h``."""
    ucum: str
    """The same unit as a UCUM code: ``W``, ``Cel``, ``m3/h``, ``1``."""
    scale: float
    """Stored value times scale is the value in ``unit``: 0.1 for an integer of tenths."""
    period: float | None
    """Seconds between two samples of one sensor, where known."""
    dtype: str
    """``int32``, ``int64``, ``float32``, ``float64`` or ``string``."""
    tags: tuple[str, ...]
    """Columns beside timestamp and value: ``("node",)``, ``("panel", "device")``, ``()``."""
    family: str
    """Name without its index: ``gpu_utilization`` for ``Gpu0_gpu_utilization``."""
    index: str | None
    """Which of its family: ``"0"``, ``"0_1"`` for ``fan0_1``; None for a family of one."""
    description: str
