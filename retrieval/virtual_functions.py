"""SPARQL's functions, casts and our scalar functions as Polars expressions."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import polars as pl
from rdflib.plugins.sparql.parserutils import CompValue

from ontology.vocabulary import FUNCTION, XSD
from retrieval.query_result import NUMBERS, Kind
from retrieval.sensors import time_text
from retrieval.time_buckets import floored
from retrieval.virtual_rows import Column, NotTranslatable
from retrieval.virtual_values import Typed, number, of_kind

Translate = Callable[[Any], Typed]
"""Gives the value of a part of an expression."""

_PREFIXES = {
    4: ("1y", "%Y"),
    7: ("1mo", "%Y-%m"),
    10: ("1d", "%Y-%m-%d"),
    13: ("1h", "%Y-%m-%dT%H"),
    16: ("1m", "%Y-%m-%dT%H:%M"),
}
"""Lengths at which the text of an instant can be cut, with what that rounds to."""


def _text(node: Any, value_of: Translate) -> Typed:
    value = value_of(node)
    if value.kind is Kind.NOTHING:
        return Typed(value.expr, Column(Kind.STRING, True))
    if value.kind is not Kind.STRING:
        raise NotTranslatable(f"a value of kind {value.kind} where a text is wanted")
    return replace(value, expr=value.text(), column=Column(Kind.STRING, value.column.nullable))


def _written(node: Any, value_of: Translate) -> Typed:
    value = value_of(node)
    match value.kind:
        case Kind.IRI | Kind.STRING | Kind.EPISODES | Kind.NOTHING:
            return of_kind(value.text(), Kind.STRING, value)
        case Kind.INTEGER | Kind.BOOLEAN:
            return of_kind(value.expr.cast(pl.String), Kind.STRING, value)
        case Kind.DATE_TIME if value.column.zone == "UTC":
            return of_kind(time_text(value.expr), Kind.STRING, value)
    raise NotTranslatable(f"the text of a value of kind {value.kind}")


def _substring(node: CompValue, value_of: Translate) -> Typed:
    start = _whole(value_of(node.start))
    length = _whole(value_of(node.length)) if node.length is not None else None
    if start < 1 or (length is not None and length < 0):
        raise NotTranslatable("SUBSTR from before the beginning")
    inner = node.arg
    if start == 1 and length in _PREFIXES and _is_call(inner, "Builtin_STR"):
        value = value_of(inner.arg)
        if value.kind is Kind.DATE_TIME and value.column.zone == "UTC":
            every, pattern = _PREFIXES[length]
            column = Column(Kind.STRING, value.column.nullable, pattern=pattern)
            return Typed(value.expr.dt.truncate(every), column)
    text = _text(inner, value_of)
    return of_kind(text.expr.str.slice(start - 1, length), Kind.STRING, text)


def _is_call(node: Any, name: str) -> bool:
    return isinstance(node, CompValue) and node.name == name


def _whole(value: Typed) -> int:
    if value.constant is None or value.kind is not Kind.INTEGER:
        raise NotTranslatable("SUBSTR at a place that is computed")
    return int(value.constant.value)  # type: ignore[arg-type]


def _concatenated(node: CompValue, value_of: Translate) -> Typed:
    parts = [_text(part, value_of) for part in node.arg]
    return of_kind(pl.concat_str([part.expr for part in parts]), Kind.STRING, *parts)


def _text_test(test: Callable[[pl.Expr, pl.Expr], pl.Expr]) -> Callable[..., Typed]:
    def build(node: CompValue, value_of: Translate) -> Typed:
        one, other = _text(node.arg1, value_of), _text(node.arg2, value_of)
        return of_kind(test(one.expr, other.expr), Kind.BOOLEAN, one, other)

    return build


def _regex(node: CompValue, value_of: Translate) -> Typed:
    text, pattern = _text(node.text, value_of), value_of(node.pattern)
    flags = value_of(node.flags).constant if node.flags is not None else None
    if pattern.constant is None or (node.flags is not None and flags is None):
        raise NotTranslatable("a pattern that is computed")
    letters = str(flags.value) if flags else ""
    if set(letters) - set("ims"):
        raise NotTranslatable(f"the flags {letters!r}")
    written = (f"(?{letters})" if letters else "") + str(pattern.constant.value)
    return of_kind(text.expr.str.contains(written), Kind.BOOLEAN, text)


def _calendar(part: Callable[[pl.Expr], pl.Expr]) -> Callable[..., Typed]:
    def build(node: CompValue, value_of: Translate) -> Typed:
        value = value_of(node.arg)
        if value.kind is not Kind.DATE_TIME:
            raise NotTranslatable(f"a date part of a value of kind {value.kind}")
        return of_kind(part(value.expr).cast(pl.Int64), Kind.INTEGER, value)

    return build


def _seconds(node: CompValue, value_of: Translate) -> Typed:
    value = value_of(node.arg)
    if value.kind is not Kind.DATE_TIME:
        raise NotTranslatable(f"a date part of a value of kind {value.kind}")
    seconds = value.expr.dt.second() + value.expr.dt.millisecond() / 1000
    return of_kind(seconds.cast(pl.Float64), Kind.DECIMAL, value)


def _rounding(rounded: Callable[[pl.Expr], pl.Expr]) -> Callable[..., Typed]:
    def build(node: CompValue, value_of: Translate) -> Typed:
        value = number(value_of(node.arg))
        expr = value.expr if value.kind is Kind.INTEGER else rounded(value.expr)
        return of_kind(expr, value.kind, value)

    return build


def _absolute(node: CompValue, value_of: Translate) -> Typed:
    value = number(value_of(node.arg))
    return of_kind(value.expr.abs(), value.kind, value)


def _length(node: CompValue, value_of: Translate) -> Typed:
    text = _text(node.arg, value_of)
    return of_kind(text.expr.str.len_chars().cast(pl.Int64), Kind.INTEGER, text)


def _cased(change: Callable[[pl.Expr], pl.Expr]) -> Callable[..., Typed]:
    def build(node: CompValue, value_of: Translate) -> Typed:
        text = _text(node.arg, value_of)
        return of_kind(change(text.expr), Kind.STRING, text)

    return build


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
            return _written(node, value_of)
        case (("double" | "float"), Kind.INTEGER | Kind.DECIMAL | Kind.DOUBLE | Kind.BOOLEAN):
            return of_kind(value.expr.cast(pl.Float64), Kind.DOUBLE, value)
        case "decimal", Kind.INTEGER | Kind.DECIMAL:
            return of_kind(value.expr.cast(pl.Float64), Kind.DECIMAL, value)
        case "decimal", Kind.DOUBLE:
            finite = pl.when(value.expr.is_finite()).then(value.expr)
            return of_kind(finite, Kind.DECIMAL, value, fails=True)
        case "integer", Kind.INTEGER | Kind.BOOLEAN:
            return of_kind(value.expr.cast(pl.Int64), Kind.INTEGER, value)
        case "integer", Kind.DECIMAL | Kind.DOUBLE:
            whole = value.expr.cast(pl.Int64, strict=False)
            return of_kind(whole, Kind.INTEGER, value, fails=True)
        case "integer", Kind.STRING:
            digits = value.text().str.extract(r"^([+-]?[0-9]+)$")
            whole = digits.cast(pl.Int64, strict=False)
            return of_kind(whole, Kind.INTEGER, value, fails=True)
        case (("double" | "float" | "decimal"), Kind.STRING):
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
    "Builtin_STR": lambda node, value_of: _written(node.arg, value_of),
    "Builtin_SUBSTR": _substring,
    "Builtin_CONCAT": _concatenated,
    "Builtin_STRSTARTS": _text_test(lambda a, b: a.str.starts_with(b)),
    "Builtin_STRENDS": _text_test(lambda a, b: a.str.ends_with(b)),
    "Builtin_CONTAINS": _text_test(lambda a, b: a.str.contains(b, literal=True)),
    "Builtin_REGEX": _regex,
    "Builtin_STRLEN": _length,
    "Builtin_LCASE": _cased(lambda a: a.str.to_lowercase()),
    "Builtin_UCASE": _cased(lambda a: a.str.to_uppercase()),
    "Builtin_YEAR": _calendar(lambda t: t.dt.year()),
    "Builtin_MONTH": _calendar(lambda t: t.dt.month()),
    "Builtin_DAY": _calendar(lambda t: t.dt.day()),
    "Builtin_HOURS": _calendar(lambda t: t.dt.hour()),
    "Builtin_MINUTES": _calendar(lambda t: t.dt.minute()),
    "Builtin_SECONDS": _seconds,
    "Builtin_ABS": _absolute,
    "Builtin_CEIL": _rounding(lambda x: x.ceil()),
    "Builtin_FLOOR": _rounding(lambda x: x.floor()),
    "Builtin_ROUND": _rounding(lambda x: (x + 0.5).floor()),
}
"""How each kind of call in rdflib's algebra is computed."""
