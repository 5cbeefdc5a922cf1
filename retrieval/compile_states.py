"""Periods of a state of nodes to SPARQL: drained, or a check that is not OK."""

from dataclasses import replace

from retrieval.compile_site import checks_query
from retrieval.query_text import HEADER, Column, Role, braced, select, values, within
from retrieval.site_request import CheckResultKind, ChecksRequest

NODE = Column("node", "node", Role.KEY)
CHECK = Column("check", "check", Role.KEY)


def state_periods(request: ChecksRequest) -> tuple[str, tuple[Column, ...]]:
    """One row a node (and check) that was ever so: its periods as text, and how long in all."""
    keys = [NODE] if request.drained and not request.states else [NODE, CHECK]
    names = [f"?{key.variable}" for key in keys]
    inner = select([*names, "?t", f"(MAX(IF({_is_so(request)}, 1, 0)) AS ?on)"], _body(request),
                   [*names, "?t"])  # fmt: skip
    terms = [
        "(odaf:runs(odaf:marked(?on = 1, ?on, ?t)) AS ?spans)",
        "(odaf:integral(odaf:at(?on, ?t)) / 60 AS ?held)",
        "(MIN(?t) AS ?begins)",
        "(MAX(?t) AS ?ends)",
    ]
    tail = ["HAVING (MAX(?on) = 1)", "ORDER BY " + " ".join(names)]
    query = select([*names, *terms], [braced(inner)], names, tail)
    columns = (
        *keys,
        Column("spans", "periods", Role.VALUE),
        Column("held", "time", Role.VALUE, "min"),
        Column("begins", "first", Role.TIME),
        Column("ends", "last", Role.TIME),
    )
    return f"{HEADER}\n{query}", columns


def failing_meanwhile(request: ChecksRequest) -> tuple[str, tuple[Column, ...]]:
    """The checks that were not OK on nodes while they were drained."""
    worst = replace(request, kind=CheckResultKind.BY_NODE, states=request.states or (1, 2, 3))
    return checks_query(worst)


def _is_so(request: ChecksRequest) -> str:
    tests = []
    if request.drained is not None:
        tests.append("?drained = true" if request.drained else "?drained = false")
    if request.states:
        tests.append(f"?state IN ({', '.join(str(state) for state in request.states)})")
    if request.hard is not None:
        tests.append(f'?hard = "{1 if request.hard else 0}"')
    return " && ".join(tests)


def _body(request: ChecksRequest) -> list[str]:
    lines = [
        "?n a oda:ComputeNode ; oda:nodeId ?node ; oda:hasSensor ?s .",
        '?s oda:pluginName "nagios_pub" ; oda:metricName "state" ; oda:hasReading ?r .',
        "?r a oda:CheckResult ; oda:checkName ?check ; oda:value ?state ; oda:timestamp ?t .",
        f"FILTER({within('t', request.window)})",
    ]
    if request.drained is not None:
        lines.append("?r oda:drained ?drained .")
    if request.hard is not None:
        lines.append("?r oda:stateType ?hard .")
    if request.nodes:
        lines.append(values("node", request.nodes))
    if request.racks:
        lines.append("?rk a oda:Rack ; oda:contains ?n ; oda:rackId ?rack .")
        lines.append(values("rack", request.racks))
    if request.checks:
        lines.append(values("check", request.checks))
    return lines
