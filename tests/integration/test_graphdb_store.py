"""GraphDB over HTTP: what is sent, who is let in, and what is made of what goes wrong."""

import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.telemetry import log_to
from bot.wiring import build_graph_store
from ontology.vocabulary import DATA, ODA, RDF_TYPE
from retrieval.errors import (
    GraphBuildError,
    GraphStoreError,
    GraphStoreUnavailable,
    QueryTimedOut,
)
from retrieval.graphdb_store import GraphDBStore, Places, SparqlStore
from retrieval.settings import GraphStoreSettings
from retrieval.store_http import Login, StoreHttp
from tests.fakes.graphdb_server import Fault, GraphDBServer, graphdb
from tests.oxigraph_server import oxigraph
from tests.stores import QUICK, checked, graphdb_store, oxigraph_store

GRAPH = f"{DATA}graph/one"
NODES = checked("SELECT ?n { ?n a oda:ComputeNode }")
MEDIAN = checked("SELECT (odaf:median(?v) AS ?m) { ?s oda:hasReading ?r . ?r oda:value ?v }")
NODE = f"<{DATA}node/1> <{RDF_TYPE}> <{ODA}ComputeNode> .\n".encode()
PASSWORD = "hunter2-hunter2"
BASIC = Login("ada", SecretStr(PASSWORD))


@pytest.fixture
def server() -> Iterator[GraphDBServer]:
    with graphdb() as server:
        yield server


def select(store: SparqlStore) -> int:
    return store.select(GRAPH, NODES, 30).frame.height


def load(store: SparqlStore) -> None:
    store.load(GRAPH, [NODE])


def test_a_query_names_its_graph_and_wants_no_inference(server: GraphDBServer) -> None:
    store = graphdb_store(server)
    load(store)

    select(store)

    sent = server.seen[-1].parameters
    assert sent["default-graph-uri"] == [GRAPH]
    assert "named-graph-uri" not in sent
    assert (sent["infer"], sent["timeout"]) == (["false"], ["30"])


def test_a_graph_is_sent_whole_however_large(server: GraphDBServer) -> None:
    store = graphdb_store(server)
    lines = (
        f"<{DATA}node/{n}> <{RDF_TYPE}> <{ODA}ComputeNode> .\n".encode() for n in range(90_000)
    )

    store.load(GRAPH, lines)

    assert store.size(GRAPH) == 90_000
    assert [len(seen.body) > 8_000_000 for seen in server.requests("PUT")] == [True]


@pytest.mark.parametrize("fault", [Fault.UNAVAILABLE, Fault.BUSY, Fault.RESET])
@pytest.mark.parametrize("act", [select, load, GraphDBStore.names])
def test_tries_again_where_that_is_safe(
    server: GraphDBServer, act: Callable[[GraphDBStore], object], fault: Fault
) -> None:
    store = graphdb_store(server)
    load(store)
    server.misbehave(fault, times=2)

    act(store)

    assert store.size(GRAPH) == 1


@pytest.mark.parametrize("fault", [Fault.TRUNCATED, Fault.CUT_CHUNKS])
def test_asks_again_for_a_result_that_broke_off(server: GraphDBServer, fault: Fault) -> None:
    store = graphdb_store(server)
    load(store)
    server.misbehave(fault, times=1)

    assert select(store) == 1


def test_a_load_whose_reply_was_lost_is_sent_again(server: GraphDBServer) -> None:
    store = graphdb_store(server)
    server.misbehave(Fault.LOST_REPLY, "PUT", times=1)

    load(store)

    assert (len(server.requests("PUT")), store.size(GRAPH)) == (2, 1)


def test_waits_longer_before_each_further_try(server: GraphDBServer) -> None:
    pauses: list[float] = []
    store = graphdb_store(server, patience=replace(QUICK, retries=3, pause=pauses.append))
    server.misbehave(Fault.UNAVAILABLE)

    with pytest.raises(GraphStoreUnavailable):
        store.names()

    assert pauses == [0.2, 0.4, 0.8]


@pytest.mark.parametrize("fault", [Fault.UNAVAILABLE, Fault.RESET, Fault.LOST_REPLY])
def test_what_may_not_be_repeated_is_sent_once(server: GraphDBServer, fault: Fault) -> None:
    http = StoreHttp(Login(), QUICK)
    server.misbehave(fault)

    with pytest.raises(GraphStoreUnavailable):
        http.send("POST", f"{server.url}/repositories/odabot/statements", body=b"x")

    assert len(server.seen) == 1


