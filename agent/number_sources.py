"""Where a number of a reply may come from: cells with their units, names, bounds, counts, times."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime
from functools import cached_property
from zoneinfo import ZoneInfo

from retrieval.data_request import DataRequest, ReadingsRequest
from retrieval.job_request import JobFilter
from retrieval.measures import Condition, Selected
from retrieval.outcome import Coverage, ResultTable, Retrieved
from retrieval.query_text import Column, Role
from retrieval.units import given_in
from retrieval.window_words import window_label
from retrieval.written_request import WrittenRequest

_NAMES = {
    **{"names": "", "name": "", "racks": "rack", "ids": "job", "users": "user"},
    **{"partitions": "partition", "nodes": "node", "x": "x", "y": "y"},
}
"""Fields of requests that name things, with what they name; empty for what the owner is."""
_IN_HOURS = "h"


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit, such as the bound of a question."""

    number: float
    unit: str = ""


@dataclass(frozen=True)
class Numbers:
    """The numbers of one column, in order, each with its row."""

    column: Column
    pairs: tuple[tuple[float, int], ...]

    @property
    def unit(self) -> str:
        """The unit of all of them; empty for counts and plain numbers."""
        return self.column.unit

    def near(self, number: float, tolerance: float) -> Iterator[tuple[float, int]]:
        """Those that are within ``tolerance`` of ``number``."""
        at = bisect_left(self.pairs, (number - tolerance, -1))
        while at < len(self.pairs) and self.pairs[at][0] <= number + tolerance:
            yield self.pairs[at]
            at += 1


@dataclass(frozen=True)
class TableNumbers:
    """What a table accounts for."""

    table: ResultTable

    @cached_property
    def columns(self) -> tuple[Numbers, ...]:
        """Its columns of numbers, without those that are names of things."""
        found = []
        for place, column in enumerate(self.table.columns):
            if column.role in (Role.VALUE, Role.COUNT):
                pairs = sorted(
                    (float(cell), number)
                    for number, row in enumerate(self.table.rows)
                    if isinstance(cell := row[place], int | float) and not isinstance(cell, bool)
                )
                found.append(Numbers(column, tuple(pairs)))
        return tuple(found)

    @cached_property
    def counts(self) -> frozenset[float]:
        """How many rows it has, and how many different things each key column names."""
        keys = [i for i, c in enumerate(self.table.columns) if c.role in (Role.KEY, Role.TIME)]
        # Things that are told by the first column are counted, whatever it is.
        first = [0] if self.table.columns else []
        distinct = {float(len({row[i] for row in self.table.rows})) for i in [*first, *keys]}
        return frozenset(distinct | {float(self.table.row_count)})

    @cached_property
    def names(self) -> frozenset[str]:
        """The whole numbers that are names of things: ``900`` for node 900."""
        keys = [c.role is Role.KEY for c in self.table.columns]
        return frozenset(
            name_of(cell)
            for row in self.table.rows
            for cell, key in zip(row, keys, strict=True)
            if key or isinstance(cell, str)
        )

    @cached_property
    def moments(self) -> dict[datetime, set[int]]:
        """The rows in which each moment stands."""
        found: dict[datetime, set[int]] = {}
        for number, row in enumerate(self.table.rows):
            for cell in row:
                if isinstance(cell, datetime):
                    found.setdefault(cell, set()).add(number)
        return found

    @cached_property
    def named(self) -> dict[str, dict[str, set[int]]]:
        """The rows of each name, for each heading of names."""
        found: dict[str, dict[str, set[int]]] = {}
        for place, column in enumerate(self.table.columns):
            cells = [row[place] for row in self.table.rows]
            if column.role is Role.KEY or any(isinstance(cell, str) for cell in cells):
                rows = found.setdefault(column.heading.lower(), {})
                for number, cell in enumerate(cells):
                    rows.setdefault(name_of(cell), set()).add(number)
        return found

    def rows_of(self, heading: str, names: set[str]) -> set[int] | None:
        """The rows whose cell under ``heading`` is one of ``names``; None where there is none."""
        rows = self.named.get(heading, {})
        return set().union(*(rows.get(name, set()) for name in names)) or None


def name_of(cell: object) -> str:
    """A key cell as it is written: ``12`` for 12.0."""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


