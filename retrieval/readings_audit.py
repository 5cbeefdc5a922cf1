"""Holds a request over readings against the question."""

import re

from retrieval.audit_parts import (
    TWO_GROUPS,
    between_is_lost,
    by_hour_of_day,
    dropped_groups,
    values_of,
)
from retrieval.compile_readings import JOB_KEYS
from retrieval.data_request import ReadingsRequest
from retrieval.job_request import JobColumn
from retrieval.measure_words import HIGH, LOW
from retrieval.measures import TIMES, Group, Measure, Wanted
from retrieval.outer_rules import MEAN_ENERGY, taken_up
from retrieval.question_text import NUMBER
from retrieval.request import EntityKind
from retrieval.share_words import ShareOf
from retrieval.slots import Slots
from retrieval.time_reading import Granularity
from retrieval.wording_audit import lost_in_words

_MOST_OF = re.compile(
    r"\b(?:most|fewest)\s+(?:compute\s+)?(?:nodes|racks|hosts|gpus)\b", re.IGNORECASE
)
_ASKS_JOBS = re.compile(
    r"^\W*(?:(?:please|show|list|give|get|find|tell|return|me|which|what|how\s+many|number\s+of"
    r"|count|the|all|any|ids?\s+of)\s+)*jobs?\b(?!\s+\d)",
    re.IGNORECASE,
)
_MACHINE_TOO = re.compile(
    r"(?:\band|,|\bor|\bversus|\bvs\.?|\bagainst)\s+(?:(?:of|for|with|to|the|whole|entire)\s+)*"
    r"(?:machine|cluster|system|supercomputer)\b",
    re.IGNORECASE,
)
_RACK_TOO = re.compile(
    r"(?:\band|,|\bor|\bversus|\bvs\.?|\bagainst)\s+(?:(?:of|for|with|to|the)\s+)*racks?\s+\d",
    re.IGNORECASE,
)
_PER_HOUR_OF = re.compile(
    r"\bper\s+(?:hour|day|minute)\s+of\s+(?:run|use|job|wall|node[-\s]+(?:use|time|hour)|cpu|gpu|uptime)",
    re.IGNORECASE,
)
_WHICH_NODES = re.compile(r"\b(?:which|what)\s+nodes?\b", re.IGNORECASE)
_IT = re.compile(r"\bIT\b")
_OF_JOB = frozenset(
    {
        *(JobColumn.START, JobColumn.END, JobColumn.SUBMIT),
        *(JobColumn.EXIT_CODE, JobColumn.TIME_LIMIT),
    }
)
_THERMAL = frozenset({"hottest", "warmest", "coolest", "coldest"})
_WHEN_ANOTHER = re.compile(r"(?<=\w)\s+(?:when|while|as)\s+(?!did\b|was\b|were\b)", re.IGNORECASE)
_MOMENTS = frozenset({Measure.TIME_OF_MAXIMUM, Measure.TIME_OF_MINIMUM})
_OF_NODES = frozenset({Group.RACK, *JOB_KEYS})

_OF_ITS_OWN = frozenset({EntityKind.CRAC})
"""What has readings of its own: a total of all of them names none."""

_JOBS_ON_FIRST = re.compile(
    r"\bjobs?\s+(?:(?:that|which|were|was|are|is|ran|run|running|active)\s+)*(?:on|in)\s+"
    rf"(?:the\s+)?(?:(?:{NUMBER}\s+)?(?:{HIGH}|{LOW})\s+(?:{NUMBER}\s+)?(?:nodes?|racks?|hosts?)\b"
    r"|(?:nodes?|racks?|hosts?)\s+(?:with|that|which|having)\s+"
    rf"(?:\w+\s+){{0,2}}?(?:{HIGH}|{LOW})\b)",
    re.IGNORECASE,
)
"""The jobs of a thing that is to be found by its readings first."""
_LATEST = re.compile(r"\b(?:latest|last)\s+(?:value|reading|sample)s?\b", re.IGNORECASE)


