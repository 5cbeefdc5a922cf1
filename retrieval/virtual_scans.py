"""Readings and jobs of the lake as rows of variables: one lazy scan a metric or job table."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from ontology.vocabulary import DATA, JOB, TIMESTAMP
from retrieval.lake import Lake
from retrieval.mapping import (
    JOB_KEY,
    JOB_PROPERTIES,
    NODE_IDS,
    Mapped,
    reading_classes,
    reading_properties,
)
from retrieval.query_result import Kind
from retrieval.request import Metric, TimeWindow
from retrieval.sensors import owner_tags, reading_tags
from retrieval.virtual_patterns import Star, variable
from retrieval.virtual_rows import Column, Rows
from retrieval.virtual_terms import column_of, constant
from retrieval.virtual_values import Typed, compared

_JOB_CLASSES = frozenset({JOB})


@dataclass(frozen=True, slots=True)
class _Made:
    """Tests and new columns of a star over a table."""

    tests: list[pl.Expr]
    values: dict[str, pl.Expr]
    columns: dict[str, Column]


def readings(
    lake: Lake, metric: Metric, star: Star, windows: Sequence[TimeWindow], wanted: set[str]
) -> Rows | None:
    """The readings of ``metric`` that match ``star``; None where none can.

    Hidden columns: the owner's tags with a dot before them; and where the reading itself is
    wanted, ``.time`` and the other tags.
    """
    properties = reading_properties(metric)
    if not star.classes <= reading_classes(metric):
        return None
    made = _made(star, properties, wanted, finite=metric.dtype.startswith("int"))
    if made is None:
        return None
    scan = lake.readings(metric, windows, reading_tags(metric))
    for test in made.tests:
        scan = scan.filter(test)
    hidden = [pl.col(tag).alias(f".{tag}") for tag in owner_tags(metric)]
    if variable(star.subject) in wanted or not variable(star.subject):
        hidden.append(pl.col("timestamp").alias(".time"))
        hidden += [pl.col(tag).alias(f".{tag}") for tag in reading_tags(metric)]
    values = [value.alias(name) for name, value in made.values.items()]
    # The literal keeps one row a reading where nothing else of it is wanted.
    scan = scan.with_columns(pl.lit(True).alias(".reading"))
    return Rows(
        scan.select(*hidden, *values, *([] if hidden or values else [".reading"])), made.columns
    )


def jobs(lake: Lake, star: Star, wanted: set[str]) -> Rows | None:
    """The jobs that match ``star``, one row a job and combination of nodes; None where none can."""
    if not star.classes <= _JOB_CLASSES:
        return None
    made = _made(star, dict(JOB_PROPERTIES), wanted, finite=True)
    if made is None:
        return None
    needed = {JOB_KEY, *(NODE_IDS.columns if star.nodes else ())}
    for name, _ in star.properties:
        needed |= set(JOB_PROPERTIES[name].columns)
    scan = lake.jobs(needed)
    scan = scan.filter(pl.col(JOB_KEY).is_not_null())
    iri = pl.concat_str([pl.lit(DATA + "job/"), pl.col(JOB_KEY).cast(pl.String)])
    tests, values, columns = made.tests, made.values, made.columns
    subject = variable(star.subject)
    if not subject:
        tests = [*tests, iri == str(star.subject)]
    elif subject in wanted:
        values = {**values, subject: iri}
        columns = {**columns, subject: Column(Kind.IRI)}
    for test in tests:
        scan = scan.filter(test)
    lists = [NODE_IDS.value.alias(f".nodes{n}") for n, _ in enumerate(star.nodes)]
    # The literal keeps one row a job where nothing else of it is wanted.
    scan = scan.with_columns(pl.lit(True).alias(".job")).select(
        ".job", *(value.alias(name) for name, value in values.items()), *lists
    )
    rows = Rows(scan, columns)
    for number, node in enumerate(star.nodes):
        rows = _with_node(rows, f".nodes{number}", node, wanted)
    return rows


def _with_node(rows: Rows, ids: str, node: Any, wanted: set[str]) -> Rows:
    # A node that is listed twice is one node all the same.
    frame = rows.frame.with_columns(pl.col(ids).list.unique()).explode(ids)
    frame = frame.filter(pl.col(ids).is_not_null())
    iri = pl.concat_str([pl.lit(DATA + "node/"), pl.col(ids)])
    name = variable(node)
    if not name:
        return replace(rows, frame=frame.filter(iri == str(node)).drop(ids))
    if name in rows.columns:
        return replace(rows, frame=frame.filter(iri == rows.plain(name)).drop(ids))
    if name not in wanted:
        return replace(rows, frame=frame.drop(ids))
    frame = frame.with_columns(iri.cast(pl.Categorical).alias(name)).drop(ids)
    return Rows(frame, {**rows.columns, name: Column(Kind.IRI, category=True)})


def _made(
    star: Star, properties: dict[str, Mapped], wanted: set[str], finite: bool
) -> _Made | None:
    made = _Made([], {}, {})
    present: set[str] = set()
    for name, target in star.properties:
        mapped = properties.get(name)
        if mapped is None:
            return None
        column = Column(
            mapped.kind,
            category=mapped.category,
            finite=finite and mapped.kind is Kind.DOUBLE,
            same_term=True,
        )
        if name != TIMESTAMP and name not in present:
            made.tests.append(mapped.value.is_not_null())
        present.add(name)
        variable_name = variable(target)
        if not variable_name:
            known = constant(target)
            if known.kind is not mapped.kind:
                return None
            stored = Typed(mapped.value, column)
            sought = Typed(known.literal(), column_of([known]), known)
            if known.kind is Kind.DATE_TIME and known.zone != "UTC":
                return None
            made.tests.append(compared(stored, "=", sought).expr)
        elif variable_name in made.values or variable_name in made.columns:
            if made.columns[variable_name].kind is not mapped.kind:
                return None
            before = Typed(made.values[variable_name], made.columns[variable_name])
            made.tests.append(compared(before, "=", Typed(mapped.value, column)).expr)
        elif variable_name in wanted:
            made.values[variable_name] = mapped.value
            made.columns[variable_name] = column
    return made
