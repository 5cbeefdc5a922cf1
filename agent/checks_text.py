"""Findings over monitoring checks in words."""

from agent.number_text import cell_text, number_text
from agent.row_text import listed_names, share_text
from retrieval.compile_site import STATE_NAMES
from retrieval.outcome import ResultTable, Retrieved
from retrieval.shares import SHARE
from retrieval.site_request import CheckResultKind, ChecksRequest

_DENIED = {"was": "was not", "had": "did not have"}


def checks_sentences(retrieved: Retrieved, request: ChecksRequest, when: str) -> list[str]:
    """What was found of checks, in one sentence; before it the share, where one is asked."""
    first, *rest = retrieved.tables
    if first.name == SHARE:
        return [share_text(first), *_found(rest[0], request, when)]
    return _found(first, request, when)


def _found(table: ResultTable, request: ChecksRequest, when: str) -> list[str]:
    what = state_text(request, several=table.row_count > 1)
    if not table.row_count:
        return [f"{nobody_text(request, what)} {when}."]
    if request.kind is CheckResultKind.BY_CHECK:
        counted = [(row[0], row[1], "node" if row[1] == 1 else "nodes") for row in table.rows]
        rows = "; ".join(f"{check}: {cell_text(n)} {noun}" for check, n, noun in counted)
        return [f"{_hosts(request)} that {what} {when}, by check: {rows}."]
    if request.kind is CheckResultKind.BY_NODE:
        rows = "; ".join(
            f"node {row[0]} {row[1]} {STATE_NAMES.get(int(str(row[2]).split('.')[0]), row[2])}"
            for row in table.rows[:12]
        )
        return [f"Checks that {what} {when}: {rows}."]
    count = table.row_count
    names = listed_names(table, 0)
    return [f"{number_text(count)} node{'s' if count > 1 else ''} {what} {when}: {names}."]


def _hosts(request: ChecksRequest) -> str:
    kind, names = ("node", request.nodes) if request.nodes else ("rack", request.racks)
    several = f"{kind}{'s' if len(names) > 1 else ''} {', '.join(names)}"
    return f"Of {several}, hosts" if names else "Hosts"


def nobody_text(request: ChecksRequest, what: str) -> str:
    """That none of those who are asked about was so: ``Node 5 was not drained``."""
    names = ", ".join(request.nodes or request.racks)
    if len(request.nodes) == 1:
        verb, _, rest = what.partition(" ")
        twice = request.drained and (request.states or request.checks)
        return f"Node {names} never {what}" if twice else f"Node {names} {_DENIED[verb]} {rest}"
    if request.nodes:
        return f"None of the nodes {names} {what}"
    racks = f" of rack{'s' if len(request.racks) > 1 else ''} {names}" if names else ""
    return f"No node{racks} {what}"


def state_text(request: ChecksRequest, several: bool = True) -> str:
    """What the hosts are asked for: ``were drained``, ``had sys::gpfs::status CRITICAL``."""
    parts = []
    if request.drained:
        parts.append("were drained" if several else "was drained")
    if request.states or request.checks:
        states = " or ".join(str(STATE_NAMES[s]) for s in request.states) or "any state"
        hard = {True: "hard ", False: "soft ", None: ""}[request.hard]
        checks = ", ".join(request.checks) if len(request.checks) <= 4 else "these checks"
        parts.append(f"had {hard}state {states}" + (f" of {checks}" if request.checks else ""))
    return " and ".join(parts) or "had check results"
