"""SPARQL's functions of numbers and instants, casts and our own as Polars expressions."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import polars as pl
from rdflib.plugins.sparql.parserutils import CompValue

from ontology.vocabulary import FUNCTION, XSD
from retrieval.query_result import NUMBERS, Kind
from retrieval.time_buckets import floored
from retrieval.virtual_rows import Column, NotTranslatable
from retrieval.virtual_texts import TEXT_FUNCTIONS, Translate, written
from retrieval.virtual_values import Typed, number, of_kind


def _zone(node: CompValue, value_of: Translate) -> Typed:
    value = _instant(node.arg, value_of)
    if value.column.zone != "UTC":
        raise NotTranslatable(f"TZ in the zone {value.column.zone}")
    written = pl.when(value.expr.is_not_null()).then(pl.lit("Z"))
    return of_kind(written, Kind.STRING, value)


def _calendar(part: Callable[[pl.Expr], pl.Expr]) -> Callable[..., Typed]:
    def build(node: CompValue, value_of: Translate) -> Typed:
        value = _instant(node.arg, value_of)
        found = of_kind(part(value.expr).cast(pl.Int64), Kind.INTEGER, value)
        return replace(found, column=replace(found.column, limit=_LATEST_YEAR))

    return build


_LATEST_YEAR = 9999


def _instant(node: Any, value_of: Translate) -> Typed:
    value = value_of(node)
    if value.kind is not Kind.DATE_TIME or value.column.has_offset:
        raise NotTranslatable(f"a date part of a value of kind {value.kind}")
    return value


def _seconds(node: CompValue, value_of: Translate) -> Typed:
    value = _instant(node.arg, value_of)
    thousandths = value.expr.dt.second().cast(pl.Int64) * 1000 + value.expr.dt.millisecond()
    found = of_kind(thousandths / 1000, Kind.DECIMAL, value)
    return replace(found, column=replace(found.column, same_term=True, exact=True))


def _rounding(
    rounded: Callable[[pl.Expr], pl.Expr], keeps_terms: bool = True
) -> Callable[..., Typed]:
    def build(node: CompValue, value_of: Translate) -> Typed:
        value = number(value_of(node.arg))
        if value.kind is Kind.INTEGER:
            return Typed(value.expr, value.column)
        _told(value)
        column = value.column
        if value.kind is Kind.DECIMAL:
            column = replace(column, whole=True)
        elif not keeps_terms:
            column = replace(column, same_term=False)
        return Typed(rounded(value.expr), column)

    return build


def _told(value: Typed) -> None:
    """Raises NotTranslatable for a decimal that may be just beside a whole number."""
    if value.kind is Kind.DECIMAL and not value.column.exact:
        raise NotTranslatable("rounding a decimal that is computed in steps")


def _absolute(node: CompValue, value_of: Translate) -> Typed:
    value = number(value_of(node.arg))
    return Typed(value.expr.abs(), value.column)


def _called(node: CompValue, value_of: Translate) -> Typed:
    name = str(node.iri)
    arguments = list(node.expr or ())
    if name.startswith(XSD) and len(arguments) == 1:
        return _cast(name.removeprefix(XSD), arguments[0], value_of)
    match name.removeprefix(FUNCTION), arguments:
        case "floorTime", [time, bucket, zone]:
            return _floored(value_of(time), value_of(bucket), value_of(zone))
        case "at", [value, time]:
            return _joined(Kind.SAMPLE, number(value_of(value)), value_of(time))
        case "marked", [mark, value, time]:
            return _marked(value_of(mark), number(value_of(value)), value_of(time))
        case "secondsBetween", [start, end]:
            return _between(value_of(start), value_of(end))
        case "pair", [one, other]:
            halves = (number(value_of(one)), number(value_of(other)))
            return _joined(Kind.NUMBER_PAIR, *halves)
        case "episodeCount", [spans]:
            return _of_spans(value_of(spans), _count_spans, Kind.INTEGER)
        case "longestEpisode", [spans]:
            return _of_spans(value_of(spans), _longest_span, Kind.DOUBLE)
        case _:
            raise NotTranslatable(f"the function {name}")


def _between(start: Typed, end: Typed) -> Typed:
    if start.kind is not Kind.DATE_TIME or end.kind is not Kind.DATE_TIME:
        raise NotTranslatable("secondsBetween of what is no instant")
    first, second = (t.expr.dt.convert_time_zone("UTC") for t in (start, end))
    seconds = (second - first).dt.total_milliseconds() / 1000
    return Typed(seconds, Column(Kind.DOUBLE, start.column.nullable or end.column.nullable))


def _joined(kind: Kind, one: Typed, other: Typed) -> Typed:
    if kind is Kind.SAMPLE and other.kind is not Kind.DATE_TIME:
        raise NotTranslatable("a sample without an instant")
    nullable = one.column.nullable or other.column.nullable
    return Typed(pl.lit(None), Column(kind, nullable), parts=(one, other))


def _marked(mark: Typed, value: Typed, time: Typed) -> Typed:
    if mark.kind is not Kind.BOOLEAN or time.kind is not Kind.DATE_TIME:
        raise NotTranslatable("a marked sample without a mark or an instant")
    parts = (value, time, mark)
    nullable = any(part.column.nullable for part in parts)
    return Typed(pl.lit(None), Column(Kind.MARKED_SAMPLE, nullable), parts=parts)


def _floored(time: Typed, bucket: Typed, zone: Typed) -> Typed:
    if time.kind is not Kind.DATE_TIME or not bucket.constant or not zone.constant:
        raise NotTranslatable("floorTime with a length or zone that is computed")
    name = str(zone.constant.value)
    start = floored(time.expr, str(bucket.constant.value), name)
    if start is None:
        raise NotTranslatable(f"floorTime with {bucket.constant.value} in {name}")
    zone_name = "UTC" if name == "Etc/UTC" else name
    start = start.dt.convert_time_zone(zone_name)
    return Typed(start, Column(Kind.DATE_TIME, time.column.nullable, zone=zone_name))


def _of_spans(spans: Typed, compute: Callable[[pl.Expr], pl.Expr], kind: Kind) -> Typed:
    if spans.kind is not Kind.EPISODES:
        raise NotTranslatable("episodes are wanted")
    return of_kind(compute(spans.expr), kind, spans)


def _count_spans(spans: pl.Expr) -> pl.Expr:
    between = spans.str.count_matches(" ", literal=True) + 1
    return pl.when(spans == "").then(0).otherwise(between).cast(pl.Int64)


def _longest_span(spans: pl.Expr) -> pl.Expr:
    ends = pl.element().str.split("/")
    first, last = (
        ends.list.get(place, null_on_oob=True).str.to_datetime(
            "%Y-%m-%dT%H:%M:%SZ", time_zone="UTC", strict=False
        )
        for place in (0, 1)
    )
    seconds = (last - first).dt.total_seconds().cast(pl.Float64)
    longest = spans.str.split(" ").list.eval(seconds).list.max()
    return pl.when(spans.is_not_null()).then(longest.fill_null(0.0))


def _cast(target: str, node: Any, value_of: Translate) -> Typed:
    value = value_of(node)
    match target, value.kind:
        case "string", _:
            return written(node, value_of)
        case "double", Kind.DOUBLE:
            return Typed(value.expr, value.column)
        case "double", Kind.INTEGER | Kind.DECIMAL | Kind.BOOLEAN:
            found = of_kind(value.expr.cast(pl.Float64), Kind.DOUBLE, value)
            same = value.kind is not Kind.DECIMAL
            return replace(found, column=replace(found.column, same_term=same))
        case "decimal", Kind.DECIMAL:
            return Typed(value.expr, value.column)
        case "decimal", Kind.INTEGER:
            found = of_kind(value.expr.cast(pl.Float64), Kind.DECIMAL, value)
            facts = replace(found.column, same_term=True, exact=True, whole=True)
            return replace(found, column=facts)
        case "decimal", Kind.DOUBLE:
            finite = pl.when(value.expr.is_finite()).then(value.expr)
            return of_kind(finite, Kind.DECIMAL, value, fails=True)
        case "integer", Kind.INTEGER | Kind.BOOLEAN:
            return of_kind(value.expr.cast(pl.Int64), Kind.INTEGER, value)
        case "integer", Kind.DECIMAL | Kind.DOUBLE:
            _told(value)
            whole = value.expr.cast(pl.Int64, strict=False)
            return of_kind(whole, Kind.INTEGER, value, fails=True)
        case "integer", Kind.STRING:
            digits = value.text().str.extract(r"^([+-]?[0-9]+)$")
            whole = digits.cast(pl.Int64, strict=False)
            return of_kind(whole, Kind.INTEGER, value, fails=True)
        case (("double" | "decimal"), Kind.STRING):
            digits = value.text().str.extract(r"^([+-]?[0-9]+(?:\.[0-9]+)?)$")
            if target == "decimal":
                return of_kind(digits.cast(pl.Float64), Kind.DECIMAL, value, fails=True)
            raise NotTranslatable("a double read from a text")
        case "boolean", kind if kind in NUMBERS:
            raise NotTranslatable("a truth value made from a number")
        case "dateTime", Kind.DATE_TIME:
            return value
        case _:
            raise NotTranslatable(f"a cast of {value.kind} to {target}")


FUNCTIONS: dict[str, Callable[[CompValue, Translate], Typed]] = {
    "Function": _called,
    **TEXT_FUNCTIONS,
    "Builtin_TZ": _zone,
    "Builtin_YEAR": _calendar(lambda t: t.dt.year()),
    "Builtin_MONTH": _calendar(lambda t: t.dt.month()),
    "Builtin_DAY": _calendar(lambda t: t.dt.day()),
    "Builtin_HOURS": _calendar(lambda t: t.dt.hour()),
    "Builtin_MINUTES": _calendar(lambda t: t.dt.minute()),
    "Builtin_SECONDS": _seconds,
    "Builtin_ABS": _absolute,
    "Builtin_CEIL": _rounding(lambda x: x.ceil(), keeps_terms=False),
    "Builtin_FLOOR": _rounding(lambda x: x.floor()),
    "Builtin_ROUND": _rounding(lambda x: (x + 0.5).floor()),
}
"""How each kind of call in rdflib's algebra is computed."""
