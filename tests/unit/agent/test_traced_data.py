"""Requests and their queries as steps of a trace."""

import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import polars as pl
import pytest

from agent.budget import Budget
from agent.errors import Stopped
from agent.session import Question
from agent.traced_data import TracedData
from agent.tracing import Kind, Untraced
from bot.step_tracer import StepTracer
from bot.trace_files import TraceFiles
from bot.trace_step import Step
from retrieval.data_request import DataRequest
from retrieval.errors import CompiledQueryRejected
from retrieval.outcome import Retrieved
from retrieval.query_result import QueryResult
from retrieval.query_watch import UNWATCHED, QueryWatch
from tests.fakes.recording_platform import NOW
from tests.unit.agent.results import a_table, nodes, readings, retrieved, value

POWER = readings(owners=nodes("900"))
FOUND = retrieved(POWER, a_table((value("average"),), (612.3456,)))
RESULT = QueryResult(pl.DataFrame({"average": [612.3]}), {"average": "double"}, "virtual")


class WatchedData:
    """Runs one query and has another one rejected where it is told to."""

    def __init__(self, *, rejects: bool) -> None:
        self._rejects = rejects

    def run(self, request: DataRequest, folder: Path, watch: QueryWatch = UNWATCHED) -> Retrieved:
        with watch.running("SELECT ?v") as done:
            done(RESULT)
        if self._rejects:
            watch.rejected("SELECT ?w", "there is no class oda:Cabinet")
            raise CompiledQueryRejected("there is no class oda:Cabinet")
        return FOUND

    def side_by_side(self, results: Sequence[Retrieved], folder: Path) -> Retrieved:
        return results[-1]


def steps_of(data: WatchedData, folder: Path) -> dict[str, Step]:
    kept = TraceFiles(folder / "traces", 30, 1 << 20)
    tracer = StepTracer([kept])
    question = Question("power?", NOW, "6d5a462eb3254c9f")
    with tracer.question(question), suppress(CompiledQueryRejected):
        TracedData(data, tracer, Budget(0, 0, 1)).run(POWER, folder)
    return {step.name: step for step in kept.read("6d5a462eb3254c9f")}


def test_a_request_tells_what_was_grounded_and_names_and_sizes_of_its_tables(
    tmp_path: Path,
) -> None:
    steps = steps_of(WatchedData(rejects=False), tmp_path)

    given, output = steps["request"].given, steps["request"].output
    assert isinstance(given, dict)
    assert isinstance(output, dict)
    assert given["kind"] == "ReadingsRequest"
    assert "'names': ['900']" in str(given["owners"])
    assert str(output["tables"]).count("'rows': 1") == 1
    assert "612" not in str(output)


class SlowData(WatchedData):
    """Runs a query that takes as long as it may, and then another one."""

    def __init__(self) -> None:
        super().__init__(rejects=False)
        self.begun, self.may_end, self.is_over = (threading.Event() for _ in range(3))
        self.queries: list[str] = []

    def run(self, request: DataRequest, folder: Path, watch: QueryWatch = UNWATCHED) -> Retrieved:
        try:
            for query in ("SELECT ?v", "SELECT ?w"):
                with watch.running(query) as done:
                    self.queries.append(query)
                    self.begun.set()
                    self.may_end.wait(30)
                    done(RESULT)
        finally:
            self.is_over.set()
        return FOUND


def test_a_question_that_is_stopped_waits_for_no_query_and_begins_no_other(tmp_path: Path) -> None:
    data, budget = SlowData(), Budget(0, 0, 1)

    def stop() -> None:
        data.begun.wait(30)
        budget.stop()

    threading.Thread(target=stop).start()
    with pytest.raises(Stopped):
        TracedData(data, Untraced(), budget).run(POWER, tmp_path)
    assert not data.may_end.is_set()

    data.may_end.set()
    assert data.is_over.wait(30)
    assert data.queries == ["SELECT ?v"]


def test_a_query_is_a_step_below_its_request(tmp_path: Path) -> None:
    steps = steps_of(WatchedData(rejects=False), tmp_path)

    assert steps["query"].parent == steps["request"].span
    assert steps["query"].given == {"sparql": "SELECT ?v"}
    assert steps["query"].output == {"how": "virtual", "rows": 1, "columns": ["average"]}


def test_a_query_that_the_gate_rejects_is_a_check_with_the_reason(tmp_path: Path) -> None:
    steps = steps_of(WatchedData(rejects=True), tmp_path)

    assert steps["gate"].kind is Kind.CHECK
    assert steps["gate"].given == {"sparql": "SELECT ?w"}
    assert steps["gate"].problem == "there is no class oda:Cabinet"
    assert steps["request"].problem.startswith("CompiledQueryRejected")
