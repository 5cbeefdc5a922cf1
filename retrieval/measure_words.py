"""Rules for what is computed: measures, superlatives, groupings, whether sensors are added up."""

import re

from retrieval.measures import Group, Measure
from retrieval.question_text import NUMBER, QuestionText
from retrieval.request import EntityKind

_PERCENTILES = tuple((n, f"P{n}") for n in (5, 10, 25, 75, 90, 95, 99))
_OF_ALARM = (
    r"(?!\s*-?\s*(?:supply\s+|return\s+)?(?:flow|temperature|supply|return)\b[\w\s-]{0,20}alarm)"
)
_OF_TIME = r"(?!\s+(?:hour|day|week)\b)"
_HOW_MANY = r"\b(?:how\s+many|(?:the\s+)?(?:number|count)\s+of)"
_SAMPLES = r"(?:samples|readings|measurements|data\s+points)"
COUNTED_SAMPLES = re.compile(
    rf"\b(?:{_SAMPLES}|sen[dt]|report(?:ed)?|deliver(?:ed)?|record(?:ed)?|taken|collected|stored)\b"
)
"""What is said of samples that are counted, behind the metric: "power readings did it send"."""
_MEASURES: tuple[tuple[str, Measure], ...] = (
    (
        r"\b(?:difference|swing|spread)\s+(?:between|of|from)\s+(?:the\s+|its\s+|their\s+)?"
        r"(?:max(?:imum)?|highest|min(?:imum)?|lowest|warmest|hottest|coldest|coolest)\s+"
        r"(?:and|to)\s+(?:the\s+)?"
        r"(?:max(?:imum)?|highest|min(?:imum)?|lowest|warmest|hottest|coldest|coolest)\b"
        r"|\bmax(?:imum)?\s+minus\s+min(?:imum)?\b|\bpeak[- ]to[- ]peak\b|\bswings?\b"
        r"|\b(?:range|spread)\s+of\b(?!\s+(?:the\s+)?(?:nodes|racks|jobs|gpus|times|dates|days)\b)",
        Measure.RANGE,
    ),
    (r"coefficients?\s+of\s+variation|\bcv\b", Measure.VARIATION),
    (r"standard\s+deviations?|\bstd\.?(?:\s*dev(?:iation)?)?\b|\bstdev\b", Measure.STDDEV),
    *(
        (
            rf"\b(?:the\s+)?(?:{n}(?:th|st|rd)\s+percentiles?|p{n}\b|percentiles?\s+{n}\b"
            rf"|{n}\s?%\s+quantiles?)",
            Measure[name],
        )
        for n, name in _PERCENTILES
    ),
    (r"\bmedians?\b|\bp50\b|\b50th\s+percentiles?\b", Measure.MEDIAN),
    (r"(?<!load\s)\b(?:averages?|averaged|averaging|avg|means?)\b", Measure.AVERAGE),
    (
        r"\bhow\s+(?:hot|warm|high)\s+did\b(?=[^?.]*\b(?:get|rise|go|become)\b)",
        Measure.MAXIMUM,
    ),
    (
        r"\bhow\s+(?:cold|cool|low)\s+did\b(?=[^?.]*\b(?:get|fall|go|become)\b)",
        Measure.MINIMUM,
    ),
    (rf"\b(?:max|maxima|maximum|maximums|peaks?|peaked)\b{_OF_ALARM}{_OF_TIME}", Measure.MAXIMUM),
    (rf"(?<!\d\s)(?<!\d)\b(?:min|minima|minimum|minimums)\b{_OF_ALARM}", Measure.MINIMUM),
    (
        rf"{_HOW_MANY}\s+{_SAMPLES}\b|{_HOW_MANY}(?=\s+(?:[a-z_][\w-]*\s+){{1,4}}{_SAMPLES}\b)",
        Measure.COUNT,
    ),
    (
        r"\b(?:(?:total|electrical|electric)\s+)*energy(?:\s+(?:consumption|use|usage|used))?\b"
        r"|\bin\s+[km]wh\b|\b[km]wh\b",
        Measure.ENERGY,
    ),
)
MEASURES = tuple((re.compile(pattern), measure) for pattern, measure in _MEASURES)

