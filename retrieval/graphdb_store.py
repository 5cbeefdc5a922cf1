"""Graph stores beyond this process: GraphDB (RDF4J's protocol), and any SPARQL 1.1 store."""

import contextlib
import json
import math
import tempfile
import time
import urllib.error
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from http.client import HTTPException
from typing import IO
from urllib.parse import quote
from urllib.request import Request
from uuid import uuid4

import pyoxigraph
from SPARQLWrapper import JSON, POST, SPARQLWrapper
from SPARQLWrapper.SPARQLExceptions import SPARQLWrapperException

from ontology.conformance import CheckedQuery
from retrieval.errors import (
    AccessDenied,
    GraphBuildError,
    GraphStoreError,
    QueryTimedOut,
    RequestRefused,
)
from retrieval.query_result import QueryResult
from retrieval.store_failures import Answer
from retrieval.store_http import ConnectionLost, StoreHttp, whole_body
from retrieval.store_results import result_of, solutions_in
from retrieval.store_updates import restatement

_TRIPLES = "application/n-triples"
_RESULTS = "application/sparql-results+json"
_SPOOLED = 8_000_000
"""Graphs of up to so many bytes wait in memory to be sent, larger ones in a file."""
_NAMES = "SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }"
_SIZE = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
_ANYTHING = "ASK { ?s ?p ?o }"


@dataclass(frozen=True, slots=True)
class Places:
    """Where a store takes what."""

    queries: str
    updates: str
    graphs: str
    """Of the Graph Store Protocol."""


class _Asking(SPARQLWrapper):
    """A query whose credentials stay where they belong when the store redirects it."""

    authorization = ""

    def _createRequest(self) -> Request:  # noqa: N802 - the base names it
        request = super()._createRequest()
        if self.authorization:
            request.add_unredirected_header("Authorization", self.authorization)
        return request


