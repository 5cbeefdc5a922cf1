"""What exists, in words."""

from agent.number_text import cell_text, number_text
from agent.row_text import LISTED, listed_names
from retrieval.outcome import ResultTable, Retrieved
from retrieval.request import EntityKind
from retrieval.site_request import SiteRequest, Subject


def site_sentences(retrieved: Retrieved, request: SiteRequest) -> list[str]:
    """What exists, in one sentence."""
    table = retrieved.tables[0]
    where = ""
    if request.entities and request.subject is Subject.NODES:
        beside = request.entities[0].kind is EntityKind.NODE
        named = ", ".join(e.name for e in request.entities)
        where = f" beside node {named} in its rack" if beside else f" in rack {named}"
    if request.x is not None:
        where += f" at X = {request.x}"
    if request.y is not None:
        where += f" at Y = {request.y}"
    if request.by_rack:
        return [_by_rack(table)]
    if request.count:
        what = "compute nodes" if request.subject is Subject.NODES else request.subject.value
        return [f"There are {cell_text(table.rows[0][0])} {what}{where}."]
    if not table.row_count:
        return [f"There are no {request.subject.value}{where}."]
    if request.subject is Subject.RACK_OF:
        return [f"Node {row[0]} is in rack {row[1]}, slot {row[2]}." for row in table.rows]
    if request.subject is Subject.POSITION:
        return [_position(table.columns[0].variable, row) for row in table.rows]
    if request.subject is Subject.METRIC_FACTS:
        return [_facts(row) for row in table.rows[:8]]
    count = number_text(table.row_count)
    names = listed_names(table, 0) if table.row_count <= LISTED + 20 else "listed in the table"
    return [f"{count} {request.subject.value}{where}: {names}."]


def _by_rack(table: ResultTable) -> str:
    counts = [int(str(row[1])) for row in table.rows]
    fewest, most = min(counts), max(counts)
    told = f"{fewest} in each" if fewest == most else f"from {fewest} to {most} in each"
    return f"Compute nodes in {number_text(table.row_count)} racks: {told}."


def _facts(row: tuple[object, ...]) -> str:
    metric, plugin, unit, period, about = row
    measured = f"measured in {unit}" if unit else "a plain number"
    every = f", one sample about every {cell_text(float(str(period)), 's')}" if period else ""
    return f"{metric} ({plugin}): {about}; {measured}{every}."


def _position(first: str, row: tuple[object, ...]) -> str:
    if first == "node":
        node, rack, x, y, slot = row
        return f"Node {node} is in rack {rack}, slot {slot}; the rack stands at X = {x}, Y = {y}."
    rack, x, y = row
    return f"Rack {rack} stands at X = {x}, Y = {y}."
