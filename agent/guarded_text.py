"""Results to words that are let out: only with numbers that the results account for."""

import logging
from collections.abc import Sequence
from zoneinfo import ZoneInfo

from agent.number_guard import unsupported_numbers
from agent.presenter import present
from agent.run_context import RunContext
from agent.tracing import Kind
from retrieval.outcome import Retrieved

_log = logging.getLogger(__name__)


def guarded_text(
    found: Sequence[Retrieved],
    notes: Sequence[str],
    asked: str,
    zone: ZoneInfo,
    context: RunContext,
) -> str:
    """What ``found`` says, with ``notes``; that it is in the table where a number is out of place.

    ``asked`` are the words of the question, whose numbers may be said again.
    """
    text = present(found, notes, zone)
    with context.tracer.span(Kind.CHECK, "number guard", {"text": text}) as check:
        strange = unsupported_numbers(text, found, asked, notes, zone)
        told = f"stand in no result: {', '.join(map(str, strange))}" if strange else ""
        check.tell({"accepted": not strange}, problem=told)
    if not strange:
        return text
    # Better the tables alone than a sentence with a number that nothing accounts for.
    extra = {"action": "number-guard", "numbers": strange, "trace": context.question.trace_id}
    _log.error("The reply had numbers that stand in no result", extra=extra)
    return "\n".join(("The result is in the table.", *(f"_{note}_" for note in notes)))
