"""A cache over small graphs whose right answers are known, for threads, processes and models."""

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from ontology.vocabulary import DATA, ODA, RDF_TYPE
from retrieval.graph_cache import GraphCache, WantedGraph
from retrieval.graphdb_store import GraphDBStore
from retrieval.query_result import QueryResult
from retrieval.store_http import Login, Patience, StoreHttp
from tests.stores import checked

NODES = checked("SELECT (COUNT(?n) AS ?nodes) { ?n a oda:ComputeNode }")
_LINE = f"<{DATA}node/{{:05}}> <{RDF_TYPE}> <{ODA}ComputeNode> .\n"
ONE_NODE = len(_LINE.format(0))
"""Bytes of a graph of one node."""


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = datetime(2022, 6, 15, 10, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def move(self, **length: float) -> None:
        self.now += timedelta(**length)


@dataclass
class Wish:
    """A graph of so many nodes, for a role; counts how often it is built."""

    nodes: int
    access: str = ""
    keep: bool = True
    built: int = 0

    def wanted(self) -> WantedGraph:
        return WantedGraph(f"{self.nodes}", self.access, self.keep, self._triples)

    def asked_of(self, cache: GraphCache) -> QueryResult:
        return cache.select(self.wanted(), NODES, 60)

    def count(self, cache: GraphCache) -> int:
        """What the cache says, which should be the number of nodes."""
        return int(self.asked_of(cache).frame.item())

    def _triples(self) -> Iterator[bytes]:
        self.built += 1
        for number in range(self.nodes):
            yield _LINE.format(number).encode()


def worker(url: str, seed: int, most_bytes: int) -> None:
    """Ask for graphs at random over GraphDB at ``url``; ends with an error at a wrong answer."""
    http = StoreHttp(Login(), Patience(retries=5, pause=lambda seconds: None))
    cache = GraphCache(GraphDBStore(url, "odabot", http), most_bytes)
    order = random.Random(seed)
    for _ in range(25):
        wish = Wish(order.randrange(1, 6))
        found = wish.count(cache)
        if found != wish.nodes:
            raise AssertionError(f"{found} nodes were found in a graph of {wish.nodes}")


if __name__ == "__main__":
    worker(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
