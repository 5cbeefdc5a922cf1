"""Runs a query that somebody else wrote: admitted or not at all, over what was asked about."""

from collections.abc import Sequence

import polars as pl

from ontology import shape
from ontology.conformance import CheckedQuery, Rejection
from ontology.shape_walk import all_selects
from ontology.vocabulary import VALUE
from retrieval.coverage import Counted, coverage_of, coverage_query, sensors_query
from retrieval.data_request import ReadingsRequest
from retrieval.errors import WrittenQueryRejected
from retrieval.lake import JOB_METRIC, JOB_PLUGIN
from retrieval.measures import Selected, Wanted
from retrieval.outcome import Coverage, NoData, Retrieval
from retrieval.query_bodies import body_of
from retrieval.query_text import Column, Compiled, Role
from retrieval.request import TimeWindow
from retrieval.request_run import RequestRun
from retrieval.silent_sensors import silent_notes
from retrieval.tables import Shaped
from retrieval.written_audit import admitted
from retrieval.written_columns import columns_of, with_names
from retrieval.written_patterns import owners_of
from retrieval.written_request import WrittenRequest
from retrieval.written_rows import counting

_POOLED = "An average is over all samples, each counting alike; nothing is added up."


def run_written(run: RequestRun, request: WrittenRequest) -> Retrieval:
    """The table of ``request``, or that there are no data for it.

    Raises WrittenQueryRejected where its query was not let in, as ``admitted`` would have told.
    """
    checked = admitted(request, run.source.schema)
    if isinstance(checked, Rejection):
        raise WrittenQueryRejected("; ".join(v.message for v in checked.violations))
    missing = run.metric_missing(request.metrics) or _no_jobs(run, request)
    if missing is not None:
        return missing
    families = dict.fromkeys(each[0].family for each in request.quantities)
    name = " and ".join(families) or ("jobs" if request.jobs else "site")
    coverage = _coverage(run, request)
    if coverage is not None and not coverage.got:
        return run.no_data(f"There are no samples of {name} for what you asked about.")
    columns = columns_of(checked, request)
    counted, found = counting(checked, run.source.schema)
    result = run.written(Compiled(name, counted.text, request.scope, columns), counted)
    if _is_empty(result.frame, columns, found):
        return run.no_data("There are no data for what you asked about.")
    names = [column.variable for column in columns]
    table = Shaped(name, columns, with_names(result.frame, result.kinds).select(names))
    if _pools(checked):
        run.notes.append(_POOLED)
    return run.retrieved([table], request.metrics, request.windows, coverage)


def _no_jobs(run: RequestRun, request: WrittenRequest) -> NoData | None:
    if not request.jobs:
        return None
    run.source.lake.must_list(JOB_PLUGIN, JOB_METRIC)
    if not run.source.lake.months(JOB_PLUGIN, JOB_METRIC):
        return run.no_data("The lake has no job table.")
    return None


def _is_empty(frame: pl.DataFrame, columns: Sequence[Column], found: str) -> bool:
    """Whether no row says anything; ``found`` is the column that counts what was aggregated."""
    if not frame.height:
        return True
    if found and any(column.role is not Role.COUNT for column in columns):
        # How many there are is an answer where that alone is asked, even if there is none.
        return not frame[found].sum()
    told = [column.variable for column in columns if column.role is not Role.KEY]
    return bool(told) and all(frame[name].null_count() == frame.height for name in told)


def _coverage(run: RequestRun, request: WrittenRequest) -> Coverage | None:
    """How many samples there are of what was asked about; None where some are chosen."""
    if not request.quantities or request.jobs or request.instant:
        return None
    zone = str(run.source.zone)
    counted: list[Counted] = []
    readings = []
    for metrics in request.quantities:
        quantity = Selected(metrics[0].family, metrics)
        owners = owners_of(metrics[0], request.entities)
        asked = ReadingsRequest(Wanted.SERIES, (quantity,), (owners,), request.windows)
        readings.append(asked)
        sensors = int(run.part(sensors_query(quantity, owners)).frame.item() or 0)
        windows: Sequence[TimeWindow | None] = request.windows or (None,)
        for window in windows:
            frame = run.part(coverage_query(asked, quantity, owners, window, zone)).frame
            counted.append(Counted(quantity, owners, window, frame, sensors))
    for asked in readings:
        of_it = [one for one in counted if one.quantity == asked.quantities[0]]
        run.notes += silent_notes(run, asked, of_it)
    return _added(counted)


def _added(counted: Sequence[Counted]) -> Coverage:
    parts = [
        coverage_of(one.frame, one.sensors, [one.window] if one.window else [], during=False)
        for one in counted
    ]
    return Coverage(
        sum(part.got for part in parts),
        sum(part.expected for part in parts),
        sum(part.sensors for part in parts),
        sum(part.sensors_expected for part in parts),
        parts[-1].period,
    )


def _pools(query: CheckedQuery) -> bool:
    """Whether the query averages over samples rather than over what each thing came to."""
    for select in all_selects(query.shape.select):
        values = {t.object for t in body_of(select).triples if t.predicate == shape.Iri(VALUE)}
        for column in select.projection:
            match column.expression:
                case shape.Aggregate("AVG", argument) if argument in values:
                    return True
                case _:
                    pass
    return False
