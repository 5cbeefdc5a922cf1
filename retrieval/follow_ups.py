"""A question read in the light of the thread before it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from retrieval.asking import Asking, ChartHint
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


@dataclass(frozen=True, slots=True)
class InThread:
    """What a question says together with what it leans on."""

    slots: Slots
    chart: ChartHint = field(default_factory=ChartHint)
    settled: Mapping[str, str] = field(default_factory=dict)


def in_thread(asking: Asking, filler: SlotFiller) -> InThread:
    """``asking`` with what it leaves to the questions before it.

    Raises ReadingStops where it says nothing that could be taken up.
    """
    said = filler.fill(asking.text, asking.now, asking.taken)
    if not asking.earlier or not is_follow_up(said):
        return InThread(said, asking.chart, asking.settled)
    before: InThread | None = None
    for each in (*asking.earlier, asking):
        alone = filler.fill(each.text, each.now, each.taken)
        if before is not None and (each is asking or is_follow_up(alone)):
            before = _laid_over(before, each, filler)
        else:
            before = InThread(alone, each.chart, each.settled)
    assert before is not None
    return before


def is_follow_up(slots: Slots) -> bool:
    """Whether a question leans on the one before: it names no subject of its own."""
    subject = slots.mentions or slots.jobs.mentioned or slots.checks.mentioned
    return slots.follow_up or not (subject or slots.site.subject or slots.counts_owners)


def _laid_over(before: InThread, asking: Asking, filler: SlotFiller) -> InThread:
    """A follow-up, read once more knowing the question before it."""
    times = before.slots.times.windows
    about_jobs = before.slots.jobs.mentioned and not before.slots.mentions
    previous = times[0].window if times else None
    slots = filler.fill(asking.text, asking.now, asking.taken, previous, about_jobs)
    whole = merged(before.slots, slots, bool(asking.chart.kind))
    chart = asking.chart
    if not chart.kind and not asking.taken and set(changes_of(before.slots, slots)) <= _KEEPS_CHART:
        chart = before.chart
    return InThread(whole, chart, {**before.settled, **asking.settled})
