"""Rules for bounds: "above 28 °C", "never above 10 W", "at 0 % for the whole hour"."""

import re
from dataclasses import dataclass

from retrieval.measures import Applies, Comparison, Condition
from retrieval.question_text import NUMBER, QuestionText, Span, number_of
from retrieval.units import UNIT_WORDS

_UNIT = (
    rf"(?P<unit>{UNIT_WORDS}|errors?\b|times\b|(?:node|gpu|core)s?\b(?![-\s]*hours?\b)|jobs?\b)?"
)
ONE_UNIT = r"(?:half\s+)?an?(?=\s+(?:hour|minute|day)\b)"
"""One of a unit of time, or half of it: "more than an hour"."""
_ABOVE = (
    r"(?:went\s+|goes\s+|go\s+|gone\s+|rose\s+|was\s+|were\s+|is\s+|are\s+|been\s+|stayed\s+"
    r"|got\s+|being\s+)?(?:above|over|exceed(?:s|ed|ing)?|more\s+than|greater\s+than"
    r"|higher\s+than|larger\s+than|hotter\s+than|warmer\s+than|faster\s+than|longer\s+than"
    r"|beyond|past|>)"
)
_AT_LEAST = (
    r"(?:at\s+least|no\s+less\s+than|not\s+less\s+than|>=|≥|reach(?:ed|es|ing)?|hit(?:s|ting)?"
    r"|touch(?:ed|es|ing)?)"
)
_BELOW = (
    r"(?:went\s+|goes\s+|go\s+|gone\s+|fell\s+|was\s+|were\s+|is\s+|are\s+|been\s+|stayed\s+"
    r"|dropped\s+)?(?:below|under|beneath|less\s+than|lower\s+than|smaller\s+than|cooler\s+than"
    r"|colder\s+than|slower\s+than|fewer\s+than|shorter\s+than|<)"
)
_AT_MOST = r"(?:at\s+most|no\s+more\s+than|not\s+more\s+than|up\s+to|<=|≤)"
_EQUAL = (
    r"(?:exactly|of(?=\s+(?:0|zero)\b(?!\s*(?:to|-)))|equal\s+to|equals?|="
    r"|(?:was|were|is|are|stood|stand|stands|standing|sat|sit|sits)\s+at|at)"
)
_PART = r"(?:gpus?|cards?|cores?|fans?|psus?|power\s+suppl(?:y|ies)|sockets?|dimms?)"
_SOME_PART = re.compile(
    rf"\b(?:at\s+least\s+one|one\s+or\s+more)\s+(?:of\s+(?:its|their|the)\s+)?(?={_PART}\b"
    rf"[^?.]*?(?:\b(?:{_ABOVE}|{_BELOW}|{_AT_LEAST}|{_AT_MOST})\s*-?\d"
    r"|\bat\s+\d+(?:\.\d+)?\s*(?:%|percent|°|rpm)))"
)
"""Any part of a thing: no bound itself where one on its readings follows."""
_JOBS = re.compile(r"\bjobs?\b")
_COMPARED = re.compile(
    rf"(?P<never>\b(?:never|not|no\s+longer)\s+)?"
    rf"(?:(?<!\w)(?P<least>{_AT_LEAST})|(?<!\w)(?P<most>{_AT_MOST})|(?<!\w)(?P<above>{_ABOVE})"
    rf"|(?<!\w)(?P<below>{_BELOW}))\s*(?P<number>-?{NUMBER}|{ONE_UNIT})\s*{_UNIT}"
)
_EXACT = re.compile(rf"\b{_EQUAL}\s*(?P<number>-?(?:0|zero|\d+(?:\.\d+)?))\s*{_UNIT}(?:\s+rpm)?")
_EQUAL_SIGN = re.compile(
    rf"(?<![<>=!])(?<!\b[xy])(?<!\b[xy]\s)=\s*(?P<number>-?\d+(?:\.\d+)?)\s*{_UNIT}"
)
_WITH_PER_CENT = re.compile(
    r"\b(?:had|have|has|having|with|showed|shows|showing)\s+(?P<number>0|zero|100)\s*"
    r"(?P<unit>%|percent)"
)
"""Either end of what can be reached: "with 0 % utilisation"."""
_OR_MORE = re.compile(
    rf"\b(?:(?:of|at|with|to)\s+)?(?P<number>-?{NUMBER})\s*{_UNIT}\s*(?:or|and)\s+"
    r"(?:(?P<most>less|lower|below|fewer|under|shorter|colder|slower)"
    r"|(?P<least>more|higher|above|over|greater|longer|hotter|warmer|faster))\b"
    r"(?!\s+(?:than\s+)?-?\d)"
)
_NOT_ZERO = re.compile(
    r"\b(?:non-?\s?zero|(?:not|other\s+than|different\s+from|unequal\s+to)\s+(?:zero|0))\b"
)
_BETWEEN = re.compile(
    rf"\bbetween\s+(?P<low>-?{NUMBER})\s*(?:°\s?c|w|kw|%|rpm)?\s*(?:and|to)\s*"
    rf"(?P<number>-?{NUMBER})\s*{_UNIT}"
)
_STANDING = re.compile(
    r"\b(?:was\s+|were\s+|is\s+|are\s+|that\s+)?(?:standing\s+still|stands?\s+still|stood\s+still"
    r"|stopped(?!\s+(?:reporting|sending))|at\s+a\s+standstill|not\s+(?:spinning|turning))(?:\s*\(\s*0\s*rpm\s*\))?"
)
_IDLE_GPU = re.compile(
    r"\b(?:fully\s+|completely\s+|totally\s+)?idle\b(?:\s*\(\s*(?:at\s+)?0\s*(?:%|percent)\s*\))?"
)
_GPUS = re.compile(r"\bgpus?\b")
_NOT_GPUS = re.compile(r"\bcpus?\b|\bidle\s+gpus\b|\bhow\s+many\s+gpus\b|\bslurm\b")
"""Where "idle" is not the utilisation of GPUs: the scheduler counts idle ones by partition."""
_PER_CENT_FULL = re.compile(
    rf"\b(?:more\s+than|over|above|at\s+least)\s+(?P<number>{NUMBER})\s*(?:%|percent)\s+full\b"
)
_ON_OR_OFF = re.compile(
    r"\bwhile\s+(?:[\w'-]+\s+){1,6}?(?P<state>(?P<verb>was|were|is|are)\s+(?:(?P<off>off)|on|running))\b"
    r"(?!\s+\d)"
)
_DEVICE = (
    r"(?:compressors?|fans?|chillers?|(?:de)?humidifiers?|reheat(?:ers?|ing)?|cooling"
    r"|valves?|inverters?|alarms?|cracs?|units?)"
)
_WHEN_ON_OR_OFF = re.compile(
    r"\b(?:when|how\s+long|how\s+often|how\s+many\s+(?:minutes|hours|times))\s+"
    rf"(?:was|were|is|are)\s+(?:the\s+|its\s+|any\s+)*(?:[\w'-]+\s+){{0,4}}?{_DEVICE}\b"
    r"(?:\s+[\w'-]+){0,5}?\s+(?P<state>(?P<off>off)|on|running)\b(?!\s+\d)"
)
_ALWAYS = re.compile(
    r"\b(?:always|constantly|permanently|continuously|all\s+(?:the\s+)?time|throughout|all\s+day"
    r"|(?:for|over|during)\s+the\s+(?:whole|entire|full)\s+(?:time|period|day|hour|week|month"
    r"|interval|window))\b|\ball\s+(?:of\s+)?(?:their|its|the|four)\s+(?:four\s+)?gpus\s+at\b"
)
_STAYED = re.compile(r"\b(?:stay(?:ed|s)?|remain(?:ed|s)?|kept|never\s+(?:fell|dropped|left))\b")
DURATION_UNITS = frozenset(
    "s sec secs second seconds min mins minute minutes h hr hrs hour hours day days".split()
)
COUNT_UNITS = frozenset({"node", "nodes", "gpu", "gpus", "core", "cores", "job", "jobs"})


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound as written: its number still in the unit of the question."""

    condition: Condition
    unit: str
    span: Span


def bounds_in(text: QuestionText) -> tuple[Bound, ...]:
    """Every bound that the question sets, claimed."""
    if not text.has(_JOBS):  # a job has GPUs of its own
        text.take_all(_SOME_PART)
    found = [_compared(text, m) for p in (_OR_MORE, _COMPARED) for m in text.take_all(p)]
    for match in text.take_all(_BETWEEN):
        low, high = number_of(match["low"]), number_of(match["number"])
        if not match["unit"] and low.is_integer() and high.is_integer() and high <= 24:
            text.claims.remove(match.span())  # more likely hours of the day than values
            continue
        condition = Condition(Comparison.AT_LEAST, low, words=match.group().strip(), upper=high)
        found.append(Bound(condition, (match["unit"] or "").strip(), match.span()))
    for match in text.take_all(_NOT_ZERO):
        condition = Condition(Comparison.UNEQUAL, 0, words=match.group())
        found.append(Bound(condition, "", match.span()))
    for match in [*text.search(_EQUAL_SIGN)]:
        text.claim(match.span())
        condition = Condition(
            Comparison.EQUAL, number_of_signed(match["number"]), words=match.group().strip()
        )
        found.append(Bound(condition, (match["unit"] or "").strip(), match.span()))
    for match in [*text.search(_EXACT), *text.search(_WITH_PER_CENT)]:
        unit = (match["unit"] or "").strip()
        if unit or match["number"] in ("0", "zero"):
            text.claim(match.span())
            condition = Condition(
                Comparison.EQUAL, number_of(match["number"]), words=match.group().strip()
            )
            found.append(Bound(condition, unit, match.span()))
    found += _still(text)
    found += _switched(text)
    text.take_all(_ALWAYS)
    text.take_all(_STAYED)
    if found and (text.has(_ALWAYS) or text.has(_STAYED)):
        found = [_for_all(bound) for bound in found]
    return tuple(sorted(found, key=lambda bound: bound.span))


def _still(text: QuestionText) -> list[Bound]:
    """Bounds without a number: fans that stand still, idle GPUs."""
    found = []
    for match in text.take_all(_STANDING):
        condition = Condition(Comparison.EQUAL, 0, words=match.group().strip())
        found.append(Bound(condition, "", match.span()))
    if _GPUS.search(text.lower) and not _NOT_GPUS.search(text.lower):
        for match in text.take_all(_IDLE_GPU):
            condition = Condition(Comparison.EQUAL, 0, words=match.group().strip())
            found.append(Bound(condition, "%", match.span()))
    return found


def _switched(text: QuestionText) -> list[Bound]:
    """The bound of "while its free cooling was on", "when was the compressor off"."""
    match = _ON_OR_OFF.search(text.lower)
    if match is None or not text.is_free(match.span("verb")):  # a time may begin with "on"
        whens = _WHEN_ON_OR_OFF.finditer(text.lower)
        match = next((when for when in whens if text.is_free(when.span("state"))), None)
    if match is None:
        return []
    text.claim(match.span("state"))
    comparison = Comparison.EQUAL if match["off"] else Comparison.ABOVE
    return [Bound(Condition(comparison, 0, words=match["state"]), "", match.span("state"))]


def _compared(text: QuestionText, match: "re.Match[str]") -> Bound:
    words = match.groupdict()
    comparison = next(
        comparison
        for name, comparison in (
            ("least", Comparison.AT_LEAST),
            ("most", Comparison.AT_MOST),
            ("above", Comparison.ABOVE),
            ("below", Comparison.BELOW),
        )
        if words.get(name)
    )
    applies = Applies.SAMPLE
    if words.get("never"):
        comparison = {
            Comparison.ABOVE: Comparison.AT_MOST,
            Comparison.BELOW: Comparison.AT_LEAST,
            Comparison.AT_LEAST: Comparison.BELOW,
            Comparison.AT_MOST: Comparison.ABOVE,
        }[comparison]
        applies = Applies.ALL_SAMPLES
    condition = Condition(
        comparison, number_of_signed(match["number"]), applies, words=match.group().strip()
    )
    full = text.take(re.compile(r"\s*full\b")) if match["unit"] in ("%", "percent") else None
    span = (match.start(), full.end() if full else match.end())
    return Bound(condition, (match["unit"] or "").strip(), span)


def number_of_signed(words: str) -> float:
    """The number that ``words``, perhaps with a minus, stands for; "an", "half an" included."""
    if re.fullmatch(r"(?:half\s+)?an?", words):
        return 0.5 if words.startswith("half") else 1.0
    return -number_of(words[1:]) if words.startswith("-") else number_of(words)


def _for_all(bound: Bound) -> Bound:
    condition = bound.condition
    changed = Condition(
        condition.comparison,
        condition.bound,
        Applies.ALL_SAMPLES,
        condition.measure,
        condition.words,
        condition.upper,
    )
    return Bound(changed, bound.unit, bound.span)
