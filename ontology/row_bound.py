"""How many rows the constants of a query alone can make, before any data is looked at."""

from typing import Final

from ontology import shape
from ontology.shape_walk import groups_in
from ontology.violations import Rule, Violation

MAX_ROWS: Final = 100_000


def row_violations(query: shape.QueryShape) -> tuple[Violation, ...]:
    """One violation if lists and branches multiply to more rows than are allowed."""
    if _of_select(query.select) <= MAX_ROWS:
        return ()
    message = f"lists and branches multiply to more than {MAX_ROWS} rows"
    return (Violation(Rule.TOO_LONG, "VALUES, UNION", message),)


def _of_select(select: shape.Select) -> int:
    rows = _of_group(select.where)
    if select.values is not None:
        rows *= max(len(select.values.rows), 1)
    return rows


def _of_group(group: shape.Group) -> int:
    rows = 1
    for element in group.elements:
        match element:
            case shape.Union(branches):
                rows *= sum(_of_group(branch) for branch in branches)
            case shape.Values(_, listed):
                rows *= max(len(listed), 1)
            case shape.SubSelect(select):
                rows *= _of_select(select)
            case _:
                for inner in groups_in(element):
                    rows *= _of_group(inner)
    return rows
