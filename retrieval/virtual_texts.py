"""SPARQL's functions of texts as Polars expressions."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import polars as pl
from rdflib.plugins.sparql.parserutils import CompValue

from retrieval.query_result import Kind
from retrieval.sensors import time_text
from retrieval.virtual_rows import Column, NotTranslatable
from retrieval.virtual_values import Typed, of_kind

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


def written(node: Any, value_of: Translate) -> Typed:
    """What STR gives of ``node``; raises NotTranslatable."""
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
    sought = _pattern(pattern.constant.value, letters)
    return of_kind(text.expr.str.contains(sought), Kind.BOOLEAN, text)


def _pattern(pattern: object, letters: str) -> str:
    """A pattern with its flags, as Polars writes it; raises NotTranslatable where it is none."""
    if set(letters) - set("ims"):
        raise NotTranslatable(f"the flags {letters!r}")
    written = (f"(?{letters})" if letters else "") + str(pattern)
    try:
        pl.Series([""]).str.contains(written)
    except pl.exceptions.ComputeError as error:
        raise NotTranslatable(f"the pattern {pattern!r}") from error
    return written


def _replaced(node: CompValue, value_of: Translate) -> Typed:
    text, pattern = _text(node.arg, value_of), value_of(node.pattern)
    new = value_of(node.replacement)
    flags = value_of(node.flags).constant if node.flags is not None else None
    if pattern.constant is None or new.constant is None or (node.flags is not None and not flags):
        raise NotTranslatable("a pattern that is computed")
    sought = _pattern(pattern.constant.value, str(flags.value) if flags else "")
    if pl.Series([""]).str.contains(sought)[0]:
        raise NotTranslatable("REPLACE with a pattern that matches nothing at all")
    changed = text.expr.str.replace_all(sought, str(new.constant.value))
    return of_kind(changed, Kind.STRING, text)


def _cut(after: bool) -> Callable[..., Typed]:
    """STRBEFORE or STRAFTER: an empty text where the mark does not occur."""

    def build(node: CompValue, value_of: Translate) -> Typed:
        text, mark = _text(node.arg1, value_of), value_of(node.arg2)
        if mark.constant is None or mark.constant.value == "":
            raise NotTranslatable("a text cut at a mark that is computed or empty")
        halves = text.expr.str.splitn(str(mark.constant.value), 2)
        part = halves.struct.field("field_1" if after else "field_0")
        has_mark = text.expr.str.contains(str(mark.constant.value), literal=True)
        chosen = pl.when(has_mark).then(part).when(~has_mark).then(pl.lit(""))
        return of_kind(chosen, Kind.STRING, text)

    return build


def _length(node: CompValue, value_of: Translate) -> Typed:
    text = _text(node.arg, value_of)
    return of_kind(text.expr.str.len_chars().cast(pl.Int64), Kind.INTEGER, text)


def _cased(change: Callable[[pl.Expr], pl.Expr]) -> Callable[..., Typed]:
    def build(node: CompValue, value_of: Translate) -> Typed:
        text = _text(node.arg, value_of)
        return of_kind(change(text.expr), Kind.STRING, text)

    return build


TEXT_FUNCTIONS: dict[str, Callable[[CompValue, Translate], Typed]] = {
    "Builtin_STR": lambda node, value_of: written(node.arg, value_of),
    "Builtin_SUBSTR": _substring,
    "Builtin_CONCAT": _concatenated,
    "Builtin_STRSTARTS": _text_test(lambda a, b: a.str.starts_with(b)),
    "Builtin_STRENDS": _text_test(lambda a, b: a.str.ends_with(b)),
    "Builtin_CONTAINS": _text_test(lambda a, b: a.str.contains(b, literal=True)),
    "Builtin_REGEX": _regex,
    "Builtin_REPLACE": _replaced,
    "Builtin_STRBEFORE": _cut(after=False),
    "Builtin_STRAFTER": _cut(after=True),
    "Builtin_STRLEN": _length,
    "Builtin_LCASE": _cased(lambda a: a.str.to_lowercase()),
    "Builtin_UCASE": _cased(lambda a: a.str.to_uppercase()),
}
"""How each call that makes or tests a text is computed."""
