"""One request on its way to tables: every query passes the gate, every table is written."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from zoneinfo import ZoneInfo

from ontology.conformance import CheckedQuery, Rejection, check_query
from ontology.schema import Schema
from retrieval.compiler import Compiler
from retrieval.data_request import CompiledRequest, DataRequest, ReadingsRequest
from retrieval.errors import CompiledQueryRejected
from retrieval.execution import Execution
from retrieval.export import write_table
from retrieval.job_request import JobsRequest
from retrieval.lake import Lake
from retrieval.measures import Wanted
from retrieval.outcome import Coverage, NoData, Retrieved, oldest
from retrieval.query_result import QueryResult
from retrieval.query_text import Compiled
from retrieval.query_watch import UNWATCHED, QueryWatch
from retrieval.request import Metric, TimeWindow
from retrieval.site_request import CheckResultKind, ChecksRequest
from retrieval.split_runs import run_whole_or_split
from retrieval.tables import Part, Shaped, numbered
from retrieval.treatment import treatment_of
from retrieval.units import converted


@dataclass(frozen=True, slots=True)
class Source:
    """What every run needs: the schema of the gate, the lake, and how queries are made and run."""

    schema: Schema
    lake: Lake
    compiler: Compiler
    execution: Execution
    zone: ZoneInfo


@dataclass
class RequestRun:
    """One request, with the queries that were run for it."""

    source: Source
    request: DataRequest
    folder: Path
    watch: QueryWatch = UNWATCHED
    queries: list[str] = field(default_factory=list)
    how: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    graph_age: float | None = None
    data_queries: list[CheckedQuery] = field(default_factory=list)

    def part(self, compiled: Compiled) -> Part:
        """The result of one compiled query that counts what there is.

        Raises CompiledQueryRejected where the gate does not let it pass: a fault of the compiler.
        """
        return self._ran(compiled, self._checked(compiled))

    def _checked(self, compiled: Compiled) -> CheckedQuery:
        checked = check_query(compiled.query, self.source.schema)
        if isinstance(checked, Rejection):
            broken = "; ".join(v.message for v in checked.violations)
            self.watch.rejected(compiled.query, broken)
            raise CompiledQueryRejected(f"{broken}\n{compiled.query}")
        return checked

    def written(self, compiled: Compiled, checked: CheckedQuery) -> QueryResult:
        """The result of a query that somebody else wrote."""
        self.data_queries.append(checked)
        return self._result(compiled, checked)

    def _ran(self, compiled: Compiled, checked: CheckedQuery) -> Part:
        return Part(compiled, self._result(compiled, checked).frame)

    def _result(self, compiled: Compiled, checked: CheckedQuery) -> QueryResult:
        with self.watch.running(compiled.query) as done:
            ran = run_whole_or_split(self.source.execution, checked, compiled.scope)
            done(ran)
        self.queries.append(compiled.query)
        self.how.append(ran.how)
        self.graph_age = oldest((self.graph_age, ran.graph_age))
        return ran

    def parts(self, request: CompiledRequest) -> list[Part]:
        """The results of all queries of ``request``, which tables are made of."""
        found = []
        for compiled in self.source.compiler.compile(request):
            checked = self._checked(compiled)
            self.data_queries.append(checked)
            found.append(self._ran(compiled, checked))
        return found

    def retrieved(
        self,
        tables: Sequence[Shaped],
        metrics: Sequence[Metric],
        windows: tuple[TimeWindow, ...],
        coverage: Coverage | None = None,
    ) -> Retrieved:
        """The written ``tables`` with what they rest on."""
        request = self.request
        if isinstance(request, ReadingsRequest | JobsRequest) and request.unit:
            tables = [_in_unit(table, request.unit) for table in tables]
        if in_order_of_names(request):
            tables = [numbered(table) for table in tables]
        written = tuple(write_table(t.frame, t.columns, t.name, self.folder) for t in tables)
        return Retrieved(
            request,
            written,
            tuple(dict.fromkeys(self.queries)),
            tuple(dict.fromkeys(self.how)),
            tuple(dict.fromkeys(metrics)),
            windows,
            coverage,
            tuple(self.notes),
            self.graph_age,
            tuple(self.data_queries),
            (treatment_of(request),),
        )

    def no_data(self, text: str) -> NoData:
        """That there is nothing to compute the request from, and why."""
        return NoData(self.request, text, tuple(dict.fromkeys(self.queries)))

    def metric_missing(self, metrics: Sequence[Metric]) -> NoData | None:
        """That the lake has no file of one of ``metrics``; None where it has all.

        Raises LakeError where it may have one in a directory that cannot be listed, or where it
        could not be found out what is measured.
        """
        for metric in metrics:
            self.source.execution.site.must_know_owners(metric)
            if not self.source.lake.months(metric.plugin, metric.name):
                self.source.lake.must_list(metric.plugin, metric.name)
                return self.no_data(f"The lake has no data of {metric.name} ({metric.plugin}).")
        return None


def in_order_of_names(request: DataRequest) -> bool:
    """Whether rows stand in the order of the names of things, and not of what is told of them."""
    match request:
        case ReadingsRequest():
            listed = request.wanted in (Wanted.MEASURES, Wanted.OWNERS, Wanted.OWNER_COUNT)
            apart = request.ranking is None and request.peers is None and not request.difference
            return listed and apart
        case JobsRequest():
            return request.ranking is None
        case ChecksRequest():
            return request.kind is not CheckResultKind.PERIODS
        case _:
            return False


def _in_unit(table: Shaped, unit: str) -> Shaped:
    frame, columns = converted(table.frame, table.columns, unit)
    return Shaped(table.name, columns, frame)
