"""Queries that need a graph, over a small site; also what another process of the service does."""

import sys
from dataclasses import replace
from pathlib import Path

from retrieval.embedded_store import EmbeddedStore
from retrieval.execution import Execution
from retrieval.graph_cache import GraphCache
from retrieval.graph_store import GraphStore
from retrieval.graphdb_store import GraphDBStore
from retrieval.lake import Lake
from retrieval.lake_profile import LakeProfile
from retrieval.metric_catalog import MetricCatalog
from retrieval.scope import GraphScope
from retrieval.site import Site
from retrieval.site_discovery import discovered
from retrieval.store_http import Login, StoreHttp
from retrieval.topology_store import TopologyStore
from tests.stores import QUICK, checked

USERS = checked("SELECT (COUNT(?u) AS ?users) { ?u a oda:User }")
"""Is never translated: users are known by their jobs only."""
_CATALOG = MetricCatalog.load()
_POWER = _CATALOG.by_name("total_power")
assert _POWER is not None
SCOPE = GraphScope((_POWER,), (), jobs=True)


def small_execution(
    root: Path, store: GraphStore, function_store: GraphStore, most_bytes: int = 0
) -> Execution:
    """Over one rack of the lake at ``root``, keeping so much in ``store``."""
    lake, site = Lake(root, LakeProfile()), Site.load()
    small = discovered(replace(site, racks=site.racks[:1]), lake, _CATALOG)
    topology = TopologyStore(small, _CATALOG)
    graphs = GraphCache(store, most_bytes)
    return Execution(lake, _CATALOG, topology, graphs, GraphCache(function_store))


def tell_age(root: str, url: str) -> None:
    """Ask over GraphDB at ``url``; print the answer, and whether a graph was built for it."""
    store = GraphDBStore(url, "odabot", StoreHttp(Login(), QUICK))
    result = small_execution(Path(root), store, EmbeddedStore(), 10_000_000).run(USERS, SCOPE)
    sys.stdout.write(f"{result.frame.item()} {result.graph_age is None}")
