"""Every number in a reply comes from a cell, a name, a bound, a count or a time that is there.

The guard knows nothing of who wrote the text. It reads each number with the unit behind it, the
heading before it, and the things and moments named in the same clause, and looks for a cell that
has that value, in that unit or one that measures the same, in such a column and row.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from agent.number_sources import Amount, Sources, TableNumbers, given, moment_texts
from retrieval.outcome import Retrieved
from retrieval.units import UNITS, given_in, unit_named

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?(?![\w])")
_DATE = re.compile(
    r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?(?!\w)|(?<![\w:])\d\d:\d\d(?::\d\d)?(?![\w:])"
)
_CLAUSE = re.compile(r"[;\n]|\. ")
_THING = re.compile(r"\b([A-Za-z]+) ((?:[\w.:-]+, )*[\w.:-]*\d[\w.:-]*)")
_NAME_BEFORE = re.compile(r"(?:[,:;(]|\b(?:and|or|with|to)|[^\W\d]+s?)\s*$")
_COUNT_AFTER = re.compile(
    r"\s+(?:other |different |compute )?(?:nodes?|racks?|rows?|periods?|gaps?|jobs|times|samples?"
    r"|sensors|pairs|users|partitions|minutes|hours|days?|intervals|means|units|panels|checks|metrics"
    r"|plugins|things|entry|entrys|racks|groups|sizes?|qoss?|weeks?|months?|crac units|CRAC units"
    r"|cracs|CRACs|GPUs|devices?|meters?)\b"
)
_NOUN = re.compile(r"\b([^\W\d_]+)\s+(?:\d+(?:, | and | or ))*$")
_AXIS = re.compile(r"\b([xy])\s*=\s*$", re.IGNORECASE)
_TWICE = re.compile(r"(?<![\w.,])(?:\d+, )*(\d+), (?:\d+, )*?(\1)(?![\w.]\w|\w)(?=[,.;:) \n]|$)")
"""A list that names the same thing twice."""
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_WHEN = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTHS})\w*|(?:{_MONTHS})\w*\s+\d{{1,2}}\b"
    r"|\b20\d\d\b|\b\d{1,2}:\d\d(?::\d\d)?",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_COUNTED = ("", "days")
"""Rows may be days, which are a unit as well."""
_RELATIVE = 0.01
"""A rounded number is no further than this from what it stands for."""


@dataclass(frozen=True, slots=True)
class _Written:
    """A number as it stands in a text."""

    number: float
    tolerance: float
    unit: str
    whole: str
    """Its digits, where it may be a name; else empty."""


def unsupported_numbers(
    text: str,
    results: Iterable[Retrieved],
    question: str = "",
    notes: Sequence[str] = (),
    zone: ZoneInfo | None = None,
) -> tuple[str, ...]:
    """The numbers and times of ``text`` that nothing accounts for, in order.

    ``notes`` are accounted for where they stand word by word; of the ``question`` each number is.
    """
    sources = Sources(tuple(results), zone or ZoneInfo("UTC"))
    original = text
    for phrase in (*sorted(notes, key=len, reverse=True), *sources.phrases):
        text = _without(text, phrase)
    strange = [
        (match.start(), match.group())
        for match in _DATE.finditer(text)
        if match.group().replace("T", " ") not in sources.moments
    ]
    things = {name for _, name in sources.asked}
    asked = [a for a in _amounts_of(question) if f"{a.number:.0f}" not in things or a.unit]
    start = 0
    for end in [*(match.end() for match in _CLAUSE.finditer(text)), len(text)]:
        clause = text[start:end], original[start:end]
        strange += [(start + at, number) for at, number in _of_clause(*clause, sources, asked)]
        start = end
    return tuple(number for _, number in sorted(strange))


def _without(text: str, phrase: str) -> str:
    """``text`` with the digits of ``phrase`` hidden wherever it stands as a whole."""
    if not _DIGIT.search(phrase):
        return text
    whole = re.compile(rf"(?<![^\W_])(?<!\.){re.escape(phrase)}(?![^\W_]|[.,]\d)", re.IGNORECASE)
    return whole.sub(lambda match: _DIGIT.sub("_", match.group()), text)


def _of_clause(
    clause: str, original: str, sources: Sources, asked: Sequence[Amount]
) -> list[tuple[int, str]]:
    """What is strange in ``clause``, whose ``original`` has no digits hidden."""
    bare = _DATE.sub(lambda match: "_" * len(match.group()), clause)
    strange = [(match.start(2), match.group(2)) for match in _TWICE.finditer(bare)]
    for match in _NUMBER.finditer(bare):
        before, after = bare[: match.start()], bare[match.end() :]
        told = _written(match.group(), after, sources)
        axis = _AXIS.search(before)
        if axis is not None and (axis.group(1).lower(), told.whole) in sources.asked:
            continue
        if not told.unit and told.whole and _may_be_name(before, after):
            noun = _NOUN.search(before)
            named = sources.is_name(told.whole, _singular(noun.group(1)) if noun else "")
            if named is False:
                strange.append((match.start(), match.group()))
            if named is not None:
                continue
        heading = _heading_before(before, sources)
        if heading is None and _is_amount(told, sources, asked):
            continue
        ahead = clause[: match.start()], original[: match.start()]
        rows = [_rows_named(*ahead, table, sources.zone) for table in sources.tables]
        if not _is_cell(told, heading, sources, rows):
            strange.append((match.start(), match.group()))
    return strange


def _singular(noun: str) -> str:
    return noun.lower().removesuffix("s")


def _written(digits: str, after: str, sources: Sources) -> _Written:
    plain = digits.replace(",", "")
    number = float(plain)
    tolerance = 0.5 * 10 ** -len(plain.partition(".")[2]) * 1.000001
    if "e" in plain:
        tolerance = abs(number) * 1e-3
    units = sorted({*UNITS, *sources.units}, key=len, reverse=True)
    unit = next((u for u in units if re.match(rf"\s?{re.escape(u)}(?![\w/])", after)), "")
    return _Written(number, tolerance, unit, digits if digits.isdigit() else "")


def _close(written: _Written, number: float) -> bool:
    off = abs(written.number - number)
    return off <= 1e-9 * abs(number) or (
        off <= written.tolerance and off <= _RELATIVE * abs(number)
    )


def _may_be_name(before: str, after: str) -> bool:
    return bool(_NAME_BEFORE.search(before) or not before.strip()) and not _COUNT_AFTER.match(after)


def _is_amount(written: _Written, sources: Sources, asked: Sequence[Amount]) -> bool:
    """Whether it is a bound, a number of the question, of coverage, or a count of rows."""
    if any(_close(written, number) for number in given(sources.amounts, written.unit)):
        return True
    if any(_close(written, number) for number in given(asked, written.unit)):
        return True
    return written.unit in _COUNTED and written.number in sources.counts


def _heading_before(before: str, sources: Sources) -> str | None:
    """The heading of a column of numbers that stands right before a number."""
    lead = before.rstrip(" +(=").lower()
    headings = {n.column.heading.lower() for t in sources.tables for n in t.columns if n.pairs}
    return max((h for h in headings if _ends_with(lead, h)), key=len, default=None)


def _is_cell(
    written: _Written, mine: str | None, sources: Sources, rows: Sequence[set[int] | None]
) -> bool:
    """Whether a cell has that value, under the heading before it and in the rows of the clause."""
    for table, allowed in zip(sources.tables, rows, strict=True):
        for column in table.columns:
            if mine is not None and column.column.heading.lower() != mine:
                continue
            exact = given_in(written.number, written.unit, column.unit)
            wide = given_in(written.number + written.tolerance, written.unit, column.unit)
            if exact is None or wide is None:
                continue
            for number, row in column.near(exact, abs(wide - exact) + 1e-9 * abs(exact)):
                told = given_in(number, column.unit, written.unit)
                if told is not None and _close(written, told) and (not allowed or row in allowed):
                    return True
    return False


def _ends_with(lead: str, heading: str) -> bool:
    return lead.endswith(heading) and not lead[: -len(heading)][-1:].isalnum()


def _rows_named(clause: str, original: str, table: TableNumbers, zone: ZoneInfo) -> set[int] | None:
    """The rows of the things and moments that ``clause`` names; None where it names none."""
    found: set[int] | None = None
    named: dict[str, set[str]] = {}
    for match in _THING.finditer(original):
        names = {name.rstrip(".:,") for name in match.group(2).split(", ")}
        named.setdefault(match.group(1).lower(), set()).update(names)
    for heading, names in named.items():
        rows = table.rows_of(heading, names)
        if rows is not None:
            found = rows if found is None else found & rows
    told = {match.group().replace("T", " ") for match in _DATE.finditer(clause)}
    told = {moment for moment in told if len(moment) > len("2022-06-01")}
    if told:
        rows = {
            row
            for moment, where in table.moments.items()
            if told & set(moment_texts(moment, zone))
            for row in where
        }
        if rows:
            found = rows if found is None else found & rows
    return found


def _amounts_of(question: str) -> list[Amount]:
    """The numbers of a question with their units, without those of dates and times of day."""
    bare = _WHEN.sub(" ", question)
    found = []
    for match in _NUMBER.finditer(bare):
        words = re.match(r"\s*([^\W\d]+(?:/[a-z]+)?|%|°C)", bare[match.end() :])
        unit = unit_named(words.group(1)) if words else None
        number = float(match.group().replace(",", ""))
        found.append(Amount(number, unit or ""))
    return found
