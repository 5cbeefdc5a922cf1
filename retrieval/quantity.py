"""What a phrase can mean: one measured quantity with the metrics that hold it."""

from dataclasses import dataclass
from enum import StrEnum

from retrieval.request import EntityKind, Metric


class Transform(StrEnum):
    """How the value of a quantity follows from the values of its metrics."""

    IDENTITY = "identity"
    COMPLEMENT = "complement"
    """100 minus the value."""
    SUM = "sum"
    """The values of all its metrics added up."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """One measured quantity."""

    id: str
    """``gpu_utilisation``; ``plugin/family`` for one that the curated file does not name."""
    label: str
    """How an answer names it."""
    members: tuple[Metric, ...]
    """All metrics that hold it, never empty."""
    transform: Transform
    note: str
    """What an answer must say beside the value; empty for most."""
    owners: frozenset[EntityKind]
    """The kinds of thing that have it."""
    index_noun: str
    """What its metrics are numbered by ("GPU"); empty for a quantity of one metric."""
    outer_noun: str = ""
    """What the first half of a double index counts: "socket" for the cores 0_12, 1_3."""

    @property
    def plugin(self) -> str:
        """The plugin that measures it."""
        return self.members[0].plugin

    @property
    def unit(self) -> str:
        """The unit of its values; empty for a pure number."""
        return self.members[0].unit

    def metrics_at(self, indices: tuple[str, ...]) -> tuple[Metric, ...]:
        """Its metrics with these indices; all of them where none is given."""
        if not indices:
            return self.members
        return tuple(metric for metric in self.members if metric.index in indices)
