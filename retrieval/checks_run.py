"""Runs a request over monitoring checks."""

from dataclasses import replace

from retrieval.outcome import Retrieval
from retrieval.request import Metric
from retrieval.request_run import RequestRun
from retrieval.shares import share_of_owners
from retrieval.site_request import CheckResultKind, ChecksRequest
from retrieval.state_tables import HELD_NOTE, state_tables
from retrieval.tables import Shaped


def run_checks(run: RequestRun, request: ChecksRequest) -> Retrieval:
    """The tables of ``request``, or that there are no results of checks for it."""
    parts = run.parts(request)
    metrics: tuple[Metric, ...] = tuple(m for p in parts for m in p.compiled.scope.metrics)
    if not metrics:
        return run.no_data("There are no results of monitoring checks.")
    missing = run.metric_missing(metrics)
    if missing is not None:
        return missing
    if request.kind is CheckResultKind.PERIODS:
        run.notes.append(HELD_NOTE)
        return run.retrieved(state_tables(request, parts), metrics, (request.window,))
    tables = [Shaped(p.compiled.name, p.compiled.columns, p.frame) for p in parts]
    if request.share:
        seen = _nodes_seen(run, request)
        if not seen:
            return run.no_data("No node has results of these checks in this time.")
        of = ", ".join(request.checks) if len(request.checks) == 1 else "these checks"
        results = f"results of {of}" if request.checks else "check results"
        noun = "node" if request.compute_only else "host"
        tables = [share_of_owners(tables[0], noun, seen, results), *tables]
    return run.retrieved(tables, metrics, (request.window,))


def _nodes_seen(run: RequestRun, request: ChecksRequest) -> int:
    """How many nodes have results of these checks, whatever they say: those of a share's whole."""
    every = replace(request, states=(), hard=None, drained=None)
    (compiled,) = run.source.compiler.compile(every)
    return run.part(compiled).frame["node"].n_unique()
