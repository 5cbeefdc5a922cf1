"""Where the stages of a question are saved, with the gate that what is loaded passes again."""

from agent.run_store import RunStore
from agent.saved_stages import SavedStages
from ontology.conformance import check_query
from ontology.schema_loader import load_schema


def saved_stages(runs: RunStore | None) -> SavedStages | None:
    """Where the stages of a question are saved; None where nobody would go on from there."""
    if runs is None:
        return None
    schema = load_schema()
    return SavedStages(runs, lambda text: check_query(text, schema))
