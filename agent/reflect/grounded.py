"""What the first stage of the Reflect Agent hands on: a request with all its names found."""

from dataclasses import dataclass

from retrieval.measures import Group, Measure
from retrieval.request import Entity, EntityKind, Metric, TimeWindow


@dataclass(frozen=True, slots=True)
class Part:
    """One sub-query, about a single quantity."""

    text: str
    """The part of the request in words, with its entities and times."""
    metrics: tuple[Metric, ...]
    """What holds the quantity: one metric, or a numbered family such as the GPUs of a node."""

    @property
    def plugin(self) -> str:
        """Where its metrics come from."""
        return self.metrics[0].plugin


@dataclass(frozen=True, slots=True)
class Grounded:
    """A request whose words were found to name things that exist: what a query may speak of."""

    request: str
    """In the asker's words."""
    parts: tuple[Part, ...] = ()
    """None where nothing is measured: jobs or the topology alone."""
    windows: tuple[TimeWindow, ...] = ()
    """The times that are asked about; more than one is a comparison, none asks of all times."""
    entities: tuple[Entity, ...] = ()
    """Things that are named one by one; a query must be about each of them and no others."""
    jobs: bool = False
    """Whether the job table is needed."""
    measures: tuple[Measure, ...] = ()
    """What is to be computed, as far as the rules read it in the request."""
    groups: tuple[Group, ...] = ()
    """What rows are to be told apart by, as far as the rules read it."""
    zone: str = "UTC"
    """The zone in which days and hours begin."""

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics of all parts, each once."""
        return tuple(dict.fromkeys(metric for part in self.parts for metric in part.metrics))

    @property
    def wants_values(self) -> bool:
        """Whether the readings of nodes are asked for as they are, over a time."""
        nodes = all(entity.kind is EntityKind.NODE for entity in self.entities)
        over_time = any(window.seconds for window in self.windows)
        plain = not self.measures and not self.groups and not self.jobs
        return bool(self.parts) and nodes and over_time and plain
