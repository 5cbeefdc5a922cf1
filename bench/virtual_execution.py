"""Virtual execution against bare Polars and against a graph: seconds, memory, growth.

Run: python -m bench.virtual_execution [LARGEST]   (most readings, 10 million unless given)

Every lake is made in a temporary folder. The ways take turns within one process, so that what
else the machine does falls on all of them; the least of the rounds counts. Peak memory is that of
a process of its own for each way.
"""

import gc
import math
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path

import polars as pl

from bench._five_queries import QUERIES, START, Query, make_lake
from ontology.conformance import CheckedQuery, check_query
from ontology.schema_loader import load_schema
from retrieval.embedded_store import EmbeddedStore
from retrieval.execution import Execution
from retrieval.graph_cache import GraphCache
from retrieval.lake import Lake
from retrieval.lake_profile import LakeProfile
from retrieval.metric_catalog import MetricCatalog
from retrieval.query_text import HEADER
from retrieval.request import TimeWindow
from retrieval.scope import GraphScope
from retrieval.site import Site
from retrieval.topology_store import TopologyStore

ROUNDS = 7
GRAPH = "https://odabot.example/data/graph/bench"
SIZES = {"432 thousand": (100, 24), "8.5 million": (980, 48)}
"""Nodes and hours, with a reading each 20 s."""
PERIODS_AN_HOUR = 180
NODES = 400
GROWTH = (100_000, 1_000_000, 10_000_000)
KILOBYTES_IN_MEGABYTE = 1 << 10


@dataclass(frozen=True, slots=True)
class Asked:
    """A lake of so many nodes and hours, ready to be asked."""

    execution: Execution
    scope: GraphScope
    store: EmbeddedStore
    files: list[Path]

    def virtual(self, query: CheckedQuery) -> None:
        """Run ``query`` as odabot does; its plan may be known already."""
        result = self.execution.run(query, self.scope)
        assert result.how == "virtual", result.reason

    def materialised(self, query: CheckedQuery) -> None:
        """Ask the graph, which must be built."""
        self.store.select(GRAPH, query, 3600)

    def bare(self, query: Query, engine: str = "streaming") -> None:
        """The same by Polars alone, which is told which columns and files to read."""
        query.bare(pl.scan_parquet(self.files), START).collect(engine=engine)  # type: ignore[call-overload]

    def build(self) -> None:
        """Make the graph."""
        self.store.load(GRAPH, self.execution.triples(self.scope))


def asked(root: Path, hours: int) -> Asked:
    """The lake below ``root`` with a scope of all its ``hours``."""
    catalog, lake = MetricCatalog.load(), Lake(root, LakeProfile())
    power = catalog.by_name("total_power")
    assert power is not None
    key = (power.plugin, power.name)
    scope = GraphScope((power,), (TimeWindow(START, START + timedelta(hours=hours)),))
    store = EmbeddedStore()
    graphs = GraphCache(store)
    execution = Execution(lake, catalog, TopologyStore(Site.load(), catalog), graphs, graphs)
    return Asked(execution, scope, store, [file.path for file in lake.files[key]])


def checked(query: Query) -> CheckedQuery:
    """``query`` past the gate."""
    found = check_query(f"{HEADER}\n{query.sparql}", load_schema())
    assert isinstance(found, CheckedQuery), found
    return found


def main() -> None:
    """Print every table; takes some minutes and, at the largest size, some gigabytes."""
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else GROWTH[-1]
    smallest = next(iter(SIZES))
    with tempfile.TemporaryDirectory() as folder:
        for name, (nodes, hours) in SIZES.items():
            if nodes * hours * PERIODS_AN_HOUR <= largest:
                root = make_lake(Path(folder) / name, nodes, hours)
                _compare(name, asked(root, hours))
                _memory(root, hours, with_graph=name == smallest)
        _growth(Path(folder), [size for size in GROWTH if size <= largest])
        _with_graph(asked(Path(folder) / smallest, SIZES[smallest][1]))


def _compare(name: str, lake: Asked) -> None:
    print(f"-- {name} readings: virtual, bare Polars, their ratio; the first time, without a plan")
    for query in QUERIES:
        first = _seconds(partial(lake.virtual, checked(query)))
        virtual, bare = least(
            partial(lake.virtual, checked(query)), partial(lake.bare, query, "streaming")
        )
        ratio = virtual / bare
        print(f"{virtual:8.3f} s {bare:8.3f} s {ratio:5.1f}x {first:8.3f} s  {query.name}")


def _with_graph(lake: Asked) -> None:
    print("-- the smaller lake as a graph: virtual, building and asking, their ratio")
    started = time.perf_counter()
    count = sum(chunk.count(b"\n") for chunk in lake.execution.triples(lake.scope))
    written = time.perf_counter() - started
    started = time.perf_counter()
    lake.build()
    built = time.perf_counter() - started
    print(f"   {count:,} triples: {count / written:,.0f} a second written as text,", end=" ")
    print(f"{count / built:,.0f} written and loaded")
    for query in QUERIES:
        virtual = least(partial(lake.virtual, checked(query)))[0]
        whole = built + _seconds(partial(lake.materialised, checked(query)))
        print(f"{virtual:8.3f} s {whole:8.1f} s {whole / virtual:5.0f}x  {query.name}")


def _memory(root: Path, hours: int, *, with_graph: bool) -> None:
    ways = ["virtual", "streaming", "in-memory", *(["graph"] if with_graph else [])]
    print("   peak memory, MB: " + ", ".join(f"{w} {_peak(w, root, hours)}" for w in ways))


def _peak(way: str, root: Path, hours: int) -> int:
    """The most memory (MB) of a process that asks all five questions in one way.

    For ``graph``, of one that builds it.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_ask_all, args=(way, root, hours, theirs))
    process.start()
    peak = int(ours.recv())
    process.join()
    return peak


def _ask_all(way: str, root: Path, hours: int, answer: Connection) -> None:
    lake = asked(root, hours)
    if way == "graph":
        lake.build()
    for query in QUERIES if way != "graph" else ():
        if way == "virtual":
            lake.virtual(checked(query))
        else:
            lake.bare(query, way)
    # Not getrusage(), whose peak begins with that of the process which started this one.
    [line] = (x for x in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in x)
    answer.send(int(line.split()[1]) // KILOBYTES_IN_MEGABYTE)


def _growth(folder: Path, sizes: list[int]) -> None:
    """How the virtual cost grows: the power of the size that it follows."""
    query = QUERIES[1]
    seconds = []
    for size in sizes:
        hours = size / (PERIODS_AN_HOUR * NODES)
        lake = asked(make_lake(folder / str(size), NODES, hours), math.ceil(hours))
        lake.virtual(checked(query))
        seconds.append(least(partial(lake.virtual, checked(query)))[0])
        print(f"-- {size:>11,} readings: {seconds[-1]:.3f} s  {query.name}")
    for (small, large), (less, more) in zip(pairwise(sizes), pairwise(seconds), strict=True):
        exponent = math.log(more / less) / math.log(large / small)
        print(f"   from {small:,} to {large:,}: readings to the power of {exponent:.2f}")


def least(*ways: Callable[[], None]) -> list[float]:
    """The least seconds of each of ``ways``, which take turns."""
    rounds = [[_seconds(way) for way in ways] for _ in range(ROUNDS)]
    return [min(column) for column in zip(*rounds, strict=True)]


def _seconds(work: Callable[[], object]) -> float:
    gc.collect()
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
