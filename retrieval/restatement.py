"""Holds a restated question against the question that was asked: what is sure must stay."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from retrieval.asking import Asking
from retrieval.follow_ups import in_thread
from retrieval.likeness_rules import MatchesMetrics
from retrieval.question_slots import SlotFiller
from retrieval.slots import Slots
from retrieval.understanding import ReadingStops

_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,:]\d+)*")


@dataclass(frozen=True, slots=True)
class Restatements:
    """What whoever restates a question needs from the rules, and what they make of it."""

    filler: SlotFiller
    matcher: MatchesMetrics

    def near(self, question: str, words: Sequence[str]) -> tuple[str, ...]:
        """The quantities that the open ``words`` of ``question`` may stand for, by name."""
        return tuple(quantity.label for quantity in self.matcher.near((question, *words)))

    def without_times(self, asking: Asking) -> tuple[str, str]:
        """The question without the words for its times, and these words."""
        return without_times(self.filler.fill(asking.text, asking.now, asking.taken))

    def changed_in(self, asking: Asking, restated: Asking) -> tuple[str, ...]:
        """What was read in ``asking`` and is read otherwise in ``restated``, in words."""
        try:
            return changed_in(*(in_thread(each, self.filler).slots for each in (asking, restated)))
        except ReadingStops:
            return ("the question before it",)

    def names_more(self, asking: Asking, restated: Asking) -> bool:
        """Whether ``restated`` says what to measure, or how, where ``asking`` does not."""
        return names_more(*(in_thread(each, self.filler).slots for each in (asking, restated)))


def without_times(asked: Slots) -> tuple[str, str]:
    """The question without the words for its times, and these words."""
    text, rest, times = asked.text, "", []
    begun = 0
    for start, end in sorted(asked.times.spans):
        rest += text[begun:start]
        times.append(text[start:end])
        begun = end
    return " ".join((rest + text[begun:]).split()).strip(" ,"), " ".join(times)


def changed_in(asked: Slots, restated: Slots) -> tuple[str, ...]:
    """What the rules read in ``asked`` and the restatement says otherwise, in words.

    Names, times, bounds and numbers must be the same; measures, groups and quantities that were
    read may be joined by those that stood in words which were not.
    """
    same = (
        ("the things", set(asked.entities.found) == set(restated.entities.found)),
        ("the unknown things", asked.entities.unknown == restated.entities.unknown),
        ("the times", _windows(asked) == _windows(restated)),
        ("the bounds", _bounds(asked) == _bounds(restated)),
        ("the numbers", _numbers(asked) == _numbers(restated)),
        ("the unit", asked.unit_wish in ("", restated.unit_wish)),
        ("the difference", asked.difference == restated.difference),
        ("the correlation", asked.correlation == restated.correlation),
        ("the event", asked.event == restated.event),
        ("the share", asked.share == restated.share),
        ("the missing samples", asked.silent == restated.silent),
        ("the measures", _within(asked.measures, restated.measures)),
        ("the groups", _within(asked.groups, restated.groups)),
        ("the quantities", _within(_named(asked), _named(restated))),
        ("the course", _within(asked.course.asked, restated.course.asked)),
    )
    return tuple(what for what, is_same in same if not is_same)


def names_more(asked: Slots, restated: Slots) -> bool:
    """Whether ``restated`` names a quantity, measure, grouping or order that ``asked`` does not."""
    quantities = [m.candidates for m in restated.mentions]
    ranked = [(slots.ranked is not None, slots.superlatives) for slots in (asked, restated)]
    return not (
        _within(quantities, _named(asked))
        and _within(restated.measures, asked.measures)
        and _within(restated.groups, asked.groups)
        and _within(restated.course.asked, asked.course.asked)
        and ranked[0] == ranked[1]
    )


def _named(slots: Slots) -> list[object]:
    return [m.candidates for m in slots.mentions if len(m.candidates) == 1]


def _windows(slots: Slots) -> list[object]:
    return [(read.window, read.granularity) for read in slots.times.windows]


def _bounds(slots: Slots) -> list[str]:
    return sorted(str(bound.condition) for bound in slots.bounds)


def _numbers(slots: Slots) -> list[str]:
    """Numbers in digits outside of what was read as a time."""
    return sorted(_NUMBER.findall(slots.text))


def _within(part: Iterable[object], whole: Iterable[object]) -> bool:
    return set(part) <= set(whole)
