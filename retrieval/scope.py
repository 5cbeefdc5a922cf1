"""What one request's graph holds: the readings and jobs that its queries can see."""

from dataclasses import dataclass

from retrieval.request import Metric, TimeWindow


@dataclass(frozen=True, slots=True)
class GraphScope:
    """The part of the lake that one virtual knowledge graph stands for.

    The site's topology, its metrics and plugins always belong to it.
    """

    metrics: tuple[Metric, ...] = ()
    """Metrics whose sensors and readings belong to the graph."""
    windows: tuple[TimeWindow, ...] = ()
    """Only readings in these windows belong to it; no window means all of them."""
    jobs: bool = False
    """Whether the job table belongs to it, with all jobs that the lake has."""
    access: str = ""
    """The role whose data these are; a graph of one role is never given to another."""
