"""The gate: query text becomes a CheckedQuery here or not at all."""

from dataclasses import dataclass, field

from ontology.connectivity import connectivity_violations
from ontology.errors import NotAQuery
from ontology.fanout import fanout_warnings
from ontology.functions import ANALYTIC
from ontology.grouping import grouping_violations
from ontology.known_terms import unknown_terms, unrecorded_terms
from ontology.query_text import read_text
from ontology.query_tree import parsed
from ontology.row_bound import row_violations
from ontology.schema import Schema, Term
from ontology.scopes import exported, scope_violations
from ontology.second_opinion import complaint
from ontology.shape import QueryShape
from ontology.shape_builder import shape_of
from ontology.shape_walk import functions_in, names_in
from ontology.type_inference import type_violations
from ontology.violations import WARNINGS, Rule, Violation


@dataclass(frozen=True, slots=True)
class CheckedQuery:
    """A query that conforms to the schema. Made only by :func:`check_query`."""

    text: str
    """What to run: the text that was checked, its comments and character escapes resolved."""
    kind: str
    """``select`` or ``ask``."""
    projected: tuple[str, ...]
    """Names of the columns, in order; of ``SELECT *`` by name; none of an ASK."""
    warnings: tuple[Violation, ...]
    """What the query may run with, but should be told."""
    classes: frozenset[Term]
    """Classes that the query names."""
    properties: frozenset[Term]
    """Properties that the query names."""
    functions: frozenset[Term]
    """Functions of our own that the query calls, which only an engine of ours can evaluate."""
    limit: int | None
    """The outermost LIMIT."""
    shape: QueryShape = field(repr=False, compare=False)
    """What the text says, as it was checked."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """A query that does not conform, with every rule found broken."""

    text: str
    violations: tuple[Violation, ...]


def check_query(
    text: str, schema: Schema, graphs: frozenset[str] = frozenset()
) -> CheckedQuery | Rejection:
    """Check ``text`` against ``schema``. Whatever cannot be proven to conform is rejected.

    ``graphs`` are the names that FROM and GRAPH may use; without any, neither may stand.
    """
    read = read_text(text)
    if read.violations:
        return Rejection(text, read.violations)
    try:
        query = shape_of(parsed(read.text))
    except (NotAQuery, RecursionError) as error:
        return Rejection(text, (Violation(Rule.SYNTAX, "query", str(error)),))
    found = broken_rules(query, schema, graphs)
    breaches = tuple(violation for violation in found if violation.rule not in WARNINGS)
    if breaches:
        return Rejection(text, breaches)
    # An ASK would be answered at once; as a SELECT of the same body it is only planned.
    objection = complaint(read.planned)
    if objection is not None:
        return Rejection(text, (Violation(Rule.SYNTAX, "query", objection),))
    names = names_in(query)
    return CheckedQuery(
        text=read.text,
        kind=query.kind,
        projected=_columns(query),
        warnings=tuple(violation for violation in found if violation.rule in WARNINGS),
        classes=names & schema.classes.keys(),
        properties=names & schema.properties.keys(),
        functions=functions_in(query) & ANALYTIC.keys(),
        limit=query.select.limit,
        shape=query,
    )


def broken_rules(
    query: QueryShape, schema: Schema, graphs: frozenset[str] = frozenset()
) -> tuple[Violation, ...]:
    """Every rule that ``query`` breaks, warnings included.

    What the rules on names find comes alone: nothing is inferred from names that do not exist.
    """
    unknown = (*unknown_terms(query, schema, graphs), *row_violations(query))
    if unknown:
        return unknown
    found = (
        *scope_violations(query),
        *grouping_violations(query),
        *type_violations(query, schema),
        *connectivity_violations(query),
        *fanout_warnings(query),
        *unrecorded_terms(query, schema),
    )
    return tuple(dict.fromkeys(found))


def _columns(query: QueryShape) -> tuple[str, ...]:
    if query.kind == "ask":
        return ()
    if query.select.is_star:
        return tuple(sorted(exported(query.select)))
    return tuple(column.variable.name for column in query.select.projection)
