"""What the other nodes of a rack did at the same time, in words."""

from agent.number_text import cell_text, number_text
from agent.request_text import subject_text
from agent.row_text import listed_names
from retrieval.data_request import ReadingsRequest
from retrieval.outcome import Retrieved


def neighbour_sentences(retrieved: Retrieved, request: ReadingsRequest, when: str) -> list[str]:
    """Which other nodes kept the bound in the same minutes, in one sentence."""
    table = retrieved.tables[0]
    subject = f"{subject_text(request)} {when}".strip()
    if not table.row_count:
        return [f"{subject}: no other node of its rack at the same time."]
    unit = table.columns[-1].unit
    rows = "; ".join(
        f"node {row[0]} in {cell_text(row[1])} minutes ({table.columns[-1].heading}"
        f" {cell_text(row[-1], unit)})"
        for row in table.rows[:12]
    )
    plural = "" if table.row_count == 1 else "s"
    names = listed_names(table, 0)
    lead = f"{number_text(table.row_count)} other node{plural} of its rack at the same time"
    return [f"{subject}: {lead}: {names}. In common: {rows}."]
