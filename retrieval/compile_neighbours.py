"""The other nodes of a node's rack that kept a bound in the same minutes, as SPARQL."""

from retrieval.compile_readings import reading_lines, sensor_lines
from retrieval.data_request import ReadingsRequest
from retrieval.measures import Selected
from retrieval.query_text import Column, Role, braced, holds, is_lower_bound, select, text, within

_SLOT = 'BIND(odaf:floorTime(?t, "PT1M", "UTC") AS ?slot)'


def neighbours_query(
    request: ReadingsRequest, quantity: Selected, node: str
) -> tuple[str, tuple[Column, ...]]:
    """The query, without prefixes: one row for each node that did as ``node`` did."""
    assert request.condition is not None
    window = [f"FILTER({within('t', w)})" for w in request.windows[:1]]
    read = [
        *sensor_lines(quantity, with_index=False),
        *reading_lines(quantity),
        *window,
        f"FILTER({holds('?v', request.condition)})",
        _SLOT,
    ]
    itself = [f"?n a oda:ComputeNode ; oda:nodeId {text(node)} ; oda:hasSensor ?s .", *read]
    others = [
        f"?one a oda:ComputeNode ; oda:nodeId {text(node)} .",
        "?rk a oda:Rack ; oda:contains ?one ; oda:contains ?n .",
        "?n a oda:ComputeNode ; oda:nodeId ?node ; oda:hasSensor ?s .",
        f"FILTER(?node != {text(node)})",
        *read,
    ]
    low = not is_lower_bound(request.condition.comparison)
    extreme = "MIN" if low else "MAX"
    then = select(["?slot"], itself, ["?slot"])
    also = select(["?node", "?slot", f"({extreme}(?v) AS ?x)"], others, ["?node", "?slot"])
    query = select(
        [
            "?node",
            "(COUNT(?slot) AS ?minutes)",
            "(MIN(?slot) AS ?first)",
            "(MAX(?slot) AS ?last)",
            f"({extreme}(?x) AS ?peak)",
        ],
        [braced(then), braced(also)],
        ["?node"],
        ["ORDER BY DESC(?minutes) ?node"],
    )
    columns = (
        Column("node", "node", Role.KEY),
        Column("minutes", "minutes in common", Role.COUNT),
        Column("first", "first", Role.TIME),
        Column("last", "last", Role.TIME),
        Column("peak", "lowest" if low else "highest", Role.VALUE, quantity.unit),
    )
    return query, columns
