"""The end of a question that was read no further: asked back, or refused."""

from typing import assert_never

from agent.answer import Choice, Declined, DeclineReason, NeedsClarification
from retrieval.understanding import NotUnderstood, Unclear, Why

_REASONS = {
    Why.UNKNOWN_ENTITY: DeclineReason.UNKNOWN_ENTITY,
    Why.UNKNOWN_METRIC: DeclineReason.UNKNOWN_METRIC,
    Why.NOT_UNDERSTOOD: DeclineReason.NOT_UNDERSTOOD,
    Why.OUT_OF_SCOPE: DeclineReason.OUT_OF_SCOPE,
    Why.TIME: DeclineReason.TIME,
}


def answer_to(outcome: Unclear | NotUnderstood) -> NeedsClarification | Declined:
    """What the asker is told of ``outcome``."""
    match outcome:
        case NotUnderstood(why, text):
            return Declined(_REASONS[why], text)
        case Unclear(_, question, choices):
            return NeedsClarification(question, tuple(Choice(*choice) for choice in choices))
        case _:
            assert_never(outcome)
