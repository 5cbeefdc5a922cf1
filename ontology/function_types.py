"""Checks the arguments of function calls, and gives the kind of their results."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ontology import shape
from ontology.functions import (
    ANALYTIC,
    BUCKETS,
    BUILTINS,
    CASTS,
    AnalyticFunction,
    Fixed,
    ValueKind,
)
from ontology.suggestions import written
from ontology.type_space import Mask, TypeSpace
from ontology.violations import Rule, Violation

Report = Callable[[Violation], None]
Text = Callable[[shape.Expression], str]


def call_of_function(
    space: TypeSpace, call: shape.Call, masks: Sequence[Mask], report: Report, text: Text
) -> Mask:
    """What a call of a builtin, a cast or one of our functions gives.

    ``masks`` are the kinds of its arguments; ``report`` is told of those that cannot work.
    """
    if call.name in ANALYTIC:
        return _analytic(space, ANALYTIC[call.name], call, masks, report, text)
    if call.name in CASTS:
        _takes(space, call, 0, CASTS[call.name], masks, report, text)
        return space.datatypes[call.name]
    if call.name not in BUILTINS:
        message = "the checker does not know this function"
        report(Violation(Rule.UNKNOWN_FUNCTION, written(call.name), message))
        return space.any
    builtin = BUILTINS[call.name]
    for at in range(len(call.arguments)):
        if at >= len(builtin.takes) and not builtin.repeats:
            message = f"takes at most {len(builtin.takes)} arguments"
            report(Violation(Rule.FUNCTION_ARGUMENT, call.name, message))
            break
        _takes(space, call, at, builtin.takes[min(at, len(builtin.takes) - 1)], masks, report, text)
    if len(call.arguments) < (len(builtin.takes) if builtin.least is None else builtin.least):
        report(Violation(Rule.FUNCTION_ARGUMENT, call.name, "takes more arguments"))
    if builtin.result is None:
        return space.kinds[ValueKind.NUMBER]
    return space.datatypes.get(builtin.result, space.resources)


def _takes(
    space: TypeSpace,
    call: shape.Call,
    at: int,
    kinds: frozenset[ValueKind],
    masks: Sequence[Mask],
    report: Report,
    text: Text,
) -> None:
    if kinds == frozenset(ValueKind) or any(masks[at] & space.kinds[kind] for kind in kinds):
        return
    wanted = " or ".join(sorted(kinds))
    argument = text(call.arguments[at])
    message = f"takes a {wanted}; {argument} is {space.names(masks[at])}"
    hint = (f"STR({argument})",) if kinds == frozenset({ValueKind.STRING}) else ()
    rule = Rule.FUNCTION_ARGUMENT if call.name in CASTS else Rule.FILTER_DATATYPE
    report(Violation(rule, written(call.name), message, hint))


def _analytic(
    space: TypeSpace,
    function: AnalyticFunction,
    call: shape.Call,
    masks: Sequence[Mask],
    report: Report,
    text: Text,
) -> Mask:
    name = written(function.iri)
    if function.is_aggregate:
        message = "is an aggregate of one argument"
        report(Violation(Rule.FUNCTION_ARGUMENT, name, message, (function.comment,)))
    if call.distinct:
        report(Violation(Rule.FUNCTION_ARGUMENT, name, "DISTINCT is only for aggregates"))
    for wanted, argument, mask in zip(function.arguments, call.arguments, masks, strict=False):
        if isinstance(wanted, Fixed):
            report_fixed(wanted, argument, name, report, text)
        elif not mask & space.kinds[wanted]:
            message = f"takes a {wanted}; {text(argument)} is {space.names(mask)}"
            report(Violation(Rule.FUNCTION_ARGUMENT, name, message, (function.comment,)))
    return space.datatypes[function.result]


def report_fixed(
    wanted: Fixed, argument: shape.Expression, name: str, report: Report, text: Text
) -> None:
    """Check an argument that must be written out: a bucket width or a time zone."""
    written_out = argument.lexical if isinstance(argument, shape.Lit) else None
    if wanted is Fixed.BUCKET and written_out not in BUCKETS:
        message = f"{text(argument)} is no bucket width"
        report(Violation(Rule.FUNCTION_ARGUMENT, name, message, BUCKETS))
    if wanted is Fixed.TIME_ZONE and (written_out is None or not _is_zone(written_out)):
        message = f"{text(argument)} is no time zone"
        report(Violation(Rule.FUNCTION_ARGUMENT, name, message, ("UTC", "Europe/Rome")))


@lru_cache(maxsize=64)
def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True