HIGH = (
    "highest|hottest|warmest|largest|biggest|greatest|most|busiest|fastest|worst|top|longest"
    "|heaviest|loudest|fullest|hungriest|maximal"
)
LOW = "lowest|coldest|coolest|smallest|least|slowest|shortest|fewest|idlest|minimal|bottom"
HEAT = ("hottest", "warmest", "coldest", "coolest")
"""Superlatives that tell a temperature by themselves."""
SUPERLATIVE = re.compile(rf"\b(?:(?P<high>{HIGH})|(?P<low>{LOW}))\b")
_OWNER_NOUNS: tuple[tuple[str, EntityKind], ...] = (
    (r"(?:compute[- ])?nodes?|hosts?|servers?|machines", EntityKind.NODE),
    (r"racks?|cabinets?", EntityKind.RACK),
    (
        r"cracs?(?:\s+units?)?|cdzs?|air[- ]condition(?:er|ing\s+unit)s?|cooling\s+units?",
        EntityKind.CRAC,
    ),
    (r"(?:rdhx\s+|cooling\s+|water\s+)?panels?", EntityKind.PANEL),
    (
        r"(?:slurm\s+)?partitions?|queues?(?!\s+(?:wait\w*|times?|lengths?|depths?|hours?)\b)",
        EntityKind.PARTITION,
    ),
    (r"jobs?", EntityKind.JOB),
    (r"users?", EntityKind.USER),
    (r"meters?|devices?", EntityKind.METER),
)
# "node-hours", "single-node" and "node count" name no nodes.
OWNER_NOUN = "(?:" + "|".join(pattern for pattern, _ in _OWNER_NOUNS) + r")(?![-\w]|\s+counts?\b)"
_NOUN_KINDS = tuple((re.compile(rf"(?:{pattern})\Z"), kind) for pattern, kind in _OWNER_NOUNS)

_BETWEEN_THEM = re.compile(rf"\bbetween\s+(?:the\s+|all\s+)+(?P<noun>{OWNER_NOUN})\b")
_COMPARE = re.compile(r"\bcompar(?:e|ed|ing|ison)\b")
COUNTED_OWNERS = re.compile(
    rf"\b(?:which|what)\s+(?P<n2>{NUMBER})\s+(?P<noun2>{OWNER_NOUN})"
    rf"|\b(?:the\s+)?(?P<n>{NUMBER})\s+(?P<noun>{OWNER_NOUN})"
    rf"(?=\s+(?:with|that|which|having|whose)\b)"
)

_ALONE = r"(?!\s+of\s+(?:the\s+)?(?:day|week|month|run)\b)"
"""Not "per hour of the day", which puts the same hours of all days together."""
_GROUPS: tuple[tuple[str, Group], ...] = (
    (
        rf"per[- ]hour{_ALONE}|hourly|hour\s+by\s+hour|by\s+the\s+hour{_ALONE}"
        rf"|(?:each|every|by|for\s+each|in\s+which|which|what)\s+hours?{_ALONE}(?:\s+of)?",
        Group.HOUR,
    ),
    (
        r"per[- ]day|daily|day\s+by\s+day|day-by-day|(?:on\s+|for\s+|of\s+)?(?:each|every)\s+day"
        rf"|by\s+day{_ALONE}",
        Group.DAY,
    ),
    (r"per[- ]week|weekly|week\s+by\s+week|(?:each|every|by)\s+week", Group.WEEK),
    (r"per[- ]month|monthly|month\s+by\s+month|(?:each|every|by)\s+month", Group.MONTH),
)
TIME_NOUNS = {"hour": Group.HOUR, "day": Group.DAY, "week": Group.WEEK, "month": Group.MONTH}
TIME_GROUPS = tuple((re.compile(rf"\b(?:{pattern})\b"), group) for pattern, group in _GROUPS)
_EACH = r"(?:per|by|for\s+each(?:\s+of\s+(?:the\s+)?)?|of\s+each(?:\s+of\s+the)?|for\s+every"
_EACH += r"|of\s+every|each(?:\s+of\s+the)?|every|in\s+each|on\s+each|grouped\s+by"
_EACH += r"|broken\s+down\s+by|of\s+both|for\s+both|both)"
OWNER_GROUP = re.compile(rf"\b{_EACH}\s+(?:{NUMBER}\s+)?(?:single\s+)?(?P<noun>{OWNER_NOUN})\b")
_ENDS = (
    r"(?=\s*(?:$|[,.;?!:]|(?:on|in|for|from|over|between|during|since|of|at|last|yesterday"
    r"|today)\b))"
)
_ALSO_BY = re.compile(
    rf"(?:(?<=hour)|(?<=day)|(?<=week)|(?<=month)|(?<=hourly)|(?<=daily)|(?<=weekly))\s+(?:and|by|per)\s+"
    rf"(?P<noun>{OWNER_NOUN}){_ENDS}"
)
"""The second of two groupings: "per day and rack"."""
_ALSO_GROUPS = tuple(
    (
        re.compile(
            rf"(?:(?<=rack)|(?<=node)|(?<=crac)|(?<=user)|(?<=partition)|(?<=panel))\s+and\s+"
            rf"{noun}{_ENDS}"
        ),
        group,
    )
    for noun, group in (
        ("hour", Group.HOUR),
        ("day", Group.DAY),
        ("week", Group.WEEK),
        ("month", Group.MONTH),
    )
)
_EVERY = r"(?:for\s+|of\s+|in\s+|on\s+)?(?:each|every|both)(?:\s+of(?:\s+the)?)?"
INDEX_GROUP = re.compile(
    rf"\b{_EVERY}\s+(?:{NUMBER}\s+)?"
    r"(?P<noun>gpus?|cards?|sockets?|cpus?|fans?|psus?|power\s+suppl(?:y|ies)|dimms?|cores?"
    r"|(?:cpu\s+)?sockets?|accelerators?)(?:\s+on\s+its\s+own)?\b"
    r"|\b(?:gpu|socket|fan|core|dimm)s?\s+(?:by|on)\s+(?:its|their|(?:gpu|socket|fan|core|dimm))"
    r"(?:\s+own)?\b|\b(?:each|every)\s+(?:socket|gpu|fan|core|dimm)\s+on\s+its\s+own\b"
    r"|\bindividually\b|\bseparately\b"
    r"|\bper[- ](?:gpu|socket|fan|core|dimm|psu|(?:power\s+)?supply|pump|card)\b"
    r"|\bby\s+(?:gpu|socket|fan|core|dimm)s?\b(?!\s+(?:us|ut|load|temp|power|mem))"
)
ADDED_UP = re.compile(
    r"\b(?:summed(?:\s+up)?|sum(?:med)?(?:\s+of)?|added\s+up|in\s+total|in\s+all|altogether"
    r"|aggregated?|cumulative|(?<!of\sthe\s)total(?!\s+(?:power|memory|disk|facility)))\b"
)
TOGETHER = re.compile(r"\b(?:all\s+)?(?:together|combined)\b")
AS_A_WHOLE = re.compile(
    r"\b(?:as\s+a\s+whole|\(?(?:whole|entire|full|complete)\s+(?:racks?|machine|cluster)\)?"
    r"|(?:total|overall)\s+(?:racks?|machine|cluster)(?=\s+power))\b"
)
OVER_ALL = re.compile(
    r"\b(?:over|across|of|for|in|on|from|by)?\s*(?:all|any(?!\s+\w+\s+(?:above|over|below|under"
    r"|with|that|hotter|warmer|colder|exceeding)\b)|the\s+whole|the\s+entire|the\s+full"
    r"|whole|entire)\s+(?:of\s+)?(?:the\s+)?(?:980\s+)?(?P<noun>(?:compute\s+)?nodes|machine"
    r"|system|cluster|supercomputer|m100|data\s?cent(?:re|er)|facility|racks|cracs|crac\s+units"
    r"|gpus|hosts|panels|partitions|meters|air[- ]condition(?:er|ing\s+unit)s|cooling\s+units)\b"
    r"|\b(?:of|in|for|by|at|across)\s+the\s+(?:data\s?cent(?:re|er)|facility)\b"
    r"(?!\s+(?:power|energy|load|consumption|total))"
    r"|\b(?:system|machine|cluster)[- ](?:level|wide)\b|\b(?:the\s+)?(?:whole\s+)?"
    r"(?:machine|cluster|supercomputer|m100|marconi100|system)\b"
)