def unused_in_readings(slots: Slots, request: ReadingsRequest) -> tuple[str, ...]:
    """What the question says that ``request`` does not take up, in words."""
    measures = set(request.measures)
    listed = request.wanted in (Wanted.OWNERS, Wanted.OWNER_COUNT)
    silent = request.wanted in (Wanted.SILENT_DAYS, Wanted.SILENT_OWNERS)
    free = request.wanted in (Wanted.CORRELATION, Wanted.SERIES, Wanted.DISTRIBUTION) or silent
    episodic = bool(measures & {Measure.DURATION, Measure.SHARE})
    extremes = measures & {Measure.MAXIMUM, Measure.MINIMUM, Measure.RANGE}
    moments = measures & {Measure.TIME_OF_MAXIMUM, Measure.TIME_OF_MINIMUM}
    dropped = set(slots.measures) - measures - set(taken_up(request))
    in_bound = {request.condition.measure} if request.condition is not None else set()
    counted = listed or request.wanted is Wanted.SILENT_OWNERS or _counted_quantity(slots)
    named = slots.asks_index or slots.asks_owners is None or _names_owners(slots, request)
    instants = {w.granularity is Granularity.INSTANT for w in slots.times.windows}
    checks = (
        (bool(dropped - in_bound) and not free and not episodic, values_of(dropped)),
        (free and bool(dropped - {Measure.AVERAGE}), values_of(dropped)),
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
        (bool(_JOBS_ON_FIRST.search(slots.text)), "the jobs on them"),
        (slots.checks.mentioned, "monitoring checks"),
        (slots.difference and not (request.difference or Measure.RANGE in measures), "difference"),
        (len(instants) > 1, "the times"),
        (_parts_a_moment(request), "parts of one moment"),
        (_share_is_lost(slots, request), "the share"),
        (slots.order.said and not _is_ranked(request), "the order"),
        (bool(_LATEST.search(slots.text)) and not request.instant, "the last value"),
    )
    unused = [words for failed, words in checks if failed]
    unused += dropped_groups(slots, _taken_groups(request))
    unused += lost_in_words(slots, request)
    return (*unused, *_of_wording(slots, request), *unused_entities(slots, request))


def _parts_a_moment(request: ReadingsRequest) -> bool:
    """Whether the hours or days of one moment are asked for."""
    return request.instant and len(request.windows) == 1 and bool(TIMES & set(request.groups))


def _taken_groups(request: ReadingsRequest) -> list[Group]:
    """What the rows are put together by: of a correlation, only the time of its intervals."""
    if request.wanted is Wanted.CORRELATION:
        return [g for g in request.groups if g in (Group.HOUR, Group.DAY, Group.INDEX)]
    by_partition = {owners.kind for owners in request.owners} == {EntityKind.PARTITION}
    more = [Group.PARTITION] if by_partition and Group.OWNER in request.groups else []
    return [*request.groups, *more]


def _share_is_lost(slots: Slots, request: ReadingsRequest) -> bool:
    match slots.share.of:
        case ShareOf.TIME:
            return Measure.SHARE not in request.measures
        case ShareOf.OWNERS:
            return not request.share
        case ShareOf.QUANTITY | ShareOf.RATIO:
            return request.ratio is None or request.wanted is not Wanted.MEASURES
        case ShareOf.NOTHING:
            return False


def _is_ranked(request: ReadingsRequest) -> bool:
    return request.ranking is not None and bool(request.groups)


def _of_wording(slots: Slots, request: ReadingsRequest) -> list[str]:
    """What only the words themselves tell: that two things are asked for in one."""
    listed = request.wanted in (Wanted.OWNERS, Wanted.OWNER_COUNT)
    checks = (
        (bool(slots.counts_owners and slots.groups and listed), "how many in each"),
        (bool(_MOST_OF.search(slots.text)) and bool(slots.bounds), "the most or fewest of them"),
        (bool(TWO_GROUPS.search(slots.text)), "two groups"),
        (_ranks_by_another(slots, request), "a ranking by another metric"),
        (_at_anothers_extreme(slots, request), "when the other was highest or lowest"),
        (
            bool(slots.resolution) and request.bucket != slots.resolution,
            "the interval",
        ),
        (request.wanted is Wanted.CORRELATION and not _has_pair(request), "the correlation"),
        (between_is_lost(slots), "the words inside the ranking"),
        (_only_nodes_have(request), "a grouping that only nodes have"),
        (_information_technology(slots), "IT"),
        (_asks_for_jobs(slots, request), "which jobs"),
        (bool(_WHICH_NODES.search(slots.text)) and not _tells_nodes(request), "which nodes"),
        (_energies_averaged(slots, request), "the mean of energies"),
        (slots.asks_index and not _has_parts(request), "which part"),
        (by_hour_of_day(slots, request.windows), "the hour of the day"),
        (bool(_PER_HOUR_OF.search(slots.text)), "per hour of something"),
        (_place_is_lost(slots, request), "what is asked for several places"),
        (slots.jobs.waiting, "the waiting time"),
        (bool(slots.jobs.measures), "what is counted of the jobs"),
        (bool(_OF_JOB & set(slots.jobs.columns)), "what is told of each job"),
        (_durations_added(slots, request), "the sum over all of them"),
    )
    return [words for failed, words in checks if failed]


