"""What a person is told where a question could not be worked on to its end."""

from agent.answer import Declined, DeclineReason
from agent.errors import AgentError, BudgetSpent, Stopped


def given_up(error: AgentError) -> Declined:
    """The refusal for ``error``, in words."""
    match error:
        case Stopped():
            return Declined(DeclineReason.STOPPED, "This question was stopped.")
        case BudgetSpent():
            told = f"I gave up: {error}. Please ask in smaller parts."
            return Declined(DeclineReason.TOO_MUCH, told)
        case _:
            told = f"This cannot be worked on now: {error}."
            return Declined(DeclineReason.UNAVAILABLE, told)