class SparqlStore:
    """Named graphs behind the SPARQL 1.1 protocols; only one graph is ever asked at a time."""

    def __init__(self, places: Places, http: StoreHttp, seconds: float = 60.0) -> None:
        """``seconds`` is what small queries of the store's own may take."""
        self._places = places
        self._http = http
        self._seconds = seconds

    def names(self) -> tuple[str, ...]:
        """IRIs of the graphs in the store."""
        return _sorted_names(self._asked(_NAMES, "SELECT", None, self._seconds))

    def load(self, graph: str, triples: Iterable[bytes]) -> None:
        """Replaces ``graph`` by chunks of N-Triples, sent in one request: all of it or nothing."""
        with tempfile.SpooledTemporaryFile(_SPOOLED) as body:
            for chunk in triples:
                body.write(chunk)
            try:
                self._put(graph, body)
            except (GraphStoreError, GraphBuildError):
                # What is said is why the load failed; what was not committed needs no drop.
                with contextlib.suppress(GraphStoreError):
                    self.drop(graph)
                raise

    def select(self, graph: str, query: CheckedQuery, seconds: float) -> QueryResult:
        """The result of ``query`` over ``graph`` alone, whole; QueryTimedOut after ``seconds``.

        A query that calls a function of ours is refused with GraphStoreError: a store that does
        not know it would leave rows out and say nothing.
        """
        at = self._places.queries
        if query.functions:
            names = ", ".join(sorted(query.functions))
            raise GraphStoreError(f"the graph store at {at} cannot evaluate {names}")
        found = self._asked(query.text, query.kind.upper(), graph, seconds)
        wanted = query.projected or ("ask",)
        if sorted(found[0]) != sorted(wanted):
            raise GraphStoreError(
                f"the graph store at {at} answered another query: it has {', '.join(found[0])}"
                f" where {', '.join(wanted)} was asked for"
            )
        return result_of(*found)

    def drop(self, graph: str) -> None:
        """Removes ``graph``; does nothing where there is none."""
        params = {"graph": graph}
        self._http.send("DELETE", self._places.graphs, params=params, missing_is_empty=True)

    def size(self, graph: str) -> int:
        """How many triples ``graph`` has; 0 where there is none."""
        return int(result_of(*self._asked(_SIZE, "SELECT", graph, self._seconds)).frame.item())

    def has(self, graph: str) -> bool:
        """Whether ``graph`` has any triple."""
        found = self._asked(_ANYTHING, "ASK", graph, self._seconds)
        return bool(result_of(*found).frame.item())

    def read(self, graph: str) -> bytes:
        """All of ``graph`` as N-Triples; nothing where there is none."""
        return self._http.send(
            "GET",
            self._places.graphs,
            params={"graph": graph},
            headers={"Accept": _TRIPLES},
            missing_is_empty=True,
        )

    def restate(self, graph: str, subject: str, triples: bytes, *, known: bool = False) -> None:
        """Replaces what ``graph`` says of ``subject``; with ``known``, where it says anything."""
        text = restatement(graph, subject, triples, known=known)
        headers = {"Content-Type": "application/sparql-update"}
        self._http.send("POST", self._places.updates, headers=headers, body=text.encode())

    def found(self) -> str:
        """What the store is, once it has taken, changed, told and dropped a graph of its own.

        Raises GraphStoreError.
        """
        graph = f"urn:odabot:trial:{uuid4()}"
        first, second = (f"<{graph}> <{graph}> <{graph}:{n}> .\n".encode() for n in (1, 2))
        self.load(graph, [first])
        try:
            self.restate(graph, graph, second, known=True)
            count = result_of(*self._asked(_SIZE, "SELECT", graph, self._seconds)).frame.item()
            told = self.read(graph)
        finally:
            self.drop(graph)
        if count != 1 or f"{graph}:2".encode() not in told:
            raise GraphStoreError(
                f"the graph store at {self._places.queries} does not give back what it was given:"
                " do all its addresses lead to one store that neither mixes graphs nor infers?"
            )
        return f"SPARQL 1.1 at {self._places.queries}, {len(self.names())} graphs"

    def _put(self, graph: str, body: IO[bytes]) -> None:
        at, headers = self._places.graphs, {"Content-Type": _TRIPLES}
        try:
            self._http.send("PUT", at, params={"graph": graph}, headers=headers, body=body)
        except RequestRefused as error:
            raise GraphBuildError(f"what was to become {graph} is no N-Triples: {error}") from error
        if body.seek(0, 2) and not self.has(graph):
            raise GraphStoreError(
                f"the graph store at {at} took a graph and has nothing of it: is this the Graph"
                " Store Protocol of the same store?"
            )

    def _parameters(self, seconds: float) -> dict[str, str]:
        """What goes with a query beside its graph."""
        return {}

    def _asked(
        self, text: str, kind: str, graph: str | None, seconds: float
    ) -> tuple[list[str], list[list[object | None]]]:
        """Variables of the result, and a column of terms for each."""
        end = time.monotonic() + seconds
        once = partial(self._answer, text, kind, graph, end)
        answer = self._http.tried(once, self._places.queries, repeatable=True)
        if time.monotonic() >= end:
            # A store that stops by itself at this time may have given what it had until then.
            raise QueryTimedOut(f"no whole result within {seconds:g} s")
        return solutions_in(answer.body, self._places.queries)

    def _answer(self, text: str, kind: str, graph: str | None, end: float) -> Answer:
        """What the store says to a query; raises ConnectionLost and QueryTimedOut."""
        at, left = self._places.queries, end - time.monotonic()
        if left <= 0:
            raise QueryTimedOut(f"the graph store at {at} gave no result in time")
        wrapper = _Asking(at)
        wrapper.setQuery(text)
        wrapper.queryType = kind  # it would guess from the text
        wrapper.setMethod(POST)
        wrapper.setReturnFormat(JSON)
        wrapper.setOnlyConneg(True)
        wrapper.setTimeout(math.ceil(left))
        for name, value in self._parameters(left).items():
            wrapper.addParameter(name, value)
        if graph is not None:
            wrapper.addParameter("default-graph-uri", graph)
        wrapper.authorization = self._http.authorization()
        return _answer_to(wrapper, at, end)


