"""Holds requests over checks and over what exists against the question."""

import re

from retrieval.audit_parts import bound_words, without_use
from retrieval.measures import Group
from retrieval.request import EntityKind
from retrieval.share_words import ShareOf
from retrieval.site_request import CheckResultKind, ChecksRequest, SiteRequest, Subject
from retrieval.slots import Slots

_OF_CHECKS = frozenset({EntityKind.NODE, EntityKind.RACK})
_THE_SITE = frozenset({EntityKind.SYSTEM, EntityKind.DATA_CENTER})

_ONLY = re.compile(r"\bonly\b", re.IGNORECASE)
_TWO_LISTS = re.compile(
    r"\bplug-?ins?\b.*\b(?:metrics|sensors)\b|\b(?:metrics|sensors)\b.*\bplug-?ins?\b",
    re.IGNORECASE | re.DOTALL,
)
"""Plugins and metrics side by side, of which one list has the ones or the others."""
_WHICH_ALONE = re.compile(r"(?:and\s+|on\s+)*(?:which|what)\s+[a-z]+\s*\??", re.IGNORECASE)
"""What asks for some of things that were spoken of before: it is no question for all."""


def of_checks(slots: Slots, request: ChecksRequest) -> tuple[str, ...]:
    """What a request over checks does not take up, in words."""
    by_check = Group.CHECK if slots.checks.by_check else None
    unused = [f"by {g.value}" for g in slots.groups if g is not by_check]
    unused += without_use(slots, _OF_CHECKS)
    for said, words in (
        (slots.asks_how_long and request.kind is not CheckResultKind.PERIODS, "how long"),
        (len(slots.times.windows) > 1, "more than one time"),
        (slots.difference, "the difference"),
        (slots.asks_days, "on which days"),
        (slots.superlatives or slots.ranked, "the ranking"),
        (slots.correlation, "the correlation"),
        (slots.measures, "the measure"),
        (slots.silent, "without data"),
        (slots.share.of is not ShareOf.NOTHING and not request.share, "the share"),
        (slots.order.said, "the order"),
    ):
        if said:
            unused.append(words)
    return (*unused, *(bound_words(slots) if not request.longer else ()))


def of_site(slots: Slots, request: SiteRequest) -> tuple[str, ...]:
    """What a request over what exists does not take up, in words."""
    unused = [] if request.by_rack else [f"by {g.value}" for g in slots.groups]
    unused += [
        f"{entity.kind.value} {entity.name}"
        for entity in slots.entities.found
        if entity.kind not in _THE_SITE and entity not in request.entities
    ]
    for said, words in (
        (slots.times.windows, "the time"),
        (slots.measures, "the measure"),
        (slots.superlatives or slots.ranked, "the ranking"),
        (slots.asks_when or slots.asks_how_long, "when"),
        (slots.correlation, "the correlation"),
        (slots.silent, "without data"),
        (slots.share.of is not ShareOf.NOTHING, "the share"),
        (slots.order.said, "the order"),
        (slots.counts_owners and not request.count, "how many"),
        (slots.asks_index and request.subject is not Subject.PUMPS, "which part"),
        (slots.difference, "the difference"),
        (slots.unit_wish and not request.unit, "the unit"),
        (_ONLY.search(slots.text), "only"),
        (slots.site.held and (request.count or not request.held), "have data"),
        (_TWO_LISTS.search(slots.text) and not slots.site.plugin, "metrics by plugin"),
        (_WHICH_ALONE.fullmatch(slots.text.strip()), "which of them"),
    ):
        if said:
            unused.append(words)
    return (*unused, *bound_words(slots))
