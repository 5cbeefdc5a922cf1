"""Words that no rule knows, tried as the name of a metric by likeness of meaning."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from retrieval.errors import EmbeddingUnavailable
from retrieval.metric_matcher import AmbiguousMetric, Grounded, Matched, UnknownMetric
from retrieval.metric_mentions import Mention
from retrieval.quantity import Quantity
from retrieval.request import EntityKind
from retrieval.slots import Slots
from retrieval.understanding import ReadingStops, Unclear, Why, stop

_log = logging.getLogger(__name__)

_LONGEST_PHRASE = 4
"""Words; a longer rest of a question is no name of a metric."""
TURNING_WORDS = frozenset(
    {
        *("often", "spend", "spent", "stay", "stayed", "first", "last", "fahrenheit", "percentage"),
        *("percent", "fraction", "share", "ratio", "proportion", "change", "changed", "rise"),
        *("rose", "fall", "fell", "drop", "dropped", "happen", "happened", "except", "excluding"),
        *("without", "not", "never", "longest", "shortest", "gap", "gaps", "trend", "rate", "per"),
        *("best", "worst", "like", "normal", "usual", "abnormal", "anomaly", "anomalies", "why"),
        *("because", "due", "cause", "reason", "problem", "problems", "healthy", "failed"),
    }
)
"""Words that change what is asked and name nothing that is measured."""


class MatchesMetrics(Protocol):
    """Finds what a phrase means."""

    def match(self, phrase: str, owners: frozenset[EntityKind]) -> Matched:
        """The quantity of ``phrase``, several, or none; raises EmbeddingUnavailable."""
        ...

    def match_in(self, plugin: str, phrase: str, named: Sequence[Quantity]) -> Matched:
        """The quantity of one plugin that ``phrase`` means; raises EmbeddingUnavailable."""
        ...

    def near(self, texts: Sequence[str]) -> tuple[Quantity, ...]:
        """The quantities nearest to any of ``texts``; none where none can be compared."""
        ...


def with_likeliest(slots: Slots, matcher: MatchesMetrics, settled: Mapping[str, str]) -> Slots:
    """``slots`` with its leftover words taken as a metric, where they are likely to be one.

    Only a question that asks for something over a time, and names nothing that a rule knows, is
    tried. Raises ReadingStops where no metric is near, or the only one that is must be confirmed.
    """
    if not _may_name_a_metric(slots):
        return slots
    phrase = " ".join(slots.leftovers)
    owners = frozenset(e.kind for e in slots.entities.found)
    try:
        matched = matcher.match(phrase, owners)
    except EmbeddingUnavailable as error:
        _log.warning("No metric is looked for by meaning: %s", error)
        return slots
    match matched:
        case Grounded(quantity, indices, likeness):
            mention = Mention((0, 0), phrase, (quantity,), indices, (), exact=False)
            note = f"'{phrase}' is taken as {quantity.label} (likeness {likeness:.2f})."
            return replace(slots, mentions=(mention,), leftovers=(), likeness_note=note)
        case AmbiguousMetric(_, candidates):
            if len(candidates) == 1:
                require_confirmed(candidates[0], phrase, settled)
            mention = Mention((0, 0), phrase, candidates, (), (), exact=False)
            return replace(slots, mentions=(mention,), leftovers=())
        case UnknownMetric(_, nearest):
            near = ", ".join(q.label for q in nearest[:3])
            raise stop(
                Why.UNKNOWN_METRIC,
                f"I know no metric '{phrase}'." + (f" The nearest are: {near}." if near else ""),
                slots.leftovers,
            )


def require_confirmed(only: Quantity, phrase: str, settled: Mapping[str, str]) -> None:
    """Raises ReadingStops to ask whether ``phrase`` means ``only``, unless that was said."""
    about = f"metric:{phrase.lower()}"
    if settled.get(about) != only.id:
        question = f"By '{phrase}', do you mean {only.label}?"
        raise ReadingStops(Unclear(about, question, ((only.id, only.label),)))


def _may_name_a_metric(slots: Slots) -> bool:
    subject = slots.mentions or slots.jobs.mentioned or slots.checks.mentioned
    wanted = slots.times.windows and (
        slots.measures or slots.entities.found or slots.bounds or slots.wants_series
    )
    return bool(
        not subject
        and not slots.site.subject
        and wanted
        and 0 < len(slots.leftovers) <= _LONGEST_PHRASE
        and all(w.isalpha() and w.lower() not in TURNING_WORDS for w in slots.leftovers)
    )
