"""Holds requests over checks and over what exists against the question."""

from retrieval.audit_parts import bound_words, without_use
from retrieval.request import EntityKind
from retrieval.share_words import ShareOf
from retrieval.site_request import CheckResultKind, ChecksRequest, SiteRequest, Subject
from retrieval.slots import Slots

_OF_CHECKS = frozenset({EntityKind.NODE, EntityKind.RACK})
_THE_SITE = frozenset({EntityKind.SYSTEM, EntityKind.DATA_CENTER})


def of_checks(slots: Slots, request: ChecksRequest) -> tuple[str, ...]:
    """What a request over checks does not take up, in words."""
    unused = [] if slots.checks.by_check else [f"by {g.value}" for g in slots.groups]
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
        (slots.share.of is not ShareOf.NOTHING, "the share"),
        (slots.order.said, "the order"),
    ):
        if said:
            unused.append(words)
    return (*unused, *(bound_words(slots) if not request.longer else ()))


def of_site(slots: Slots, request: SiteRequest) -> tuple[str, ...]:
    """What a request over what exists does not take up, in words."""
    unused = [f"by {g.value}" for g in slots.groups]
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
    ):
        if said:
            unused.append(words)
    return (*unused, *bound_words(slots))
