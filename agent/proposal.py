"""A query that the model wrote for a question: run once a person has confirmed it, or never."""

from dataclasses import dataclass

from retrieval.written_request import WrittenRequest

CONFIRMED = "written query"
"""The key under which it is settled whether a turn's proposal is to be run."""
YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class Proposal:
    """What would be run, what a person is told of that, and what is said without it."""

    request: WrittenRequest
    text: str
    """What the query would give, in words that its patterns account for."""
    notes: tuple[str, ...] = ()
    """Readings of the question that were taken, in words."""
    refusal: str = ""
    """Why rules alone do not answer the question."""
