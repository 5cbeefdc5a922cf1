"""A measure over the rows of an answer: the mean energy of the jobs, of the nodes, of the days."""

import re
from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from retrieval.data_request import ReadingsRequest
from retrieval.measures import Group, Measure, Ranking, Wanted
from retrieval.query_text import Column, Role
from retrieval.slots import Slots
from retrieval.tables import Shaped

MEAN_ENERGY = re.compile(
    r"\b(?:average|mean|avg\.?|median)\s+(?:(?!and\b|power\b)\w+\s+){0,2}energy\b|\bkwh\s+on\s+average\b"
    r"|\benergy\s+(?:\w+\s+)?on\s+average\b",
    re.IGNORECASE,
)
_OUTER = (Measure.AVERAGE, Measure.MEDIAN)
_NODES = re.compile(r"\b(?:nodes|hosts|servers)\b", re.IGNORECASE)


def with_outer(slots: Slots, request: ReadingsRequest) -> ReadingsRequest:
    """``request`` for the mean of energies, where ``slots`` ask for one of several things."""
    outer = next((m for m in _OUTER if m in slots.measures), None)
    energies = request.wanted is Wanted.MEASURES and Measure.ENERGY in request.measures
    if outer is None or not energies or not MEAN_ENERGY.search(slots.text):
        return request
    if set(request.measures) != {Measure.ENERGY, outer} or request.ranking is not None:
        return request
    groups = request.groups
    if not groups:
        groups = (Group.JOB,) if request.during is not None else ()
        groups = (Group.OWNER,) if not groups and _NODES.search(slots.text) else groups
    if len(groups) != 1 or len(request.quantities) > 1 or len(request.windows) > 1:
        return request
    inner = replace(request, measures=(Measure.ENERGY,), groups=groups, combined=False)
    return replace(inner, outer=outer, ranking=Ranking(True, None))


def outer_table(table: Shaped, outer: Measure, group: Group) -> Shaped:
    """One row with ``outer`` over the values of ``table``, and how many they are."""
    value = next(c for c in table.columns if c.role is Role.VALUE)
    known = table.frame[value.variable].drop_nulls()
    number = known.median() if outer is Measure.MEDIAN else known.mean()
    frame = pl.DataFrame(
        {"outer": [number], "rows": [len(known)]}, {"outer": pl.Float64, "rows": pl.Int64}
    )
    nouns = next((c.heading for c in table.columns if c.role is not Role.VALUE), group.value)
    columns = (
        Column("outer", f"{outer.value} of the energies", Role.VALUE, value.unit),
        Column("rows", f"{nouns}s", Role.COUNT),
    )
    return Shaped(f"{outer.value} {table.name}", columns, frame)


def taken_up(request: ReadingsRequest) -> Sequence[Measure]:
    """The measure over the rows, if any, as one that the request takes up."""
    return (request.outer,) if request.outer is not None else ()
