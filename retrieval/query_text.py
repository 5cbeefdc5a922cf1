"""Pieces of SPARQL text, written so that nothing from a question can break out of a literal."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum

from ontology.vocabulary import PREFIXES
from retrieval.measures import Comparison, Condition
from retrieval.request import TimeWindow
from retrieval.scope import GraphScope

HEADER = "\n".join(f"PREFIX {prefix}: <{iri}>" for prefix, iri in sorted(PREFIXES.items()))

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})


class Role(StrEnum):
    """What a column of a result is to its reader."""

    KEY = "key"
    TIME = "time"
    VALUE = "value"
    COUNT = "count"


@dataclass(frozen=True, slots=True)
class Column:
    """One projected variable, and how people read it."""

    variable: str
    heading: str
    role: Role
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Compiled:
    """One query with the graph that it needs and the meaning of its columns."""

    name: str
    query: str
    scope: GraphScope
    columns: tuple[Column, ...]


def text(value: str) -> str:
    """``value`` as a string literal."""
    return f'"{value.translate(_ESCAPES)}"'


def instant(moment: datetime) -> str:
    """``moment`` as an ``xsd:dateTime`` literal in UTC."""
    utc = moment.astimezone(UTC)
    fraction = f".{utc.microsecond // 1000:03d}" if utc.microsecond else ""
    return f'"{utc:%Y-%m-%dT%H:%M:%S}{fraction}Z"^^xsd:dateTime'


def number(value: float) -> str:
    """``value`` as a number literal without exponent."""
    return str(int(value)) if value == int(value) else format(Decimal(repr(value)), "f")


def values(variable: str, items: Iterable[str]) -> str:
    """A VALUES block that binds ``?variable`` to each of the strings ``items``."""
    return f"VALUES ?{variable} {{ {' '.join(text(item) for item in items)} }}"


def within(variable: str, window: TimeWindow) -> str:
    """The filter expression for ``?variable`` lying in ``window``."""
    end = "<=" if window.includes_end else "<"
    return f"?{variable} >= {instant(window.start)} && ?{variable} {end} {instant(window.end)}"


def holds(expression: str, condition: Condition) -> str:
    """The expression that is true where ``expression`` keeps the bound of ``condition``."""
    if condition.upper is not None:
        return (
            f"({expression} >= {number(condition.bound)}"
            f" && {expression} <= {number(condition.upper)})"
        )
    return f"{expression} {condition.comparison.value} {number(condition.bound)}"


def is_lower_bound(comparison: Comparison) -> bool:
    """Whether values above the bound are the ones that keep it."""
    return comparison in (Comparison.ABOVE, Comparison.AT_LEAST)


def select(
    projection: Sequence[str],
    body: Sequence[str],
    group_by: Sequence[str] = (),
    tail: Sequence[str] = (),
    distinct: bool = False,
) -> str:
    """A SELECT without prefixes, fit to stand alone or inside another one."""
    lines = [f"SELECT {'DISTINCT ' if distinct else ''}{' '.join(projection)} WHERE {{"]
    lines += [f"  {line}" for part in body for line in part.split("\n")]
    lines.append("}")
    if group_by:
        lines.append("GROUP BY " + " ".join(group_by))
    lines.extend(tail)
    return "\n".join(lines)


def braced(query: str) -> str:
    """``query`` as a sub-select."""
    return "{\n" + "\n".join("  " + line for line in query.split("\n")) + "\n}"