def kind_of_noun(noun: str) -> EntityKind | None:
    """The kind of entity that a noun such as "compute nodes" names."""
    for pattern, kind in _NOUN_KINDS:
        if pattern.match(noun):
            return kind
    return None


def measures_in(text: QuestionText) -> tuple[Measure, ...]:
    """The measures that the question asks for, in its order; claimed."""
    found = [
        (match.start(), measure)
        for pattern, measure in MEASURES
        for match in text.take_all(pattern)
    ]
    return tuple(dict.fromkeys(measure for _, measure in sorted(found)))


def index_group_in(text: QuestionText) -> bool:
    """Whether each of a numbered family is wanted on its own ("each GPU"); claimed.

    The words may stand inside the name of a metric: "core temperature of every GPU".
    """
    text.take_all(INDEX_GROUP)
    return text.has(INDEX_GROUP)


def group_by(kind: EntityKind) -> Group:
    """The grouping that gives one row for each thing of ``kind``."""
    return {
        EntityKind.RACK: Group.RACK,
        EntityKind.JOB: Group.JOB,
        EntityKind.USER: Group.USER,
        EntityKind.PARTITION: Group.PARTITION,
    }.get(kind, Group.OWNER)


def groups_in(text: QuestionText) -> tuple[tuple[Group, ...], EntityKind | None]:
    """The groupings asked for, and the kind of owner where one is among them; claimed."""
    groups: list[Group] = []
    owner: EntityKind | None = None
    for pattern, group in TIME_GROUPS:
        if text.take_all(pattern):
            groups.append(group)
    for pattern, group in _ALSO_GROUPS:
        if groups or text.has(OWNER_GROUP):
            groups += [group for _ in text.take_all(pattern)]
    also = text.take_all(_ALSO_BY) if groups else []
    also += text.take_all(_BETWEEN_THEM) if text.has(_COMPARE) else []
    for match in [*text.take_all(OWNER_GROUP), *also]:
        owner = kind_of_noun(match["noun"]) or owner
        groups.append(group_by(owner or EntityKind.NODE))
    return tuple(dict.fromkeys(groups)), owner
