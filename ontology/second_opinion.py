"""Asks a second parser, that of the embedded store, whether a query is well formed."""

from functools import lru_cache
from typing import Any

import pyoxigraph

from ontology.functions import ANALYTIC


def complaint(text: str) -> str | None:
    """What the second parser holds against ``text``, or None.

    The query is planned on an empty store. Only texts that passed the policy checks may come
    here: planning SERVICE would already call out.
    """
    scalars, aggregates = _functions()
    try:
        pyoxigraph.Store().query(
            text, custom_functions=scalars, custom_aggregate_functions=aggregates
        )
    except (SyntaxError, ValueError) as error:
        return str(error)
    return None


class _Idle:
    """Stands for an aggregate; on an empty store it is never given anything that counts."""

    def accumulate(self, term: object) -> None:
        """Ignore ``term``."""

    def finish(self) -> pyoxigraph.Literal:
        """Some value."""
        return pyoxigraph.Literal(0)


_Scalars = dict[pyoxigraph.NamedNode, Any]
_Aggregates = dict[pyoxigraph.NamedNode, Any]


@lru_cache(maxsize=1)
def _functions() -> tuple[_Scalars, _Aggregates]:
    scalars: _Scalars = {}
    aggregates: _Aggregates = {}
    for iri, function in ANALYTIC.items():
        name = pyoxigraph.NamedNode(iri)
        if function.is_aggregate:
            aggregates[name] = _Idle
        else:
            scalars[name] = _nothing
    return scalars, aggregates


def _nothing(*terms: object) -> None:
    return None
