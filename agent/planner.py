"""Question to Plan by rules: what to retrieve, and whether to draw it."""

from collections.abc import Mapping
from datetime import datetime

from agent.chart_choice import ChartWish, chart_words
from agent.plan import Analyse, Plan, Retrieve, Step
from retrieval.data_service import DataService
from retrieval.question_reader import Asking
from retrieval.reading_rules import ChartHint
from retrieval.understanding import NotUnderstood, Unclear


def make_plan(
    data: DataService,
    text: str,
    now: datetime,
    settled: Mapping[str, str],
    earlier: tuple[str, ...],
) -> Plan | Unclear | NotUnderstood:
    """The steps for the question ``text``, or why there are none yet."""
    wish = chart_words(text)
    understanding = data.read(Asking(text, now, settled, earlier, wish.spans, _hint(wish)))
    if isinstance(understanding, Unclear | NotUnderstood):
        return understanding
    steps: list[Step] = [Retrieve(understanding.asked, understanding.notes)]
    if wish.wants_chart:
        steps.append(Analyse(wish.kind))
    return Plan(tuple(steps), understanding.zone)


def _hint(wish: ChartWish) -> ChartHint:
    if not wish.wants_chart:
        return ChartHint()
    return ChartHint(wish.kind.value if wish.kind is not None else "line")
