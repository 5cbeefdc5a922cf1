"""Holds a request against the question: whatever a rule understood must show in it."""

import re

from retrieval.data_request import Asked, JobsThenReadings, ReadingsRequest, UsersThenReadings
from retrieval.job_request import JobColumn, JobsRequest, JobTime
from retrieval.job_words import width_in
from retrieval.measures import Group, Measure, Wanted
from retrieval.request import EntityKind
from retrieval.site_request import ChecksRequest, SiteRequest
from retrieval.slots import Slots
from retrieval.time_reading import Granularity

_MOST_OF = re.compile(
    r"\b(?:most|fewest)\s+(?:compute\s+)?(?:nodes|racks|hosts|gpus)\b", re.IGNORECASE
)
_TWO_GROUPS = re.compile(
    r"\b(nodes|racks)\s+\d+\s*(?:-|to|through)\s*(?:node\s+|rack\s+)?\d+\s*,?\s*"
    r"(?:and|vs\.?|versus|with|to)\s+(?:of\s+|for\s+|the\s+)*\1\s+\d+\s*(?:-|to|through)\s*\d+",
    re.IGNORECASE,
)
_BOTH = re.compile(r"\bboth\b", re.IGNORECASE)
_IT = re.compile(r"\bIT\b")
_THERMAL = frozenset({"hottest", "warmest", "coolest", "coldest"})
_COMMON_WORDS = frozenset("compute single active running power-hungry".split())
_OF_NODES = frozenset({Group.RACK, Group.JOB, Group.USER})
_OF_JOBS = frozenset(
    {
        *(EntityKind.JOB, EntityKind.USER, EntityKind.PARTITION),
        *(EntityKind.NODE, EntityKind.RACK),
    }
)
_OF_CHECKS = frozenset({EntityKind.NODE, EntityKind.RACK})


def unused_parts(slots: Slots, asked: Asked) -> tuple[str, ...]:
    """What the question says that ``asked`` does not take up, in words.

    Words that were understood and then dropped would make an answer to another question.
    """
    match asked:
        case ReadingsRequest():
            return _of_readings(slots, asked)
        case JobsRequest():
            return _of_jobs(slots, asked)
        case ChecksRequest():
            return _of_checks(slots)
        case SiteRequest():
            return _of_site(slots, asked)
        case JobsThenReadings() | UsersThenReadings():
            lost = ("the words inside the ranking",) if _between_is_lost(slots) else ()
            return (*lost, *_bounds(slots))


def _of_readings(slots: Slots, request: ReadingsRequest) -> tuple[str, ...]:
    measures = set(request.measures)
    listed = request.wanted in (Wanted.OWNERS, Wanted.OWNER_COUNT)
    silent = request.wanted in (Wanted.SILENT_DAYS, Wanted.SILENT_OWNERS)
    free = request.wanted in (Wanted.CORRELATION, Wanted.SERIES, Wanted.DISTRIBUTION) or silent
    episodic = bool(measures & {Measure.DURATION, Measure.EPISODES})
    extremes = measures & {Measure.MAXIMUM, Measure.MINIMUM, Measure.RANGE}
    moments = measures & {Measure.TIME_OF_MAXIMUM, Measure.TIME_OF_MINIMUM, Measure.EPISODES}
    dropped = set(slots.measures) - measures
    in_bound = {request.condition.measure} if request.condition is not None else set()
    counted = listed or request.wanted is Wanted.SILENT_OWNERS or _counted_quantity(slots)
    named = slots.asks_index or slots.asks_owners is None or _names_owners(slots, request)
    instants = {w.granularity is Granularity.INSTANT for w in slots.times.windows}
    checks = (
        (bool(dropped - in_bound) and not free and not episodic, _values(dropped)),
        (free and bool(dropped - {Measure.AVERAGE}), _values(dropped)),
        (bool(slots.bounds) and not (request.condition or request.meanwhile), "the bound"),
        (
            bool(slots.superlatives) and not (request.ranking or extremes or listed),
            "highest or lowest",
        ),
        (slots.ranked is not None and request.ranking is None, "the ranking"),
        (slots.counted_owners is not None and request.ranking is None, "the number of them"),
        (slots.asks_how_long and Measure.DURATION not in measures, "how long"),
        (slots.asks_when and not (moments or listed or slots.while_bound), "when"),
        (slots.asks_days and not (Group.DAY in request.groups or silent), "on which days"),
        (bool(slots.counts_owners) and not counted, "how many"),
        (slots.silent and not silent, "without data"),
        (not named, f"which {slots.asks_owners.value if slots.asks_owners else ''}"),
        (slots.jobs.mentioned and request.during is None, "jobs"),
        (slots.checks.mentioned, "monitoring checks"),
        (slots.difference and not (request.difference or Measure.RANGE in measures), "difference"),
        (
            request.combined and request.condition is not None and not listed and not episodic,
            "the bound on a sum",
        ),
        (len(instants) > 1, "the times"),
    )
    unused = [words for failed, words in checks if failed]
    if request.wanted is not Wanted.CORRELATION:
        unused += _groups(slots, request.groups)
    return (*unused, *_of_wording(slots, request), *_entities(slots, request))


