"""Holds the instants of a query that somebody else wrote to the windows that were asked about."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from ontology import shape
from ontology.conformance import CheckedQuery
from ontology.shape_walk import all_groups, all_selects, expressions_of, parts_of
from ontology.violations import Rule, Violation
from ontology.vocabulary import ODA, TIMESTAMP, XSD
from retrieval.query_bodies import Body, bodies_of, conjuncts
from retrieval.query_text import instant, within
from retrieval.request import TimeWindow
from retrieval.written_request import WrittenRequest

_START, _END = ODA + "startTime", ODA + "endTime"
JOB_TIMES = frozenset({_START, _END, ODA + "submitTime", ODA + "eligibleTime"})
_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
Bound = tuple[str, str, datetime]
"""A variable, how it is compared, and with which instant."""


def strange_times(query: CheckedQuery, request: WrittenRequest) -> Iterator[Violation]:
    """Where the query speaks of other times than ``request``, or leaves some of them out.

    A graph holds the readings of the windows alone: where there is one, readings need no filter.
    """
    yield from _misplaced(query.shape)
    properties = _properties(query.shape)
    met: set[TimeWindow] = set()
    for group in all_groups(query.shape.select):
        tests = [e.expression for e in group.elements if isinstance(e, shape.Filter)]
        for clause in _clauses(tests):
            bounds = [bound for test in clause if (bound := time_bound(test)) is not None]
            if not bounds:
                continue
            window = _window_of(bounds, properties, request.windows)
            if window is None:
                yield _not_asked(bounds, request.windows)
            else:
                met.add(window)
    yield from _missing(bodies_of(query.shape.select), request, met)


def _missing(
    bodies: Sequence[Body], request: WrittenRequest, met: set[TimeWindow]
) -> Iterator[Violation]:
    """Windows that the query does not keep to although its graph holds more."""
    reading = [body for body in bodies if body.readings]
    if reading and len(request.windows) < 2:
        return
    for window in request.windows:
        if window not in met:
            message = "the query is not held to the time that is asked about"
            yield Violation(Rule.NOT_ASKED, "FILTER", message, _lines([window], bool(reading)))
    for body in reading:
        if request.windows and not any(_bounds_in(body)):
            message = "readings of all times that are asked about are taken together"
            yield Violation(Rule.NOT_ASKED, "FILTER", message, _lines(request.windows, True))


def _bounds_in(body: Body) -> Iterator[bool]:
    return (time_bound(part) is not None for clause in _clauses(body.tests) for part in clause)


def _clauses(tests: Iterable[shape.Expression]) -> Iterator[list[shape.Expression]]:
    """What must hold together: the tests that are joined by AND, and each branch of an OR."""
    plain: list[shape.Expression] = []
    for test in tests:
        for part in conjuncts(test):
            if isinstance(part, shape.Call) and part.name == "||":
                for branch in part.arguments:
                    yield list(conjuncts(branch))
            else:
                plain.append(part)
    yield plain


def time_bound(test: shape.Expression) -> Bound | None:
    """What ``test`` says of a variable, where it holds it to one side of an instant."""
    match test:
        case shape.Call(name, (shape.Var(variable), shape.Lit() as literal)) if name in _FLIPPED:
            operator = name
        case shape.Call(name, (shape.Lit() as literal, shape.Var(variable))) if name in _FLIPPED:
            operator = _FLIPPED[name]
        case _:
            return None
    if literal.datatype != XSD + "dateTime":
        return None
    try:
        return variable, operator, datetime.fromisoformat(literal.lexical)
    except ValueError:
        # SPARQL knows years that Python does not.
        return None


def _window_of(
    bounds: Sequence[Bound], properties: dict[str, set[str]], windows: Sequence[TimeWindow]
) -> TimeWindow | None:
    """The window that ``bounds`` amount to exactly, of readings or of jobs."""
    said: dict[str, set[tuple[str, datetime]]] = {}
    for name, operator, moment in bounds:
        said.setdefault(name, set()).add((operator, moment))
    for window in windows:
        end = "<=" if window.includes_end else "<"
        within_it = {(">=", _whole(window.start)), (end, _whole(window.end))}
        timed = all(properties.get(n, set()) & {TIMESTAMP, *JOB_TIMES} for n in said)
        if timed and all(kept == within_it for kept in said.values()):
            return window
        # A job that ran at some time in the window began before its end and ended after its start.
        overlapping = {_START: {(end, _whole(window.end))}, _END: {(">", _whole(window.start))}}
        of_job = {p: kept for n, kept in said.items() for p in properties.get(n, set())}
        if len(said) == 2 and of_job == overlapping:
            return window
    return None


def _whole(moment: datetime) -> datetime:
    """``moment`` as it is written in a query, to the millisecond."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def _properties(query: shape.QueryShape) -> dict[str, set[str]]:
    """The properties that each variable is the value of."""
    found: dict[str, set[str]] = {}
    for group in all_groups(query.select):
        for element in group.elements:
            match element:
                case shape.Triple(_, shape.Iri(prop), shape.Var(name)):
                    found.setdefault(name, set()).add(prop)
                case _:
                    pass
    return found


def _misplaced(query: shape.QueryShape) -> Iterator[Violation]:
    """Instants that stand anywhere but in a plain comparison, where nobody can check them."""
    for part in _unchecked(query):
        if isinstance(part, shape.Lit) and part.datatype.startswith(XSD + "d"):
            if part.datatype in (XSD + "decimal", XSD + "double"):
                continue
            message = "a time may only be compared with a timestamp, by < or >= in a FILTER"
            yield Violation(Rule.NOT_ASKED, f'"{part.lexical}"', message)


def _unchecked(query: shape.QueryShape) -> Iterator[shape.Expression]:
    """Everything that stands elsewhere than in comparisons with instants."""
    for group in all_groups(query.select):
        for element in group.elements:
            match element:
                case shape.Filter(expression):
                    for leaf in _leaves(expression):
                        yield from () if time_bound(leaf) is not None else parts_of(leaf)
                case shape.Bind(expression, _):
                    yield from parts_of(expression)
                case shape.Triple(_, _, value):
                    yield value
                case shape.Values(_, rows):
                    yield from (cell for row in rows for cell in row if cell is not None)
                case _:
                    pass
    for select in all_selects(query.select):
        for expression in expressions_of(select):
            yield from parts_of(expression)
        if select.values is not None:
            yield from (cell for row in select.values.rows for cell in row if cell is not None)


def _leaves(expression: shape.Expression) -> Iterator[shape.Expression]:
    """The comparisons that AND and a single OR join; of what else there is, the whole."""
    for part in conjuncts(expression):
        if isinstance(part, shape.Call) and part.name == "||":
            for branch in part.arguments:
                yield from conjuncts(branch)
        else:
            yield part


def _not_asked(bounds: Sequence[Bound], windows: Sequence[TimeWindow]) -> Violation:
    said = " && ".join(f"?{name} {sign} {instant(moment)}" for name, sign, moment in bounds)
    message = "this is not the time that is asked about"
    return Violation(Rule.NOT_ASKED, said, message, _lines(windows, True, bounds[0][0]))


def _lines(windows: Sequence[TimeWindow], reads: bool, name: str = "t") -> tuple[str, ...]:
    if reads:
        return tuple(f"FILTER({within(name, window)})" for window in windows)
    return tuple(
        f"FILTER(?start < {instant(window.end)} && ?end > {instant(window.start)})"
        for window in windows
    )
