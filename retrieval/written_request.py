"""A request whose query somebody else wrote, with all that the query may be about."""

from dataclasses import dataclass
from datetime import timedelta

from retrieval.request import Entity, Metric, TimeWindow
from retrieval.scope import GraphScope

_LEAST_REACH = 60.0
_STILL_SPEAKS = 2.0
"""Spacings within which the last sample before a moment still speaks for it."""


def reaching_back(
    windows: tuple[TimeWindow, ...], metrics: tuple[Metric, ...]
) -> tuple[TimeWindow, ...]:
    """``windows`` that are moments, with the time before in which the last sample may lie."""
    spacing = max((metric.period or 0.0 for metric in metrics), default=0.0)
    reach = timedelta(seconds=max(_LEAST_REACH, _STILL_SPEAKS * spacing))
    return tuple(TimeWindow(window.end - reach, window.end, True) for window in windows)


@dataclass(frozen=True, slots=True)
class WrittenRequest:
    """A SPARQL query from elsewhere, and the grounded request that it is to answer."""

    query: str
    asked: str
    """The request in words: no number or name may stand in the query that is in neither."""
    quantities: tuple[tuple[Metric, ...], ...] = ()
    """The metrics of each quantity; a query may not take a part of one for the whole."""
    windows: tuple[TimeWindow, ...] = ()
    entities: tuple[Entity, ...] = ()
    jobs: bool = False
    """Whether the query may see the job table."""
    zone: str = "UTC"
    """The zone in which days and hours begin."""
    instant: bool = False
    """True where the last value in a window is asked for, and nothing else of it."""
    confidence: float = 0.0
    """How sure the review is that the query answers the request: 0 to 1."""

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics of all quantities, each once."""
        return tuple(dict.fromkeys(metric for each in self.quantities for metric in each))

    @property
    def scope(self) -> GraphScope:
        """The graph that the query runs over: these metrics in these windows, and no others."""
        return GraphScope(self.metrics, self.windows, self.jobs)
