"""The paper's EXASAGE Query Tool: one shot, exact names, strict times, no reflection, no reply."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict, Field

from agent.answer import (
    Answer,
    Answered,
    AnswerTable,
    Cell,
    Declined,
    DeclineReason,
    Evidence,
    MetricUse,
    TimeRange,
)
from agent.asking_model import AskingModel
from agent.baselines.strict_request import Malformed, StrictRequest, strict_request
from agent.errors import ModelReplyUnusable
from agent.language_model import LanguageModel
from agent.prompt_files import prompt
from agent.run_context import RunContext
from agent.tracing import Kind, Span
from ontology.conformance import Rejection
from retrieval.errors import GraphStoreError, ScopeTooLarge
from retrieval.metric_catalog import MetricCatalog
from retrieval.outcome import ResultTable
from retrieval.scope import GraphScope
from retrieval.ungrounded_run import Ran, RunsQueries

_SHOWN_ROWS = 20
_LONGEST_QUERY = 600
_LONGEST_ANSWER = 250
_REASONS = MappingProxyType(
    {
        "time": DeclineReason.TIME,
        "metric": DeclineReason.UNKNOWN_METRIC,
        "request": DeclineReason.NOT_UNDERSTOOD,
    }
)
_NO_CLARIFY = "This tool asks nothing back, and so has nothing that a choice could settle."


class _Query(BaseModel):
    model_config = ConfigDict(extra="forbid")

    query: str = Field(min_length=1, max_length=3000)


@dataclass(frozen=True, slots=True)
class ExasageQueryTool:
    """RetrievalTools whose numbers nothing holds against a table: for the comparison alone."""

    model: LanguageModel
    catalog: MetricCatalog
    run: RunsQueries

    def query(self, request: str, context: RunContext) -> Answer:
        """The model's query, run once, in the model's words; else the part that failed.

        What was extracted before is in the evidence of a failure too. Raises ModelError,
        BudgetSpent, Stopped or LakeError.
        """
        return replace(self._answer(request, context), cost=context.budget.cost)

    def _answer(self, request: str, context: RunContext) -> Answer:
        read = strict_request(request, self.catalog)
        if isinstance(read, Malformed):
            return Declined(_REASONS[read.part], f"Malformed input: {read.text}.")
        model = context.asking(self.model, "retrieval")
        evidence = _evidence(read)
        windows = (read.window,) if read.window is not None else ()
        scope = GraphScope(read.metrics, windows, read.jobs)
        try:
            query = _written(model, request, read)
            with context.tracer.span(Kind.TOOL, "query", {"sparql": query}) as span:
                ran = self.run(query, scope, context.folder)
                _tell(span, ran)
        except ModelReplyUnusable as error:
            return _failed(f"No query was written: {error}", evidence)
        except (ScopeTooLarge, GraphStoreError) as error:
            return _failed(f"The query did not run: {error}", evidence)
        if isinstance(ran, Rejection):
            return _failed(f"The query was not let in: {_broken(ran)}", evidence)
        return self._composed(request, ran, read, model)

    def clarify(self, request_id: str, choice: str, context: RunContext) -> Answer:
        """There is nothing to go on with."""
        return Declined(DeclineReason.NOT_UNDERSTOOD, _NO_CLARIFY)

    def _composed(self, request: str, ran: Ran, read: StrictRequest, model: AskingModel) -> Answer:
        evidence = _evidence(read, (ran.query,), ran.how)
        rows = "\n".join(_lines(ran.table))
        asked = prompt("exasage-answer", longest=_LONGEST_ANSWER, request=request, rows=rows)
        try:
            text = model.write(asked).strip()
        except ModelReplyUnusable as error:
            return _failed(f"No answer was written: {error}", evidence)
        return Answered(text, (_as_answer(ran.table),), (), evidence)


def _written(model: AskingModel, request: str, read: StrictRequest) -> str:
    asked = prompt(
        "exasage-query",
        longest=_LONGEST_QUERY,
        request=request,
        metrics=", ".join(f"{m.plugin}/{m.name}" for m in read.metrics) or "none",
        entities=", ".join(f"{e.kind.value} {e.name}" for e in read.entities) or "none",
        window=_window(read),
    )
    return model.fill(asked, _Query).query


def _tell(span: Span, ran: Ran | Rejection) -> None:
    if isinstance(ran, Rejection):
        span.tell(problem=f"not let in: {_broken(ran)}")
    else:
        span.tell({"how": ran.how, "rows": ran.table.row_count})


def _broken(rejection: Rejection) -> str:
    return "; ".join(violation.message for violation in rejection.violations)


def _window(read: StrictRequest) -> str:
    if read.window is None:
        return "none"
    return f"{_instant(read.window.start)} to {_instant(read.window.end)}"


def _instant(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _lines(table: ResultTable) -> Sequence[str]:
    heads = ", ".join(column.variable for column in table.columns)
    rows = (", ".join(_cell(cell) for cell in row) for row in table.rows[:_SHOWN_ROWS])
    more = table.row_count - _SHOWN_ROWS
    return (heads, *rows, *((f"({more} more rows)",) if more > 0 else ()))


def _cell(cell: Cell) -> str:
    return _instant(cell) if isinstance(cell, datetime) else str(cell)


def _as_answer(table: ResultTable) -> AnswerTable:
    heads = tuple(column.heading for column in table.columns)
    return AnswerTable(table.name, heads, table.row_count, table.csv, table.rows[:_SHOWN_ROWS])


def _evidence(read: StrictRequest, queries: tuple[str, ...] = (), how: str = "") -> Evidence:
    window = read.window
    return Evidence(
        time_ranges=(TimeRange(window.start, window.end),) if window is not None else (),
        metrics=tuple(MetricUse(m.plugin, m.name, m.unit) for m in read.metrics),
        entities=tuple(f"{e.kind.value} {e.name}" for e in read.entities),
        queries=queries,
        execution=how,
    )


def _failed(text: str, evidence: Evidence) -> Declined:
    return Declined(DeclineReason.NOT_UNDERSTOOD, text, evidence)
