"""What the agent can answer with."""

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path

Cell = str | int | float | bool | datetime | None


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file that belongs to an answer, a picture as a rule."""

    path: Path
    media_type: str
    title: str
    """What it shows, in words: the alternative text of a picture."""


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """A table of an answer: all rows in a CSV file, the first of them in memory."""

    name: str
    columns: tuple[str, ...]
    row_count: int
    csv: Path
    preview: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class MetricUse:
    """A metric that an answer rests on."""

    plugin: str
    metric: str
    unit: str


@dataclass(frozen=True, slots=True)
class TimeRange:
    """A window of time that an answer speaks of; both ends in UTC."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Certified:
    """The curated pair that the queries of an answer are kin of."""

    pair: str
    owner: str
    reviewed: date
    answers: str
    """What such queries give, by which convention."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """How an answer came about, for whoever wants to check it."""

    time_ranges: tuple[TimeRange, ...] = ()
    zone: str = "UTC"
    """The zone in which words without one were read."""
    metrics: tuple[MetricUse, ...] = ()
    entities: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    """Each SPARQL query that was run, as checked."""
    execution: str = ""
    """How the queries ran: ``virtual``, ``materialised``, ``graph`` (topology alone)."""
    samples_got: int | None = None
    samples_expected: int | None = None
    notes: tuple[str, ...] = ()
    """Readings taken, conversions made, gaps found, in words."""
    code: tuple[str, ...] = ()
    """Programs that ran in the sandbox."""
    graph_age: float | None = None
    """Seconds since a kept graph that was asked was built; None where none was."""
    certified: Certified | None = None
    """Who reviewed queries such as these; None where nobody did."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What the language model cost; zeros where none was asked."""

    llm_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.llm_calls + other.llm_calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
        )


@dataclass(frozen=True, slots=True)
class Cost:
    """What a question cost, by the component that spent it."""

    coordinator: Usage = field(default_factory=Usage)
    retrieval: Usage = field(default_factory=Usage)
    code: Usage = field(default_factory=Usage)
    retries: int = 0
    """Tasks that were handed to a sub-agent and failed."""

    @property
    def total(self) -> Usage:
        """What all components spent together."""
        return self.coordinator + self.retrieval + self.code

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(
            self.coordinator + other.coordinator,
            self.retrieval + other.retrieval,
            self.code + other.code,
            self.retries + other.retries,
        )


@dataclass(frozen=True, slots=True)
class Answered:
    """A finding in words, its tables and pictures, and the evidence for it."""

    text: str
    tables: tuple[AnswerTable, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    evidence: Evidence = field(default_factory=Evidence)
    cost: Cost = field(default_factory=Cost)


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to settle a question back."""

    id: str
    label: str


@dataclass(frozen=True, slots=True)
class NeedsClarification:
    """A question back, with the choices that would settle it."""

    text: str
    choices: tuple[Choice, ...]
    evidence: Evidence = field(default_factory=Evidence)
    cost: Cost = field(default_factory=Cost)


class DeclineReason(StrEnum):
    """Why there is no finding."""

    UNKNOWN_ENTITY = "unknown entity"
    UNKNOWN_METRIC = "unknown metric"
    NOT_UNDERSTOOD = "not understood"
    OUT_OF_SCOPE = "out of scope"
    NOT_ALLOWED = "not allowed"
    """Whoever asks may not ask, or not here."""
    NO_DATA = "no data"
    TIME = "time"
    TOO_MUCH = "too much"
    STOPPED = "stopped"
    UNAVAILABLE = "unavailable"
    """What works on it is not there now; it may be asked again."""


@dataclass(frozen=True, slots=True)
class Declined:
    """No finding, and why, and what could be asked instead."""

    reason: DeclineReason
    text: str
    evidence: Evidence = field(default_factory=Evidence)
    cost: Cost = field(default_factory=Cost)


Answer = Answered | NeedsClarification | Declined
