"""Graph stores as tests want them, and queries for them."""

from ontology.conformance import CheckedQuery, check_query
from ontology.schema_loader import load_schema
from retrieval.graphdb_store import GraphDBStore, Places, SparqlStore
from retrieval.query_text import HEADER
from retrieval.store_http import Login, Patience, StoreHttp
from tests.fakes.graphdb_server import GraphDBServer

QUICK = Patience(connect_seconds=5, transfer_seconds=30, retries=2, pause=lambda seconds: None)
"""Tries thrice, and does not wait between."""


def checked(query: str) -> CheckedQuery:
    """``query``, past the gate."""
    found = check_query(f"{HEADER}\n{query}", load_schema())
    assert isinstance(found, CheckedQuery), found
    return found


def graphdb_store(
    server: GraphDBServer, login: Login | None = None, patience: Patience = QUICK
) -> GraphDBStore:
    """The store in the repository of ``server``."""
    return GraphDBStore(server.url, "odabot", StoreHttp(login or Login(), patience))


def oxigraph_store(url: str, patience: Patience = QUICK) -> SparqlStore:
    """The store at ``oxigraph serve``."""
    places = Places(f"{url}/query", f"{url}/update", f"{url}/store")
    return SparqlStore(places, StoreHttp(Login(), patience))
