"""The door for queries that somebody else wrote: through the gate, and held to what was asked."""

from ontology.conformance import CheckedQuery, Rejection, check_query
from ontology.schema import Schema
from retrieval.query_text import HEADER
from retrieval.written_bounds import strange_bounds
from retrieval.written_constants import strange_constants, strange_forms
from retrieval.written_counts import multiplied_rows
from retrieval.written_metrics import strange_metrics, unseen_steps
from retrieval.written_names import strange_things
from retrieval.written_request import WrittenRequest
from retrieval.written_times import strange_times


def admitted(request: WrittenRequest, schema: Schema) -> CheckedQuery | Rejection:
    """The query of ``request`` where it conforms to ``schema`` and asks nothing but what it may.

    The prefixes are ours and stand before it. The violations of a Rejection say what to mend.
    """
    checked = check_query(f"{HEADER}\n{request.query}", schema)
    if isinstance(checked, Rejection):
        return checked
    found = (
        *strange_forms(checked, request),
        *unseen_steps(checked),
        *strange_things(checked, request),
        *strange_metrics(checked, request),
        *strange_times(checked, request),
        *multiplied_rows(checked, request),
        *strange_bounds(checked, request),
        *strange_constants(checked, request),
    )
    return Rejection(checked.text, tuple(dict.fromkeys(found))) if found else checked
