"""Units as people write them, and how values of those that measure the same are converted."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from retrieval.query_text import Column, Role


@dataclass(frozen=True, slots=True)
class _Unit:
    """A unit by its base: a value times ``scale``, plus ``offset``, is one in the base unit."""

    base: str
    scale: float
    offset: float = 0.0


_BASES: dict[str, dict[str, float]] = {
    "W": {"mW": 1e-3, "W": 1.0, "kW": 1e3, "MW": 1e6},
    "J": {"mJ": 1e-3, "J": 1.0, "kJ": 1e3, "MJ": 1e6, "Wh": 3.6e3, "kWh": 3.6e6, "MWh": 3.6e9},
    "B": {"B": 1.0, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "MiB": 2.0**20, "GiB": 2.0**30},
    "B/s": {"B/s": 1.0, "KB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9, "Mbit/s": 1.25e5, "Gbit/s": 1.25e8},
    "s": {"µs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0, "days": 86400.0},
    "Hz": {"Hz": 1.0, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9},
    "V": {"mV": 1e-3, "V": 1.0, "kV": 1e3},
    "A": {"mA": 1e-3, "A": 1.0},
    "Pa": {"Pa": 1.0, "hPa": 100.0, "mbar": 100.0, "kPa": 1e3, "bar": 1e5},
    "m³/h": {"m³/h": 1.0, "l/min": 0.06, "l/s": 3.6},
    "m/s": {"m/s": 1.0, "km/h": 1 / 3.6, "knots": 0.514444, "mph": 0.44704},
    "%": {"%": 1.0},
    "RPM": {"RPM": 1.0},
}
_UNITS: dict[str, _Unit] = {
    "°C": _Unit("K", 1.0, 273.15),
    "K": _Unit("K", 1.0),
    "°F": _Unit("K", 5 / 9, 459.67 * 5 / 9),
    **{unit: _Unit(base, scale) for base, units in _BASES.items() for unit, scale in units.items()},
}
_SPREADS = frozenset({"stddev", "range", "difference"})
"""Columns of distances between values: an offset between two units does not touch them."""
_WRITTEN: Mapping[str, str] = {
    **{unit.lower(): unit for unit in _UNITS if unit not in ("mW", "mJ")},
    **dict.fromkeys(("° c", "c", "celsius", "degree", "degrees"), "°C"),
    **dict.fromkeys(("degrees c", "degrees celsius", "degree celsius", "deg c"), "°C"),
    **dict.fromkeys(("° f", "fahrenheit", "degrees f", "degrees fahrenheit", "deg f"), "°F"),
    **dict.fromkeys(("kelvin", "degrees kelvin"), "K"),
    **dict.fromkeys(("watt", "watts"), "W"),
    **dict.fromkeys(("kilowatt", "kilowatts"), "kW"),
    **dict.fromkeys(("megawatt", "megawatts"), "MW"),
    **dict.fromkeys(("joule", "joules"), "J"),
    **dict.fromkeys(("megajoule", "megajoules"), "MJ"),
    **dict.fromkeys(("kilowatt hours", "kilowatt-hours", "kw h"), "kWh"),
    **dict.fromkeys(("megawatt hours", "megawatt-hours"), "MWh"),
    **dict.fromkeys(("percent", "per cent"), "%"),
    **dict.fromkeys(("bytes", "byte"), "B"),
    **dict.fromkeys(("megabyte", "megabytes"), "MB"),
    **dict.fromkeys(("gigabyte", "gigabytes"), "GB"),
    "bytes/s": "B/s",
    "bytes per second": "B/s",
    "megabytes per second": "MB/s",
    "gigabytes per second": "GB/s",
    **dict.fromkeys(("mbps", "megabits per second"), "Mbit/s"),
    **dict.fromkeys(("gbps", "gigabits per second"), "Gbit/s"),
    **dict.fromkeys(("sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("mins", "minute", "minutes"), "min"),
    **dict.fromkeys(("hr", "hrs", "hour", "hours"), "h"),
    "day": "days",
    **dict.fromkeys(("volt", "volts"), "V"),
    **dict.fromkeys(("amp", "amps", "ampere", "amperes"), "A"),
    "m3/h": "m³/h",
    **dict.fromkeys(("litres per minute", "liters per minute"), "l/min"),
    **dict.fromkeys(("kmh", "kph", "kilometres per hour", "kilometers per hour"), "km/h"),
    **dict.fromkeys(("metres per second", "meters per second"), "m/s"),
    **dict.fromkeys(("knot", "kt"), "knots"),
    "miles per hour": "mph",
}


_ONE_LETTER = frozenset("w v s h c".split())
UNIT_WORDS = "|".join(
    re.escape(words).replace("\\ ", r"\s*") + r"(?![\w/])"
    for words in sorted(_WRITTEN, key=len, reverse=True)
    if len(words) > 1 or not words.isalpha() or words in _ONE_LETTER
)
"""Alternatives of a pattern for a unit in lower case; letters that are words too stay out."""


def unit_named(words: str) -> str | None:
    """The unit that ``words`` name: ``kW`` for "kilowatts"; None for words of no known unit."""
    return _WRITTEN.get(" ".join(words.lower().split()))


def measure_same(own: str, wanted: str) -> bool:
    """Whether values in ``own`` can be given in ``wanted``."""
    if own == wanted:
        return True
    return own in _UNITS and wanted in _UNITS and _UNITS[own].base == _UNITS[wanted].base


def in_unit(number: float, written: str, unit: str) -> float | None:
    """``number`` of ``written`` units in ``unit``; None where the two measure other things."""
    folded = " ".join(written.lower().split())
    if not folded or folded == unit.lower():
        return number
    if folded in ("errors", "error") and unit in ("", "1"):
        return number
    own = _WRITTEN.get(folded)
    if own is None or not measure_same(own, unit):
        return None
    scale, offset = _steps(own, unit)
    return number * scale + offset


UNITS = tuple(sorted(_UNITS, key=len, reverse=True))
"""The units that are known, the longest first."""


def given_in(number: float, own: str, wanted: str) -> float | None:
    """``number`` of the unit ``own`` in ``wanted``; None where the two measure other things."""
    if own == wanted:
        return number
    if not measure_same(own, wanted):
        return None
    scale, offset = _steps(own, wanted)
    return number * scale + offset


def converted(
    frame: pl.DataFrame, columns: tuple[Column, ...], wanted: str
) -> tuple[pl.DataFrame, tuple[Column, ...]]:
    """The values of ``frame`` in ``wanted`` wherever that unit measures the same."""
    changed, named = [], []
    for column in columns:
        same = column.role is Role.VALUE and measure_same(column.unit, wanted)
        if not same or column.unit == wanted:
            named.append(column)
            continue
        scale, offset = _steps(column.unit, wanted)
        if column.variable.rstrip("_0123456789") in _SPREADS:
            offset = 0.0
        changed.append(pl.col(column.variable) * scale + offset)
        named.append(Column(column.variable, column.heading, column.role, wanted))
    return frame.with_columns(changed), tuple(named)


def _steps(own: str, wanted: str) -> tuple[float, float]:
    """What a value in ``own`` is multiplied by, and what is then added, to be in ``wanted``."""
    if own == wanted:
        return 1.0, 0.0
    one, other = _UNITS[own], _UNITS[wanted]
    return one.scale / other.scale, (one.offset - other.offset) / other.scale
