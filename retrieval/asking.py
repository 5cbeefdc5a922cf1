"""What is handed to the reader: a question, the thread before it, what others understood of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from retrieval.question_text import Span


@dataclass(frozen=True, slots=True)
class ChartHint:
    """What the chart that is wanted needs: ``kind`` is empty where none is."""

    kind: str = ""
    named: bool = True
    """False where any chart that fits will do, and ``kind`` is but the likeliest."""
    words: str = ""
    """What is asked of the chart beyond its kind, as the question has it."""

    @property
    def of_series(self) -> bool:
        """Whether the chart shows samples over time."""
        return self.kind in ("line", "dual_axis")

    @property
    def of_samples(self) -> bool:
        """Whether the chart shows how samples are distributed."""
        return self.kind in ("histogram", "box")


@dataclass(frozen=True, slots=True)
class Asking:
    """One question with all that its reading may depend on."""

    text: str
    now: datetime
    settled: Mapping[str, str]
    """Choices that were made when this question was asked back about, by ``Unclear.about``."""
    earlier: "tuple[Asking, ...]" = ()
    """The thread's earlier questions, oldest first, for a follow-up; their own is not read."""
    taken: tuple[Span, ...] = ()
    """Characters that someone else has understood, such as the words for a chart."""
    chart: ChartHint = field(default_factory=ChartHint)
