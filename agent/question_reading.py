"""Reads a question by rules, and has the model restate what they do not understand."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from agent.answer_trace import told_of_reading
from agent.errors import AgentError, ModelUnavailable
from agent.free_charts import free_wish
from agent.language_model import LanguageModel
from agent.plan import Plan
from agent.planner import RESTATED, ReadsQuestions, as_free, asking_of, make_plan
from agent.query_offers import QueryOffers, settled_by
from agent.restating import restatements
from agent.run_context import RunContext
from agent.session import Turn
from agent.tracing import Kind, Tracer
from retrieval.restatement import Restatements
from retrieval.understanding import NotUnderstood, Unclear

_log = logging.getLogger(__name__)

Read = Plan | Unclear | NotUnderstood


class Restatable(ReadsQuestions, Protocol):
    """Rules that can also be asked about questions in other words."""

    @property
    def restatements(self) -> Restatements:
        """What is needed to put a question in other words."""
        ...


class QuestionReading:
    """Rules first: the model never sees a question that they understand."""

    def __init__(
        self, rules: Restatable, model: LanguageModel | None, offers: QueryOffers | None = None
    ) -> None:
        """Without a ``model`` the rules have the last word, without ``offers`` a restatement."""
        self._rules = rules
        self._model = model
        self._offers = offers

    def over(self, rules: Restatable) -> "QuestionReading":
        """The same with rules that see less; queries are offered only over all that there is."""
        return QuestionReading(rules, self._model)

    def read(self, turn: Turn, earlier: Sequence[Turn], context: RunContext) -> tuple[Turn, Read]:
        """The plan of ``turn``, with the turn as it was read."""
        given = {"question": turn.question, "settled": turn.settled}
        with context.tracer.span(Kind.AGENT, "reader", given) as span:
            turn, found = self._settled_or_read(turn, earlier, context)
            told = {"read_as": dict(turn.settled).get(RESTATED, turn.question)}
            span.tell(told | {"gave": told_of_reading(found)["gave"]})
        return turn, found

    def _settled_or_read(
        self, turn: Turn, earlier: Sequence[Turn], context: RunContext
    ) -> tuple[Turn, Read]:
        if turn.proposal is not None:
            return turn, settled_by(turn, turn.proposal)
        turn, found = self._read(turn, earlier, context)
        return (
            self.instead_of(found, turn, context)
            if isinstance(found, NotUnderstood)
            else (turn, found)
        )

    def instead_of(
        self, found: NotUnderstood, turn: Turn, context: RunContext
    ) -> tuple[Turn, Unclear | NotUnderstood]:
        """A query of the model, offered where ``found`` is all that there is otherwise."""
        return self._offers.instead_of(found, turn, context) if self._offers else (turn, found)

    def _read(self, turn: Turn, earlier: Sequence[Turn], context: RunContext) -> tuple[Turn, Read]:
        with context.tracer.span(Kind.TOOL, "rules") as span:
            turn, found = self._by_rules(turn, earlier)
            span.tell(told_of_reading(found))
        if self._model is None or not isinstance(found, NotUnderstood) or not found.words:
            return turn, found
        model = context.asking(self._model, "retrieval")
        # The model is not shown the times: it would compute with them, where copying is enough.
        bare, times = self._rules.restatements.without_times(asking_of(turn))
        try:
            near = self._rules.restatements.near(bare, found.words)
            said = restatements(model, bare, found.words, near)
        except AgentError as error:
            _log.warning("A question is not restated: %s", error, extra={"action": "model-failed"})
            return turn, _without_model(found, error)
        texts = [f"{text} {times}".strip() for text in said if text]
        read = {text: self._read_as(text, turn, earlier, context.tracer) for text in texts}
        sure = [one for text in texts if (one := read[text]) is not None]
        agreed = len(sure) == len(said) and _ask_the_same([plan for _, plan in sure])
        if agreed and not self._names_more(turn, sure[0][0]):
            return sure[0]
        offered = tuple(text for text, one in read.items() if one is not None)
        return (turn, _which_is_meant(offered)) if offered else (turn, found)

    def _by_rules(self, turn: Turn, earlier: Sequence[Turn]) -> tuple[Turn, Read]:
        """As the rules read it; once more, where its chart is one that a program must draw."""
        found = make_plan(self._rules, turn, earlier)
        if not isinstance(found, NotUnderstood) or free_wish(asking_of(turn).text) is None:
            return turn, found
        free = as_free(turn)
        again = make_plan(self._rules, free, earlier)
        if isinstance(again, NotUnderstood):
            return turn, found
        return (turn, _only_ours(found)) if self._model is None else (free, again)

    def _names_more(self, turn: Turn, restated: Turn) -> bool:
        """Whether the restatement says what to measure, or how, and the question does not.

        A person must say so then: a small model takes one metric for another, or the median for
        the mean, twice over and in any order of its examples.
        """
        return self._rules.restatements.names_more(asking_of(turn), asking_of(restated))

    def _read_as(
        self, text: str, turn: Turn, earlier: Sequence[Turn], tracer: Tracer
    ) -> tuple[Turn, Plan] | None:
        """``turn`` restated as ``text`` and its plan; None where that would ask something else."""
        with tracer.span(Kind.CHECK, "restatement", {"restated": text}) as span:
            found = self._accepted(text, turn, earlier)
            if isinstance(found, str):
                span.tell(problem=found)
                return None
            span.tell(told_of_reading(found[1]))
            return found

    def _accepted(self, text: str, turn: Turn, earlier: Sequence[Turn]) -> tuple[Turn, Plan] | str:
        """``turn`` restated as ``text`` and its plan, or why it is not taken."""
        restated = replace(turn, settled=(*turn.settled, (RESTATED, text)))
        before = tuple(asking_of(each) for each in earlier)
        asked, said = (replace(asking_of(each), earlier=before) for each in (turn, restated))
        changed = self._rules.restatements.changed_in(asked, said)
        if changed or asked.chart != said.chart:
            extra = {"action": "restatement-refused", "changed": changed, "text": text}
            _log.info("A restatement asks something else", extra=extra)
            return f"it asks something else: it changes {', '.join(changed) or 'the chart'}"
        plan = make_plan(self._rules, restated, earlier)
        if isinstance(plan, Plan):
            return restated, plan
        return plan.text if isinstance(plan, NotUnderstood) else plan.question


def _only_ours(found: NotUnderstood) -> NotUnderstood:
    told = (
        "I can draw lines, two axes, bars, histograms, pies, boxes, scatter plots and heat maps;"
        " for anything else a language model has to write a program, and none is configured."
    )
    return replace(found, text=f"{found.text} {told}")


def _ask_the_same(plans: Sequence[Plan]) -> bool:
    asked = [[getattr(step, "asked", step) for step in plan.steps] for plan in plans]
    return all(one == asked[0] for one in asked)


def _which_is_meant(texts: Sequence[str]) -> Unclear:
    question = "I am not sure that I read this right. Do you mean this?"
    return Unclear(RESTATED, question, tuple((text, text) for text in dict.fromkeys(texts)))


def _without_model(found: NotUnderstood, error: AgentError) -> NotUnderstood:
    if not isinstance(error, ModelUnavailable):
        return found
    told = "The language model, which might have placed these words, does not answer."
    return replace(found, text=f"{found.text} {told}")
