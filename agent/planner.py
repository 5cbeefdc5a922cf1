"""Question to Plan by rules: what to retrieve, and whether to draw it."""

from collections.abc import Sequence
from dataclasses import replace

from agent.chart import ChartKind
from agent.chart_choice import ChartWish, chart_words
from agent.plan import Analyse, Plan, Retrieve, Step
from agent.session import Turn
from retrieval.asking import Asking, ChartHint
from retrieval.data_service import DataService
from retrieval.understanding import NotUnderstood, Unclear


def make_plan(
    data: DataService, turn: Turn, earlier: Sequence[Turn]
) -> Plan | Unclear | NotUnderstood:
    """The steps for the question of ``turn``, or why there are none yet."""
    before = tuple(_asking(each) for each in earlier)
    understanding = data.read(replace(_asking(turn), earlier=before))
    if isinstance(understanding, Unclear | NotUnderstood):
        return understanding
    steps: list[Step] = [Retrieve(understanding.asked, understanding.notes)]
    chart = understanding.chart
    if chart.kind:
        steps.append(Analyse(ChartKind(chart.kind) if chart.named else None))
    return Plan(tuple(steps), understanding.zone)


def _asking(turn: Turn) -> Asking:
    wish = chart_words(turn.question)
    settled = dict(turn.settled)
    return Asking(turn.question, turn.asked_at, settled, (), wish.spans, _hint(wish))


def _hint(wish: ChartWish) -> ChartHint:
    if not wish.wants_chart:
        return ChartHint()
    named = wish.kind is not None
    return ChartHint((wish.kind or ChartKind.LINE).value, named)
