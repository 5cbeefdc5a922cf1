"""Proposals by the Reflect Agent: written, told in words, and never run."""

from zoneinfo import ZoneInfo

import pytest

from agent.answer import Declined, DeclineReason
from agent.proposal import Proposal
from agent.reflect.grounded import Grounded
from agent.reflect.query_proposals import QueryProposals
from agent.reflect.query_steps import Written
from agent.run_context import RunContext
from tests.fakes.canned_door import CannedDoor
from tests.fakes.canned_queries import CannedQueries
from tests.reflecting import PLAIN, Reflecting, a_context, intent, saying, times
from tests.unit.agent.reflect.test_model_queries import GOOD

ASKED = "average and maximum total power of node 5 on 1 June 2022"


class Writes(CannedQueries):
    """Writes one query for everything."""

    def __init__(self, query: str = GOOD, refused: Declined | None = None) -> None:
        super().__init__(refused)
        self._query = query

    def write(self, grounded: Grounded, context: RunContext) -> Written | Declined:
        made = super().write(grounded, context)
        return made if isinstance(made, Declined) else Written(self._query, made.confidence)


def proposed(
    queries: CannedQueries, door: CannedDoor, **replies: list[str]
) -> tuple[Proposal | None, RunContext]:
    said = {**PLAIN, **{step.replace("_", "-"): texts for step, texts in replies.items()}}
    agent = Reflecting(saying(said), queries=queries).agent()
    context = a_context()
    return QueryProposals(agent, door, ZoneInfo("UTC")).proposed(ASKED, context), context


def test_what_is_proposed_is_told_paid_for_and_not_run() -> None:
    queries, door = Writes(), CannedDoor()

    proposal, context = proposed(queries, door)

    assert proposal is not None
    assert proposal.request.query == GOOD
    assert proposal.request.asked == ASKED
    assert proposal.request.confidence == 0.95
    assert "- Average of total_power (W), maximum of total_power (W)" in proposal.text
    assert context.budget.cost.retrieval.llm_calls == 3
    assert queries.ran == []
    assert door.ran == []


@pytest.mark.parametrize(
    "query",
    [
        GOOD.replace("FILTER", "OPTIONAL { ?n oda:positionX ?x } FILTER"),
        GOOD.replace("total_power", "ambient"),
        GOOD.replace("FILTER", "SERVICE <http://127.0.0.1:1/> { ?a ?b ?c } FILTER"),
    ],
)
def test_what_is_not_told_or_not_let_in_is_not_proposed(query: str) -> None:
    assert proposed(Writes(query), CannedDoor())[0] is None


def test_where_no_query_is_sure_enough_none_is_proposed() -> None:
    refused = Declined(DeclineReason.NOT_UNDERSTOOD, "I am not sure.")

    assert proposed(Writes(refused=refused), CannedDoor())[0] is None


def test_a_request_that_is_rejected_or_waits_is_not_proposed() -> None:
    assert proposed(Writes(), CannedDoor(), intent=[intent("other")])[0] is None
    assert proposed(Writes(), CannedDoor(), intent=[intent(confidence=10)])[0] is None
    assert proposed(Writes(), CannedDoor(), plugin=["no reply"])[0] is None
    assert proposed(Writes(), CannedDoor(), time_words=[times()])[0] is not None
