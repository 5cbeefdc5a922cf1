"""Our stand-in for GraphDB, held to clients of GraphDB and RDF4J that we did not write."""

from collections.abc import Iterator

import httpx
import pytest
from rdflib import Literal, URIRef
from rdflib.contrib.graphdb import GraphDBClient
from rdflib.contrib.graphdb.exceptions import UnauthorisedError
from rdflib.contrib.rdf4j import RDF4JClient
from rdflib.contrib.rdf4j.exceptions import (
    RepositoryAlreadyExistsError,
    RepositoryNotFoundError,
)

from tests.fakes.graphdb_server import REPOSITORY, GraphDBServer, graphdb

ONE, TWO = URIRef("urn:graph:1"), URIRef("urn:graph:2")
SAME = b'<urn:a> <urn:p> "1" .\n'
COUNT = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"


@pytest.fixture
def server() -> Iterator[GraphDBServer]:
    with graphdb() as server:
        yield server


@pytest.fixture
def client(server: GraphDBServer) -> Iterator[GraphDBClient]:
    with GraphDBClient(server.url) as client:
        yield client


def counted(found: object) -> int:
    rows = list(found)  # type: ignore[call-overload]
    return int(rows[0][0])


def test_lists_the_repository_that_our_configuration_makes(client: GraphDBClient) -> None:
    assert [each.identifier for each in client.repositories.list()] == ["odabot"]
    assert [each.id for each in client.graphdb_repositories.list()] == ["odabot"]
    assert client.repositories.get("odabot").health()


def test_tells_the_settings_of_a_repository(client: GraphDBClient) -> None:
    config = client.graphdb_repositories.get("odabot")

    assert config.type == "graphdb:SailRepository"
    assert "queryLimitResults" in config.params


def test_makes_and_deletes_repositories_either_way(server: GraphDBServer) -> None:
    text = REPOSITORY.read_text()

    with GraphDBClient(server.url) as client:
        client.graphdb_repositories.create(text.replace('"odabot"', '"other"'))
        client.graphdb_repositories.delete("other")
    with RDF4JClient(server.url) as plain:
        plain.repositories.create("third", text.replace('"odabot"', '"third"'))
        with pytest.raises(RepositoryAlreadyExistsError):
            plain.repositories.create("third", text.replace('"odabot"', '"third"'))
        plain.repositories.delete("third")
        left = [each.identifier for each in plain.repositories.list()]

    assert left == ["odabot"]


def test_knows_no_other_repository(client: GraphDBClient) -> None:
    with pytest.raises(RepositoryNotFoundError):
        client.repositories.get("other")


def test_keeps_graphs_apart_and_merges_them_for_a_query_without_one(client: GraphDBClient) -> None:
    repository = client.repositories.get("odabot")
    repository.graphs.overwrite(ONE, SAME)
    repository.graphs.add(TWO, SAME + b'<urn:b> <urn:p> "2" .\n')

    everything = counted(repository.query(COUNT))
    one = counted(repository.query(COUNT, **{"default-graph-uri": str(ONE)}))

    assert (everything, one) == (2, 1)
    assert (repository.size(), repository.size(ONE), repository.size(TWO)) == (3, 1, 2)
    assert sorted(repository.graph_names()) == [ONE, TWO]


def test_replaces_reads_and_clears_a_graph(client: GraphDBClient) -> None:
    graphs = client.repositories.get("odabot").graphs
    graphs.overwrite(ONE, SAME)
    graphs.overwrite(ONE, b'<urn:b> <urn:p> "2" .\n')

    held = set(graphs.get(ONE))
    graphs.clear(ONE)

    assert held == {(URIRef("urn:b"), URIRef("urn:p"), Literal("2"))}
    assert not set(graphs.get(ONE))


def test_takes_statements_by_context(client: GraphDBClient) -> None:
    repository = client.repositories.get("odabot")
    repository.upload(b'<urn:c> <urn:p> "3" <urn:graph:3> .')
    repository.overwrite(SAME.decode(), graph_name=ONE)
    repository.delete(graph_name=URIRef("urn:graph:3"))

    data = repository.get(content_type="application/n-triples")

    assert list(repository.graph_names()) == [ONE]
    assert list(data) == [(URIRef("urn:a"), URIRef("urn:p"), Literal("1"))]


def test_updates_by_sparql(client: GraphDBClient) -> None:
    repository = client.repositories.get("odabot")

    repository.update("INSERT DATA { GRAPH <urn:graph:1> { <urn:z> <urn:p> 4 } }")

    assert repository.size(ONE) == 1
    assert repository.query("ASK { <urn:z> <urn:p> 4 }").askAnswer


def test_gives_tokens_for_passwords() -> None:
    with graphdb({"ada": "engine"}) as server:
        with GraphDBClient(server.url, auth=("ada", "engine")) as client:
            token = client.login("ada", "engine").token
            with pytest.raises(UnauthorisedError):
                client.login("ada", "difference")
        with GraphDBClient(server.url, auth=token) as client:
            assert client.repositories.get("odabot").health()


@pytest.mark.parametrize(
    ("method", "path", "options", "status"),
    [
        ("GET", "?query=ASK{}&limit=1", {}, 400),
        ("GET", "?query=ASK{}&timeout=soon", {}, 400),
        ("GET", "?query=nonsense", {}, 400),
        ("GET", "", {}, 400),
        ("POST", "", {"content": "ASK {}", "headers": {"Content-Type": "text/plain"}}, 415),
        ("GET", "?query=ASK{}", {"headers": {"Accept": "text/html"}}, 406),
        ("PUT", "/statements?context=urn:bare", {"content": b""}, 400),
        ("PUT", "/rdf-graphs/service", {"content": b""}, 400),
        ("PUT", "/rdf-graphs/service?graph=urn:g", {"content": SAME}, 415),
        ("GET", "/size?context=urn:bare", {}, 400),
        ("GET", "/nowhere", {}, 404),
    ],
)
def test_refuses_what_the_protocol_does_not_have(
    server: GraphDBServer, method: str, path: str, options: dict[str, object], status: int
) -> None:
    reply = httpx.request(method, f"{server.url}/repositories/odabot{path}", **options)  # type: ignore[arg-type]

    assert reply.status_code == status
