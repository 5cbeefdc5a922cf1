"""Runs a query over a stretch of time after another where the whole is too much at once."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import polars as pl

from ontology import shape
from ontology.conformance import CheckedQuery
from ontology.shape_walk import is_grouped
from ontology.vocabulary import HAS_READING, ODA, RDF_TYPE, TIMESTAMP
from retrieval.errors import QueryTimedOut, ScopeTooLarge
from retrieval.execution import Execution
from retrieval.mapping import READING_CLASSES, READING_PROPERTIES
from retrieval.outcome import oldest
from retrieval.query_result import QueryResult
from retrieval.request import TimeWindow
from retrieval.scope import GraphScope

_HALVINGS = 6
"""A window is cut into 64 parts at the most."""
_IS_READING_OF = ODA + "isReadingOf"


def run_whole_or_split(
    execution: Execution, query: CheckedQuery, scope: GraphScope, halvings: int = _HALVINGS
) -> QueryResult:
    """The result of ``query``; joined from halves of the time where the whole is too large.

    It is split only where the rows are provably the same. Raises like ``Execution.run``.
    """
    try:
        return execution.run(query, scope)
    except (ScopeTooLarge, QueryTimedOut):
        halves = _halves(scope.windows) if halvings and is_splittable(query, scope) else ()
        if not halves:
            raise
    results = [
        run_whole_or_split(execution, query, replace(scope, windows=half), halvings - 1)
        for half in halves
    ]
    return _joined(results)


def is_splittable(query: CheckedQuery, scope: GraphScope) -> bool:
    """Whether the rows over windows that meet nowhere are those of each window, in that order.

    So it is where each row rests on one reading alone, and rows stand in the order of its time.
    """
    select = query.shape.select
    if query.kind != "select" or select.modifier or is_grouped(select) or not scope.windows:
        return False
    if select.limit is not None or select.offset is not None or not _are_apart(scope.windows):
        return False
    elements = select.where.elements
    triples = [e for e in elements if isinstance(e, shape.Triple)]
    if not all(_keeps_rows_apart(element) for element in elements):
        return False
    readings = set(_readings(triples))
    if len(readings) != 1 or not isinstance(next(iter(readings)), shape.Var):
        return False
    times = {t.object for t in triples if t.predicate == shape.Iri(TIMESTAMP)}
    return not select.order_by or any(select.order_by[0] == ("ASC", time) for time in times)


def _keeps_rows_apart(element: shape.Element) -> bool:
    """Whether ``element`` looks at one row alone."""
    match element:
        case shape.Triple(_, predicate, _):
            return isinstance(predicate, shape.Iri)
        case shape.Filter(expression) | shape.Bind(expression, _):
            return not any(isinstance(part, shape.Exists) for part in _all_parts(expression))
        case shape.Values():
            return True
        case _:
            return False


def _all_parts(expression: shape.Expression) -> Iterator[shape.Expression]:
    yield expression
    if isinstance(expression, shape.Call):
        for argument in expression.arguments:
            yield from _all_parts(argument)


def _readings(triples: Sequence[shape.Triple]) -> Iterator[shape.Term]:
    for triple in triples:
        match triple:
            case shape.Triple(subject, shape.Iri(prop), value):
                if prop == HAS_READING:
                    yield value
                elif prop in READING_PROPERTIES or prop == _IS_READING_OF:
                    yield subject
                elif prop == RDF_TYPE and isinstance(value, shape.Iri):
                    yield from (subject,) if value.value in READING_CLASSES else ()
            case _:
                pass


def _are_apart(windows: Sequence[TimeWindow]) -> bool:
    """Whether ``windows`` follow one another and no instant is in two of them."""
    return all(
        one.end < other.start or (one.end == other.start and not one.includes_end)
        for one, other in pairwise(windows)
    )


def _halves(windows: tuple[TimeWindow, ...]) -> tuple[tuple[TimeWindow, ...], ...]:
    """``windows`` in two parts; none where one is left that is too short to be cut."""
    if len(windows) > 1:
        middle = len(windows) // 2
        return windows[:middle], windows[middle:]
    window = windows[0]
    whole = timedelta(seconds=window.seconds // 2)
    if not whole:
        return ()
    cut = window.start + whole
    return (TimeWindow(window.start, cut),), (replace(window, start=cut),)


def _joined(results: Sequence[QueryResult]) -> QueryResult:
    """Rows of the same query under each other."""
    # A column that is empty in one part has no kind there.
    found: dict[str, tuple[str, pl.DataType]] = {}
    for result in results:
        for name, kind in result.kinds.items():
            if result.frame[name].null_count() == result.frame.height:
                continue
            if found.setdefault(name, (kind, result.frame.schema[name]))[0] != kind:
                raise ScopeTooLarge(f"the parts of ?{name} do not go together")
    frames = []
    for result in results:
        empty = [n for n in found if result.frame[n].null_count() == result.frame.height]
        nothing = [pl.lit(None, found[name][1]).alias(name) for name in empty]
        frames.append(result.frame.with_columns(nothing))
    kinds = {name: found[name][0] if name in found else k for name, k in results[0].kinds.items()}
    age = oldest(result.graph_age for result in results)
    return replace(results[0], frame=pl.concat(frames), kinds=kinds, graph_age=age)
