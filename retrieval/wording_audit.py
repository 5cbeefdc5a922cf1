"""Finds what only the wording of a question asks for, and a request over readings lacks."""

import re

from retrieval.data_request import ReadingsRequest
from retrieval.job_request import JobsRequest
from retrieval.measure_words import HEAT, HIGH, LOW, OWNER_NOUN, TIME_NOUNS, group_by, kind_of_noun
from retrieval.measures import Applies, Group, Measure, Wanted
from retrieval.request import EntityKind
from retrieval.slots import Slots

_EACH = r"(?:per|each(?:\s+of\s+the)?|every|(?:for|of|in|on)\s+both)"
_IN_EACH = re.compile(
    rf"\b{_EACH}[-\s]+(?:single\s+)?(?:(?P<time>hour|day|week|month)|(?P<noun>{OWNER_NOUN}))\b"
)
_ALL_PARTS = re.compile(
    r"\b(?:all|each|every|both)(?:\s+of)?(?:\s+(?:the|its|their|four|two|4|2))*\s+"
    r"(?:gpus?|(?:cpu\s+)?sockets?|cpus?|psus?|power\s+suppl(?:y|ies)|fans?|dimms?|cores?|pumps?)\b"
)
_BOTH = re.compile(r"\bboth\b")
_TOGETHER = re.compile(r"\b(?:in\s+total|in\s+all|altogether|together|(?:added|summed)\s+up)\b")
_EXTREME = rf"(?:{HIGH}|{LOW}|peak|max(?:imum)?|min(?:imum)?)"
_EXTREME_OWNER = re.compile(
    rf"\b{_EXTREME}\s+(?:(?:(?:and|or)\s+{_EXTREME}|(?!of\b|in\b|on\b|for\b|at\b|over\b|across\b"
    rf"|any\b|a\b|each\b|per\b|and\b)[a-z]+)\s+){{0,3}}(?:node|rack)s?"
    r"(?=\s*(?:$|[?.,;!]|(?:on|in|at|from|during|for|of|since|yesterday|today|last|this|now|right"
    r"|between)\b))"
)
_WHERE = re.compile(r"\bwhere\b(?=\s*(?:$|[?.,;!]|was\b|is\b|did\b|were\b))")
_SUMMARY = r"(?:averages?|means?|medians?|max(?:ima|imums?)?|min(?:ima|imums?)?|peaks?|sums?)"
_OF_MEASURES = re.compile(
    rf"\b(?:{_SUMMARY}|highest|lowest|standard\s+deviation|spread)\s+of\s+(?:(?:the|all|its|their"
    rf"|these|those)\s+)*(?:hourly|daily|weekly|monthly)\s+{_SUMMARY}\b"
    r"|\b(?:averages?|means?|medians?|sums?)\s+of\s+(?:(?:the|all|its|their)\s+)*"
    r"(?:max(?:ima|imums?)?|min(?:ima|imums?)?|peaks?|highest|lowest)\b"
)
_AMOUNT = re.compile(
    r"\b(?:total|how\s+many|number\s+of|sum\s+of)\s+(?:(?!node|gpu)[a-z]+\s+){0,2}?(?:bytes|packets"
    r"|[kmgt]i?b|(?:kilo|mega|giga|tera)bytes)\b(?!\s*(?:/|per\b)\s*s)"
    r"|\bhow\s+much\s+(?:data|traffic)\b"
)
_THERMAL = re.compile(rf"\b(?:{'|'.join(HEAT)})\b")
_SINGLE = frozenset({EntityKind.WEATHER, EntityKind.SYSTEM, EntityKind.METER})
"""Kinds of which one thing at most reports a quantity, so that none is picked."""


_PANELS = frozenset({EntityKind.PANEL, EntityKind.METER})
_EACH_DEVICE = re.compile(
    r"\b(?:each|every|per)\s+(?:single\s+)?(?:pump|chiller|valve|compressor|(?P<crac>cracs?|cdz"
    r"|air[- ]condition\w+)|(?P<panel>(?:rdhx\s+)?panel))\b"
)
_OF_DIFFERENCE = re.compile(
    r"\b(?:max(?:imum)?|min(?:imum)?|largest|biggest|greatest|highest|smallest|lowest|peak|median)\s+"
    r"(?:[a-z]+\s+)?(?:differences?|differentials?|deltas?)\b"
)


def lost_in_words(slots: Slots, request: ReadingsRequest) -> list[str]:
    """What the wording asks for and ``request`` does not give, in words."""
    text = slots.text.lower()
    checks = (
        (_some_of_parts(text, request), "all or both of them"),
        (_ranks_apart(text, request), "the sum over those that are ranked"),
        (_owner_is_lost(text, request), "which one it was"),
        (bool(_OF_MEASURES.search(text)) and request.outer is None, "a measure of measures"),
        (_amount_is_rate(text, request), "an amount, where only its rate is measured"),
        (request.ranking is not None and len(slots.superlatives) > 1, "a second ranking"),
        (_heat_of_another(text, slots, request), "hottest or coolest"),
        (_each_is_lost(text, request), "each of them"),
        (_is_of_difference(text, request), "the extreme of a difference"),
        (_share_of_racks(request), "the share of the racks"),
        (_is_no_part(request), "a share of what does not contain it"),
        (_sum_is_apart(text, slots, request), "the sum over them"),
    )
    return [words for failed, words in checks if failed]


