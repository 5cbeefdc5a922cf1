"""The parts of which it is told in words what a written query gives."""

from dataclasses import dataclass

from retrieval.measures import Comparison


@dataclass(frozen=True, slots=True)
class OutlinedBound:
    """Only what keeps a bound is taken."""

    heading: str
    comparison: Comparison
    bound: float
    unit: str


@dataclass(frozen=True, slots=True)
class OutlinedText:
    """Only what is called one of these is taken."""

    heading: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OutlinedRows:
    """What is shown or computed, and what there is a row for each of."""

    columns: tuple[str, ...]
    """Each with its unit: ``average of total_power (W)``."""
    keys: tuple[str, ...] = ()
    is_grouped: bool = False
    """False where each match is a row; without keys a group is all of them together."""


@dataclass(frozen=True, slots=True)
class WrittenOutline:
    """All that decides what a query gives, beside the metrics, things and times of its request."""

    rows: OutlinedRows
    first: tuple[OutlinedRows, ...] = ()
    """What is computed before that, innermost last."""
    conditions: tuple[OutlinedBound | OutlinedText, ...] = ()
    kinds: tuple[str, ...] = ()
    """The kinds of thing that the rows are about: ``compute node``."""
    job_times: tuple[str, ...] = ()
    """What jobs did in the window: they ``started``, or ``ran``."""
    steps: tuple[str, ...] = ()
    """Steps of time that no column is named after: ``PT5M``."""
    joins_times: bool = False
    """True where only moments count at which several metrics have a sample each."""
    order: tuple[tuple[str, bool], ...] = ()
    """What rows are in order of, and whether the highest comes first."""
    limit: int | None = None
    is_distinct: bool = False
