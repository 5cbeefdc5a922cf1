"""What a query writer may have meant: known names close to an unknown one."""

import re
from collections.abc import Iterable

from ontology.schema import Schema, Term
from ontology.type_space import local
from ontology.vocabulary import PREFIXES


def written(iri: Term) -> str:
    """``iri`` as our queries write it, with a prefix where one fits."""
    for prefix, namespace in PREFIXES.items():
        rest = iri.removeprefix(namespace)
        if rest != iri and re.fullmatch(r"\w[\w-]*", rest):
            return f"{prefix}:{rest}"
    return f"<{iri}>"


def closest(name: str, known: Iterable[Term], most: int = 5) -> tuple[str, ...]:
    """Up to ``most`` known terms by likeness to the local name ``name``, as they are written."""
    ranked = sorted((_distance(name, local(iri)), iri) for iri in set(known))
    return tuple(written(iri) for cost, iri in ranked[:most] if cost < 0.7)


def properties_for(schema: Schema, name: str, classes: Iterable[Term]) -> tuple[str, ...]:
    """Properties that things of any of ``classes`` may have, closest to ``name`` first."""
    allowed = {p.iri for iri in classes for p in schema.properties_of(iri) if p.is_recorded}
    ranked = sorted(allowed, key=lambda iri: (_distance(name, local(iri)), iri))
    return tuple(written(iri) for iri in ranked[:10])


def _distance(one: str, other: str) -> float:
    """Edits needed, by length, or the share of words that the names do not have in common."""
    first, second = one.lower(), other.lower()
    edits = edit_distance(first, second) / max(len(first), len(second), 1)
    words, others = _words(one), _words(other)
    apart = 1 - len(words & others) / max(len(words | others), 1)
    return min(edits, 0.2 + 0.8 * apart)


def _words(name: str) -> frozenset[str]:
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)
    return frozenset(part.lower() for part in parts)


def edit_distance(one: str, other: str) -> int:
    """How many letters must be put in, taken out or replaced to turn ``one`` into ``other``."""
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, start=1):
        last, row[0] = row[0], at
        for to, target in enumerate(other, start=1):
            cost = last if letter == target else 1 + min(last, row[to], row[to - 1])
            last, row[to] = row[to], cost
    return row[-1]
