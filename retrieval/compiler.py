"""CompiledRequest to checked-to-be SPARQL: the shapes that need no model."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from retrieval.compile_course import course_queries
from retrieval.compile_jobs import job_list, job_measures, nodes_of_jobs
from retrieval.compile_readings import pattern
from retrieval.compile_shapes import (
    PER_SENSOR,
    correlated_series,
    correlation,
    days_with_data,
    measures,
    owners,
    series,
    silent_owners,
)
from retrieval.compile_site import INSTANT_REACH, checks_query, site_query
from retrieval.compile_states import failing_meanwhile, state_periods
from retrieval.data_request import CompiledRequest, Quorum, ReadingsRequest
from retrieval.job_request import JobColumn, JobMeasure, JobsRequest
from retrieval.lake import overall
from retrieval.measures import Measure, Owners, Selected, Wanted
from retrieval.metric_catalog import MetricCatalog
from retrieval.query_text import Compiled
from retrieval.request import TimeWindow
from retrieval.scope import GraphScope
from retrieval.site_request import CheckResultKind, ChecksRequest, SiteRequest

_LABEL_SEPARATOR = " / "


class Compiler:
    """Writes the queries of a request; the same request always gives the same text."""

    def __init__(self, catalog: MetricCatalog, zone: str) -> None:
        self._catalog = catalog
        self._zone = zone

    def compile(self, request: CompiledRequest) -> tuple[Compiled, ...]:
        """The queries of ``request``: one for each quantity, window and kind of measure."""
        match request:
            case SiteRequest():
                query, columns = site_query(request)
                return (Compiled(request.subject.value, query, GraphScope(), columns),)
            case ChecksRequest():
                return self._checks(request)
            case JobsRequest():
                return self._jobs(request)
            case ReadingsRequest():
                return self._readings(request)

    def _checks(self, request: ChecksRequest) -> tuple[Compiled, ...]:
        state = self._catalog.find("nagios_pub", "state")
        window = request.window
        if request.instant:
            window = TimeWindow(window.end - INSTANT_REACH, window.end, True)
        scope = GraphScope((state,) if state else (), (window,))
        if request.kind is not CheckResultKind.PERIODS:
            query, columns = checks_query(request)
            return (Compiled(request.kind.value, query, scope, columns),)
        written = [("periods", *state_periods(request))]
        if request.causes:
            written.append(("checks that were not OK meanwhile", *failing_meanwhile(request)))
        return tuple(Compiled(name, query, scope, columns) for name, query, columns in written)

    def _jobs(self, request: JobsRequest) -> tuple[Compiled, ...]:
        scope = GraphScope(jobs=True)
        if not request.measures:
            if request.columns == (JobColumn.NODES,):
                query, columns = nodes_of_jobs(request)
                return (Compiled("nodes", query, scope, columns),)
            query, columns = job_list(request)
            return (Compiled("jobs", query, scope, columns),)
        # Counting nodes multiplies a job's rows, so it is never in one query with its hours.
        apart = [m for m in request.measures if m is JobMeasure.NODES]
        plain = [m for m in request.measures if m is not JobMeasure.NODES]
        compiled = []
        for wanted in (plain, apart):
            if wanted:
                query, columns = job_measures(request, wanted, self._zone)
                compiled.append(Compiled("jobs", query, scope, columns))
        return tuple(compiled)

    def _readings(self, request: ReadingsRequest) -> tuple[Compiled, ...]:
        if request.wanted is Wanted.CORRELATION:
            return self._correlation(request)
        windows: Sequence[TimeWindow | None] = request.windows or (None,)
        quorums = request.quorums or (None,) * len(request.quantities)
        return tuple(
            one
            for window in windows
            for quantity, who, quorum in zip(
                request.quantities, request.owners, quorums, strict=True
            )
            for one in self._of_quantity(request, quantity, who, window, quorum)
        )

    def _of_quantity(
        self,
        request: ReadingsRequest,
        quantity: Selected,
        who: Owners,
        window: TimeWindow | None,
        quorum: Quorum | None,
    ) -> list[Compiled]:
        if request.instant and window is not None:
            reach = timedelta(seconds=request.reach) if request.reach else INSTANT_REACH
            window = TimeWindow(window.end - reach, window.end, True)
        part = replace(pattern(request, quantity, who, window, self._zone), quorum=quorum)
        scope = scope_of(quantity, window, request)
        if request.wanted in (Wanted.SERIES, Wanted.DISTRIBUTION):
            query, columns = series(request, part, quantity)
            return [Compiled(quantity.label, query, scope, columns)]
        if request.wanted is Wanted.COURSE:
            windows = (window,) if window is not None else ()
            return course_queries(replace(request, windows=windows), part, quantity, who, scope)
        if request.wanted in (Wanted.OWNERS, Wanted.OWNER_COUNT):
            query, columns = owners(request, part, quantity)
            return [Compiled(quantity.label, query, scope, columns)]
        if request.wanted is Wanted.SILENT_DAYS:
            query, columns = days_with_data(part, self._zone)
            return [Compiled(quantity.label, query, scope, columns)]
        if request.wanted is Wanted.SILENT_OWNERS and window is not None:
            query, columns = silent_owners(quantity, who, window)
            return [Compiled(quantity.label, query, scope, columns)]
        compiled = []
        for wanted in _split(request.measures):
            query, columns = measures(request, part, quantity, wanted)
            compiled.append(Compiled(quantity.label, query, scope, columns))
        return compiled

    def _correlation(self, request: ReadingsRequest) -> tuple[Compiled, ...]:
        metrics = tuple(m for q in request.quantities for m in q.metrics)
        scope = GraphScope(metrics, request.windows[:1])
        query, columns, _ = correlation(request, self._zone)
        compiled = [Compiled("correlation", query, scope, columns)]
        for quantity, who in zip(request.quantities, request.owners, strict=True):
            for metric in quantity.metrics:
                one = replace(quantity, metrics=(metric,))
                query, columns = correlated_series(request, one, who, self._zone)
                name = f"{quantity.index_noun} {metric.index} " if len(quantity.metrics) > 1 else ""
                compiled.append(Compiled(f"{name}{quantity.label}", query, scope, columns))
        return tuple(compiled)


def scope_of(quantity: Selected, window: TimeWindow | None, request: ReadingsRequest) -> GraphScope:
    """The graph that a query over one quantity and window needs."""
    windows = (overall([window], timedelta(0)),) if window is not None else ()
    metrics = quantity.metrics
    if request.meanwhile is not None:
        metrics += request.meanwhile.quantity.metrics
    return GraphScope(metrics, windows, jobs=request.during is not None)


def _split(wanted: Sequence[Measure]) -> list[list[Measure]]:
    """Measures that can share a query: those of a sensor apart from those of samples."""
    alone = [m for m in wanted if m in PER_SENSOR]
    plain = [m for m in wanted if m not in alone]
    return [group for group in (plain, *([m] for m in alone)) if group]
