"""What an expression of a written query computes, as far as it is a measure that is known."""

from collections.abc import Callable
from dataclasses import dataclass

from ontology import shape
from ontology.vocabulary import FUNCTION
from retrieval.measures import Measure
from retrieval.query_text import Role

_JOULES = {"W": "3600000", "kW": "3600", "MW": "3.6", "mW": "3600000000"}
_AGGREGATES = {
    "AVG": Measure.AVERAGE,
    "MIN": Measure.MINIMUM,
    "MAX": Measure.MAXIMUM,
    "SUM": Measure.SUM,
    FUNCTION + "median": Measure.MEDIAN,
    FUNCTION + "stddev": Measure.STDDEV,
}
_OF_SAMPLES = {
    FUNCTION + "latest": ("latest", Role.VALUE),
    FUNCTION + "earliest": ("earliest", Role.VALUE),
    FUNCTION + "largestRise": ("largest rise", Role.VALUE),
    FUNCTION + "largestFall": ("largest fall", Role.VALUE),
    FUNCTION + "timeOfMax": (Measure.TIME_OF_MAXIMUM.value, Role.TIME),
    FUNCTION + "timeOfMin": (Measure.TIME_OF_MINIMUM.value, Role.TIME),
    FUNCTION + "timeOfRise": ("time of the largest rise", Role.TIME),
    FUNCTION + "timeOfFall": ("time of the largest fall", Role.TIME),
    FUNCTION + "timeOfChange": ("time of the change", Role.TIME),
}
_BUCKETS = {"PT1H": "hour", "P1D": "day", "P1W": "week", "P1M": "month"}


@dataclass(frozen=True, slots=True)
class Meaning:
    """What the values of a variable or expression are, as a reader may be told."""

    heading: str
    role: Role
    unit: str = ""
    of: str = ""
    """The quantity that it was computed from, where it was computed."""
    measures: frozenset[Measure] = frozenset()


MeaningOf = Callable[[str], Meaning | None]
"""What a variable of the query is; None where that is not known."""


def meaning_of(expression: shape.Expression, known: MeaningOf) -> Meaning | None:
    """What ``expression`` is; None where its name would be somebody's guess."""
    match expression:
        case shape.Var(name):
            return known(name)
        case shape.Aggregate():
            return _aggregate(expression, known)
        case shape.Call(name, (_, shape.Lit(bucket), _)) if name == FUNCTION + "floorTime":
            return Meaning(_BUCKETS.get(bucket, "time"), Role.TIME)
        case shape.Call("/", (shape.Aggregate() as whole, shape.Lit(divisor))):
            return _integrated(whole, divisor, known)
        case shape.Call(
            "*",
            (shape.Lit("100"), shape.Aggregate("AVG", argument))
            | (shape.Aggregate("AVG", argument), shape.Lit("100")),
        ) if argument is not None and _is_flag(argument):
            return _named(Measure.SHARE, "%")
        case shape.Call(sign, (one, other)) if sign in ("+", "-", "/"):
            return _joined(sign, meaning_of(one, known), meaning_of(other, known))
        case _:
            return None


def _aggregate(whole: shape.Aggregate, known: MeaningOf) -> Meaning | None:
    argument = whole.argument
    if whole.name == "COUNT":
        counted = known(argument.name) if isinstance(argument, shape.Var) else None
        things = f"{counted.heading}s" if counted and counted.role is Role.KEY else "samples"
        heading = f"number of {things}" if argument is not None else "number of rows"
        measures = frozenset({Measure.COUNT})
        return Meaning(heading, Role.COUNT, measures=measures)
    if whole.name in _AGGREGATES and isinstance(argument, shape.Var):
        return _over(_AGGREGATES[whole.name], known(argument.name), whole.distinct)
    match argument:
        case shape.Call(name, (shape.Var(value), shape.Lit(share))) if (
            whole.name == FUNCTION + "quantile" and name == FUNCTION + "pair"
        ):
            heading = f"{_ordinal(float(share) * 100)} percentile"
            measure = next((m for m in Measure if m.value == heading), None)
            return _taken(known(value), heading, {measure} if measure else set())
        case shape.Call(name, (shape.Var(value), shape.Var(_))) if name == FUNCTION + "at":
            heading, role = _OF_SAMPLES.get(whole.name, ("", Role.VALUE))
            of_time = {m for m in Measure if m.value == heading}
            of_time |= {Measure.LATEST} if heading == "latest" else set()
            taken = _taken(known(value), heading, of_time) if heading else None
            return Meaning(heading, role, of=taken.of) if taken and role is Role.TIME else taken
        case shape.Call(name, _) if (
            whole.name == FUNCTION + "pearson" and name == FUNCTION + "pair"
        ):
            return Meaning("Pearson r", Role.VALUE)
        case _:
            return None


