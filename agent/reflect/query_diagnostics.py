"""What of a request a query does not give, as far as rules can tell: no model is asked."""

from collections.abc import Iterator

from agent.reflect.grounded import Grounded
from agent.reflect.query_prompts import request_of
from ontology import shape
from ontology.conformance import CheckedQuery
from retrieval.measures import Group, Measure
from retrieval.query_text import Role
from retrieval.written_columns import meanings
from retrieval.written_measures import Meaning

_HEADINGS = {
    Group.OWNER: ("node", "device", "panel", "partition", "rack"),
    Group.RACK: ("rack",),
    Group.INDEX: ("component index", "metric"),
    Group.HOUR: ("hour",),
    Group.DAY: ("day",),
    Group.WEEK: ("week",),
    Group.MONTH: ("month",),
    Group.JOB: ("job",),
    Group.USER: ("user",),
    Group.STATE: ("job state",),
    Group.PARTITION: ("partition",),
    Group.QOS: ("qos",),
    Group.NODE_COUNT: ("nodes",),
    Group.GPUS: ("GPUs",),
    Group.CORES: ("CPU cores",),
    Group.CHECK: ("check",),
}
"""What a column is headed where rows are told apart by it."""


def missing_parts(query: CheckedQuery, grounded: Grounded) -> tuple[str, ...]:
    """What ``grounded`` asks for that ``query`` does not show, each in a few words."""
    columns = [m for m in meanings(query, request_of(grounded)) if m is not None]
    return tuple(dict.fromkeys(_missing(query, grounded, columns)))


def _missing(query: CheckedQuery, grounded: Grounded, columns: list[Meaning]) -> Iterator[str]:
    given = frozenset().union(*(column.measures for column in columns))
    headings = {column.heading for column in columns}
    if grounded.wants_values and given:
        yield "the values themselves with their times: ?t ?v, and no number computed from them"
    measured = [c for c in columns if c.role is Role.VALUE and not c.measures]
    if grounded.parts and measured and Role.TIME not in {column.role for column in columns}:
        yield "the time of each value: ?t"
    for measure in grounded.measures:
        if measure not in given and measure is not Measure.LATEST:
            yield f"missing: {measure.value}"
    for group in grounded.groups:
        if not headings & set(_HEADINGS[group]):
            yield f"not grouped by {group.value}"
    select = query.shape.select
    shown = {column.variable for column in select.projection if column.expression is None}
    for key in select.group_by:
        if isinstance(key, shape.Var) and key not in shown:
            yield f"grouped by ?{key.name}, which SELECT does not show"
