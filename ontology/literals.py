"""Whether literals of a query are in the lexical space of their datatype, and carry a zone."""

import re
from datetime import date
from typing import Final

from ontology import shape
from ontology.violations import Rule, Violation
from ontology.vocabulary import DATATYPES, RDF, XSD

_NUMBER: Final = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)"
_DAY: Final = r"-?\d{4,}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
_CLOCK: Final = r"(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?"
_ZONE: Final = r"(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)"
_SPACES: Final[dict[str, str]] = {
    XSD + "boolean": r"true|false|1|0",
    XSD + "integer": r"[+-]?\d+",
    XSD + "decimal": _NUMBER,
    XSD + "double": rf"{_NUMBER}(?:[eE][+-]?\d+)?|[+-]?INF|NaN",
    XSD + "float": rf"{_NUMBER}(?:[eE][+-]?\d+)?|[+-]?INF|NaN",
    XSD + "dateTime": rf"{_DAY}T{_CLOCK}{_ZONE}?",
    XSD + "date": rf"{_DAY}{_ZONE}?",
    XSD + "time": rf"{_CLOCK}{_ZONE}?",
    XSD + "duration": r"-?P(?=.)(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=.)(?:\d+H)?(?:\d+M)?"
    r"(?:\d+(?:\.\d+)?S)?)?",
    XSD + "dayTimeDuration": r"-?P(?=.)(?:\d+D)?(?:T(?=.)(?:\d+H)?(?:\d+M)?"
    r"(?:\d+(?:\.\d+)?S)?)?",
}
_INTEGERS: Final = frozenset(
    XSD + name
    for name in (
        *("int", "long", "short", "byte", "nonNegativeInteger", "positiveInteger"),
        *("unsignedInt", "unsignedLong", "unsignedShort", "nonPositiveInteger"),
    )
)
_EXACT: Final = frozenset(XSD + name for name in ("decimal", "double", "float"))


def literal_fault(literal: shape.Lit) -> Violation | None:
    """What is wrong with ``literal`` wherever it stands, or None."""
    where = literal_text(literal)
    if literal.datatype in _INTEGERS:
        message = "integers of the graph are xsd:integer"
        repaired = (f'"{literal.lexical}"^^xsd:integer',)
        return Violation(Rule.LITERAL_DATATYPE, where, message, repaired)
    if literal.datatype not in DATATYPES:
        message = f"<{literal.datatype}> is not a datatype of the graph"
        return Violation(Rule.ILL_TYPED_LITERAL, where, message)
    space = _SPACES.get(literal.datatype)
    if space is None:
        return None
    name = literal.datatype.removeprefix(XSD)
    if not re.fullmatch(space, literal.lexical) or not _is_a_day(literal):
        hint = _dated(literal.lexical) if name == "dateTime" else ()
        message = f"not written as an xsd:{name}"
        return Violation(Rule.ILL_TYPED_LITERAL, where, message, hint)
    if name == "dateTime" and not re.search(rf"{_ZONE}$", literal.lexical):
        message = "an instant needs its time zone"
        return Violation(
            Rule.NAIVE_DATETIME, where, message, (f'"{literal.lexical}Z"^^xsd:dateTime',)
        )
    return None


def pattern_fault(literal: shape.Lit) -> Violation | None:
    """What is wrong with ``literal`` as the object of a pattern, which matches exactly."""
    where = literal_text(literal)
    message = "patterns match values exactly as stored; compare in a FILTER instead"
    hint = (f"FILTER(?x = {where})",)
    kind = literal.datatype
    if kind in _EXACT or (kind == XSD + "dateTime" and not literal.lexical.endswith("Z")):
        return Violation(Rule.LITERAL_DATATYPE, where, message, hint)
    if kind == XSD + "boolean" and literal.lexical not in ("true", "false"):
        return Violation(Rule.LITERAL_DATATYPE, where, message, ("true", "false"))
    if kind == XSD + "integer" and str(int(literal.lexical)) != literal.lexical:
        return Violation(Rule.LITERAL_DATATYPE, where, message, (str(int(literal.lexical)),))
    return None


def literal_text(literal: shape.Lit) -> str:
    """The literal as it may be written in a query."""
    if literal.language is not None:
        return f'"{literal.lexical}"@{literal.language}'
    if literal.datatype in (XSD + "string", RDF + "langString"):
        return f'"{literal.lexical}"'
    if literal.datatype in (XSD + "integer", XSD + "boolean"):
        return literal.lexical
    name = literal.datatype.removeprefix(XSD)
    return f'"{literal.lexical}"^^xsd:{name}'


def _is_a_day(literal: shape.Lit) -> bool:
    if literal.datatype not in (XSD + "dateTime", XSD + "date"):
        return True
    try:
        date.fromisoformat(literal.lexical[:10])
    except ValueError:
        return False
    return True


def _dated(lexical: str) -> tuple[str, ...]:
    match = re.fullmatch(rf"({_DAY})(?:[ tT]({_CLOCK}))?\s*({_ZONE})?", lexical.strip())
    if match is None:
        return ()
    return (f'"{match[1]}T{match[2] or "00:00:00"}{match[3] or "Z"}"^^xsd:dateTime',)
