"""Offers the model's query where rules read nothing; it is run once a person has said yes."""

import logging
from dataclasses import replace
from typing import Protocol

from agent.errors import BudgetSpent, ModelError
from agent.free_charts import free_wish
from agent.plan import Plan, Retrieve
from agent.planner import asking_of
from agent.proposal import CONFIRMED, NO, YES, Proposal
from agent.run_context import RunContext
from agent.session import Turn
from retrieval.understanding import NotUnderstood, Unclear, Why

_log = logging.getLogger(__name__)

_OPEN = frozenset({Why.NOT_UNDERSTOOD, Why.UNKNOWN_METRIC})
"""Refusals that are about words: what does not exist, no query finds."""
_BY_MODEL = "The query was written by the language model, and a person confirmed it before it ran."
_NOT_RUN = "The query was not run."


class ProposesQueries(Protocol):
    """Has a query written for a question; nothing is run."""

    def proposed(self, question: str, context: RunContext) -> Proposal | None:
        """The query for ``question``; None where none is sure, or its meaning cannot be told.

        Raises ModelError, BudgetSpent or Stopped.
        """
        ...


class QueryOffers:
    """What comes of a question that is refused otherwise."""

    def __init__(self, proposes: ProposesQueries) -> None:
        self._proposes = proposes

    def instead_of(
        self, found: NotUnderstood, turn: Turn, context: RunContext
    ) -> tuple[Turn, Unclear | NotUnderstood]:
        """A question back whether the query that was written is meant; else ``found``.

        Raises Stopped.
        """
        # What would be drawn of its result cannot be told before it has run.
        drawn = asking_of(turn).chart.kind or free_wish(turn.question) is not None
        if found.why not in _OPEN or drawn:
            return turn, found
        try:
            proposal = self._proposes.proposed(turn.question, context)
        except (ModelError, BudgetSpent) as error:
            _log.warning("No query is written: %s", error, extra={"action": "model-failed"})
            return turn, found
        if proposal is None:
            return turn, found
        turn = replace(turn, proposal=replace(proposal, refusal=found.text))
        return turn, Unclear(CONFIRMED, proposal.text, ((YES, YES), (NO, NO)))


def settled_by(turn: Turn, proposal: Proposal) -> Plan | NotUnderstood:
    """What is to be done once ``turn`` has a yes or a no to its ``proposal``."""
    if dict(turn.settled).get(CONFIRMED) != YES:
        return NotUnderstood(Why.NOT_UNDERSTOOD, f"{_NOT_RUN} {proposal.refusal}")
    step = Retrieve(proposal.request, (*proposal.notes, _BY_MODEL))
    return Plan((step,), proposal.request.zone)
