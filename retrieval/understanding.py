"""What reading a question gives: a grounded request, a question back, or why neither."""

from dataclasses import dataclass, field
from enum import StrEnum

from retrieval.asking import ChartHint
from retrieval.data_request import Asked


class Why(StrEnum):
    """Why a question was not turned into a request."""

    UNKNOWN_ENTITY = "unknown entity"
    UNKNOWN_METRIC = "unknown metric"
    NOT_UNDERSTOOD = "not understood"
    OUT_OF_SCOPE = "out of scope"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Understood:
    """A request in which every word has been grounded, and the readings that were taken."""

    asked: Asked
    notes: tuple[str, ...] = ()
    zone: str = "UTC"
    chart: ChartHint = field(default_factory=ChartHint)
    """The chart that is wanted: a follow-up may keep that of the question before it."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """Words with several honest readings; one must be chosen before anything is computed."""

    about: str
    """What the choice settles: ``metric:temperature``, ``time:0``."""
    question: str
    choices: tuple[tuple[str, str], ...]
    """The id and the label of each reading, likeliest first."""
    free: bool = False
    """Whether an answer in other words may settle it as well."""


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """A question that cannot be answered as it stands, and what to do about it."""

    why: Why
    text: str
    words: tuple[str, ...] = ()
    """The words that nothing is known for, as the question has them."""


Understanding = Understood | Unclear | NotUnderstood


class ReadingStops(Exception):
    """Carries the outcome of a rule that ends the reading of a question early."""

    def __init__(self, outcome: Unclear | NotUnderstood) -> None:
        super().__init__(outcome)
        self.outcome = outcome


def stop(why: Why, text: str, words: tuple[str, ...] = ()) -> ReadingStops:
    """The end of a reading for a reason that the asker is told, and the words that are open."""
    return ReadingStops(NotUnderstood(why, text, words))
