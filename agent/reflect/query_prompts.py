"""What a model is shown so that it can write a query: patterns, schema, and queries like it."""

from collections.abc import Sequence
from dataclasses import replace

from agent.language_model import Prompt
from agent.prompt_files import further_turn, prompt
from agent.reflect.grounded import Grounded
from ontology.conformance import CheckedQuery
from ontology.describe import describe
from ontology.schema import Schema
from ontology.violations import Rule, Violation
from retrieval.curated_pairs import CuratedPair
from retrieval.query_text import HEADER
from retrieval.written_patterns import classes_for, patterns_for, patterns_of
from retrieval.written_request import WrittenRequest, reaching_back

_TOKENS = 700
_SHOWN = 3000
"""Characters of a rejected query that are shown again."""
_FORM = (
    "In SELECT each 'expression AS ?name' stands in brackets, without commas; behind WHERE { } come"
    " GROUP BY, ORDER BY and LIMIT."
)
_TOLD = 6
"""Violations that are told at once: a small model mends no more."""


def request_of(grounded: Grounded, query: str = "", confidence: float = 0.0) -> WrittenRequest:
    """What ``query`` is held to: that it asks for ``grounded``."""
    windows = grounded.windows
    instant = bool(windows and grounded.parts) and not any(window.seconds for window in windows)
    return WrittenRequest(
        query=query,
        asked=grounded.request,
        quantities=tuple(dict.fromkeys(part.metrics for part in grounded.parts)),
        windows=reaching_back(windows, grounded.metrics) if instant else windows,
        instant=instant,
        entities=grounded.entities,
        jobs=grounded.jobs,
        zone=grounded.zone,
        confidence=confidence,
    )


def writing_prompt(grounded: Grounded, schema: Schema, pairs: Sequence[CuratedPair]) -> Prompt:
    """Asks for the query of ``grounded``; ``pairs`` stand before it as turns, the nearest last."""
    wanted = request_of(grounded)
    asked = prompt(
        "write-query",
        longest=_TOKENS,
        request=_with_wish(grounded),
        patterns=patterns_for(wanted, grounded.groups),
    )
    turns = [
        (_request(pair.question, patterns_of(query)), shown(query))
        for pair in reversed(pairs)
        for query in pair.queries[:1]
    ]
    slice_ = describe(schema, classes_for(wanted))
    return replace(asked, instructions=f"{asked.instructions}\n\n{slice_}", examples=tuple(turns))


def mending_prompt(asked: Prompt, written: str, problems: str, grounded: Grounded) -> Prompt:
    """``asked`` with what was ``written`` for it and what is wrong with that.

    It is shown as part of the request: a small model repeats what it reads as its own reply.
    """
    patterns = patterns_for(request_of(grounded), grounded.groups)
    request = further_turn(
        "mend-query",
        problems=problems,
        request=_with_wish(grounded),
        patterns=patterns,
        written=written[:_SHOWN],
    )
    return replace(asked, request=request)


def told(violations: Sequence[Violation]) -> str:
    """Each broken rule, where it was broken, and what may stand there instead: one a line."""
    return "\n".join(map(_line, violations[:_TOLD]))


def shown(query: CheckedQuery) -> str:
    """The text of ``query`` without our prefixes."""
    return query.text.removeprefix(HEADER).strip()


def _line(violation: Violation) -> str:
    if violation.rule is Rule.SYNTAX:
        return f"- {violation.message}. {_FORM}"
    hints = f" Admissible: {' or '.join(violation.suggestions)}" if violation.suggestions else ""
    return f"- {violation.where}: {violation.message} ({violation.rule.value}).{hints}"


def _with_wish(grounded: Grounded) -> str:
    """The request, with what rules read of how it is to be shown.

    A small model takes the "total" in the name of a metric for a sum.
    """
    if grounded.measures:
        shown = " and ".join(measure.value for measure in grounded.measures)
    elif grounded.wants_values:
        shown = "the values themselves: ?node ?t ?v"
    else:
        return grounded.request
    return f"{grounded.request}\nShow: {shown}"


def _request(question: str, patterns: str) -> str:
    return f"Request: {question}\nPatterns:\n{patterns}"
