"""What is known of the kept graphs, as triples of one more graph in the same store."""

from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import datetime

import pyoxigraph

from ontology.vocabulary import DATA, XSD
from retrieval.graph_store import GraphStore

INDEX = DATA + "graph/index"
_TERMS = "https://odabot.example/cache#"


@dataclass(frozen=True, slots=True, order=True)
class KeptGraph:
    """One graph that was loaded whole."""

    graph: str
    """Its IRI, which no other load ever uses."""
    fingerprint: str
    """Of what it holds."""
    access: str
    """The role that it was made for."""
    created: datetime
    used: datetime
    triples: int
    length: int
    """Of its N-Triples, in bytes."""

    def as_triples(self) -> bytes:
        """What the index says of it."""
        values = {
            "fingerprint": (self.fingerprint, "string"),
            "access": (self.access, "string"),
            "created": (self.created.isoformat(), "dateTime"),
            "used": (self.used.isoformat(), "dateTime"),
            "triples": (str(self.triples), "integer"),
            "length": (str(self.length), "integer"),
        }
        subject = pyoxigraph.NamedNode(self.graph)
        lines = [
            pyoxigraph.Triple(
                subject,
                pyoxigraph.NamedNode(_TERMS + name),
                pyoxigraph.Literal(text, datatype=pyoxigraph.NamedNode(XSD + kind)),
            )
            for name, (text, kind) in values.items()
        ]
        written = pyoxigraph.serialize(lines, format=pyoxigraph.RdfFormat.N_TRIPLES)
        assert written is not None
        return written


class CacheIndex:
    """The index of one store; every change of it is one step there."""

    def __init__(self, store: GraphStore) -> None:
        self._store = store

    def entries(self) -> tuple[KeptGraph, ...]:
        """All kept graphs; what the index says only in part is not among them."""
        return kept_graphs(self._store.read(INDEX))

    def add(self, kept: KeptGraph) -> None:
        """Tell every process of a graph that is loaded whole."""
        self._store.restate(INDEX, kept.graph, kept.as_triples())

    def touch(self, kept: KeptGraph, now: datetime) -> None:
        """Say that a graph is used; nothing where it was forgotten meanwhile."""
        used = replace(kept, used=now)
        self._store.restate(INDEX, kept.graph, used.as_triples(), known=True)

    def forget(self, graph: str) -> None:
        """Let no process find a graph any more."""
        self._store.restate(INDEX, graph, b"")


def kept_graphs(triples: bytes) -> tuple[KeptGraph, ...]:
    """The graphs that N-Triples of an index tell of, by name."""
    said: dict[str, dict[str, str]] = defaultdict(dict)
    for quad in pyoxigraph.parse(triples, pyoxigraph.RdfFormat.N_TRIPLES):
        if isinstance(quad.subject, pyoxigraph.NamedNode) and isinstance(
            quad.object, pyoxigraph.Literal
        ):
            name = quad.predicate.value.removeprefix(_TERMS)
            said[quad.subject.value][name] = quad.object.value
    found = (_kept(graph, values) for graph, values in said.items())
    return tuple(sorted(kept for kept in found if kept is not None))


def _kept(graph: str, said: dict[str, str]) -> KeptGraph | None:
    try:
        kept = KeptGraph(
            graph,
            said["fingerprint"],
            said["access"],
            datetime.fromisoformat(said["created"]),
            datetime.fromisoformat(said["used"]),
            int(said["triples"]),
            int(said["length"]),
        )
    except (KeyError, ValueError):
        return None
    return kept if kept.created.tzinfo and kept.used.tzinfo else None
