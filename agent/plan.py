"""The steps that a question needs, as data."""

from dataclasses import dataclass, replace

from agent.chart import ChartKind
from retrieval.data_request import Asked
from retrieval.written_request import WrittenRequest


@dataclass(frozen=True, slots=True)
class Retrieve:
    """Get the data of a grounded request, of a chain of two, or of a query that was confirmed."""

    asked: Asked | WrittenRequest
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

    def noting(self, *notes: str) -> "Plan":
        """The same with more to be said of what is retrieved."""
        steps = tuple(
            replace(step, notes=(*step.notes, *notes)) if isinstance(step, Retrieve) else step
            for step in self.steps
        )
        return replace(self, steps=steps)
