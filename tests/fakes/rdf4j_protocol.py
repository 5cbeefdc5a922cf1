"""What our stand-in for GraphDB does with each request: RDF4J's REST protocol over pyoxigraph."""

import json
import re
import threading

import pyoxigraph as px

from tests.fakes.rdf4j_requests import FORM, RDF_FORMATS, RESULT_FORMATS, Refused, Reply, Seen

_CONFIG = {
    "http://www.openrdf.org/config/repository#repositoryID": "id",
    "http://www.openrdf.org/config/repository#repositoryType": "type",
    "http://www.openrdf.org/config/sail#sailType": "sail",
    "http://www.ontotext.com/config/graphdb#ruleset": "ruleset",
    "http://www.ontotext.com/config/graphdb#query-timeout": "queryTimeout",
    "http://www.ontotext.com/config/graphdb#query-limit-results": "queryLimitResults",
    "http://www.ontotext.com/config/graphdb#throw-QueryEvaluationException-on-timeout": (
        "throwQueryEvaluationExceptionOnTimeout"
    ),
}
_QUERY_PARAMETERS = ("query", "queryLn", "infer", "timeout", "default-graph-uri", "named-graph-uri")
Graph = px.NamedNode | px.DefaultGraph | None
_RESULTS = "application/sparql-results+json"


