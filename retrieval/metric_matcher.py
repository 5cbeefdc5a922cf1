"""A phrase to a quantity: accept, ask, or admit that none fits."""

import logging
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import Protocol

from retrieval.errors import EmbeddingUnavailable
from retrieval.mention_choice import admitted, kinds_in
from retrieval.metric_mentions import Mention, MetricReader
from retrieval.opposites import Opposites
from retrieval.phrase_lexicon import KIND_WORDS
from retrieval.phrase_words import AND, BREAK, OF, words_of
from retrieval.quantity import Quantity
from retrieval.quantity_catalog import QuantityCatalog
from retrieval.request import EntityKind
from retrieval.word_lists import MEASURE_WORDS

_log = logging.getLogger(__name__)

_NEAR_EACH = 6
_NEAR = 12
"""How many quantities are offered as the meaning of a word, and how many of them for each text."""
_SAYING_NOTHING = frozenset(
    {AND, BREAK, OF, "total", "current", "metric", "data"}
    | {"how", "what", "which", "when", "is", "are", "was", "were", "much", "many"}
)


@dataclass(frozen=True, slots=True)
class Grounded:
    """A phrase whose quantity is clear."""

    quantity: Quantity
    indices: tuple[str, ...] = ()
    likeness: float = 1.0


@dataclass(frozen=True, slots=True)
class AmbiguousMetric:
    """A phrase that may mean several quantities."""

    phrase: str
    candidates: tuple[Quantity, ...]
    """Best first, at least one."""


@dataclass(frozen=True, slots=True)
class UnknownMetric:
    """A phrase that fits no quantity."""

    phrase: str
    nearest: tuple[Quantity, ...]


Matched = Grounded | AmbiguousMetric | UnknownMetric


@dataclass(frozen=True, slots=True)
class Thresholds:
    """How alike a phrase must be to a quantity."""

    accept: float = 0.7
    ask: float = 0.5
    margin: float = 0.1
    """By how much the best quantity must lead, to be accepted."""
    offered: int = 4
    """How many are offered at most."""


class Likeness(Protocol):
    """Finds what is alike, whatever makes the vectors."""

    def nearest(
        self, text: str, plugins: Iterable[str], count: int
    ) -> tuple[tuple[str, float], ...]:
        """The nearest quantities of these plugins: id and likeness, best first."""
        ...


class MetricMatcher:
    """Exact names first, then known phrases, then likeness of meaning."""

    def __init__(
        self,
        reader: MetricReader,
        quantities: QuantityCatalog,
        index: Likeness,
        thresholds: Thresholds | None = None,
    ) -> None:
        self._reader = reader
        self._known = quantities
        self._index = index
        self._opposites = Opposites(quantities)
        self._thresholds = thresholds or Thresholds()

    def match(self, phrase: str, owners: frozenset[EntityKind]) -> Matched:
        """The quantity that a phrase means, for the kinds of thing that are asked about.

        Raises EmbeddingUnavailable where words are not enough and no model can be loaded.
        """
        mentions = self._reader.mentions(phrase, owners)
        if len(mentions) == 1 and not _left_over(phrase, mentions[0]):
            return _of_mention(phrase, mentions[0])
        if len(mentions) == 1 and len(mentions[0].candidates) != 1:
            mentioned = mentions[0].candidates
        else:
            mentioned = ()
        return self._by_likeness(phrase, owners, mentioned)

    def match_in(self, plugin: str, phrase: str, named: Sequence[Quantity]) -> Matched:
        """The quantity of one plugin that a phrase means; ``named`` are those that rules read.

        What the words name is taken where it is also nearest in meaning, or where nothing else is
        as near. Raises EmbeddingUnavailable where no model can be loaded.
        """
        near = self._near(phrase, {plugin}, frozenset())
        if len(named) == 1 and near and near[0][0] == named[0]:
            likeness = near[0][1]
            if likeness >= self._thresholds.ask:
                return Grounded(named[0], likeness=likeness)
        return self._decided(phrase, near, tuple(named))

    def near(self, texts: Sequence[str]) -> tuple[Quantity, ...]:
        """The quantities nearest to any of ``texts``; none where no embedding model is there."""
        plugins = {q.plugin for q in self._known.quantities.values()}
        likeness: dict[str, float] = {}
        try:
            for text in texts:
                for name, alike in self._index.nearest(text, plugins, _NEAR_EACH):
                    likeness[name] = max(alike, likeness.get(name, 0.0))
        except EmbeddingUnavailable as error:
            _log.warning("No metric is looked for by meaning: %s", error)
        best = sorted(likeness, key=lambda name: (-likeness[name], name))[:_NEAR]
        return tuple(self._known[name] for name in best)

    def _by_likeness(
        self, phrase: str, owners: frozenset[EntityKind], mentioned: tuple[Quantity, ...]
    ) -> Matched:
        kinds = owners | kinds_in(words_of(phrase))
        plugins = {q.plugin for q in self._known.quantities.values() if admitted(q, kinds)}
        return self._decided(phrase, self._near(phrase, plugins, kinds), mentioned)

    def _near(
        self, phrase: str, plugins: Set[str], kinds: frozenset[EntityKind]
    ) -> list[tuple[Quantity, float]]:
        """Quantities of ``plugins`` that such things have, with their likeness, best first."""
        nearest = self._index.nearest(phrase, plugins, 3 * self._thresholds.offered)
        near = [(self._known[name], likeness) for name, likeness in nearest]
        near = [(q, likeness) for q, likeness in near if admitted(q, kinds)]
        return [(q, likeness) for q, likeness in near if not self._opposites.exclude(phrase, q)]

    def _decided(
        self, phrase: str, near: Sequence[tuple[Quantity, float]], mentioned: tuple[Quantity, ...]
    ) -> Matched:
        """What to do with the nearest: accept it, ask, or admit that none fits."""
        limits = self._thresholds
        if near and near[0][1] >= limits.accept:
            rivals = [likeness for _, likeness in near[1:]]
            if not rivals or near[0][1] - rivals[0] >= limits.margin:
                return Grounded(near[0][0], likeness=near[0][1])
        likely = tuple(q for q, likeness in near if likeness >= limits.ask)
        if likely or mentioned:
            offered = dict.fromkeys([*likely, *mentioned])
            return AmbiguousMetric(phrase, tuple(offered)[: limits.offered])
        return UnknownMetric(phrase, tuple(q for q, _ in near[: limits.offered]))


def _of_mention(phrase: str, mention: Mention) -> Matched:
    if not mention.candidates:
        return UnknownMetric(phrase, ())
    if len(mention.candidates) > 1:
        return AmbiguousMetric(phrase, mention.candidates)
    return Grounded(mention.candidates[0], mention.indices)


def _left_over(phrase: str, mention: Mention) -> bool:
    """True where the phrase says more than the mention takes in."""
    start, end = mention.span
    return any(
        not (start < word.end and word.start < end)
        and not word.text.isdigit()
        and word.text not in _SAYING_NOTHING | MEASURE_WORDS | KIND_WORDS.keys()
        for word in words_of(phrase)
    )
