"""The metrics of a question, with the words around them that belong to them."""

import re
from collections.abc import Sequence
from dataclasses import replace

from retrieval.gap_words import SILENCE
from retrieval.measure_words import SUPERLATIVE
from retrieval.metric_mentions import Mention, MetricReader
from retrieval.question_text import QuestionText, Span
from retrieval.request import EntityKind
from retrieval.share_words import ShareWords
from retrieval.slot_patterns import UNIT_BETWEEN

_NO_SHARE = ShareWords()
_FILLER = re.compile(
    r"\b(?:did|does|do|ever|report(?:ed|s)?|log(?:ged|s)?|show(?:ed|s)?|raised?|have|had|has|was"
    r"|were|is|are|a|an|any)\b"
)
_HOT = (
    r"(?:\d\s?(?:°|c\b)|\b(?:degrees|celsius|hott?er|hott?est|warm(?:er|est)|hot|cool(?:er|est))\b)"
)
_WATTS = r"\b(?:draw(?:s|ing)?|drew|burn(?:s|ed|ing)?|\d+(?:\.\d+)?\s?(?:k?w|watts?))\b"
_SAME_CLAUSE = r"(?:(?!\b(?:that|which|with|whose|and)\b).){0,40}?"
_EXTREME = r"(?:hottest|warmest|coldest|coolest)\s+"
_PARTS = (
    (rf"\b{_EXTREME}gpus?\b", "gpu_temperature"),
    (rf"\b{_EXTREME}(?:cpus?|cores?|cpu\s+cores?|sockets?)\b", "cpu_core_temperature"),
    (rf"\b{_EXTREME}dimms?\b", "dimm_temperature"),
    (rf"\b(?:which|what)\s+dimms?\b(?={_SAME_CLAUSE}{_HOT})", "dimm_temperature"),
    (rf"\bgpu\s+cores?\b(?={_SAME_CLAUSE}{_HOT})", "gpu_core_temperature"),
    (rf"\bgpus?\b(?={_SAME_CLAUSE}{_HOT})", "gpu_temperature"),
    (rf"\bcpu(?:\s+cores?|s)?\b(?={_SAME_CLAUSE}{_HOT})", "cpu_core_temperature"),
    (rf"\bgpus?\b(?={_SAME_CLAUSE}{_WATTS})", "gpu_power"),
    (rf"\bcpus?\b(?={_SAME_CLAUSE}{_WATTS})", "cpu_power"),
)
"""A part and the unit of its bound say what is measured: "GPUs above 80 °C"."""
_IMPLIED = (
    *((re.compile(pattern), quantity_id) for pattern, quantity_id in _PARTS),
    (
        re.compile(
            r"\b(?:draw(?:s|ing)?|drew|power-hungry|burn(?:s|ed|ing)?)\b"
            r"|\b\d+(?:\.\d+)?\s?(?:k?w|watts?)\b"
        ),
        "node_power",
    ),
    (
        re.compile(r"(?=\bgpus?\b.*\bidle\b|\bidle\s+gpus?\b)"),
        "gpu_utilisation",
    ),
    (
        re.compile(r"\b(?:how\s+hot|how\s+cold|hot|warm|cold)\b.*\boutside\b|\boutside\b"),
        "outdoor_temperature",
    ),
    (
        re.compile(r"\b(?:hottest|warmest|coldest|coolest|hotter|warmer|colder|cooler)\b"),
        "inlet_temperature",
    ),
)
_SILENT_NODES = (SILENCE, "node_power")
"""What a node that is silent does not send: power is read the most often."""
_NUMBERED = re.compile(r"[\s#]*\d")
_SENSORS = re.compile(r"\b(?:sensors|metrics|measurements)\b")
_NODES = re.compile(r"\b(?:nodes?|hosts?)\b")
_BARE_ENERGY = frozenset({"energy", "kwh", "energy consumption", "energy use", "energy usage"})
_COOLING = "cooling_power"
_ENERGY_SUBJECTS = tuple(
    (re.compile(pattern), quantity_id)
    for pattern, quantity_id in (
        (r"\b(?:the\s+)?(?:whole\s+)?cooling(?:\s+(?:system|equipment|plant))?\b", _COOLING),
        (r"\b(?:the\s+)?chillers?\b", "chiller_power"),
        (r"\b(?:the\s+|all\s+)*cracs?(?:\s+units?)?\b", "crac_power"),
        (r"\b(?:the\s+)?(?:water\s+)?pumps\b", "pump_power"),
        (r"\b(?:the\s+)?(?:auxiliary\s+)?services\b", "services_power"),
        (r"\b(?:the\s+)?it\s+(?:equipment|devices|load)\b", "it_power"),
        (
            r"\b(?:the\s+)?(?:whole\s+|entire\s+)?(?:facility|data\s?cent(?:re|er)|site)\b",
            "facility_power",
        ),
    )
)
_USED_FOR = re.compile(
    r"\b(?:is|was|are|were|has\s+been|gets?|got)\s+(?:used|spent|consumed|needed)\s+(?:for|by|on|in)\b"
)
"""What stands between a whole and its part."""
_COOLING_PARTS = re.compile(r"\b(?:cracs?|chillers?|pumps?)\b")
_LABEL_WORD = re.compile(r"[a-z]{4,}")


