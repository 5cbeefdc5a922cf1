"""The one door to the data: read a question, then run what it asks; no model is reachable."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, assert_never

import polars as pl

from ontology.conformance import CheckedQuery, Rejection
from retrieval.asking import Asking
from retrieval.checks_run import run_checks
from retrieval.data_request import DataRequest, ReadingsRequest
from retrieval.data_scope import DataScope
from retrieval.errors import LakeError
from retrieval.export import write_table
from retrieval.holdings import with_holdings
from retrieval.job_request import JobsRequest
from retrieval.jobs_run import run_jobs
from retrieval.outcome import Retrieval, Retrieved, oldest
from retrieval.query_watch import UNWATCHED, QueryWatch
from retrieval.question_reader import QuestionReader
from retrieval.readings_run import run_readings
from retrieval.request import EntityKind
from retrieval.request_run import RequestRun, Source
from retrieval.restatement import Restatements
from retrieval.site_request import ChecksRequest, SiteRequest, Subject
from retrieval.tables import Shaped, numbered, side_by_side
from retrieval.understanding import NotUnderstood, ReadingStops, Unclear, Understanding
from retrieval.written_audit import admitted
from retrieval.written_request import WrittenRequest
from retrieval.written_run import run_written


class OpensDoors(Protocol):
    """Has a door to the same data for each scope."""

    def within(self, scope: DataScope) -> "DataService":
        """The door to what ``scope`` lets be seen."""
        ...


@dataclass(frozen=True, slots=True)
class DataService:
    """Grounds questions and answers requests; deterministic, safe in several threads."""

    reader: QuestionReader
    source: Source
    doors: "OpensDoors | None" = None
    """Where there are doors to parts of the same data."""

    def within(self, scope: DataScope) -> "DataService":
        """The door to what ``scope`` lets be seen; raises LakeError, and never shows more."""
        if scope.is_whole:
            return self
        if self.doors is None:
            raise LakeError("this lake cannot be shown in part")
        return self.doors.within(scope)

    def read(self, asking: Asking) -> Understanding:
        """What ``asking`` amounts to."""
        return self.reader.read(asking)

    @property
    def restatements(self) -> Restatements:
        """What is needed to put a question in other words."""
        return self.reader.restatements

    def is_time(self, text: str) -> bool:
        """Whether ``text`` says nothing but a time."""
        return self.reader.is_time(text)

    def run(
        self, request: DataRequest, folder: Path, watch: QueryWatch = UNWATCHED
    ) -> Retrieval | Unclear | NotUnderstood:
        """Answer ``request``; tables are written below ``folder``, queries are told to ``watch``.

        Only the data can show that a difference of two values is one of more. Raises
        RetrievalError where the lake or the store fails.
        """
        run = RequestRun(self.source, request, folder, watch)
        try:
            match request:
                case ReadingsRequest():
                    return run_readings(run, request)
                case JobsRequest():
                    return run_jobs(run, request)
                case ChecksRequest():
                    return run_checks(run, request)
                case SiteRequest():
                    return _run_site(run, request)
                case WrittenRequest():
                    return run_written(run, request)
                case _:
                    assert_never(request)
        except ReadingStops as stopped:
            return stopped.outcome

    def admitted(self, request: WrittenRequest) -> CheckedQuery | Rejection:
        """The query that somebody else wrote, or what must be mended before it may run."""
        return admitted(request, self.source.schema)

    def side_by_side(self, results: Sequence[Retrieved], folder: Path) -> Retrieved:
        """The first tables of ``results`` as one table, joined on the keys that they share."""
        frames = [(pl.read_parquet(r.tables[0].parquet), r.tables[0].columns) for r in results]
        names = " and ".join(dict.fromkeys(r.tables[0].name for r in results))
        joined = side_by_side(frames, names)
        table = write_table(joined.frame, joined.columns, names, folder)
        return replace(
            results[-1],
            tables=(table,),
            queries=tuple(dict.fromkeys(q for r in results for q in r.queries)),
            how=tuple(dict.fromkeys(h for r in results for h in r.how)),
            metrics=tuple(dict.fromkeys(m for r in results for m in r.metrics)),
            graph_age=oldest(r.graph_age for r in results),
            data_queries=tuple(q for r in results for q in r.data_queries),
            treatment=tuple(t for r in results for t in r.treatment),
        )


def _run_site(run: RequestRun, request: SiteRequest) -> Retrieval:
    if request.subject is Subject.PARTITIONS:
        run.source.execution.site.must_know_all(EntityKind.PARTITION)
    parts = run.parts(request)
    metrics = tuple(m for p in parts for m in p.compiled.scope.metrics)
    tables = [Shaped(p.compiled.name, p.compiled.columns, p.frame) for p in parts]
    table, note = with_holdings(tables[0], request, run.source.lake)
    run.notes += [note] if note else []
    return run.retrieved([numbered(table, ordered=False)], metrics, ())