@dataclass(frozen=True)
class Sources:
    """Everything that the numbers of one reply may come from."""

    results: tuple[Retrieved, ...]
    zone: ZoneInfo

    @cached_property
    def tables(self) -> tuple[TableNumbers, ...]:
        """Its tables, in the order of the results."""
        return tuple(TableNumbers(t) for r in self.results for t in r.tables)

    @cached_property
    def units(self) -> frozenset[str]:
        """The units of their columns."""
        return frozenset(n.unit for t in self.tables for n in t.columns if n.unit)

    @cached_property
    def asked(self) -> frozenset[tuple[str, str]]:
        """Things in what was asked, each with what it is: ``("node", "12")``."""
        return frozenset(thing for r in self.results for thing in _things_in(r.request))

    def is_name(self, name: str, noun: str) -> bool | None:
        """Whether there is such a thing: a node 12, where ``noun`` is "node".

        None where no name is known of the noun; then any name will do.
        """
        if (noun, name) in self.asked:
            return True
        headed = [table.named[noun] for table in self.tables if noun in table.named]
        if headed or (noun and any(noun == kind for kind, _ in self.asked)):
            return any(name in names for names in headed)
        known = any(name in table.names for table in self.tables)
        return known or any(name == other for _, other in self.asked) or None

    @cached_property
    def amounts(self) -> tuple[Amount, ...]:
        """Bounds of what was asked, and what coverage tells."""
        found = [a for r in self.results for a in _bounds(r.request)]
        return (*found, *(a for r in self.results if r.coverage for a in _told(r.coverage)))

    @cached_property
    def counts(self) -> frozenset[float]:
        """Numbers of rows, of different things, and of those that were asked about."""
        lengths = {float(len(n)) for r in self.results for n in _lists(r.request)}
        covered = {
            float(n)
            for r in self.results
            if (c := r.coverage) is not None
            for n in (c.got, c.expected, c.sensors, c.sensors_expected, _silent(c))
        }
        told = frozenset(lengths | covered).union(*(t.counts for t in self.tables))
        empty = any(not t.table.row_count for t in self.tables)
        return told if empty else told - {0.0}

    @cached_property
    def moments(self) -> frozenset[str]:
        """Each moment and day of the results and windows as text, in UTC and in the site's zone."""
        moments = {m for t in self.tables for m in t.moments}
        moments |= {m for r in self.results for w in r.windows for m in (w.start, w.end)}
        return frozenset(text for moment in moments for text in moment_texts(moment, self.zone))

    @cached_property
    def phrases(self) -> tuple[str, ...]:
        """Words with digits that are said as they are: labels, texts of cells, windows."""
        found: set[str] = set()
        for retrieved in self.results:
            found |= {window_label(window, self.zone) for window in retrieved.windows}
            found |= set(_labels(retrieved.request)) | {m.name for m in retrieved.metrics}
            for table in retrieved.tables:
                found.add(table.name)
                found |= {column.heading for column in table.columns}
                found |= {cell for row in table.rows for cell in row if isinstance(cell, str)}
        worded = {p for p in found if re.search(r"\d", p) and re.search(r"[^\d.+-]", p)}
        return tuple(sorted(worded, key=len, reverse=True))


def moment_texts(moment: datetime, zone: ZoneInfo) -> Iterator[str]:
    """``moment`` as it may be written: its day, with the clock to minutes or seconds."""
    for local in (moment.astimezone(UTC), moment.astimezone(zone)):
        yield f"{local:%Y-%m-%d}"
        yield f"{local:%Y-%m-%d %H:%M:%S}"
        yield f"{local:%H:%M:%S}"
        if not local.second:
            yield f"{local:%Y-%m-%d %H:%M}"
            yield f"{local:%H:%M}"


def given(amounts: Iterable[Amount], unit: str) -> Iterator[float]:
    """Those of ``amounts`` that can be given in ``unit``."""
    for amount in amounts:
        number = given_in(amount.number, amount.unit, unit)
        if number is not None:
            yield number


def _silent(coverage: Coverage) -> int:
    return coverage.sensors_expected - coverage.sensors


def _told(coverage: Coverage) -> Iterator[Amount]:
    yield Amount(round(coverage.share * 100), "%")
    if coverage.period is not None:
        yield Amount(coverage.period, "s")


def _walk(node: object) -> Iterator[tuple[str, object, object]]:
    """Every field below ``node``, with what it is a field of."""
    if is_dataclass(node):
        for field in fields(node):
            value = getattr(node, field.name)
            yield field.name, value, node
            for item in value if isinstance(value, tuple) else (value,):
                yield from _walk(item)
    elif isinstance(node, tuple):
        for item in node:
            yield from _walk(item)


def _things_in(request: DataRequest) -> Iterator[tuple[str, str]]:
    for field, value, owner in _walk(request):
        if field in _NAMES:
            noun = _NAMES[field] or str(getattr(owner, "kind", ""))
            for item in value if isinstance(value, tuple) else (value,):
                if isinstance(item, str | int):
                    yield noun, str(item)


def _lists(request: DataRequest) -> Iterator[Sequence[object]]:
    for name, value, _ in _walk(request):
        if name in _NAMES and isinstance(value, tuple):
            yield value


def _labels(request: DataRequest) -> Iterator[str]:
    for name, value, owner in _walk(request):
        if isinstance(value, str) and (isinstance(owner, Selected) or name == "words"):
            yield value
        if name == "checks" and isinstance(value, tuple):
            yield from (str(check) for check in value)


def _bounds(request: DataRequest) -> Iterator[Amount]:
    units = {"", _IN_HOURS}
    if isinstance(request, ReadingsRequest):
        units = {q.unit for q in request.quantities}
        units |= {request.meanwhile.quantity.unit} if request.meanwhile is not None else set()
    if isinstance(request, WrittenRequest):
        yield Amount(request.confidence)
    for name, value, _ in _walk(request):
        if name == "longer" and isinstance(value, float):
            yield Amount(value, "s")
    for condition, own in _conditions(request):
        for bound in (condition.bound, condition.upper):
            if bound is not None:
                yield from (Amount(bound, unit) for unit in ({own} if own else units))


def _conditions(request: DataRequest) -> Iterator[tuple[Condition, str | None]]:
    """Every bound with its unit, or None where it is one of the request's quantities."""
    for name, value, owner in _walk(request):
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, Condition):
                timed = isinstance(owner, JobFilter) and name.endswith("seconds")
                yield item, "s" if timed else None
            elif isinstance(item, tuple):
                yield from ((each, None) for each in item if isinstance(each, Condition))