class GraphDBStore(SparqlStore):
    """Named graphs as contexts of one repository of GraphDB, or of an RDF4J server."""

    def __init__(self, url: str, repository: str, http: StoreHttp, seconds: float = 60.0) -> None:
        self._root = url
        self._repository = repository
        self._base = f"{url}/repositories/{quote(repository, safe='')}"
        service = f"{self._base}/rdf-graphs/service"
        super().__init__(Places(self._base, f"{self._base}/statements", service), http, seconds)

    def names(self) -> tuple[str, ...]:
        """IRIs of the contexts in the repository."""
        at = f"{self._base}/contexts"
        body = self._http.send("GET", at, headers={"Accept": _RESULTS})
        return _sorted_names(solutions_in(body, at))

    def size(self, graph: str) -> int:
        """How many explicit triples ``graph`` has; 0 where there is none."""
        at = f"{self._base}/size"
        body = self._http.send("GET", at, params={"context": f"<{graph}>"})
        try:
            return int(body)
        except ValueError as error:
            raise GraphStoreError(f"{at} gave no number: is it GraphDB or RDF4J?") from error

    def found(self) -> str:
        """What the repository is, once it has shown that it works and cuts no result off."""
        unseen = ""
        try:
            self._refuse_cut_results()
        except AccessDenied:
            unseen = "; whether it cuts results off is not for this user to see"
        super().found()
        return f"{self._repository} at {self._root}, {len(self.names())} graphs{unseen}"

    def _refuse_cut_results(self) -> None:
        at = f"{self._root}/rest/repositories/{quote(self._repository, safe='')}"
        # RDF4J has no such place, and no such settings.
        body = self._http.send(
            "GET", at, headers={"Accept": "application/json"}, missing_is_empty=True
        )
        try:
            params = json.loads(body or b"{}").get("params", {})
            values = {name: str(told.get("value", "")) for name, told in params.items()}
        except (ValueError, AttributeError) as error:
            raise GraphStoreError(f"{at} gave no configuration: is it GraphDB?") from error
        nothing = ("", "0", "-1")
        silent = values.get("throwQueryEvaluationExceptionOnTimeout", "") != "true"
        for name, cuts in (("queryLimitResults", True), ("queryTimeout", silent)):
            if cuts and values.get(name, "") not in nothing:
                raise GraphStoreError(
                    f"{at} cuts results off and says nothing ({name} is {values[name]}): make the"
                    " repository from deploy/graphdb/repository.ttl"
                )

    def _parameters(self, seconds: float) -> dict[str, str]:
        """The server's own time-out; and no inference, of which our graphs have no need."""
        return {"infer": "false", "timeout": str(math.ceil(seconds))}


def _answer_to(wrapper: SPARQLWrapper, at: str, end: float) -> Answer:
    try:
        # Its result holds urllib's response, which is closed with the block.
        with contextlib.closing(wrapper.query().response) as response:
            if response.geturl().partition("?")[0] != at:
                return Answer(302, "", b"", response.geturl())
            kind = response.headers.get("Content-Type", "")
            return Answer(response.status, kind, whole_body(response, at, end))
    except (SPARQLWrapperException, urllib.error.HTTPError) as error:
        http = error if isinstance(error, urllib.error.HTTPError) else error.__context__
        assert isinstance(http, urllib.error.HTTPError)
        with http:
            if http.url.partition("?")[0] != at:
                return Answer(302, "", b"", http.url)
            said = http.read() if http is error else str(error).partition("Response:\n")[2].encode()
        return Answer(http.code, http.headers.get("Content-Type", ""), said)
    except TimeoutError as error:
        raise QueryTimedOut(f"the graph store at {at} gave no result in time") from error
    except urllib.error.URLError as error:
        if isinstance(error.reason, TimeoutError):
            raise QueryTimedOut(f"the graph store at {at} gave no result in time") from error
        raise ConnectionLost(at, error.reason, sent=False) from error
    except (HTTPException, OSError) as error:
        raise ConnectionLost(at, error) from error


def _sorted_names(found: tuple[list[str], list[list[object | None]]]) -> tuple[str, ...]:
    column = found[1][0] if found[1] else []
    return tuple(sorted(t.value for t in column if isinstance(t, pyoxigraph.NamedNode)))
