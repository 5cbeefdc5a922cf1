"""What stands behind the tools exasage_query and exasage_clarify, whichever way it works."""

from typing import Protocol

from agent.answer import Answer
from agent.run_context import RunContext


class RetrievalTools(Protocol):
    """Plain words to tables; each request has the trace id of its question as its name."""

    def query(self, request: str, context: RunContext) -> Answer:
        """The tables that answer ``request``, a question back, or why there are none."""
        ...

    def clarify(self, request_id: str, choice: str, context: RunContext) -> Answer:
        """Go on with a request that waits, at the stage where it stopped.

        ``choice`` is the id or label of an option, or an answer in other words.
        """
        ...
