"""What the rules for the subject of a question share out among its slots."""

import re
from collections.abc import Sequence
from dataclasses import replace

from retrieval.entity_rules import NamedEntities
from retrieval.job_words import JobWords, width_in
from retrieval.measure_words import group_by, kind_of_noun
from retrieval.measures import Group
from retrieval.order_words import OrderWords
from retrieval.ranking_words import RankedWords
from retrieval.request import EntityKind
from retrieval.share_words import ShareWords
from retrieval.slots import Slots

_FACILITY = re.compile(r"\b(?:data\s?cent(?:re|er)|facility)\b")
_MACHINE = re.compile(r"\b(?:machine|system|cluster|supercomputer|m100|marconi100)\b")


def kinds_named(
    entities: NamedEntities,
    everywhere: Sequence["re.Match[str]"],
    more: Sequence[EntityKind | None],
) -> frozenset[EntityKind]:
    """The kinds of thing that the question names, one by one or as all of them."""
    kinds = {entity.kind for entity in entities.found}
    more = [*more, *(kind_of_noun(m["noun"]) for m in everywhere if m["noun"])]
    kinds |= {kind for kind in more if kind is not None}
    if not kinds and any(_FACILITY.search(match.group()) for match in everywhere):
        # Beside other things it is no more than the place where they stand.
        return frozenset({EntityKind.DATA_CENTER})
    return frozenset(kinds)


def ordered(
    groups: tuple[Group, ...], owner: EntityKind | None, order: OrderWords
) -> tuple[tuple[Group, ...], EntityKind | None]:
    """The groupings with that of the things that are put in order."""
    if order.noun is None or order.noun is EntityKind.JOB:
        return groups, owner
    return (*groups, group_by(order.noun)), owner or order.noun


def of_width(jobs: JobWords, ranked: RankedWords | None) -> JobWords:
    """``jobs`` with the width that stands inside a ranking: "the longest single-node jobs"."""
    width = width_in(ranked.between) if ranked is not None else None
    return jobs if width is None else replace(jobs, width=width)


def counted_for(share: ShareWords, slots: Slots, jobs: JobWords) -> tuple[Slots, JobWords]:
    """What must be counted for a share of it, and ``jobs`` with what was found before."""
    jobs = replace(jobs, columns=slots.jobs.columns, sizes=slots.jobs.sizes)
    if share.of_jobs:
        jobs = replace(jobs, mentioned=True, states=jobs.states or share.states)
    elif share.noun is not None:
        slots = replace(slots, counts_owners=(share.noun,))
    return slots, jobs


def words_of(match: "re.Match[str] | None") -> str:
    """The words of ``match``; empty where there is none."""
    return match.group().strip() if match else ""


def start_of(match: "re.Match[str] | None") -> int:
    """Where ``match`` begins; -1 where there is none."""
    return match.start() if match else -1


def is_whole_machine(everywhere: Sequence["re.Match[str]"]) -> bool:
    """Whether one of the words for all things speaks of the machine as one."""
    return any(_MACHINE.search(match.group()) for match in everywhere)