class Repositories:
    """Repositories by name; one request at a time."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._stores: dict[str, px.Store] = {}
        self.settings: dict[str, dict[str, str]] = {}
        self._lock = threading.Lock()

    def answer(self, seen: Seen) -> Reply:
        with self._lock:
            try:
                return self._routed(seen)
            except Refused as refused:
                return refused.reply

    def _routed(self, seen: Seen) -> Reply:
        match (seen.method, *seen.path):
            case ("GET", "protocol"):
                return Reply(200, b"12")
            case ("GET", "repositories"):
                return _bindings([self._listed(name) for name in self._stores])
            case ("GET", "rest", "repositories"):
                listed = [
                    {"id": name, "uri": self._uri(name), "local": True, "state": "RUNNING"}
                    for name in self._stores
                ]
                return _json(listed)
            case ("POST", "rest", "repositories"):
                self._create(seen.uploaded("config"))
                return Reply(201)
            case ("PUT", "repositories", name):
                if name in self._stores:
                    raise Refused(409, "REPOSITORY EXISTS")
                seen.rdf_format()
                self._create(seen.body.decode(), name)
                return Reply(204)
            case (_, "rest", "repositories", name, *rest):
                return self._of_rest(seen.method, self._store(name), name, rest)
            case ("DELETE", "repositories", name):
                self._store(name)
                del self._stores[name]
                return Reply(204)
            case (method, "repositories", name, *rest):
                return _of_repository(seen, method, self._store(name), rest)
            case _:
                raise Refused(404, "")

    def _of_rest(self, method: str, store: px.Store, name: str, rest: list[str]) -> Reply:
        match (method, *rest):
            case ("GET", "size"):
                return _json({"inferred": 0, "total": len(store), "explicit": len(store)})
            case ("GET",):
                params = {
                    key: {"name": key, "label": key, "value": value}
                    for key, value in self.settings[name].items()
                }
                kind = self.settings[name]["type"]
                told = {"id": name, "title": "", "type": kind, "sesameType": kind, "location": ""}
                return _json(told | {"params": params})
            case ("DELETE",):
                del self._stores[name]
                return Reply(200)
            case _:
                raise Refused(404, "")

    def _create(self, config: str, named: str = "") -> None:
        try:
            quads = list(px.parse(config, px.RdfFormat.TURTLE))
        except SyntaxError as error:
            raise Refused(400, f"MALFORMED DATA: {error}") from error
        told = {
            _CONFIG[q.predicate.value]: q.object.value
            for q in quads
            if q.predicate.value in _CONFIG and isinstance(q.object, px.Literal)
        }
        if told.get("type") != "graphdb:SailRepository" or told.get("sail") != "graphdb:Sail":
            raise Refused(400, f"Unsupported repository type: {told.get('type')}")
        name = told.get("id", "")
        if not re.fullmatch(r"[\w.-]+", name) or (named and named != name):
            raise Refused(400, f"Invalid repository ID: {name}")
        if name in self._stores:
            raise Refused(400, f"Repository {name} already exists.")
        self._stores[name] = px.Store()
        self.settings[name] = told

    def _store(self, name: str) -> px.Store:
        if name not in self._stores:
            raise Refused(404, f"Unknown repository: {name}")
        return self._stores[name]

    def _uri(self, name: str) -> str:
        return f"http://{self._host}/repositories/{name}"

    def _listed(self, name: str) -> dict[str, dict[str, str]]:
        texts = {"id": name, "title": "", "readable": "true", "writable": "true"}
        listed = {key: {"type": "literal", "value": value} for key, value in texts.items()}
        return {"uri": {"type": "uri", "value": self._uri(name)}} | listed


def _of_repository(seen: Seen, method: str, store: px.Store, rest: list[str]) -> Reply:
    match (method, *rest):
        case ("GET" | "POST",):
            return _query(seen, store)
        case ("GET", "health"):
            return _json({"name": "", "status": "green", "components": []})
        case ("GET", "size"):
            contexts = seen.only("context").get("context", [])
            if not contexts:
                return Reply(200, str(len(store)).encode())
            return Reply(200, str(sum(len(_quads(store, _context(c))) for c in contexts)).encode())
        case ("GET", "contexts"):
            seen.wanted([_RESULTS])
            names = [g.value for g in store.named_graphs() if isinstance(g, px.NamedNode)]
            # A context is there as long as it has a statement.
            full = [name for name in names if _quads(store, px.NamedNode(name))]
            return _bindings([{"contextID": {"type": "uri", "value": name}} for name in full])
        case ("GET", "namespaces"):
            return _bindings([])
        case (_, "statements"):
            return _statements(seen, store)
        case (_, "rdf-graphs", "service"):
            return _graph(seen, store)
        case _:
            raise Refused(404, "")


def _statements(seen: Seen, store: px.Store) -> Reply:
    asked = seen.only("context", "baseURI", "subj", "pred", "obj", "infer", "update", "timeout")
    graphs: list[Graph] = [_context(each) for each in asked.get("context", [])] or [None]
    if seen.method == "POST" and seen.kind in ("application/sparql-update", FORM):
        text = asked["update"][0] if seen.kind == FORM else seen.body.decode()
        return _update(store, text)
    if seen.method in ("POST", "PUT"):
        quads = _parsed(seen)
        if seen.method == "PUT":
            for graph in graphs:
                _empty(store, graph)
        for graph in graphs:
            store.extend(_moved(q, graph) for q in quads)
        return Reply(204)
    if seen.method == "DELETE":
        for graph in graphs:
            _empty(store, graph)
        return Reply(204)
    kind = seen.wanted(list(RDF_FORMATS))
    found = [q for graph in graphs for q in _quads(store, graph)]
    return _serialized(found, kind)


def _graph(seen: Seen, store: px.Store) -> Reply:
    asked = seen.only("graph", "default")
    if len(asked) != 1:
        raise Refused(400, "Missing parameter: graph")
    graph: px.NamedNode | px.DefaultGraph = px.DefaultGraph()
    if "graph" in asked:
        try:
            graph = px.NamedNode(asked["graph"][0])
        except ValueError as error:
            raise Refused(400, f"Illegal graph: {error}") from error
    if seen.method in ("PUT", "POST"):
        quads = _parsed(seen)
        if seen.method == "PUT":
            _empty(store, graph)
        store.extend(_moved(q, graph) for q in quads)
        return Reply(204)
    if seen.method == "DELETE":
        _empty(store, graph)
        return Reply(204)
    return _serialized(_quads(store, graph), seen.wanted(["application/n-triples", "text/turtle"]))


def _query(seen: Seen, store: px.Store) -> Reply:
    if seen.method == "POST" and seen.kind not in (FORM, "application/sparql-query"):
        raise Refused(415, f"Unsupported MIME type: {seen.kind}")
    asked = seen.only(*_QUERY_PARAMETERS)
    text = seen.body.decode() if seen.kind == "application/sparql-query" else ""
    text = text or asked.get("query", [""])[0]
    if not text:
        raise Refused(400, "Missing parameter: query")
    if not re.fullmatch(r"\d+", asked.get("timeout", ["0"])[0]):
        raise Refused(400, "Invalid timeout value")
    default = asked.get("default-graph-uri", [])
    named = asked.get("named-graph-uri", [])
    try:
        found = _merged(store, default, named).query(text)
    except SyntaxError as error:
        raise Refused(400, f"MALFORMED QUERY: {error}") from error
    if isinstance(found, px.QueryTriples):
        quads = [px.Quad(t.subject, t.predicate, t.object) for t in found]
        return _serialized(quads, "application/n-triples")
    kind = seen.wanted(list(RESULT_FORMATS))
    body = found.serialize(format=RESULT_FORMATS[kind])
    assert body is not None
    return Reply(200, body, f"{kind};charset=UTF-8")


def _merged(store: px.Store, default: list[str], named: list[str]) -> px.Store:
    """The dataset of a query: without one named, the default graph is the merge of all graphs."""
    everything = list(store)
    chosen = px.Store()
    if default or named:
        inside = [q for q in everything if getattr(q.graph_name, "value", "") in default]
        beside = [q for q in everything if getattr(q.graph_name, "value", "") in named]
    else:
        inside, beside = everything, everything
    chosen.extend(_moved(q, px.DefaultGraph()) for q in inside)
    chosen.extend(q for q in beside if isinstance(q.graph_name, px.NamedNode))
    return chosen


def _update(store: px.Store, text: str) -> Reply:
    try:
        store.update(text)
    except SyntaxError as error:
        raise Refused(400, f"MALFORMED UPDATE: {error}") from error
    return Reply(204)


def _parsed(seen: Seen) -> list[px.Quad]:
    try:
        return list(px.parse(seen.body, seen.rdf_format()))
    except (SyntaxError, ValueError) as error:
        raise Refused(400, f"MALFORMED DATA: {error}") from error


def _context(text: str) -> px.NamedNode | px.DefaultGraph:
    if text == "null":
        return px.DefaultGraph()
    if not re.fullmatch(r"<[^<>\s]+>", text):
        raise Refused(400, f"Invalid value for parameter 'context': {text}")
    return px.NamedNode(text[1:-1])


def _moved(quad: px.Quad, graph: Graph) -> px.Quad:
    return quad if graph is None else px.Quad(quad.subject, quad.predicate, quad.object, graph)


def _quads(store: px.Store, graph: Graph) -> list[px.Quad]:
    return list(store.quads_for_pattern(None, None, None, graph))


def _empty(store: px.Store, graph: Graph) -> None:
    if graph is None:
        store.clear()
    elif isinstance(graph, px.NamedNode):
        store.remove_graph(graph)
    else:
        store.clear_graph(graph)


def _serialized(quads: list[px.Quad], kind: str) -> Reply:
    form = RDF_FORMATS[kind]
    if form.supports_datasets:
        body = px.serialize(quads, format=form)
    else:
        body = px.serialize([q.triple for q in quads], format=form)
    assert body is not None
    return Reply(200, body, f"{kind};charset=UTF-8")


def _bindings(rows: list[dict[str, dict[str, str]]]) -> Reply:
    names = list(rows[0]) if rows else []
    found = {"head": {"vars": names}, "results": {"bindings": rows}}
    return Reply(200, json.dumps(found).encode(), f"{_RESULTS};charset=UTF-8")


def _json(value: object) -> Reply:
    return Reply(200, json.dumps(value).encode(), "application/json")
