"""Every number in a reply stands in a result, in the question or in the window asked about."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime

from retrieval.outcome import Cell, Retrieved

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?(?![\w])")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?|\b\d\d:\d\d(?::\d\d)?\b")
_FACTORS = (1.0, 1 / 60, 1 / 3600, 60.0, 1000.0, 0.001, 100.0)
"""A cell may be told in another unit: seconds as minutes or hours, W as kW."""


def unsupported_numbers(
    text: str, results: Iterable[Retrieved], also: Iterable[str | float]
) -> tuple[str, ...]:
    """The numbers of ``text`` that neither a result table nor ``also`` accounts for.

    Numbers inside ``also`` texts (the question, notes of retrieval) are accounted for as well.
    """
    allowed = _allowed(results, also)
    bare = _DATE.sub(" ", text)
    missing = []
    for match in _NUMBER.finditer(bare):
        written = match.group().replace(",", "")
        if not _is_allowed(float(written), written, allowed):
            missing.append(match.group())
    return tuple(missing)


def _allowed(results: Iterable[Retrieved], also: Iterable[str | float]) -> list[float]:
    numbers: set[float] = set()
    for retrieved in results:
        for table in retrieved.tables:
            numbers.add(float(table.row_count))
            numbers.add(float(len({row[0] for row in table.rows if row})))
            for row in table.rows:
                for cell in row:
                    numbers |= _numbers_of(cell)
        if retrieved.coverage is not None:
            coverage = retrieved.coverage
            numbers |= {
                float(n)
                for n in (
                    coverage.got,
                    coverage.expected,
                    coverage.sensors,
                    coverage.sensors_expected,
                    coverage.sensors_expected - coverage.sensors,
                    round(coverage.share * 100),
                    round(coverage.share * 100, 1),
                )
            }
    for item in also:
        if isinstance(item, str):
            numbers |= {float(m.replace(",", "")) for m in _NUMBER.findall(item)}
            numbers |= {float(m) for m in re.findall(r"\d+", item)}
        else:
            numbers.add(float(item))
    return sorted(numbers)


def _numbers_of(cell: Cell) -> set[float]:
    if isinstance(cell, bool) or cell is None:
        return set()
    if isinstance(cell, int | float):
        return {float(cell)}
    if isinstance(cell, datetime):
        utc = cell.astimezone(UTC)
        return {float(utc.year), float(utc.day), float(utc.hour)}
    return {float(m) for m in re.findall(r"\d+(?:\.\d+)?", cell)}


def _is_allowed(value: float, written: str, allowed: list[float]) -> bool:
    decimals = len(written.partition(".")[2])
    tolerance = 0.51 * 10**-decimals if "e" not in written else abs(value) * 1e-3
    return any(
        abs(value - number * factor) <= tolerance for number in allowed for factor in _FACTORS
    )
