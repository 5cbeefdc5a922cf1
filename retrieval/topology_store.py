"""Answers patterns over the topology and sensors, and remembers what it answered."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import polars as pl
import pyoxigraph
from rdflib import BNode
from rdflib.paths import Path

from ontology.vocabulary import DATA
from retrieval.analytic_functions import AGGREGATES, SCALARS
from retrieval.metric_catalog import MetricCatalog
from retrieval.request import Metric
from retrieval.sensors import sensor_table
from retrieval.site import Site
from retrieval.site_graph import catalogue, sensor_triples, topology
from retrieval.virtual_patterns import Triple, variable, variables
from retrieval.virtual_rows import Rows
from retrieval.virtual_terms import rows_of

_REMEMBERED = 256
_TOPOLOGY = pyoxigraph.NamedNode(DATA + "graph/topology")


class TopologyStore:
    """A store in memory with the site's topology, and one graph for each metric's sensors.

    The graphs share no triple, so that a query over several of them counts nothing twice.
    """

    def __init__(self, site: Site, catalog: MetricCatalog) -> None:
        self.site = site
        self._store = pyoxigraph.Store()
        self._lock = threading.Lock()
        self._tables: dict[str, pl.DataFrame] = {}
        self._answers: OrderedDict[tuple[str, frozenset[str]], Rows] = OrderedDict()
        for triples in (topology(site), catalogue(catalog)):
            self._load(triples, _TOPOLOGY)

    def sensors(self, metric: Metric) -> pl.DataFrame:
        """The sensor table of ``metric``, with ``sensor`` as Categorical."""
        with self._lock:
            return self._sensors(metric)

    def rows(self, triples: Sequence[Triple], wanted: set[str], metrics: Sequence[Metric]) -> Rows:
        """Solutions of ``triples`` over the topology and the sensors of ``metrics``.

        One column for each variable of ``wanted``; raises NotTranslatable.
        """
        names = sorted(variables(triples) & wanted)
        body = " . ".join(" ".join(_written(term) for term in triple) for triple in triples)
        query = f"SELECT {' '.join('?' + n for n in names) or '(1 AS ?one)'} WHERE {{ {body} }}"
        key = (query, frozenset(metric.name for metric in metrics))
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
                return self._answers[key]
            solutions = list(self._select(query, metrics))
        terms = {name: [solution[name] for solution in solutions] for name in names}
        rows = rows_of(terms, len(solutions))
        with self._lock:
            self._answers[key] = rows
            while len(self._answers) > _REMEMBERED:
                self._answers.popitem(last=False)
        return rows

    def select(self, text: str, metrics: Sequence[Metric]) -> Any:
        """What a whole query gives over the topology and the sensors of ``metrics``."""
        with self._lock:
            return self._select(text, metrics)

    def _select(self, text: str, metrics: Sequence[Metric]) -> Any:
        for metric in metrics:
            self._sensors(metric)
        return self._store.query(
            text,
            default_graph=[_TOPOLOGY, *(_graph(metric) for metric in metrics)],
            named_graphs=[],
            custom_functions=SCALARS,
            custom_aggregate_functions=AGGREGATES,
        )

    def _sensors(self, metric: Metric) -> pl.DataFrame:
        if metric.name not in self._tables:
            table = sensor_table(metric, self.site)
            self._load(sensor_triples(metric, table), _graph(metric))
            self._tables[metric.name] = table.with_columns(pl.col("sensor").cast(pl.Categorical))
        return self._tables[metric.name]

    def _load(self, triples: bytes, graph: pyoxigraph.NamedNode) -> None:
        self._store.bulk_load(triples, pyoxigraph.RdfFormat.N_TRIPLES, to_graph=graph, lenient=True)


def _graph(metric: Metric) -> pyoxigraph.NamedNode:
    return pyoxigraph.NamedNode(f"{DATA}graph/{metric.plugin}/{metric.name}")


def _written(term: Any) -> str:
    if isinstance(term, Path):
        return str(term.n3())
    if isinstance(term, BNode):
        return "?" + variable(term)
    return str(term.n3())
