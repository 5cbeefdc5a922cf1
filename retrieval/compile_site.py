"""SiteRequest and ChecksRequest to SPARQL."""

from collections.abc import Sequence
from datetime import timedelta

from retrieval.query_text import HEADER, Column, Role, select, text, values, within
from retrieval.request import Entity, EntityKind, TimeWindow
from retrieval.site_request import CheckResultKind, ChecksRequest, SiteRequest, Subject

STATE_NAMES = {0: "OK", 1: "WARNING", 2: "CRITICAL", 3: "UNKNOWN"}
INSTANT_REACH = timedelta(hours=1)
"""How far back the last sample before a moment may lie and still speak for it."""

_LISTED = {
    Subject.NODES: ("oda:ComputeNode", "oda:nodeId", "node"),
    Subject.RACKS: ("oda:Rack", "oda:rackId", "rack"),
    Subject.ROOMS: ("oda:Room", "oda:roomName", "room"),
    Subject.CRACS: ("oda:CRAC", "oda:deviceName", "crac"),
    Subject.PANELS: ("oda:CoolingPanel", "oda:panelName", "panel"),
    Subject.PUMPS: ("oda:Pump", "oda:pumpName", "pump"),
    Subject.PARTITIONS: ("oda:Partition", "oda:partitionId", "partition"),
    Subject.PLUGINS: ("oda:Plugin", "oda:pluginName", "plugin"),
}


def site_query(request: SiteRequest) -> tuple[str, tuple[Column, ...]]:
    """What exists: a list or a count of one class, a place, or metrics."""
    if request.subject is Subject.RACK_OF:
        return _rack_of([e.name for e in request.entities])
    if request.subject is Subject.POSITION:
        return _position(request)
    if request.subject in (Subject.METRICS, Subject.METRIC_FACTS):
        return _metrics(request)
    kind, naming, variable = _LISTED[request.subject]
    body = [f"?x a {kind} ; {naming} ?{variable} ."]
    if request.by_rack or (request.entities and request.subject is Subject.NODES):
        body += _of_racks(request.entities)
    if request.subject is Subject.PUMPS:
        body.append("?owner a oda:CoolingPanel ; oda:contains ?x ; oda:panelName ?panel .")
    if request.x is not None:
        body.append(f"?x oda:positionX {request.x} .")
    if request.y is not None:
        body.append(f"?x oda:positionY {request.y} .")
    if request.count:
        return _counted(request, variable, body)
    names = [f"?{variable}"]
    columns = [Column(variable, variable, Role.KEY)]
    if request.subject is Subject.PUMPS:
        names.append("?panel")
        columns.append(Column("panel", "panel", Role.KEY))
    if request.subject is Subject.RACKS:
        body.append("?x oda:positionX ?px ; oda:positionY ?py .")
        names += ["?px", "?py"]
        columns += [Column("px", "X", Role.VALUE), Column("py", "Y", Role.VALUE)]
    if request.subject is Subject.NODES and request.entities:
        names.append("?rack")
        columns.append(Column("rack", "rack", Role.KEY))
    return _whole(select(names, body, distinct=True)), tuple(columns)


def _of_racks(entities: Sequence[Entity]) -> list[str]:
    """Patterns that keep ``?x``, a node, to those racks, or to the others in those nodes' racks."""
    lines = ["?rk a oda:Rack ; oda:contains ?x ; oda:rackId ?rack ."]
    names = [entity.name for entity in entities]
    if entities and entities[0].kind is EntityKind.NODE:
        lines.append("?rk oda:contains ?named . ?named a oda:ComputeNode ; oda:nodeId ?beside .")
        return [*lines, values("beside", names), "FILTER(?x != ?named)"]
    return [*lines, values("rack", names)] if names else lines


def _counted(
    request: SiteRequest, variable: str, body: list[str]
) -> tuple[str, tuple[Column, ...]]:
    """How many there are, of each rack where that is asked."""
    number = f"(COUNT(DISTINCT ?{variable}) AS ?number)"
    column = Column("number", f"number of {request.subject.value}", Role.COUNT)
    if not request.by_rack:
        return _whole(select([number], body)), (column,)
    query = select(["?rack", number], body, ["?rack"], ["ORDER BY ?rack"])
    return _whole(query), (Column("rack", "rack", Role.KEY), column)


def _rack_of(nodes: list[str]) -> tuple[str, tuple[Column, ...]]:
    body = [
        "?n a oda:ComputeNode ; oda:nodeId ?node ; oda:slot ?slot .",
        "?rk a oda:Rack ; oda:contains ?n ; oda:rackId ?rack .",
        values("node", nodes),
    ]
    columns = (
        Column("node", "node", Role.KEY),
        Column("rack", "rack", Role.VALUE),
        Column("slot", "slot", Role.VALUE),
    )
    return _whole(select(["?node", "?rack", "?slot"], body)), columns


