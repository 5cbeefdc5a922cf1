"""Units as people write them, and the factors between those that measure the same."""

import polars as pl

from retrieval.query_text import Column, Role

_DIMENSIONS: dict[str, tuple[str, float]] = {
    "W": ("W", 1.0),
    "kW": ("W", 1e3),
    "MW": ("W", 1e6),
    "kWh": ("Wh", 1e3),
    "MWh": ("Wh", 1e6),
    "Wh": ("Wh", 1.0),
    "KB": ("B", 1e3),
    "MB": ("B", 1e6),
    "GB": ("B", 1e9),
    "s": ("s", 1.0),
    "min": ("s", 60.0),
    "h": ("s", 3600.0),
    "°C": ("°C", 1.0),
    "%": ("%", 1.0),
    "RPM": ("RPM", 1.0),
    "m³/h": ("m³/h", 1.0),
    "B/s": ("B/s", 1.0),
}
_WRITTEN = {
    "°c": "°C",
    "° c": "°C",
    "celsius": "°C",
    "degrees": "°C",
    "degrees celsius": "°C",
    "watt": "W",
    "watts": "W",
    "kilowatt": "kW",
    "kilowatts": "kW",
    "megawatts": "MW",
    "percent": "%",
    "megabytes": "MB",
    "gigabytes": "GB",
    "minutes": "min",
    "hours": "h",
    "hour": "h",
    "seconds": "s",
    "m3/h": "m³/h",
    "bytes per second": "B/s",
    **{unit.lower(): unit for unit in _DIMENSIONS},
}


def unit_named(words: str) -> str | None:
    """The unit that ``words`` name: ``kW`` for "kilowatts"; None for words of no known unit."""
    return _WRITTEN.get(" ".join(words.lower().split()))


def factor(own: str, wanted: str) -> float | None:
    """What a value in ``own`` is multiplied by to be in ``wanted``; None for unlike units."""
    if own == wanted:
        return 1.0
    if own not in _DIMENSIONS or wanted not in _DIMENSIONS:
        return None
    (base, scale), (other, other_scale) = _DIMENSIONS[own], _DIMENSIONS[wanted]
    return scale / other_scale if base == other else None


def converted(
    frame: pl.DataFrame, columns: tuple[Column, ...], wanted: str
) -> tuple[pl.DataFrame, tuple[Column, ...]]:
    """The values of ``frame`` in ``wanted`` wherever that unit measures the same."""
    changed, named = [], []
    for column in columns:
        by = factor(column.unit, wanted) if column.role is Role.VALUE else None
        if by is None or by == 1.0:
            named.append(column)
            continue
        changed.append(pl.col(column.variable) * by)
        named.append(Column(column.variable, column.heading, column.role, wanted))
    return frame.with_columns(changed), tuple(named)
