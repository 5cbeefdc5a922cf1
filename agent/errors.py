"""Errors of the agent package.

AgentError
  ModelError
    ModelUnavailable    the model's endpoint does not answer, or not in time
    ModelRefused        the endpoint does not take what is sent: only an operator can act on it
    ModelReplyUnusable  what the model wrote is not what was asked for
  BudgetSpent           the question used up its tokens, calls or time
  Stopped               somebody stopped the question
  ToolsUnavailable      a server of tools does not answer, or not in its protocol
  RunStoreError         the state of requests cannot be read or written
"""

from agent.answer import Usage


class AgentError(Exception):
    """The question could not be worked on to the end."""


class ModelError(AgentError):
    """The language model failed."""


class ModelUnavailable(ModelError):
    """The model's endpoint does not answer, or not in time."""


class ModelRefused(ModelError):
    """The model's endpoint does not take what is sent."""


class ModelReplyUnusable(ModelError):
    """What the model wrote is not what was asked for; it has been paid for all the same."""

    def __init__(self, message: str, usage: Usage | None = None) -> None:
        super().__init__(message)
        self.usage = usage or Usage()


class BudgetSpent(AgentError):
    """The question used up its tokens, calls or time."""


class Stopped(AgentError):
    """Somebody stopped the question."""


class ToolsUnavailable(AgentError):
    """A server of tools does not answer, or not in its protocol."""


class RunStoreError(AgentError):
    """The state of requests cannot be read or written."""