def _of_wording(slots: Slots, request: ReadingsRequest) -> list[str]:
    """What only the words themselves tell: that two things are asked for in one."""
    listed = request.wanted in (Wanted.OWNERS, Wanted.OWNER_COUNT)
    checks = (
        (bool(slots.counts_owners and slots.groups and listed), "how many in each"),
        (bool(_MOST_OF.search(slots.text)) and bool(slots.bounds), "the most or fewest of them"),
        (bool(_TWO_GROUPS.search(slots.text)), "two groups"),
        (_ranks_by_another(slots, request), "a ranking by another metric"),
        (
            bool(slots.resolution) and request.bucket != slots.resolution,
            "the interval",
        ),
        (request.wanted is Wanted.CORRELATION and not _has_pair(request), "the correlation"),
        (_between_is_lost(slots), "the words inside the ranking"),
        (_only_nodes_have(request), "a grouping that only nodes have"),
        (_information_technology(slots), "IT"),
    )
    return [words for failed, words in checks if failed]


def _ranks_by_another(slots: Slots, request: ReadingsRequest) -> bool:
    """Whether a ranking is by another metric than the one that is shown."""
    if request.ranking is None:
        return False
    labels = {quantity.label for quantity in request.quantities}
    thermal = slots.ranked is not None and slots.ranked.adjective in _THERMAL
    return len(labels) > 1 or (thermal and request.quantities[0].unit != "°C")


def _has_pair(request: ReadingsRequest) -> bool:
    return sum(len(quantity.metrics) for quantity in request.quantities) > 1


def _between_is_lost(slots: Slots) -> bool:
    if slots.ranked is None or width_in(slots.ranked.between) is not None:
        return False
    return not set(slots.ranked.between.split()) <= _COMMON_WORDS


def _only_nodes_have(request: ReadingsRequest) -> bool:
    kinds = {owners.kind for owners in request.owners}
    return bool(set(request.groups) & _OF_NODES) and kinds != {EntityKind.NODE}


def _information_technology(slots: Slots) -> bool:
    """Whether "IT", which reads like the word "it", stands where no metric covers it."""
    if slots.text.isupper():
        return False
    spans = [mention.span for mention in slots.mentions]
    return any(
        not any(start <= match.start() < end for start, end in spans)
        for match in _IT.finditer(slots.text)
    )


def _values(measures: set[Measure]) -> str:
    return ", ".join(sorted(m.value for m in measures))


def _entities(slots: Slots, request: ReadingsRequest) -> list[str]:
    """The things that are named and that the request does not read from."""
    used = {(o.kind, name) for o in request.owners for name in o.names}
    used |= {(EntityKind.RACK, rack) for o in request.owners for rack in o.racks}
    during = request.during
    if during is not None:
        used |= {(EntityKind.JOB, str(i)) for i in during.ids}
        used |= {(EntityKind.USER, u) for u in during.users}
        used |= {(EntityKind.PARTITION, p) for p in during.partitions}
    label = request.quantities[0].label
    return [
        f"{label} of {e.kind.value} {e.name}"
        for e in slots.entities.found
        if (e.kind, e.name) not in used and e.kind is not EntityKind.ROOM
    ]


def _counted_quantity(slots: Slots) -> bool:
    """Whether "how many nodes were idle" is itself a measured quantity."""
    return any("slurm" in m.candidates[0].plugin for m in slots.mentions if m.candidates)


def _names_owners(slots: Slots, request: ReadingsRequest) -> bool:
    """Whether the answer names the things that "which ..." asks for."""
    if request.wanted in (Wanted.OWNERS, Wanted.OWNER_COUNT, Wanted.SILENT_OWNERS):
        return True
    kinds = {
        EntityKind.RACK: Group.RACK,
        EntityKind.JOB: Group.JOB,
        EntityKind.USER: Group.USER,
    }
    return kinds.get(slots.asks_owners or EntityKind.NODE, Group.OWNER) in request.groups


