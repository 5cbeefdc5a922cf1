"""Slots to requests over monitoring checks, and over what exists."""

import re
from dataclasses import replace
from datetime import datetime

from retrieval.check_words import CheckWords
from retrieval.measures import Group
from retrieval.request import Entity, EntityKind, TimeWindow
from retrieval.site_request import CheckResultKind, ChecksRequest, SiteRequest, Subject
from retrieval.site_words import PLUGIN_FOLDERS
from retrieval.slots import Slots
from retrieval.state_rules import as_periods, asks_periods
from retrieval.time_reading import LOOK_BACK
from retrieval.understanding import Why, stop
from retrieval.units import unit_named

_SUBJECT_OF = {
    EntityKind.NODE: Subject.NODES,
    EntityKind.RACK: Subject.RACKS,
    EntityKind.CRAC: Subject.CRACS,
    EntityKind.PANEL: Subject.PANELS,
    EntityKind.PARTITION: Subject.PARTITIONS,
}

_HOSTS = re.compile(r"\bhosts?\b", re.IGNORECASE)
_NOT_OF_NODES = ("backup::", "cluster::", "container::", "crm::", "dev::")


def checks_request(
    slots: Slots, window: TimeWindow | None, now: datetime
) -> tuple[ChecksRequest, tuple[str, ...]]:
    """The request over monitoring checks that ``slots`` amount to."""
    words = slots.checks
    if words.unknown_check:
        raise stop(Why.UNKNOWN_ENTITY, f"There is no check named '{words.unknown_check}'.")
    instant, notes = slots.at_instant, list[str]()
    if window is None:
        window, *notes = _unnamed_time(words, now)
        instant = window.start == window.end
    kind = CheckResultKind.NODES
    if words.by_check:
        kind = CheckResultKind.BY_CHECK
    elif slots.entities.of(EntityKind.NODE) or (not slots.asks_owners and not words.checks):
        kind = CheckResultKind.BY_NODE
    if slots.counts_owners and not words.by_check:
        kind = CheckResultKind.NODE_COUNT
    drained_only = words.drained and not words.checks and not words.states
    if drained_only and kind is CheckResultKind.BY_NODE:
        kind = CheckResultKind.NODES
    # where the checks themselves are asked for, those in any state are
    states = words.states or (() if words.drained or words.listed else (1, 2, 3))
    request = ChecksRequest(
        kind=kind,
        window=window,
        instant=instant,
        checks=words.checks,
        states=states,
        hard=words.hard,
        drained=words.drained,
        nodes=slots.entities.of(EntityKind.NODE),
        racks=slots.entities.of(EntityKind.RACK),
        compute_only=kind is not CheckResultKind.BY_CHECK and not _of_any_host(slots),
    )
    if kind is CheckResultKind.NODE_COUNT and slots.share.noun is EntityKind.NODE:
        if words.drained and (words.checks or words.states):
            raise stop(
                Why.NOT_UNDERSTOOD,
                "Is that a share of all nodes, or of those that were drained? I can tell the share"
                " of nodes that were drained, or that had a check in a state, of all of them.",
            )
        request = replace(request, share=True)
    if asks_periods(slots) and kind is not CheckResultKind.BY_CHECK:
        return as_periods(request, slots, now)
    return request, tuple(notes)


def _unnamed_time(words: CheckWords, now: datetime) -> tuple[TimeWindow, str]:
    """The time of a question that names none, and what is said of it."""
    if words.listed:
        told = f"No time was named: these are the checks of the last {LOOK_BACK.days} days."
        return TimeWindow(now - LOOK_BACK, now, True), told
    return TimeWindow(now, now, True), "No time was named: this is the state now."


def _of_any_host(slots: Slots) -> bool:
    """Whether other hosts than compute nodes are meant: the word says so, or a check of theirs."""
    checks = slots.checks.checks
    return bool(_HOSTS.search(slots.text)) or any(c.startswith(_NOT_OF_NODES) for c in checks)


def site_request(slots: Slots) -> SiteRequest | None:
    """The request over what exists that ``slots`` amount to, if they do."""
    words = slots.site
    nodes = tuple(e for e in slots.entities.found if e.kind is EntityKind.NODE)
    racks = tuple(e for e in slots.entities.found if e.kind is EntityKind.RACK)
    counted = next(iter(slots.counts_owners), None)
    if slots.same_rack and nodes and not racks:
        return SiteRequest(Subject.NODES, count=counted is EntityKind.NODE, entities=nodes)
    # A position names the rack as well.
    if words.position and (nodes or racks):
        return SiteRequest(Subject.POSITION, entities=nodes or racks)
    if words.rack_of and nodes:
        return SiteRequest(Subject.RACK_OF, entities=nodes)
    if words.x is not None or words.y is not None:
        return SiteRequest(Subject.RACKS, count=counted is not None, x=words.x, y=words.y)
    if counted in _SUBJECT_OF:
        by_rack = counted is EntityKind.NODE and slots.groups == (Group.RACK,)
        listing = _listing(_SUBJECT_OF[counted], racks, count=True)
        return replace(listing, by_rack=by_rack)
    if racks and (slots.asks_owners is EntityKind.NODE or words.subject is Subject.NODES):
        return SiteRequest(Subject.NODES, entities=racks)
    plugin = PLUGIN_FOLDERS.get(words.plugin, "")
    if words.subject is Subject.METRICS or plugin:
        word = words.word.rstrip("s") if words.word not in ("gpus", "") else words.word
        return SiteRequest(
            Subject.METRICS,
            count=words.counted,
            plugin=plugin,
            word=word.removesuffix("s"),
            unit=(unit_named(slots.unit_wish) or "") if slots.unit_wish else "",
            held=words.held,
        )
    if words.subject is not None:
        listed = _listing(words.subject, racks, count=words.counted)
        return replace(listed, held=words.held and words.subject is Subject.PLUGINS)
    if slots.asks_owners in _SUBJECT_OF:
        return _listing(_SUBJECT_OF[slots.asks_owners], racks, count=False)
    return None


def _listing(subject: Subject, racks: tuple[Entity, ...], *, count: bool) -> SiteRequest:
    """What there is of one kind; of all kinds, only nodes are in racks."""
    return SiteRequest(subject, count=count, entities=racks if subject is Subject.NODES else ())
