"""Each name in a question tied to what exists, one door a step: for whoever grounds it in steps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from retrieval.asking import Asking
from retrieval.copied_times import read_copied
from retrieval.errors import EmbeddingUnavailable
from retrieval.likeness_rules import MatchesMetrics, require_confirmed
from retrieval.mention_choice import admitted
from retrieval.metric_choice import Chosen, chosen_quantities
from retrieval.metric_matcher import AmbiguousMetric, Grounded, UnknownMetric
from retrieval.metric_mentions import Mention
from retrieval.quantity import Quantity
from retrieval.quantity_catalog import QuantityCatalog
from retrieval.question_slots import SlotFiller
from retrieval.question_text import QuestionText
from retrieval.request import EntityKind, TimeWindow
from retrieval.site import Site
from retrieval.slots import Slots
from retrieval.time_choice import WHICH_TIME, chosen_windows
from retrieval.time_reader import read_times
from retrieval.understanding import Why, stop
from retrieval.unknown_things import require_known
from retrieval.unreadable import refuse_unanswerable


@dataclass(frozen=True, slots=True)
class Grounding:
    """What the site, its catalogue and its lake have, and what the rules make of words."""

    filler: SlotFiller
    matcher: MatchesMetrics
    quantities: QuantityCatalog
    site: Site
    zone: ZoneInfo
    plugins: Mapping[str, str]
    """The plugins that have data, with one line on what each measures."""

    def slots(self, text: str, now: datetime) -> Slots:
        """What the rules find in a question.

        Raises ReadingStops where it can be no question to the data, or names what does not exist.
        """
        refuse_unanswerable(text)
        slots = self.filler.fill(text, now)
        require_known(slots, self.site)
        return slots

    def windows(
        self, slots: Slots, copied: Sequence[str], asking: Asking
    ) -> tuple[tuple[TimeWindow, ...], tuple[str, ...]]:
        """The times of a question and what must be said of them; none where it names none.

        ``copied`` are its words for them as somebody else sees them. Raises ReadingStops where
        they cannot be taken as they stand.
        """
        answer = asking.settled.get(WHICH_TIME.about)
        if answer is not None and not slots.times.windows:
            times = read_times(answer, asking.now, self.zone)
        else:
            times = read_copied(
                asking.text, copied, slots.times, asking.now, self.zone, asking.settled
            )
        return chosen_windows(times, asking.settled)

    def misplaced(self, part: str, plugin: str, now: datetime) -> str:
        """Why ``plugin`` cannot measure what ``part`` asks for; empty where it can."""
        slots = self.filler.fill(part, now)
        for mention in slots.mentions:
            plugins = {quantity.plugin for quantity in mention.candidates}
            if plugins and plugin not in plugins:
                return f"'{mention.words}' is measured by {', '.join(sorted(plugins))}."
        kinds = _kinds(slots)
        known = [q for q in self.quantities.quantities.values() if q.plugin == plugin]
        if not any(admitted(quantity, kinds) for quantity in known):
            things = ", ".join(sorted(kind.value for kind in kinds))
            return f"{plugin} measures nothing of a {things}."
        return ""

    def metric(self, part: str, plugin: str, asking: Asking) -> Chosen:
        """The quantity of ``plugin`` that ``part`` asks for.

        Raises ReadingStops: with the candidates where several are likely, else where none is near.
        """
        slots = self.filler.fill(part, asking.now)
        mention = self._mention(slots, plugin, asking.settled)
        (chosen, *_) = chosen_quantities(replace(slots, mentions=(mention,)), asking.settled)
        if mention in slots.mentions or len(mention.candidates) > 1:
            return chosen
        taken = f"'{mention.words}' is taken as {mention.candidates[0].label}."
        return replace(chosen, notes=(taken, *chosen.notes))

    def _mention(self, slots: Slots, plugin: str, settled: Mapping[str, str]) -> Mention:
        if len({m.candidates for m in slots.mentions}) > 1:
            words = " and ".join(f"'{m.words}'" for m in slots.mentions)
            raise stop(Why.NOT_UNDERSTOOD, f"I cannot take {words} apart. Please ask in parts.")
        read = [m for m in slots.mentions if any(c.plugin == plugin for c in m.candidates)]
        named = tuple(dict.fromkeys(c for m in read for c in m.candidates if c.plugin == plugin))
        numbers = tuple(word for word in slots.leftovers if any(c.isdigit() for c in word))
        if read and numbers:
            words = ", ".join(f"'{number}'" for number in numbers)
            raise stop(Why.NOT_UNDERSTOOD, f"I do not know what {words} is. Please say it anew.")
        others = [word for word in slots.leftovers if word not in numbers]
        phrase = " ".join((*(m.words for m in slots.mentions), *others)) or _bare(slots)
        if len(read) == 1 and len(named) == 1 and not slots.leftovers:
            return replace(read[0], candidates=named)
        candidates = self._likely(plugin, phrase, named, settled)
        if not candidates:
            raise stop(
                Why.UNKNOWN_METRIC,
                f"Nothing that {plugin} measures is near to '{phrase}'."
                " Please put the question in other words.",
            )
        indices = _indices(read) if read else numbers
        known = {metric.index for quantity in candidates for metric in quantity.members}
        missing = tuple(index for index in indices if index not in known)
        return Mention((0, 0), phrase, candidates, indices, missing, exact=False)

    def _likely(
        self,
        plugin: str,
        phrase: str,
        named: tuple[Quantity, ...],
        settled: Mapping[str, str],
    ) -> tuple[Quantity, ...]:
        """What ``phrase`` may mean: one where it is sure, several to choose from, or none."""
        try:
            matched = self.matcher.match_in(plugin, phrase, named) if phrase else None
        except EmbeddingUnavailable:
            return named
        match matched:
            case Grounded(quantity):
                return (quantity,)
            case AmbiguousMetric(_, (only,)):
                require_confirmed(only, phrase, settled)
                return (only,)
            case AmbiguousMetric(_, candidates):
                return candidates
            case UnknownMetric() | None:
                return ()


def _indices(read: Sequence[Mention]) -> tuple[str, ...]:
    """The numbered parts of all mentions; none, which means all, where one names no part."""
    if not all(mention.indices for mention in read):
        return ()
    return tuple(dict.fromkeys(index for mention in read for index in mention.indices))


def _bare(slots: Slots) -> str:
    """The question without its times and the things that it names."""
    spans = (*slots.times.spans, *slots.entities.spans)
    return " ".join(QuestionText(slots.text).without(spans, mark=" ").split())


def _kinds(slots: Slots) -> frozenset[EntityKind]:
    return frozenset(entity.kind for entity in slots.entities.found)
