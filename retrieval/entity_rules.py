"""Rules that find the things a question names: nodes, racks, jobs, users, cooling units."""

import re
from dataclasses import dataclass

from retrieval.question_text import QuestionText, Span
from retrieval.request import Entity, EntityKind
from retrieval.site import Site

_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)\w*"
_ONE = r"#?(?!\d{4}-\d\d)\d+(?:\s*(?:-|to|through|until|\.\.)\s*#?\d+)?"
_BETWEEN = r"(?:,\s*(?:and\s+|&\s*)?|and\s+|&\s*|or\s+|/|\+|vs\.?\s+|versus\s+|against\s+|with\s+)"
_LIST = rf"({_ONE}(?:\s*{_BETWEEN}\s*(?:NOUN\s*)?{_ONE})*)"
_NOT_A_NUMBER_OF = (
    r"(?![\d.,]*\d|:\d|\s*(?:°|%|(?:degrees?|celsius|k?w|watts?|rpm|am|pm|h|hours?|min|minutes?"
    rf"|seconds?|days?|times|(?:st|nd|rd|th)\s+(?:of\s+)?{_MONTH}|{_MONTH})\b)"
    rf"|\s*(?:-|to|until)\s*\d{{1,2}}(?:st|nd|rd|th)?\s+{_MONTH}\b)"
)
"""What follows a number that is a value, a clock time or part of a date, and so names nothing."""


def _named(noun: str) -> "re.Pattern[str]":
    listed = _LIST.replace("NOUN", f"(?:{noun})")
    prefix = rf"\b(?:{noun})\s*(?:ids?|numbers?|nos?\.)?\s*[:=#]?\s*"
    return re.compile(prefix + listed + _NOT_A_NUMBER_OF)


_NAMED = {
    EntityKind.NODE: _named(r"(?:compute[- ])?nodes?[-_]?|hosts?|servers?"),
    EntityKind.RACK: _named(r"racks?[-_]?"),
    EntityKind.JOB: _named(r"jobs?[-_]?(?:\s+with(?=\s+(?:ids?|numbers?|nos?\.)\b))?|job_id"),
    EntityKind.USER: _named(r"users?[-_]?|user_id"),
    EntityKind.PARTITION: _named(r"(?:slurm\s+)?partitions?[-_]?"),
}
_CRAC_LIST = _LIST.replace("NOUN", "(?:crac|cdz)")
_CRAC = re.compile(rf"\b(?:cdz\s?-?|cracs?(?:\s+units?)?\s*#?){_CRAC_LIST}{_NOT_A_NUMBER_OF}")
_CDZ = re.compile(r"\b(?:crac(?:\s+unit)?\s+)?cdz-?(\d+)\b")
_PANEL = re.compile(
    r"\b(?:(?:rdhx|cooling|schneider|water|hydraulic)\s+)*(?:panels?\s+)?(q\s?\d{3})\b(?:\s+panel)?"
)
_RANGES = {
    kind: re.compile(
        rf"\b(?:{noun})\s*[-_#]?(\d+)\s+(?:to|through|until)\s+(?:{noun})\s*[-_#]?(\d+)\b"
    )
    for kind, noun in (
        (EntityKind.NODE, r"nodes?|hosts?|servers?"),
        (EntityKind.RACK, r"racks?"),
        (EntityKind.CRAC, r"cdz|cracs?"),
    )
}
"""A range whose both ends have the noun: "cdz1 to cdz6"."""
_COMPARES = re.compile(r"\b(?:compar\w*|differ\w*|relative|close\w*|next|versus|vs)\b")
_HOST = re.compile(r"\b(?:(?:compute\s+)?node\s+|host\s+)?(r\d{3}n\d{2})\b")
_RACK_NAME = re.compile(r"\b(?:racks?\s+)?(r\d{3})\b(?!n)")
_ROOM = re.compile(r"\b(?:room|sala|hall)\s+([a-z])\b(?!\w)")
_RANGE = re.compile(r"#?(\d+)(?:\s*(?:-|to|through|until|\.\.)\s*#?(\d+))?")
_LONGEST_RANGE = 2000


@dataclass(frozen=True, slots=True)
class NamedEntities:
    """The things a question names, and the names that nothing has."""

    found: tuple[Entity, ...] = ()
    unknown: tuple[Entity, ...] = ()
    spans: tuple[Span, ...] = ()

    def of(self, kind: EntityKind) -> tuple[str, ...]:
        """The names found of one kind, in the order of the question."""
        return tuple(e.name for e in self.found if e.kind is kind)


def entities_in(text: QuestionText, site: Site) -> NamedEntities:
    """Every entity that the question names, claimed; each is held against the site.

    Jobs and users are not part of the site's inventory: whether they exist shows in the data.
    """
    named: list[Entity] = []
    spans: list[Span] = []
    unknown: list[Entity] = []

    def note(kind: EntityKind, names: list[str], span: Span) -> None:
        text.claim(span)
        spans.append(span)
        for name in names:
            entity = Entity(kind, name)
            known = kind in (EntityKind.JOB, EntityKind.USER) or site.exists(entity)
            target = named if known else unknown
            if entity not in target:
                target.append(entity)

    for kind, pattern in _RANGES.items() if not _COMPARES.search(text.lower) else ():
        prefix = "cdz" if kind is EntityKind.CRAC else ""
        for match in list(text.search(pattern)):
            names = _numbers(f"{match[1]}-{match[2]}")
            note(kind, [f"{prefix}{n}" for n in names], match.span())
    for match in list(text.search(_HOST)):
        node = site.node_of_host(match[1])
        if node is None:
            text.claim(match.span())
            unknown.append(Entity(EntityKind.NODE, match[1]))
        else:
            note(EntityKind.NODE, [node], match.span())
    for match in list(text.search(_RACK_NAME)):
        rack = site.rack_of_name(match[1])
        note(EntityKind.RACK, [rack if rack is not None else match[1]], match.span())
    for match in list(text.search(_CDZ)):
        note(EntityKind.CRAC, [f"cdz{match[1]}"], match.span())
    for match in list(text.search(_CRAC)):
        note(EntityKind.CRAC, [f"cdz{n}" for n in _numbers(match[1])], match.span())
    for match in list(text.search(_PANEL)):
        note(EntityKind.PANEL, [match[1].replace(" ", "").upper()], match.span())
    for kind, pattern in _NAMED.items():
        for match in list(text.search(pattern)):
            note(kind, _numbers(match[1]), match.span())
    for match in list(text.search(_ROOM)):
        note(EntityKind.ROOM, [match[1].upper()], match.span())
    return NamedEntities(tuple(named), tuple(unknown), tuple(spans))


def _numbers(words: str) -> list[str]:
    names = []
    for match in _RANGE.finditer(words):
        first, last = int(match[1]), int(match[2] or match[1])
        if not first <= last < first + _LONGEST_RANGE:
            names += [match[1], match[2] or match[1]]
            continue
        names += [str(n) for n in range(first, last + 1)]
    return list(dict.fromkeys(names))