def _each_is_lost(text: str, request: ReadingsRequest) -> bool:
    """Whether each device is to be told apart, and one value would be given for all of them."""
    match = _EACH_DEVICE.search(text)
    if match is None or request.wanted is not Wanted.MEASURES:
        return False
    apart = Group.INDEX in request.groups
    kinds = {owners.kind for owners in request.owners} if Group.OWNER in request.groups else set()
    named = {EntityKind.CRAC} if match["crac"] else _PANELS if match["panel"] else set()
    return not (apart or kinds & named)


def _is_of_difference(text: str, request: ReadingsRequest) -> bool:
    """Whether the largest difference is wanted, and that of the largest values would be given."""
    return request.difference and request.ranking is None and bool(_OF_DIFFERENCE.search(text))


def ranks_in_each(slots: Slots, request: ReadingsRequest | JobsRequest) -> bool:
    """Whether the first of each hour, rack or the like are wanted, and one list would be given."""
    if request.ranking is None or request.ranking.limit is None or len(request.groups) < 2:
        return False
    ranked = _ranked_group(slots)
    return any(
        group is not ranked and group in request.groups
        for match in _IN_EACH.finditer(slots.text.lower())
        if (group := _group_named(match)) is not None
    )


def _group_named(match: "re.Match[str]") -> Group | None:
    if match["time"]:
        return TIME_NOUNS[match["time"]]
    kind = kind_of_noun(match["noun"])
    return group_by(kind) if kind is not None else None


def _ranked_group(slots: Slots) -> Group | None:
    """By what the things are told apart that a ranking puts in order."""
    noun = slots.ranked.noun if slots.ranked is not None else slots.order.noun
    noun = noun or slots.asks_owners or (slots.counted_owners[1] if slots.counted_owners else None)
    return group_by(noun) if noun is not None else None


def _some_of_parts(text: str, request: ReadingsRequest) -> bool:
    """Whether all parts of a thing are to keep a bound, where any one of them would do."""
    condition = request.condition
    if condition is None or condition.applies is Applies.ALL_SAMPLES:
        return False
    if request.wanted not in (Wanted.OWNERS, Wanted.OWNER_COUNT, Wanted.COURSE):
        return False
    if _BOTH.search(text):
        return True
    return Group.INDEX not in request.groups and bool(_ALL_PARTS.search(text))


def _ranks_apart(text: str, request: ReadingsRequest) -> bool:
    ranking = request.ranking
    several = ranking is not None and ranking.limit is not None and ranking.limit > 1
    return several and bool(_TOGETHER.search(text))


def _owner_is_lost(text: str, request: ReadingsRequest) -> bool:
    """Whether the node or rack of an extreme is asked for, and only its value would be told."""
    told = {Group.OWNER, Group.RACK, Group.INDEX} & set(request.groups)
    one = all(len(o.names) == 1 or o.kind in _SINGLE for o in request.owners)
    if told or one or request.wanted is not Wanted.MEASURES:
        return False
    return bool(_EXTREME_OWNER.search(text) or _WHERE.search(text))


def _amount_is_rate(text: str, request: ReadingsRequest) -> bool:
    rate = any(quantity.unit.endswith("/s") for quantity in request.quantities)
    return rate and bool(_AMOUNT.search(text)) and Measure.COUNT not in request.measures


def _heat_of_another(text: str, slots: Slots, request: ReadingsRequest) -> bool:
    """Whether heat ranks what has no temperature: "the coolest node", with its power alone."""
    warm = any(quantity.unit == "°C" for quantity in request.quantities)
    ranks = request.ranking is not None and bool(slots.superlatives)
    return ranks and not warm and bool(_THERMAL.search(text))


def _share_of_racks(request: ReadingsRequest) -> bool:
    """Whether racks would be counted against all nodes."""
    return request.share and Group.RACK in request.groups and not request.combined


def _is_no_part(request: ReadingsRequest) -> bool:
    """Whether a part of what nodes have is asked for, and is measured of something else."""
    if request.ratio is None or not request.ratio.percent:
        return False
    part, whole = (request.owners[number].kind for number in request.ratio.order)
    return whole is EntityKind.NODE and part is not whole


def _sum_is_apart(text: str, slots: Slots, request: ReadingsRequest) -> bool:
    """Whether one sum over several things is asked for, and each would be told by itself."""
    ranks = request.ranking is not None or bool(slots.asks_owners or slots.counted_owners)
    if Group.OWNER not in request.groups or ranks or request.wanted is not Wanted.MEASURES:
        return False
    several = any(len(owners.names) != 1 for owners in request.owners)
    if _BOTH.search(text):
        return several and slots.added_up
    apart = Group.OWNER not in slots.groups and Measure.ENERGY in request.measures
    return several and apart and bool(_TOGETHER.search(text))