@pytest.mark.parametrize("act", [select, load], ids=["select", "load"])
@pytest.mark.parametrize(
    ("fault", "error", "words"),
    [
        (Fault.UNAVAILABLE, GraphStoreUnavailable, "down or too busy"),
        (Fault.BUSY, GraphStoreUnavailable, "down or too busy"),
        (Fault.RESET, GraphStoreUnavailable, "cannot be reached"),
        (Fault.LATE, QueryTimedOut, "gave up"),
        (Fault.FORBIDDEN, GraphStoreError, "does not let us in"),
        (Fault.FULL, GraphStoreError, "is full: free space"),
        (Fault.NO_STORAGE, GraphStoreError, "is full: free space"),
        (Fault.BROKEN, GraphStoreError, "NullPointerException"),
        (Fault.WEB_PAGE, GraphStoreError, "a web page"),
    ],
)
def test_says_what_went_wrong_and_where(
    server: GraphDBServer,
    act: Callable[[GraphDBStore], object],
    fault: Fault,
    error: type[Exception],
    words: str,
) -> None:
    server.misbehave(fault)

    with pytest.raises(error, match=words) as raised:
        act(graphdb_store(server))

    assert server.url in str(raised.value)


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Fault.TRUNCATED, "cannot be reached"),
        (Fault.CUT_CHUNKS, "cannot be reached"),
        (Fault.CUT_RESULT, "no whole SPARQL result"),
    ],
)
def test_never_takes_a_part_of_a_result_for_the_whole(
    server: GraphDBServer, fault: Fault, words: str
) -> None:
    store = graphdb_store(server)
    load(store)
    server.misbehave(fault)

    with pytest.raises(GraphStoreError, match=words):
        select(store)
    with pytest.raises(GraphStoreError):
        store.names()


def test_gives_up_on_a_store_that_is_silent(server: GraphDBServer) -> None:
    store = graphdb_store(server, patience=replace(QUICK, transfer_seconds=0.2))
    server.misbehave(Fault.SILENT)

    with pytest.raises(QueryTimedOut):
        store.select(GRAPH, NODES, 0.2)
    with pytest.raises(GraphStoreUnavailable, match="does not answer in time"):
        load(store)


def test_names_the_address_to_which_it_is_sent_on(server: GraphDBServer) -> None:
    server.misbehave(Fault.REDIRECT)

    with pytest.raises(GraphStoreError, match=r"redirects to \S*/login: name that"):
        load(graphdb_store(server))
    with pytest.raises(GraphStoreError):
        select(graphdb_store(server))


def test_takes_no_credentials_to_where_it_is_sent_on() -> None:
    with graphdb({"ada": PASSWORD}) as server:
        store = graphdb_store(server, BASIC)
        server.misbehave(Fault.REDIRECT, times=1)

        with pytest.raises(GraphStoreError, match=r"redirects to \S*/login: name that"):
            select(store)

        headers = [seen.headers.get("Authorization") for seen in server.seen]
        assert [header is not None for header in headers] == [True, False]


def test_a_load_that_fails_leaves_nothing(server: GraphDBServer) -> None:
    store = graphdb_store(server)
    load(store)
    server.misbehave(Fault.FULL, "PUT")

    with pytest.raises(GraphStoreError):
        load(store)

    assert store.names() == ()


def test_calls_malformed_triples_a_fault_of_the_builder(server: GraphDBServer) -> None:
    with pytest.raises(GraphBuildError, match="MALFORMED DATA"):
        graphdb_store(server).load(GRAPH, [b"<urn:a> nonsense\n"])


def test_notices_an_upload_that_went_somewhere_else(server: GraphDBServer) -> None:
    with oxigraph() as url:
        places = Places(
            f"{server.url}/repositories/odabot",
            f"{server.url}/repositories/odabot/statements",
            f"{url}/store",
        )

        with pytest.raises(GraphStoreError, match="has nothing of it"):
            load(SparqlStore(places, StoreHttp(Login(), QUICK)))


def test_a_server_that_is_not_there_is_named() -> None:
    with graphdb() as gone:
        store = graphdb_store(gone)

    with pytest.raises(GraphStoreUnavailable, match=f"{gone.url}.*is it running"):
        select(store)
    with pytest.raises(GraphStoreUnavailable, match=f"{gone.url}.*is it running"):
        load(store)


def test_a_repository_that_is_not_there_is_named(server: GraphDBServer) -> None:
    store = GraphDBStore(server.url, "other", StoreHttp(Login(), QUICK))

    with pytest.raises(GraphStoreError, match=r"Unknown repository: other.*was made"):
        select(store)
    with pytest.raises(GraphStoreError, match=r"Unknown repository: other.*was made"):
        load(store)