def _groups(slots: Slots, groups: tuple[Group, ...]) -> list[str]:
    taken = set(groups)
    if Group.OWNER in taken:
        taken.add(Group.PARTITION)
    dropped = [g.value for g in slots.groups if g not in taken]
    if slots.added_up:
        dropped = [g for g in dropped if g != Group.INDEX.value]
    return [f"by {name}" for name in dropped if not (name == "day" and slots.silent)]


def _of_jobs(slots: Slots, request: JobsRequest) -> tuple[str, ...]:
    spoken = slots.jobs.waiting or slots.jobs.running_time
    exact = set(slots.jobs.times) - {JobTime.OVERLAPS}
    checks = (
        (slots.asks_when and not request.which.ids, "when"),
        (slots.asks_days and Group.DAY not in request.groups, "on which days"),
        (slots.correlation, "the correlation"),
        (slots.silent, "without data"),
        (slots.ranked is not None and request.ranking is None, "the ranking"),
        (slots.counted_owners is not None and request.ranking is None, "the number of them"),
        (slots.checks.mentioned, "monitoring checks"),
        (
            bool(slots.superlatives) and request.ranking is None and not spoken,
            "highest or lowest",
        ),
        (bool(slots.measures) and not spoken, _values(set(slots.measures))),
        (len(exact) > 1, " and ".join(sorted(t.value for t in exact))),
        (
            not _names_in_jobs(slots.asks_owners, request),
            f"which {slots.asks_owners.value if slots.asks_owners else ''}",
        ),
        (slots.difference, "the difference"),
        (slots.asks_index, "which GPUs"),
        (not all(_names_in_jobs(k, request) for k in slots.all_asked), "everything that is asked"),
        (len(slots.jobs.bounds_taken) > len(set(slots.jobs.bounds_taken)), "two bounds"),
        (_between_is_lost(slots), "the words inside the ranking"),
        (len(request.which.nodes) > 1 and bool(_BOTH.search(slots.text)), "both"),
        (bool(_TWO_GROUPS.search(slots.text)), "two groups"),
    )
    unused = [words for failed, words in checks if failed]
    unused += _without_use(slots, _OF_JOBS)
    unused += _groups(slots, request.groups)
    return (*unused, *_bounds(slots))


def _names_in_jobs(asked: EntityKind | None, request: JobsRequest) -> bool:
    """Whether the answer names the users, nodes or the like that are asked for."""
    shown = {
        EntityKind.USER: (Group.USER, JobColumn.USER),
        EntityKind.PARTITION: (Group.PARTITION, JobColumn.PARTITION),
        EntityKind.NODE: (Group.OWNER, JobColumn.NODES),
        EntityKind.RACK: (Group.RACK, None),
    }
    if asked is None or asked not in shown:
        return True
    group, column = shown[asked]
    return group in request.groups or column in request.columns


def _without_use(slots: Slots, kinds: frozenset[EntityKind]) -> list[str]:
    """The things that are named and are of none of ``kinds``."""
    return [f"{e.kind.value} {e.name}" for e in slots.entities.found if e.kind not in kinds]


def _of_checks(slots: Slots) -> tuple[str, ...]:
    unused = [] if slots.checks.by_check else [f"by {g.value}" for g in slots.groups]
    unused += _without_use(slots, _OF_CHECKS)
    for said, words in (
        (slots.asks_how_long, "how long"),
        (len(slots.times.windows) > 1, "more than one time"),
        (slots.difference, "the difference"),
        (slots.asks_days, "on which days"),
        (slots.superlatives or slots.ranked, "the ranking"),
        (slots.correlation, "the correlation"),
        (slots.measures, "the measure"),
        (slots.silent, "without data"),
    ):
        if said:
            unused.append(words)
    return (*unused, *_bounds(slots))


def _of_site(slots: Slots, request: SiteRequest) -> tuple[str, ...]:
    unused = [f"by {g.value}" for g in slots.groups]
    for said, words in (
        (slots.times.windows, "the time"),
        (slots.measures, "the measure"),
        (slots.superlatives or slots.ranked, "the ranking"),
        (slots.asks_when or slots.asks_how_long, "when"),
        (slots.correlation, "the correlation"),
        (slots.silent, "without data"),
        (slots.counts_owners and not request.count, "how many"),
        (slots.asks_index or slots.difference, "the difference"),
    ):
        if said:
            unused.append(words)
    return (*unused, *_bounds(slots))


def _bounds(slots: Slots) -> tuple[str, ...]:
    return tuple(bound.condition.words for bound in slots.bounds)
