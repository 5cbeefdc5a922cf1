"""What can be wrong with a query, as data that a query writer can act on."""

from dataclasses import dataclass
from enum import StrEnum


class Rule(StrEnum):
    """The rules a query must keep; the last three only warn."""

    SYNTAX = "syntax"
    TOO_LONG = "too-long"
    TOO_DEEP = "too-deep"
    UNDECLARED_PREFIX = "undeclared-prefix"
    UPDATE = "update"
    QUERY_FORM = "query-form"
    SERVICE = "service"
    GRAPH_NOT_GRANTED = "graph-not-granted"
    UNKNOWN_NAMESPACE = "unknown-namespace"
    UNKNOWN_CLASS = "unknown-class"
    UNKNOWN_PROPERTY = "unknown-property"
    UNKNOWN_ENTITY = "unknown-entity"
    UNKNOWN_FUNCTION = "unknown-function"
    FORBIDDEN_FUNCTION = "forbidden-function"
    FUNCTION_ARGUMENT = "function-argument"
    KIND = "kind"
    VARIABLE_PREDICATE = "variable-predicate"
    NEGATED_PATH = "negated-path"
    DOMAIN = "domain"
    RANGE = "range"
    DIRECTION = "direction"
    TYPE_CONFLICT = "type-conflict"
    PATH_RANGE = "path-range"
    OPTIONAL_CONFLICT = "optional-conflict"
    EXISTS_CONFLICT = "exists-conflict"
    LITERAL_OBJECT = "literal-object"
    LITERAL_SUBJECT = "literal-subject"
    LITERAL_DATATYPE = "literal-datatype"
    ILL_TYPED_LITERAL = "ill-typed-literal"
    NAIVE_DATETIME = "naive-datetime"
    FILTER_DATATYPE = "filter-datatype"
    AGGREGATE_DATATYPE = "aggregate-datatype"
    NESTED_AGGREGATE = "nested-aggregate"
    AGGREGATE_POSITION = "aggregate-position"
    UNGROUPED_PROJECTION = "ungrouped-projection"
    UNBOUND_PROJECTION = "unbound-projection"
    UNBOUND_FILTER = "unbound-filter"
    SCOPE = "scope"
    BIND_ORDER = "bind-order"
    BIND_REDEFINE = "bind-redefine"
    DUPLICATE_ALIAS = "duplicate-alias"
    DISCONNECTED = "disconnected"
    NOT_ASKED = "not-asked"
    """Told by whoever holds a query to a request; the gate knows of none."""
    DEAD_BRANCH = "dead-branch"
    FANOUT = "fanout"
    NOT_RECORDED = "not-recorded"


WARNINGS = frozenset({Rule.DEAD_BRANCH, Rule.FANOUT, Rule.NOT_RECORDED})
"""Rules whose breach is reported while the query may still run."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule, where it was broken, and what would have kept it."""

    rule: Rule
    where: str
    """The term, variable or piece of the query that breaks the rule, as it may be written."""
    message: str
    suggestions: tuple[str, ...] = ()
    """What may stand there instead, best first."""