def _ranks_by_another(slots: Slots, request: ReadingsRequest) -> bool:
    """Whether a ranking is by another metric than the one that is shown."""
    if request.ranking is None or request.difference:
        return False
    labels = {quantity.label for quantity in request.quantities}
    thermal = slots.ranked is not None and slots.ranked.adjective in _THERMAL
    other = request.quantities[0].unit != "°C" or Measure.DURATION in request.measures
    return len(labels) > 1 or (thermal and other)


def _at_anothers_extreme(slots: Slots, request: ReadingsRequest) -> bool:
    """Whether a value is asked for at the time of another's extreme: "A when B peaked"."""
    match = _WHEN_ANOTHER.search(slots.text)
    if match is None or not _MOMENTS & set(request.measures):
        return False
    before = [mention.span[0] < match.start() for mention in slots.mentions]
    return any(before) and not all(before)


def _has_pair(request: ReadingsRequest) -> bool:
    return sum(len(quantity.metrics) for quantity in request.quantities) > 1


def _has_parts(request: ReadingsRequest) -> bool:
    return any(quantity.index_noun for quantity in request.quantities)


def _only_nodes_have(request: ReadingsRequest) -> bool:
    kinds = {owners.kind for owners in request.owners}
    of_nodes = set(request.groups) & _OF_NODES
    return bool(of_nodes) and kinds != {EntityKind.NODE}


def _information_technology(slots: Slots) -> bool:
    """Whether "IT", which reads like the word "it", stands where no metric covers it."""
    if slots.text.isupper():
        return False
    spans = [mention.span for mention in slots.mentions]
    return any(
        not any(start <= match.start() < end for start, end in spans)
        for match in _IT.finditer(slots.text)
    )


def unused_entities(slots: Slots, request: ReadingsRequest) -> list[str]:
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
    if slots.asks_owners in _OF_ITS_OWN and slots.asks_owners not in {
        owners.kind for owners in request.owners
    }:
        return False
    if request.wanted in (Wanted.OWNERS, Wanted.OWNER_COUNT, Wanted.SILENT_OWNERS):
        return True
    kinds = {
        EntityKind.RACK: Group.RACK,
        EntityKind.JOB: Group.JOB,
        EntityKind.USER: Group.USER,
    }
    return kinds.get(slots.asks_owners or EntityKind.NODE, Group.OWNER) in request.groups


def _asks_for_jobs(slots: Slots, request: ReadingsRequest) -> bool:
    """Whether jobs are to be named and the answer names other things."""
    listed = request.wanted in (Wanted.OWNERS, Wanted.OWNER_COUNT)
    asks = slots.jobs.mentioned and _ASKS_JOBS.match(slots.text) is not None
    return listed and asks and Group.JOB not in request.groups


def _tells_nodes(request: ReadingsRequest) -> bool:
    listed = request.wanted in (
        *(Wanted.OWNERS, Wanted.OWNER_COUNT),
        *(Wanted.SERIES, Wanted.SILENT_OWNERS),
    )
    return listed or Group.OWNER in request.groups


def _place_is_lost(slots: Slots, request: ReadingsRequest) -> bool:
    """Whether a rack or the machine stands beside other things, as one more of them."""
    named = any(owners.names or owners.racks for owners in request.owners)
    both = any(owners.names and owners.racks for owners in request.owners)
    machine = named and len(request.owners) == 1 and bool(_MACHINE_TOO.search(slots.text))
    return machine or (both and bool(_RACK_TOO.search(slots.text)))


def _energies_averaged(slots: Slots, request: ReadingsRequest) -> bool:
    """Whether a mean of energies is asked for: that of power and an energy would be given."""
    energies = Measure.ENERGY in request.measures and request.outer is None
    return energies and bool(MEAN_ENERGY.search(slots.text))


def _durations_added(slots: Slots, request: ReadingsRequest) -> bool:
    several = Group.OWNER in request.groups or Group.INDEX in request.groups
    return slots.added_up and several and Measure.DURATION in request.measures
