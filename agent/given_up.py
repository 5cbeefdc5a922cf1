"""What a person is told where a question could not be worked on to its end."""

from agent.answer import Declined, DeclineReason
from agent.errors import AgentError, BudgetSpent, ModelRefused, ModelReplyUnusable, Stopped


def given_up(error: AgentError) -> Declined:
    """The refusal for ``error``, in words."""
    match error:
        case Stopped():
            return Declined(DeclineReason.STOPPED, "This question was stopped.")
        case BudgetSpent():
            told = f"I gave up: {error}. Please ask in smaller parts."
            return Declined(DeclineReason.TOO_MUCH, told)
        case _:
            told = f"This cannot be worked on now: {in_our_words(error)}."
            return Declined(DeclineReason.UNAVAILABLE, told)


def in_our_words(error: AgentError) -> str:
    """What broke, without anything that a model or its endpoint wrote: that is for the log."""
    match error:
        case ModelRefused():
            return "the endpoint of the language model does not take what it is sent"
        case ModelReplyUnusable():
            return "what the language model wrote is of no use"
        case _:
            return str(error)
