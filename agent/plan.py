"""The steps that a question needs, as data."""

from dataclasses import dataclass

from agent.chart import ChartKind
from retrieval.data_request import Asked


@dataclass(frozen=True, slots=True)
class Retrieve:
    """Get the data of a grounded request, or of a chain of two."""

    asked: Asked
    notes: tuple[str, ...] = ()
    """Readings of the question that were taken, in words."""


@dataclass(frozen=True, slots=True)
class Analyse:
    """Draw a chart of what was retrieved; ``kind`` is None where any fitting one will do."""

    kind: ChartKind | None
    words: str = ""
    """What is asked of it beyond our own charts; empty where nothing is."""


Step = Retrieve | Analyse


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps in order."""

    steps: tuple[Step, ...]
    zone: str = "UTC"

    @property
    def chart(self) -> Analyse | None:
        """The step that draws, if there is one."""
        return next((step for step in self.steps if isinstance(step, Analyse)), None)