def test_refuses_a_function_that_the_store_does_not_know(server: GraphDBServer) -> None:
    with pytest.raises(GraphStoreError, match=r"cannot evaluate .*function#median"):
        graphdb_store(server).select(GRAPH, MEDIAN, 30)

    assert not server.seen


@pytest.mark.parametrize("token", [False, True], ids=["basic", "token"])
def test_is_let_in_with_the_right_password_alone(token: bool) -> None:
    with graphdb({"ada": PASSWORD}) as server:
        url = f"{server.url}/rest/login" if token else ""
        right = graphdb_store(server, replace(BASIC, token_url=url))
        load(right)
        found = select(right)
        wrong = graphdb_store(server, Login("ada", SecretStr("guess"), url))
        nobody = graphdb_store(server)

        assert found == 1
        for store in (wrong, nobody):
            with pytest.raises(GraphStoreError, match="does not let us in"):
                select(store)
            with pytest.raises(GraphStoreError, match="does not let us in"):
                load(store)


def test_takes_a_new_token_where_the_old_one_no_longer_holds() -> None:
    with graphdb({"ada": PASSWORD}) as server:
        store = graphdb_store(server, replace(BASIC, token_url=f"{server.url}/rest/login"))
        load(store)
        select(store)
        logins = [seen for seen in server.seen if seen.path == ("rest", "login")]
        server.tokens.clear()
        found = select(store)
        server.tokens.clear()
        load(store)

    assert (len(logins), found) == (1, 1)


def test_no_secret_is_logged_or_told(tmp_path: Path) -> None:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    told = []
    try:
        log_to(tmp_path / "log.jsonl", "DEBUG")
        with graphdb({"ada": PASSWORD}) as server:
            for url in ("", f"{server.url}/rest/login"):
                store = graphdb_store(server, replace(BASIC, token_url=url))
                load(store)
                for fault in (Fault.FORBIDDEN, Fault.RESET, Fault.WEB_PAGE, Fault.BROKEN):
                    server.misbehave(fault)
                    with pytest.raises(GraphStoreError) as raised:
                        select(store)
                    logging.getLogger("test").error("failed", exc_info=raised.value)
                    told.append(str(raised.value))
                    server.behave()
            secrets = {PASSWORD, *(token.removeprefix("GDB ") for token in server.tokens)}
            headers = {str(seen.headers.get("Authorization", "none")) for seen in server.seen}
    finally:
        for handler in root.handlers[:]:
            root.removeHandler(handler)
            handler.close()
        logging.captureWarnings(False)
        for handler in before:
            root.addHandler(handler)
        root.setLevel(level)
    text = (tmp_path / "log.jsonl").read_text() + "".join(told)

    assert json.loads(text.splitlines()[0])
    assert len(headers) >= 2
    assert not [s for s in secrets | {h.split()[-1] for h in headers} - {"none"} if s in text]


def test_the_check_tries_a_graph_of_its_own_and_leaves_nothing(server: GraphDBServer) -> None:
    settings = GraphStoreSettings(kind="graphdb", url=f"{server.url}/")
    store = build_graph_store(settings)
    assert isinstance(store, GraphDBStore)
    load(store)

    found = store.found()

    assert found == f"odabot at {server.url}, 1 graphs"
    assert store.names() == (GRAPH,)


def test_the_check_says_what_its_user_may_not_see(server: GraphDBServer) -> None:
    server.misbehave(Fault.FORBIDDEN, "GET /rest/repositories/odabot")

    assert graphdb_store(server).found().endswith("not for this user to see")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"queryLimitResults": "1000"}, "queryLimitResults is 1000"),
        ({"throwQueryEvaluationExceptionOnTimeout": "false"}, "queryTimeout is 600"),
    ],
)
def test_the_check_refuses_a_repository_that_cuts_results_off(
    server: GraphDBServer, changed: dict[str, str], words: str
) -> None:
    server.repositories.settings["odabot"] |= changed

    with pytest.raises(GraphStoreError, match=words):
        graphdb_store(server).found()


def test_the_check_works_on_any_sparql_store() -> None:
    with oxigraph() as url:
        store = oxigraph_store(url)

        assert store.found() == f"SPARQL 1.1 at {url}/query, 0 graphs"


def test_the_check_notices_that_updates_go_somewhere_else(server: GraphDBServer) -> None:
    with oxigraph() as url:
        places = Places(
            f"{url}/query", f"{server.url}/repositories/odabot/statements", f"{url}/store"
        )

        with pytest.raises(GraphStoreError, match="does not give back what it was given"):
            SparqlStore(places, StoreHttp(Login(), QUICK)).found()
