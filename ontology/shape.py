"""The shape of a query as plain data: groups, patterns, expressions, projection."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Iri:
    """A name, absolute."""

    value: str


@dataclass(frozen=True, slots=True)
class Var:
    """A variable; a blank node of the query is one whose name begins with ``_:``."""

    name: str


@dataclass(frozen=True, slots=True)
class Lit:
    """A literal as it was written."""

    lexical: str
    datatype: str
    language: str | None = None


Term = Iri | Var | Lit


@dataclass(frozen=True, slots=True)
class Inverse:
    """``^path``."""

    path: "Path"


@dataclass(frozen=True, slots=True)
class Sequence:
    """``a/b/c``."""

    parts: tuple["Path", ...]


@dataclass(frozen=True, slots=True)
class Alternative:
    """``a|b|c``."""

    parts: tuple["Path", ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """``path*``, ``path+`` or ``path?``."""

    path: "Path"
    may_be_empty: bool
    may_repeat: bool


@dataclass(frozen=True, slots=True)
class Negated:
    """``!(a|^b)``."""

    parts: tuple["Path", ...]


Path = Iri | Inverse | Sequence | Alternative | Repeat | Negated


@dataclass(frozen=True, slots=True)
class Triple:
    """One triple pattern; a plain property is the path of one step."""

    subject: Term
    predicate: Path | Var
    object: Term


@dataclass(frozen=True, slots=True)
class Call:
    """An operator (``<=``), a builtin in capitals (``HOURS``), or a function by its IRI."""

    name: str
    arguments: tuple["Expression", ...]
    distinct: bool = False


@dataclass(frozen=True, slots=True)
class Aggregate:
    """An aggregate: SPARQL's in capitals or ours by its IRI. No argument means ``*``."""

    name: str
    argument: "Expression | None"
    distinct: bool = False
    separator: str | None = None


@dataclass(frozen=True, slots=True)
class Exists:
    """``EXISTS { }`` or ``NOT EXISTS { }``."""

    group: "Group"
    negated: bool


Expression = Term | Call | Aggregate | Exists


@dataclass(frozen=True, slots=True)
class Filter:
    """``FILTER(expression)``."""

    expression: Expression


@dataclass(frozen=True, slots=True)
class Bind:
    """``BIND(expression AS ?variable)``."""

    expression: Expression
    variable: Var


@dataclass(frozen=True, slots=True)
class OptionalGroup:
    """``OPTIONAL { }``."""

    group: "Group"


@dataclass(frozen=True, slots=True)
class Union:
    """``{ } UNION { }``; with one branch, a nested group."""

    branches: tuple["Group", ...]


@dataclass(frozen=True, slots=True)
class Minus:
    """``MINUS { }``."""

    group: "Group"


@dataclass(frozen=True, slots=True)
class InGraph:
    """``GRAPH name { }``."""

    name: Term
    group: "Group"


@dataclass(frozen=True, slots=True)
class Values:
    """A VALUES block; None stands for UNDEF."""

    variables: tuple[Var, ...]
    rows: tuple[tuple[Iri | Lit | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Projected:
    """One column: a variable, or an expression under an alias."""

    variable: Var
    expression: Expression | None = None


@dataclass(frozen=True, slots=True)
class Select:
    """A SELECT (or, without projection, the body of an ASK), on its own or within a group."""

    projection: tuple[Projected, ...]
    is_star: bool
    modifier: str
    where: "Group"
    group_by: tuple[Projected | Expression, ...]
    having: tuple[Expression, ...]
    order_by: tuple[tuple[str, Expression], ...]
    limit: int | None
    offset: int | None
    values: Values | None


@dataclass(frozen=True, slots=True)
class SubSelect:
    """A SELECT within a group."""

    select: Select


Element = Triple | Filter | Bind | OptionalGroup | Union | Minus | InGraph | Values | SubSelect


@dataclass(frozen=True, slots=True)
class Group:
    """What stands between two braces, in the order written."""

    elements: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class QueryShape:
    """A whole query."""

    kind: str
    """``select`` or ``ask``."""
    select: Select
    from_graphs: tuple[str, ...]
