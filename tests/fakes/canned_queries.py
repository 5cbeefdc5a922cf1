"""A stand-in for the stages that write a query and run it; counts how often each was asked."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from agent.answer import Answer, Answered, AnswerTable, Declined
from agent.reflect.grounded import Grounded
from agent.reflect.query_steps import Written
from agent.run_context import RunContext

QUERY = "SELECT ?v WHERE { ?s a oda:Sensor }"
TABLE = AnswerTable(
    "power",
    ("time", "value", "node"),
    1,
    Path("/answers/power.csv"),
    ((datetime(2022, 6, 1, tzinfo=UTC), 812.5, "2022-06-01T00:00:00+00:00"),),
)


class CannedQueries:
    """Gives one query and one finding for everything."""

    def __init__(self, refused: Declined | None = None, answer: Answer | None = None) -> None:
        self.written: list[Grounded] = []
        self.ran: list[str] = []
        self._refused = refused
        self._answer = answer

    def write(self, grounded: Grounded, context: RunContext) -> Written | Declined:
        self.written.append(grounded)
        return self._refused or Written(QUERY, 0.95)

    def run(
        self, grounded: Grounded, written: Written, notes: Sequence[str], context: RunContext
    ) -> Answer:
        self.ran.append(written.query)
        return self._answer or Answered("\n".join(("812.5 W", *notes)), (TABLE,))
