"""Words for metrics, as they read to whoever sees a part of the data: the rest has no meaning.

The words themselves are known all the same. Would they be unknown, what they stand for would be
taken for something else that is only like it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from retrieval.likeness_rules import MatchesMetrics
from retrieval.mention_indices import missing_indices
from retrieval.metric_matcher import AmbiguousMetric, Grounded, Matched, UnknownMetric
from retrieval.metric_mentions import Mention
from retrieval.quantity import Quantity
from retrieval.request import EntityKind
from retrieval.sight import Sight
from retrieval.slots import Slots


def with_seen_metrics(slots: Slots, sight: Sight) -> Slots:
    """``slots`` in which words stand for quantities that are seen, or for nothing measured."""
    mentions = tuple(_seen_mention(mention, sight) for mention in slots.mentions)
    return slots if mentions == slots.mentions else replace(slots, mentions=mentions)


def _seen_mention(mention: Mention, sight: Sight) -> Mention:
    seen = _seen(mention.candidates, sight)
    if seen == mention.candidates:
        return mention
    missing = missing_indices(seen[0], mention.indices) if seen else ()
    return replace(mention, candidates=seen, missing=missing)


def _seen(quantities: Iterable[Quantity], sight: Sight) -> tuple[Quantity, ...]:
    return tuple(quantity for quantity in quantities if sight.has_quantity(quantity))


@dataclass(frozen=True, slots=True)
class SeenMatcher:
    """Matches as ``matcher`` does; what it finds and is not seen is as good as unknown."""

    matcher: MatchesMetrics
    sight: Sight

    def match(self, phrase: str, owners: frozenset[EntityKind]) -> Matched:
        """The quantity of ``phrase``, several, or none; raises EmbeddingUnavailable."""
        return self._of(phrase, self.matcher.match(phrase, owners))

    def match_in(self, plugin: str, phrase: str, named: Sequence[Quantity]) -> Matched:
        """The quantity of one plugin that ``phrase`` means; raises EmbeddingUnavailable."""
        return self._of(phrase, self.matcher.match_in(plugin, phrase, named))

    def near(self, texts: Sequence[str]) -> tuple[Quantity, ...]:
        """The quantities nearest to any of ``texts``; none where none can be compared."""
        return _seen(self.matcher.near(texts), self.sight)

    def _of(self, phrase: str, matched: Matched) -> Matched:
        match matched:
            case Grounded(quantity):
                if self.sight.has_quantity(quantity):
                    return matched
                return UnknownMetric(phrase, ())
            case AmbiguousMetric(_, candidates):
                seen = _seen(candidates, self.sight)
                return AmbiguousMetric(phrase, seen) if seen else UnknownMetric(phrase, ())
            case UnknownMetric(_, nearest):
                return UnknownMetric(phrase, _seen(nearest, self.sight))
