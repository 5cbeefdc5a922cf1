"""Tells where a query pairs things by a number or a name that they happen to share."""

from collections.abc import Iterator

from ontology import shape
from ontology.vocabulary import HAS_READING, ODA, RDF_TYPE, TIMESTAMP
from retrieval.query_bodies import body_of

LINKS = frozenset(
    ODA + name
    for name in ("hasSensor", "isSensorOf", "isReadingOf", "contains", "isContainedIn", "runsOn")
) | {HAS_READING, ODA + "runs", RDF_TYPE}
"""Properties that lead from one thing to another: to join by them is what they are for."""


def joins_by_value(select: shape.Select) -> bool:
    """Whether rows of ``select`` are only those in which two different facts are the same.

    Moments of samples may be shared, and what SELECTs within it are grouped by.
    """
    facts: dict[str, set[tuple[shape.Term, str]]] = {}
    for triple in body_of(select).triples:
        match triple:
            case shape.Triple(subject, shape.Iri(prop), shape.Var(name)) if prop not in LINKS:
                facts.setdefault(name, set()).add((subject, prop))
            case _:
                pass
    for known in facts.values():
        if len(known) > 1 and {prop for _, prop in known} != {TIMESTAMP}:
            return True
    given = [_computed(inner) for inner in _inner_selects(select.where)]
    names = [name for computed in given for name in computed]
    return len(names) > len(set(names)) or bool(set(names) & facts.keys())


def _computed(select: shape.Select) -> frozenset[str]:
    """The columns of ``select`` that are no key of its groups."""
    keys = {key for key in select.group_by if isinstance(key, shape.Var)}
    keys |= {key.variable for key in select.group_by if isinstance(key, shape.Projected)}
    return frozenset(c.variable.name for c in select.projection if c.variable not in keys)


def _inner_selects(group: shape.Group) -> Iterator[shape.Select]:
    for element in group.elements:
        match element:
            case shape.SubSelect(select):
                yield select
            case shape.Union((branch,)):
                yield from _inner_selects(branch)
            case _:
                pass
