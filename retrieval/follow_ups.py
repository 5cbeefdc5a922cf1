"""A question read in the light of the thread before it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from retrieval.asking import Asking, ChartHint
from retrieval.measure_words import HEAT, OVER_ALL
from retrieval.question_slots import SlotFiller
from retrieval.slot_merge import changes_of, merged
from retrieval.slots import Slots

_KEEPS_CHART = frozenset(
    {
        *("entities", "times", "mentions", "resolution", "unit_wish", "names_nodes"),
        *("names_rack_or_machine", "over_all", "compared", "groups", "group_owner"),
    }
)
"""What a follow-up may say anew and still be shown in the chart of the question before it."""
_ALL_OF = re.compile(rf"(?=for|of|on|in|across|over|all)(?:{OVER_ALL.pattern})\s*[?.!]*")
"""``for all racks``: of what was asked before, and not which racks there are."""


@dataclass(frozen=True, slots=True)
class InThread:
    """What a question says together with what it leans on."""

    slots: Slots
    chart: ChartHint = field(default_factory=ChartHint)
    settled: Mapping[str, str] = field(default_factory=dict)
    before: Slots | None = None
    """For a follow-up that has to bring something new: what was asked before it."""


def in_thread(asking: Asking, filler: SlotFiller) -> InThread:
    """``asking`` with what it leaves to the questions before it.

    Raises ReadingStops where it says nothing that could be taken up.
    """
    said = filler.fill(asking.text, asking.now, asking.taken)
    if not asking.earlier or not (is_follow_up(said) or _is_heat_alone(said) or _widens(said)):
        return InThread(said, asking.chart, asking.settled)
    before: InThread | None = None
    for each in (*asking.earlier, asking):
        alone = filler.fill(each.text, each.now, each.taken)
        if before is not None and _leans(alone, before.slots):
            before = _laid_over(before, each, filler)
        else:
            before = InThread(alone, each.chart, each.settled)
    assert before is not None
    return before


def is_follow_up(slots: Slots) -> bool:
    """Whether a question leans on the one before: it names no subject of its own."""
    subject = slots.mentions or slots.jobs.mentioned or slots.checks.mentioned
    return slots.follow_up or not (subject or slots.site.subject or slots.counts_owners)


def _widens(slots: Slots) -> bool:
    return _ALL_OF.fullmatch(slots.text.strip().lower()) is not None


def _leans(slots: Slots, before: Slots) -> bool:
    """Whether a question leans on ``before``; "all racks" does unless that was of the site too."""
    if is_follow_up(slots) or (_is_heat_alone(slots) and _is_of_heat(before)):
        return True
    about_site = before.site.subject and not before.mentions
    return _widens(slots) and not about_site


def _is_heat_alone(slots: Slots) -> bool:
    """Whether nothing but an adjective tells the quantity and the things: "and the coldest?"."""
    implied = len(slots.mentions) == 1 and slots.mentions[0].span == (0, 0)
    things = slots.ranked or slots.asks_owners or slots.entities.found or slots.over_all
    heat = implied and slots.mentions[0].words in HEAT
    return heat and not (things or slots.names_nodes or slots.names_rack_or_machine)


def _is_of_heat(slots: Slots) -> bool:
    """Whether temperatures were asked for, so that "the coldest" is one of them."""
    return bool(slots.mentions) and all(
        candidate.unit == "°C" for mention in slots.mentions for candidate in mention.candidates
    )


def _laid_over(before: InThread, asking: Asking, filler: SlotFiller) -> InThread:
    """A follow-up, read once more knowing the question before it."""
    times = before.slots.times.windows
    about_jobs = before.slots.jobs.mentioned and not before.slots.mentions
    previous = times[0].window if times else None
    slots = filler.fill(asking.text, asking.now, asking.taken, previous, about_jobs)
    if _is_heat_alone(slots) and _is_of_heat(before.slots):
        slots = replace(slots, mentions=())
    whole = merged(before.slots, slots, bool(asking.chart.kind))
    chart = asking.chart
    if not chart.kind and not asking.taken and set(changes_of(before.slots, slots)) <= _KEEPS_CHART:
        chart = before.chart
    # "As CSV" asks for the same once more.
    last = None if slots.wants_series else before.slots
    return InThread(whole, chart, {**before.settled, **asking.settled}, last)
