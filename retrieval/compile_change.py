"""Requests for how values change to SPARQL: one row a sensor."""

from retrieval.compile_readings import Pattern
from retrieval.measures import Course, Selected
from retrieval.query_text import Column, Role, braced, select

_STEPS = {
    Course.RISE: ("Rise", "rise"),
    Course.FALL: ("Fall", "fall"),
}


def change_query(
    course: Course, part: Pattern, quantity: Selected
) -> tuple[str, tuple[Column, ...]]:
    """The query, without prefixes, for one course of ``retrieval.measures.OF_CHANGE``."""
    if course is Course.CHANGE_POINT:
        return _change_point(part, quantity)
    names = [f"?{key.variable}" for key in part.keys]
    if course is Course.SLOPE:
        slope = "(odaf:slope(odaf:at(?v, ?t)) * 3600 AS ?slope)"
        query = select([*names, slope], part.lines, [*names, "?s"])
        unit = f"{quantity.unit}/h" if quantity.unit else "1/h"
        return query, (*part.keys, Column("slope", "rate of change", Role.VALUE, unit))
    wanted = [course] if course in _STEPS else [Course.RISE, Course.FALL]
    terms, columns = [], list(part.keys)
    for each in wanted:
        name, variable = _STEPS[each]
        terms.append(f"(odaf:largest{name}(odaf:at(?v, ?t)) AS ?{variable})")
        terms.append(f"(odaf:timeOf{name}(odaf:at(?v, ?t)) AS ?{variable}_time)")
        columns.append(Column(variable, f"largest {variable}", Role.VALUE, quantity.unit))
        columns.append(Column(f"{variable}_time", f"{variable} at", Role.TIME))
    return select([*names, *terms], part.lines, [*names, "?s"]), tuple(columns)


def _change_point(part: Pattern, quantity: Selected) -> tuple[str, tuple[Column, ...]]:
    """Where the values change most, with the means on both sides of it."""
    names = [f"?{key.variable}" for key in part.keys]
    when = "(odaf:timeOfChange(odaf:at(?v, ?t)) AS ?change)"
    inner = select(["?s", when], part.lines, ["?s"])
    before = "SUM(IF(?t < ?change, ?v, 0)) / SUM(IF(?t < ?change, 1, 0))"
    after = "SUM(IF(?t < ?change, 0, ?v)) / SUM(IF(?t < ?change, 0, 1))"
    terms = [f"({before} AS ?before)", f"({after} AS ?after)"]
    query = select(
        [*names, "?change", *terms],
        [braced(inner), "FILTER(BOUND(?change))", *part.lines],
        [*names, "?s", "?change"],
    )
    columns = (
        *part.keys,
        Column("change", "changed at", Role.TIME),
        Column("before", "mean before", Role.VALUE, quantity.unit),
        Column("after", "mean after", Role.VALUE, quantity.unit),
    )
    return query, columns