def _over(measure: Measure, inner: Meaning | None, distinct: bool) -> Meaning | None:
    if inner is None or distinct or inner.role not in (Role.VALUE, Role.COUNT, Role.TIME):
        return None
    if inner.role is Role.TIME:
        words = {Measure.MINIMUM: "first", Measure.MAXIMUM: "last"}.get(measure, "")
        return Meaning(f"{words} {inner.heading}", Role.TIME, of=inner.of) if words else None
    heading = measure.value
    if inner.of and inner.heading not in (heading, "latest"):
        heading = f"{heading} of the {inner.heading}"
    measures = inner.measures | {measure}
    return Meaning(heading, Role.VALUE, inner.unit, inner.of or inner.heading, measures)


def _taken(inner: Meaning | None, heading: str, measures: set[Measure]) -> Meaning | None:
    if inner is None or inner.role is not Role.VALUE:
        return None
    of = inner.of or inner.heading
    return Meaning(heading, Role.VALUE, inner.unit, of, frozenset(measures))


def _integrated(whole: shape.Aggregate, divisor: str, known: MeaningOf) -> Meaning | None:
    """Energy in kWh, or the minutes for which something held."""
    argument = whole.argument
    if whole.name != FUNCTION + "integral" or not isinstance(argument, shape.Call):
        return None
    value = argument.arguments[0]
    if _is_flag(value) and divisor == "60":
        return _named(Measure.DURATION, "min")
    inner = known(value.name) if isinstance(value, shape.Var) else None
    if inner is None or _JOULES.get(inner.unit) != divisor:
        return None
    return Meaning("energy", Role.VALUE, "kWh", inner.heading, frozenset({Measure.ENERGY}))


def _joined(sign: str, one: Meaning | None, other: Meaning | None) -> Meaning | None:
    if one is None or other is None or Role.VALUE not in (one.role, other.role):
        return None
    if Role.KEY in (one.role, other.role) or Role.TIME in (one.role, other.role):
        return None
    measures = one.measures | other.measures
    if sign == "/":
        unit = one.unit if other.role is Role.COUNT else ""
        if one.unit != other.unit and other.role is not Role.COUNT:
            return None
        return Meaning(f"{one.heading} per {other.heading}", Role.VALUE, unit, "", measures)
    if one.unit != other.unit:
        return None
    if sign == "-" and (one.heading, other.heading) == ("maximum", "minimum"):
        return Meaning(
            Measure.RANGE.value, Role.VALUE, one.unit, one.of, measures | {Measure.RANGE}
        )
    word = "minus" if sign == "-" else "plus"
    return Meaning(f"{one.heading} {word} {other.heading}", Role.VALUE, one.unit, "", measures)


def _named(measure: Measure, unit: str) -> Meaning:
    return Meaning(measure.value, Role.VALUE, unit, measures=frozenset({measure}))


def _is_flag(expression: shape.Expression) -> bool:
    match expression:
        case shape.Call("IF", (_, shape.Lit("1"), shape.Lit("0"))):
            return True
        case _:
            return False


def _ordinal(number: float) -> str:
    whole = f"{number:g}"
    ending = {"1": "st", "2": "nd", "3": "rd"}.get(whole[-1], "th")
    return whole + ("th" if whole in ("11", "12", "13") else ending)


def bounds_in(expression: shape.Expression) -> list[shape.Lit]:
    """The literals of a known measure that somebody chose: bounds, and which percentile."""
    match expression:
        case shape.Call("IF", (condition, *_)):
            return _literals(condition)
        case shape.Call(name, (_, shape.Lit(share, datatype))) if name == FUNCTION + "pair":
            return [shape.Lit(f"{float(share) * 100:g}", datatype)]
        case shape.Call(_, arguments):
            return [one for part in arguments for one in bounds_in(part)]
        case shape.Aggregate(_, shape.Call() as argument):
            return bounds_in(argument)
        case _:
            return []


def _literals(expression: shape.Expression) -> list[shape.Lit]:
    match expression:
        case shape.Lit():
            return [expression]
        case shape.Call(_, arguments):
            return [one for part in arguments for one in _literals(part)]
        case _:
            return []