def mentions_in(
    text: QuestionText,
    metrics: MetricReader,
    owners: frozenset[EntityKind],
    claimed: tuple[Span, ...],
    share: ShareWords = _NO_SHARE,
) -> tuple[Mention, ...]:
    """The metrics that the question names outside the spans ``claimed``; claimed themselves.

    Where a ``share`` of a power is asked for, "the chillers" means their power.
    """
    # Verbs and articles between a thing and what is measured of it ("pump P103 reported a fault")
    # become blanks, so that the two are read as one phrase.
    masked = text.without(claimed)
    for pattern in (_FILLER, UNIT_BETWEEN):
        for match in pattern.finditer(masked.lower()):
            masked = masked[: match.start()] + " " * len(match.group()) + masked[match.end() :]
    if share.divides:
        for match in text.take_all(_USED_FOR):
            # else "power is used for cooling" would be the name of a power
            masked = masked[: match.start()] + ";".ljust(len(match.group())) + masked[match.end() :]
    found = metrics.mentions(masked, owners)
    if share.powers:
        found = _powers_of(text, metrics, share)
    found = _energy_subjects(text, metrics, found) or found
    if share.divides and len(found) == 1:
        found = (*found, *_named_alone(text, metrics))
    if not found:
        found = _implied(text, metrics, owners)
    for mention in found:
        _claim(text, mention)
        _claim_index(text, mention)
    return _with_shared_index([_with_index(text, mention) for mention in found])


def _powers_of(text: QuestionText, metrics: MetricReader, share: ShareWords) -> tuple[Mention, ...]:
    """The powers of the equipment of a ratio; none where one of them has no one power."""
    found = []
    for start, end in share.powers:
        words = f"{text.folded[start:end]} power"
        read = metrics.mentions(words, frozenset())
        if len(read) != 1 or read[0].span != (0, len(words)) or len(read[0].candidates) != 1:
            return ()
        span = (start, end)
        found.append(replace(read[0], span=span, words=text.folded[start:end], energy=share.energy))
    return tuple(found)


def _with_shared_index(found: Sequence[Mention]) -> tuple[Mention, ...]:
    """``found``, an index behind the last of them being that of all: "A and B of GPU 0"."""
    if len(found) < 2 or any(len(mention.candidates) != 1 for mention in found):
        return tuple(found)
    last = max(found, key=lambda mention: mention.span)
    others = [mention for mention in found if mention is not last]
    noun = last.candidates[0].index_noun
    if not last.indices or any(m.indices or m.candidates[0].index_noun != noun for m in others):
        return tuple(found)
    known = [{metric.index for metric in m.candidates[0].members} for m in others]
    if not all(set(last.indices) <= indices for indices in known):
        return tuple(found)
    return tuple(m if m is last else replace(m, indices=last.indices) for m in found)


