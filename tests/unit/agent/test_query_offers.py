"""A query of the model is offered where rules have nothing, and run after a yes alone."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agent.budget import Budget
from agent.errors import BudgetSpent, ModelUnavailable, Stopped
from agent.plan import Plan, Retrieve
from agent.proposal import CONFIRMED, Proposal
from agent.query_offers import QueryOffers, settled_by
from agent.run_context import RunContext
from agent.session import Question, Turn
from retrieval.understanding import NotUnderstood, Unclear, Why
from retrieval.written_request import WrittenRequest

NOW = datetime(2022, 6, 15, 10, tzinfo=UTC)
TURN = Turn("power devoured by node 5", NOW)
FOUND = NotUnderstood(Why.NOT_UNDERSTOOD, "I did not understand 'devoured'.", ("devoured",))
PROPOSAL = Proposal(WrittenRequest("SELECT ...", TURN.question), "It would give this.", ("a note",))
CONTEXT = RunContext(Question(TURN.question, NOW, "trace"), Path(), Budget(1000, 10, 60))


class Proposes:
    """Proposes what it was given, or fails with it."""

    def __init__(self, made: Proposal | Exception | None = PROPOSAL) -> None:
        self.asked: list[str] = []
        self._made = made

    def proposed(self, question: str, context: RunContext) -> Proposal | None:
        self.asked.append(question)
        if isinstance(self._made, Exception):
            raise self._made
        return self._made


def test_a_proposal_is_asked_about_and_kept_in_the_turn() -> None:
    turn, outcome = QueryOffers(Proposes()).instead_of(FOUND, TURN, CONTEXT)

    assert outcome == Unclear(CONFIRMED, "It would give this.", (("yes", "yes"), ("no", "no")))
    assert turn.proposal == replace(PROPOSAL, refusal=FOUND.text)


@pytest.mark.parametrize("made", [None, ModelUnavailable("gone"), BudgetSpent("no calls left")])
def test_where_nothing_is_proposed_the_refusal_stands(made: Exception | None) -> None:
    assert QueryOffers(Proposes(made)).instead_of(FOUND, TURN, CONTEXT) == (TURN, FOUND)


def test_a_question_that_is_stopped_goes_no_further() -> None:
    with pytest.raises(Stopped):
        QueryOffers(Proposes(Stopped())).instead_of(FOUND, TURN, CONTEXT)


@pytest.mark.parametrize("why", [Why.UNKNOWN_ENTITY, Why.OUT_OF_SCOPE, Why.TIME])
def test_what_is_refused_for_good_is_put_to_no_model(why: Why) -> None:
    proposes = Proposes()
    found = NotUnderstood(why, "No.")

    assert QueryOffers(proposes).instead_of(found, TURN, CONTEXT) == (TURN, found)
    assert proposes.asked == []


@pytest.mark.parametrize("wish", ["plot the {}", "{} as a sankey diagram", "pie chart of the {}"])
def test_a_chart_of_it_is_put_to_no_model(wish: str) -> None:
    proposes = Proposes()
    turn = replace(TURN, question=wish.format(TURN.question))

    assert QueryOffers(proposes).instead_of(FOUND, turn, CONTEXT) == (turn, FOUND)
    assert proposes.asked == []


def test_a_yes_is_a_plan_that_says_who_wrote_the_query() -> None:
    plan = settled_by(replace(TURN, settled=((CONFIRMED, "yes"),)), PROPOSAL)

    assert isinstance(plan, Plan)
    (step,) = plan.steps
    assert isinstance(step, Retrieve)
    assert step.asked == PROPOSAL.request
    assert step.notes[0] == "a note"
    assert "language model" in step.notes[1]
    assert "a person confirmed it" in step.notes[1]


@pytest.mark.parametrize("settled", [((CONFIRMED, "no"),), (), ((CONFIRMED, "Yes?"),)])
def test_anything_else_is_none(settled: tuple[tuple[str, str], ...]) -> None:
    proposal = replace(PROPOSAL, refusal=FOUND.text)

    outcome = settled_by(replace(TURN, settled=settled), proposal)

    assert isinstance(outcome, NotUnderstood)
    assert FOUND.text in outcome.text
