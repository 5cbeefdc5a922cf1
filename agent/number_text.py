"""Numbers, times and names of a result as they are written in a reply."""

from datetime import UTC, datetime

from retrieval.outcome import Cell

_DIGITS = 5
"""Significant digits of a number in a reply."""


def number_text(value: float) -> str:
    """``value`` with five significant digits and thousands apart: ``13,246``, ``1.3572``."""
    if value == 0:
        return "0"
    if float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value):,}"
    size = abs(value)
    whole = len(str(int(size))) if size >= 1 else 0
    if not whole:
        return f"{value:.4g}"
    decimals = max(0, _DIGITS - whole)
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def with_unit(value: float, unit: str) -> str:
    """``value`` and its unit; seconds become minutes, hours or days where that reads better."""
    if unit == "s":
        return _length_of_time(value)
    return f"{number_text(value)} {unit}".rstrip()


def moment_text(moment: datetime) -> str:
    """``moment`` in UTC."""
    utc = moment.astimezone(UTC)
    return f"{utc:%Y-%m-%d %H:%M:%S} UTC"


def cell_text(value: Cell, unit: str = "") -> str:
    """Any cell of a table, in words."""
    match value:
        case None:
            return "no value"
        case bool():
            return "yes" if value else "no"
        case datetime():
            return moment_text(value)
        case int() | float():
            return with_unit(value, unit)
        case str():
            return value


def name_text(value: Cell) -> str:
    """A cell that names a thing: an id is written as it is, a time without its clock at 00:00."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return cell_text(value).removesuffix(" 00:00:00 UTC")


def _length_of_time(seconds: float) -> str:
    if seconds < 120:
        return f"{number_text(seconds)} s"
    if seconds < 7200:
        return f"{number_text(seconds / 60)} min"
    return f"{number_text(seconds / 3600)} h"