def _implied(
    text: QuestionText, metrics: MetricReader, owners: frozenset[EntityKind]
) -> tuple[Mention, ...]:
    """What is measured where only its unit or an adjective says so: "drew over 1.5 kW"."""
    if owners - {EntityKind.NODE, EntityKind.RACK, EntityKind.JOB}:
        return ()
    for pattern, quantity_id in (*_IMPLIED, _SILENT_NODES):
        match = pattern.search(text.lower)
        if pattern is SILENCE and (text.has(_SENSORS) or not (owners or text.has(_NODES))):
            continue
        if match is not None:
            quantity = metrics.quantity(quantity_id)
            if pattern is not SILENCE:
                _claim_around_superlatives(text, pattern)
            words = match.group() or quantity.label
            return (Mention((0, 0), words, (quantity,), (), (), exact=False),)
    return ()


def _energy_subjects(
    text: QuestionText, metrics: MetricReader, found: Sequence[Mention]
) -> tuple[Mention, ...]:
    """What "energy" is of, where the two stand apart: "how much energy did the cooling take"."""
    if len(found) != 1 or not found[0].energy or found[0].words.lower() not in _BARE_ENERGY:
        return ()
    subjects = []
    for pattern, quantity_id in _ENERGY_SUBJECTS:
        if text.take(pattern) is None:
            continue
        subjects.append(replace(found[0], candidates=(metrics.quantity(quantity_id),)))
        if quantity_id == _COOLING:
            text.take_all(_COOLING_PARTS)
    return tuple(subjects)


def _named_alone(text: QuestionText, metrics: MetricReader) -> tuple[Mention, ...]:
    """The power of equipment that is named without the word."""
    for pattern, quantity_id in _ENERGY_SUBJECTS:
        match = text.take(pattern)
        if match is not None:
            quantity = metrics.quantity(quantity_id)
            return (Mention(match.span(), match.group(), (quantity,), (), (), exact=False),)
    return ()


def _claim_around_superlatives(text: QuestionText, pattern: "re.Pattern[str]") -> None:
    for match in list(text.search(pattern)):
        start, end = match.span()
        if _NUMBERED.match(text.lower, end):
            continue  # the rule for indices claims "GPU 2"
        for inner in SUPERLATIVE.finditer(text.lower, start, end):
            text.claim((start, inner.start()))
            start = inner.end()
        text.claim((start, end))


def _claim(text: QuestionText, mention: Mention) -> None:
    """Claim the words of ``mention`` but for a superlative that merely stands among them."""
    start, end = mention.span
    label = mention.candidates[0].label.lower() if mention.candidates else ""
    for match in SUPERLATIVE.finditer(text.lower, start, end):
        if match.group().strip() not in label:
            text.claim((start, match.start()))
            start = match.end()
    text.claim((start, end))


def claim_label(text: QuestionText, mention: Mention) -> None:
    """Claim words of a grounded quantity's name that stand apart from the mention itself."""
    if len(mention.candidates) != 1:
        return
    for word in _LABEL_WORD.findall(mention.candidates[0].label.lower()):
        text.take_all(re.compile(rf"\b{word}s?\b"))


def _claim_index(text: QuestionText, mention: Mention) -> None:
    """Claim an index that stands apart from its metric: "memory in use on GPU 1"."""
    if not mention.candidates:
        return
    for index in (*mention.indices, *mention.missing):
        noun = re.escape(mention.candidates[0].index_noun.lower()) or "#"
        text.take(re.compile(rf"\b(?:on|of|for|in)\s+(?:the\s+)?{noun}s?[-\s#]*{index}\b"))


def _with_index(text: QuestionText, mention: Mention) -> Mention:
    """``mention`` with the index that stands apart from it: "memory in use on GPU 1"."""
    if mention.indices or len(mention.candidates) != 1:
        return mention
    quantity = mention.candidates[0]
    if not quantity.index_noun:
        return mention
    noun = re.escape(quantity.index_noun.lower())
    led = r"(?:(?:on|of|for|in)\s+(?:the\s+)?)" + ("?" if mention.span == (0, 0) else "")
    match = text.take(re.compile(rf"\b{led}{noun}s?[-\s#]*(\d+)\b"))
    if match is None:
        return mention
    index = match[1]
    known = {metric.index for metric in quantity.members}
    missing = () if index in known else (index,)
    return replace(mention, indices=(index,), missing=missing)
