"""Sums over sensors at each moment, and how many of them have a sample there."""

from itertools import groupby

from retrieval.compile_readings import Pattern
from retrieval.data_request import ReadingsRequest
from retrieval.query_text import (
    HEADER,
    Column,
    Compiled,
    Role,
    braced,
    number,
    select,
    text,
)
from retrieval.scope import GraphScope

PRESENT = Column("present", "sensors with a sample", Role.COUNT)
MOMENTS = Column("moments", "moments", Role.COUNT)
TOLD_MOMENTS = "(COUNT(?t) AS ?moments)"
"""What a query over sums tells beside its columns: at how many moments there is one."""


def standing(part: Pattern) -> list[Column]:
    """The keys of ``part`` that tell groups of sensors apart: all but those of time."""
    return [key for key in part.keys if key.role is not Role.TIME]


def enough(counted: str, part: Pattern) -> list[str]:
    """The HAVING clause that keeps the sums of ``part`` that have all of their sensors."""
    if part.quorum is None:
        return []
    least = str(part.quorum.usual)
    names = [f"?{key.variable}" for key in standing(part)]
    unusual = sorted(part.quorum.others, key=lambda other: other[1])
    for sensors, groups in groupby(unusual, key=lambda other: other[1]):
        tests = [
            " && ".join(f"{name} = {_literal(cell)}" for name, cell in zip(names, key, strict=True))
            for key, _ in groups
        ]
        least = f"IF({' || '.join(f'({test})' for test in tests)}, {sensors}, {least})"
    return [f"HAVING ({counted} >= {least})"]


def _literal(cell: str | int) -> str:
    return text(cell) if isinstance(cell, str) else number(cell)


def summed(request: ReadingsRequest, part: Pattern) -> Pattern:
    """``part`` with ``?v`` the sum over its sensors at ``?t``, group by group.

    Sensors that are not sampled at the same moments are averaged over an interval first. Moments
    at which too few of them have a sample are left out.
    """
    names = [f"?{k.variable}" for k in part.keys]
    if request.aligned:
        keys = [*names, "?t"]
        terms = [*keys, "(SUM(?v) AS ?total)"]
        sums = select(terms, part.lines, keys, enough("COUNT(?v)", part))
        return Pattern((braced(sums), "BIND(?total AS ?v)"), part.keys)
    keys = [*names, "?slot"]
    body = [*part.lines, slot(request)]
    means = select([*keys, "?s", "(AVG(?v) AS ?mean)"], body, [*keys, "?s"])
    terms = [*keys, "(SUM(?mean) AS ?total)"]
    sums = select(terms, [braced(means)], keys, enough("COUNT(?mean)", part))
    return Pattern((braced(sums), "BIND(?total AS ?v)", "BIND(?slot AS ?t)"), part.keys)


def latest(request: ReadingsRequest, part: Pattern) -> Pattern:
    """``part`` with one ``?v`` at ``?t`` for each sensor, or for each sum: those of the moment."""
    names = [f"?{key.variable}" for key in part.keys]
    terms = ["(odaf:latest(odaf:at(?v, ?t)) AS ?each)", "(MAX(?t) AS ?at)"]
    body = braced(select([*names, "?s", *terms], part.lines, [*names, "?s"]))
    if not request.combined:
        return Pattern((body, "BIND(?each AS ?v)", "BIND(?at AS ?t)"), part.keys)
    terms = ["(SUM(?each) AS ?total)", "(MAX(?at) AS ?last_at)"]
    sums = braced(select([*names, *terms], [body], names))
    return Pattern((sums, "BIND(?total AS ?v)", "BIND(?last_at AS ?t)"), part.keys)


def slot(request: ReadingsRequest) -> str:
    """What binds ``?slot`` to the beginning of the averaging interval of ``?t``."""
    return f'BIND(odaf:floorTime(?t, {text(request.bucket or "PT5M")}, "UTC") AS ?slot)'


def moments_query(
    request: ReadingsRequest, part: Pattern, scope: GraphScope, by_group: bool
) -> Compiled:
    """The query that counts the moments (or intervals) by how many sensors have a sample then.

    ``by_group`` counts the hours or days of the request's own groups instead.
    """
    names = [f"?{key.variable}" for key in part.keys]
    groups = standing(part)
    outer = [*(f"?{key.variable}" for key in groups), "?present"]
    if request.aligned and not by_group:
        keys = [*names, "?t"]
        inner = select([*keys, "(COUNT(?v) AS ?present)"], part.lines, keys)
    else:
        keys = names if by_group else [*names, "?slot"]
        body = part.lines if by_group else [*part.lines, slot(request)]
        each = select([*keys, "?s", "(COUNT(?v) AS ?samples)"], body, [*keys, "?s"])
        inner = select([*keys, "(COUNT(?samples) AS ?present)"], [braced(each)], keys)
    query = select([*outer, "(COUNT(*) AS ?moments)"], [braced(inner)], outer)
    return Compiled("moments", f"{HEADER}\n{query}", scope, (*groups, PRESENT, MOMENTS))
