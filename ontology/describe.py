"""The part of a schema that matters to one request, as text for a prompt."""

from collections.abc import Iterable, Iterator
from itertools import permutations

from ontology.functions import ANALYTIC, AnalyticFunction
from ontology.paths import chains_between, targets_of
from ontology.schema import Property, Schema, Term
from ontology.suggestions import written
from ontology.type_space import local


def describe(schema: Schema, classes: frozenset[Term]) -> str:
    """``classes`` with their recorded properties, and the chains that join them, one a line.

    Raises ``KeyError`` for a class that the schema does not know.
    """
    ordered = sorted(classes)
    lines = ["# Classes and their properties"]
    for iri in ordered:
        lines.extend(_class(schema, iri))
    chains = list(_chains(schema, ordered))
    if chains:
        lines += ["# Chains of properties between them", *chains]
    return "\n".join(lines)


def describe_functions() -> str:
    """Our functions with what they take and give, one a line."""
    lines = ["# Functions beside SPARQL's own"]
    lines.extend(_function(function) for function in ANALYTIC.values())
    return "\n".join(lines)


def _class(schema: Schema, iri: Term) -> Iterator[str]:
    known = schema.classes[iri]
    above = ", ".join(written(parent) for parent in sorted(known.parents))
    head = f"{written(iri)} (a {above})" if above else written(iri)
    yield f"{head}: {known.comment}"
    below = [written(c) for c in sorted(schema.descendants[iri] - {iri})]
    if below and len(below) <= 12:
        yield f"  subclasses: {', '.join(below)}"
    for declared in _own(schema, iri):
        targets = _targets(schema, declared, iri)
        if targets:
            note = declared.comment.rstrip(".")
            yield f"  {written(declared.iri)} {' or '.join(targets)}  ({note})"


def _own(schema: Schema, iri: Term) -> Iterable[Property]:
    """Recorded properties that every thing of the class may have."""
    return (
        declared
        for declared in schema.properties_of(iri)
        if declared.is_recorded and declared.domains & schema.ancestors[iri]
    )


def _targets(schema: Schema, declared: Property, start: Term) -> list[str]:
    if not declared.joins_entities:
        return [f"xsd:{local(target)}" for target in sorted(declared.ranges)]
    targets = targets_of(schema, declared, start)
    return [written(t) for t in sorted(targets) if schema.classes[t].is_recorded]


def _chains(schema: Schema, classes: list[Term]) -> Iterator[str]:
    for start, end in permutations(classes, 2):
        for chain in chains_between(schema, start, end)[:2]:
            if chain:
                steps = "/".join(written(step) for step in chain)
                yield f"{written(start)} to {written(end)}: {steps}"


def _function(function: AnalyticFunction) -> str:
    kind = "aggregate" if function.is_aggregate else "function"
    arguments = ", ".join(str(argument) for argument in function.arguments)
    return f"{written(function.iri)}({arguments}) {kind}: {function.comment}"