def _position(request: SiteRequest) -> tuple[str, tuple[Column, ...]]:
    entity = request.entities[0]
    names = [e.name for e in request.entities]
    columns = [
        Column("rack", "rack", Role.VALUE),
        Column("px", "X", Role.VALUE),
        Column("py", "Y", Role.VALUE),
    ]
    if entity.kind.value == "rack":
        body = [
            "?rk a oda:Rack ; oda:rackId ?rack ; oda:positionX ?px ; oda:positionY ?py .",
            values("rack", names),
        ]
        return _whole(select(["?rack", "?px", "?py"], body)), tuple(columns)
    body = [
        "?n a oda:ComputeNode ; oda:nodeId ?node ; oda:slot ?slot .",
        "?rk a oda:Rack ; oda:contains ?n ; oda:rackId ?rack ;"
        " oda:positionX ?px ; oda:positionY ?py .",
        values("node", names),
    ]
    columns.insert(0, Column("node", "node", Role.KEY))
    columns.append(Column("slot", "slot", Role.VALUE))
    return _whole(select(["?node", "?rack", "?px", "?py", "?slot"], body)), tuple(columns)


def _metrics(request: SiteRequest) -> tuple[str, tuple[Column, ...]]:
    body = [
        "?m a oda:Metric ; oda:metricName ?metric ; oda:pluginName ?plugin ;"
        " oda:description ?about .",
        "OPTIONAL { ?m oda:unit ?unit }",
        "OPTIONAL { ?m oda:samplingPeriod ?period }",
    ]
    if request.plugin:
        body.append(values("plugin", [request.plugin]))
    if request.metrics:
        body.append(values("metric", [m.name for m in request.metrics]))
    if request.unit:
        body.append(f"FILTER(?unit = {text(request.unit)})")
    if request.word:
        word = text(request.word.lower())
        body.append(f"FILTER(CONTAINS(LCASE(?metric), {word}) || CONTAINS(LCASE(?about), {word}))")
    columns = (
        Column("metric", "metric", Role.KEY),
        Column("plugin", "plugin", Role.KEY),
        Column("unit", "unit", Role.VALUE),
        Column("period", "sampling period", Role.VALUE, "s"),
        Column("about", "meaning", Role.VALUE),
    )
    if request.count:
        return _whole(select(["(COUNT(DISTINCT ?metric) AS ?number)"], body)), (
            Column("number", "number of metrics", Role.COUNT),
        )
    names = ["?metric", "?plugin", "?unit", "?period", "?about"]
    return _whole(select(names, body, tail=["ORDER BY ?plugin ?metric"])), columns


def checks_query(request: ChecksRequest) -> tuple[str, tuple[Column, ...]]:
    """Monitoring checks by host, by check, or as the periods in which they were not OK."""
    body = _checks_body(request)
    samples = (
        "(COUNT(?r) AS ?samples)",
        "(MIN(?t) AS ?first)",
        "(MAX(?t) AS ?last)",
    )
    extra = (
        Column("samples", "samples", Role.COUNT),
        Column("first", "first", Role.TIME),
        Column("last", "last", Role.TIME),
    )
    node, check = Column("node", "node", Role.KEY), Column("check", "check", Role.KEY)
    if request.kind is CheckResultKind.BY_CHECK:
        query = select(
            ["?check", "(COUNT(DISTINCT ?node) AS ?nodes)"], body, ["?check"], ["ORDER BY ?check"]
        )
        return _whole(query), (check, Column("nodes", "nodes", Role.COUNT))
    if request.kind is CheckResultKind.BY_NODE:
        worst = "(MAX(?state) AS ?worst)"
        keys = ["?node", "?check"]
        query = select([*keys, worst, *samples], body, keys, ["ORDER BY ?node ?check"])
        return _whole(query), (node, check, Column("worst", "worst state", Role.VALUE), *extra)
    query = select(["?node", *samples], body, ["?node"], ["ORDER BY ?node"])
    return _whole(query), (node, *extra)


def _checks_body(request: ChecksRequest) -> list[str]:
    kind = "oda:ComputeNode" if request.compute_only else "oda:Node"
    window = request.window
    if request.instant:
        window = TimeWindow(window.end - INSTANT_REACH, window.end, True)
    lines = [
        f"?n a {kind} ; oda:nodeId ?node ; oda:hasSensor ?s .",
        '?s oda:pluginName "nagios_pub" ; oda:metricName "state" ; oda:hasReading ?r .',
        "?r a oda:CheckResult ; oda:checkName ?check ; oda:value ?state ; oda:timestamp ?t .",
        f"FILTER({within('t', window)})",
    ]
    if request.nodes:
        lines.append(values("node", request.nodes))
    if request.racks:
        lines.append("?rk a oda:Rack ; oda:contains ?n ; oda:rackId ?rack .")
        lines.append(values("rack", request.racks))
    if request.checks:
        lines.append(values("check", request.checks))
    if request.states:
        lines.append(f"FILTER(?state IN ({', '.join(str(s) for s in request.states)}))")
    if request.hard is not None:
        lines.append(f'?r oda:stateType "{1 if request.hard else 0}" .')
    if request.drained is not None:
        lines.append(f"?r oda:drained {'true' if request.drained else 'false'} .")
    if request.instant:
        latest = [
            "?s oda:hasReading ?r2 . ?r2 a oda:CheckResult ; oda:checkName ?check ;"
            " oda:timestamp ?t2 .",
            '?s oda:pluginName "nagios_pub" ; oda:metricName "state" .',
            f"FILTER({within('t2', window)})",
        ]
        newest = select(["?s", "?check", "(MAX(?t2) AS ?t)"], latest, ["?s", "?check"])
        lines.insert(0, "{\n" + newest + "\n}")
    return lines


def _whole(query: str) -> str:
    return f"{HEADER}\n{query}"
