"""Question to Plan by rules: what to retrieve, and whether to draw it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from agent.chart import ChartKind
from agent.chart_choice import ChartWish, chart_words, joined
from agent.clarification import Chosen
from agent.free_charts import FreeWish, free_wish
from agent.plan import Analyse, Plan, Retrieve, Step
from agent.session import Turn
from retrieval.asking import Asking, ChartHint
from retrieval.understanding import NotUnderstood, Unclear, Understanding

RESTATED = "restated"
"""The key under which a turn's question in other words is settled."""


FREE = "free chart"
"""The key under which it is settled that a program is to be written for a turn's chart."""


class ReadsQuestions(Protocol):
    """Turns questions into requests, by rules."""

    def read(self, asking: Asking) -> Understanding:
        """What ``asking`` amounts to."""
        ...


def make_plan(
    data: ReadsQuestions, turn: Turn, earlier: Sequence[Turn]
) -> Plan | Unclear | NotUnderstood:
    """The steps for the question of ``turn``, or why there are none yet."""
    before = tuple(asking_of(each) for each in earlier)
    understanding = data.read(replace(asking_of(turn), earlier=before))
    if isinstance(understanding, Unclear | NotUnderstood):
        return understanding
    restated = dict(turn.settled).get(RESTATED)
    said = (f"Read as: {restated!r} (put so by the language model).",) if restated else ()
    steps: list[Step] = [Retrieve(understanding.asked, (*said, *understanding.notes))]
    chart = understanding.chart
    if chart.kind:
        steps.append(Analyse(ChartKind(chart.kind) if chart.named else None, chart.words))
    return Plan(tuple(steps), understanding.zone)


def with_choice(turn: Turn, about: str, chosen: Chosen) -> Turn:
    """``turn`` with a choice made; what else was asked for is read as a part of the question."""
    settled = dict(turn.settled) | {about: chosen.id}
    if not chosen.more:
        return replace(turn, settled=tuple(settled.items()))
    if RESTATED in settled:
        settled[RESTATED] = f"{settled[RESTATED]}, {chosen.more}"
    whole = f"{turn.question.rstrip(' ?.!')}, {chosen.more}"
    return replace(turn, question=whole, settled=tuple(settled.items()))


def asking_of(turn: Turn) -> Asking:
    """What the reader is handed of ``turn``: its restatement where there is one."""
    settled = dict(turn.settled)
    question = settled.get(RESTATED, turn.question)
    wish, free = chart_words(question), free_wish(question)
    if free is None or not (FREE in settled or free.stands_in):
        return Asking(question, turn.asked_at, settled, (), wish.spans, _hint(wish))
    spans = joined(question, [*wish.spans, *free.spans])
    return Asking(question, turn.asked_at, settled, (), spans, _free_hint(wish, free))


def as_free(turn: Turn) -> Turn:
    """``turn`` read so that a program may be written for the chart that it asks for."""
    return replace(turn, settled=(*turn.settled, (FREE, "yes")))


def _hint(wish: ChartWish) -> ChartHint:
    if not wish.wants_chart:
        return ChartHint()
    named = wish.kind is not None
    return ChartHint((wish.kind or ChartKind.LINE).value, named)


def _free_hint(wish: ChartWish, free: FreeWish) -> ChartHint:
    """What the data of ``free`` need: its own kind, or the one that is named beside it."""
    kind = free.kind if free.firm or wish.kind is None else wish.kind
    return ChartHint(kind.value, True, free.words)
