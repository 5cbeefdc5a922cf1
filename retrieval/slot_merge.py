"""A follow-up laid over the question before it: what it names replaces, the rest stays."""

import re
from dataclasses import fields, replace
from typing import Any

from retrieval.condition_words import Bound
from retrieval.entity_rules import NamedEntities
from retrieval.job_words import JobWords
from retrieval.measure_words import OVER_ALL, kind_of_noun
from retrieval.measures import Measure
from retrieval.request import EntityKind
from retrieval.slots import Slots
from retrieval.time_reading import TimeReading
from retrieval.understanding import Why, stop

_APART = frozenset(
    {
        *("text", "leftovers", "follow_up", "entities", "times", "jobs"),
        *("names_nodes", "also", "site", "asks_whether", "by_extreme", "ranks_several"),
    }
)
"""Slots that are merged in their own way, or not at all."""
_WHOSE = re.compile(r"\b(?:its|their)\b", re.IGNORECASE)
_PLACES = frozenset({EntityKind.NODE, EntityKind.RACK})
_WITH_WHAT = frozenset({"measures", "superlatives", "asks_when", "course"})
"""Slots that say what is computed: naming one of them anew drops the others."""


def merged(before: Slots, after: Slots, charted: bool = False) -> Slots:
    """``before`` with everything that ``after`` says instead.

    Raises ReadingStops where the follow-up says nothing that could be taken up, and no chart is
    wanted either.
    """
    changes = changes_of(before, after)
    if not changes and not after.leftovers and not charted:
        raise stop(
            Why.NOT_UNDERSTOOD,
            "I took nothing new from that. Name another thing, time or measure, or ask anew.",
        )
    ranks = before.superlatives or before.ranked is not None or before.asks_owners is not None
    if ranks and after.mentions and not after.entities.found and _WHOSE.search(after.text):
        raise stop(
            Why.NOT_UNDERSTOOD,
            "Whose is meant? Name what the answer before found, such as 'power of node 5'.",
        )
    changes = {**changes, **_kept_wording(before, after, changes)}
    when_alone = set(changes) & _WITH_WHAT == {"asks_when"}
    if set(changes) & _WITH_WHAT and not (when_alone and _has_extreme(before)):
        empty = Slots("")
        dropped = (*_WITH_WHAT, "by_extreme")
        changes = {**{name: getattr(empty, name) for name in dropped}, **changes}
    return replace(before, text=after.text, leftovers=after.leftovers, follow_up=True, **changes)


def _kept_wording(before: Slots, after: Slots, changes: dict[str, Any]) -> dict[str, Any]:
    """What hangs on other words: the unit of a bound, by what things are ranked and how many."""
    kept: dict[str, Any] = {}
    if "bounds" in changes and "mentions" not in changes:
        kept["bounds"] = _in_units_of(before.bounds, after.bounds)
    if "superlatives" in changes or "ranked" in changes:
        kept["by_extreme"] = after.by_extreme
    if {"superlatives", "ranked", "asks_owners"} & set(changes):
        kept["ranks_several"] = after.ranks_several
    return kept


def _in_units_of(before: tuple[Bound, ...], after: tuple[Bound, ...]) -> tuple[Bound, ...]:
    """``after``, in the unit of ``before`` where it has none: "above 1 kW", "and above 1.2"."""
    units = {bound.unit for bound in before}
    if len(units) != 1:
        return after
    (unit,) = units
    return tuple(replace(bound, unit=bound.unit or unit) for bound in after)


def _has_extreme(slots: Slots) -> bool:
    """Whether a highest or lowest is asked for, so that "when was that" asks for its time."""
    extremes = {Measure.MAXIMUM, Measure.MINIMUM}
    return bool(slots.superlatives) or bool(set(slots.measures) & extremes)


def changes_of(before: Slots, after: Slots) -> dict[str, Any]:
    """What ``after`` says anew, by the names of slots."""
    empty = Slots("")
    changes: dict[str, Any] = {
        field.name: getattr(after, field.name)
        for field in fields(Slots)
        if field.name not in _APART and getattr(after, field.name) != getattr(empty, field.name)
    }
    if after.entities.found or after.entities.unknown:
        changes["entities"] = _entities(before.entities, after.entities, after.also)
        if after.entities.of(EntityKind.NODE) or after.entities.of(EntityKind.RACK):
            changes["names_nodes"] = after.names_nodes
            changes["names_rack_or_machine"] = after.names_rack_or_machine
    elif after.over_all:
        changes["entities"] = _without_places(before, after)
    if after.times.windows or after.times.problems:
        changes["times"] = _times(before.times, after.times, after.also)
    if after.jobs != JobWords() and (after.jobs.mentioned or before.jobs.mentioned):
        jobs = _jobs(before.jobs, after.jobs)
        if jobs != before.jobs:
            changes["jobs"] = jobs
    return changes


def _without_places(before: Slots, after: Slots) -> NamedEntities:
    """What was named before without the nodes and racks that "all nodes" stands instead of.

    Raises ReadingStops where all could be those of a rack or of the machine, or what is measured
    of one of them would be kept.
    """
    nouns = {match["noun"] or "" for match in OVER_ALL.finditer(after.text.lower())}
    kinds = frozenset(kind for kind in map(kind_of_noun, nouns) if kind is not None)
    if before.entities.of(EntityKind.RACK) and EntityKind.NODE in kinds:
        raise stop(
            Why.NOT_UNDERSTOOD,
            "All nodes of the rack, or all of the machine? Write 'for each node' or 'of the whole"
            " machine'.",
        )
    if "gpus" in nouns and before.mentions and not after.mentions:
        raise stop(
            Why.NOT_UNDERSTOOD,
            "What of all GPUs is meant? Ask with the metric, such as 'temperature of all GPUs'.",
        )
    kinds = kinds or _PLACES
    replaced = kinds | _PLACES if kinds & _PLACES else kinds
    kept = tuple(e for e in before.entities.found if e.kind not in replaced)
    return NamedEntities(kept)


def _jobs(before: JobWords, after: JobWords) -> JobWords:
    empty = JobWords()
    said = {
        field.name: getattr(after, field.name)
        for field in fields(JobWords)
        if getattr(after, field.name) != getattr(empty, field.name)
    }
    return replace(before, **said)


def _times(before: TimeReading, after: TimeReading, also: bool) -> TimeReading:
    if not also or not after.windows:
        return after
    return replace(after, windows=(*before.windows, *after.windows))


def _entities(before: NamedEntities, after: NamedEntities, also: bool) -> NamedEntities:
    """Things of a kind that the follow-up names replace those of that kind; others stay.

    A node or rack named anew replaces both: they are two ways to say whose readings. With "as
    well" or "compared with" they are added.
    """
    kinds = {e.kind for e in after.found}
    if kinds & _PLACES:
        kinds |= _PLACES
    kept = tuple(e for e in before.found if also or e.kind not in kinds)
    found = tuple(dict.fromkeys((*kept, *after.found)))
    return NamedEntities(found, after.unknown, after.spans)
