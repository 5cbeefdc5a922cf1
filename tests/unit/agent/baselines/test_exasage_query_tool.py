from collections.abc import Iterable
from pathlib import Path

import pytest

from agent.answer import Answered, Declined, DeclineReason
from agent.baselines.exasage_query_tool import ExasageQueryTool
from agent.budget import Budget
from agent.language_model import Prompt
from agent.run_context import RunContext
from agent.session import Question
from ontology.conformance import Rejection, check_query
from ontology.schema_loader import load_schema
from retrieval.errors import QueryTimedOut, ScopeTooLarge
from retrieval.metric_catalog import MetricCatalog
from retrieval.outcome import ResultTable
from retrieval.query_text import HEADER, Column, Role
from retrieval.scope import GraphScope
from retrieval.ungrounded_run import Ran
from tests.fakes.recording_platform import NOW
from tests.fakes.scripted_model import ScriptedModel

REQUEST = "total_power of node 900 from [2022-06-01 00:00:00] to [2022-06-01 23:59:59]"
QUERY = '{"query": "SELECT (AVG(?v) AS ?average) WHERE { ?r a oda:Reading ; oda:value ?v . }"}'


class CannedRun:
    """Gives one row for whatever it is asked, or raises."""

    def __init__(self, error: Exception | None = None) -> None:
        self.asked: list[tuple[str, GraphScope]] = []
        self._error = error

    def __call__(self, query: str, scope: GraphScope, folder: Path) -> Ran | Rejection:
        self.asked.append((query, scope))
        if self._error is not None:
            raise self._error
        checked = check_query(f"{HEADER}\n{query}", load_schema())
        if isinstance(checked, Rejection):
            return checked
        csv = folder / "result.csv"
        csv.write_text("average\n812.5\n")
        columns = (Column("average", "average", Role.VALUE),)
        table = ResultTable("result", columns, 1, ((812.5,),), csv, csv)
        return Ran(table, checked.text, "virtual")


def a_context(folder: Path) -> RunContext:
    return RunContext(Question(REQUEST, NOW, "t"), folder, Budget(50_000, 60, 600))


def a_tool(
    replies: Iterable[str], run: CannedRun | None = None
) -> tuple[ExasageQueryTool, ScriptedModel, CannedRun]:
    model, runs = ScriptedModel(replies), run or CannedRun()
    return ExasageQueryTool(model, MetricCatalog.load(), runs), model, runs


def test_one_query_and_one_answer_are_all_that_the_model_is_asked_for(tmp_path: Path) -> None:
    tool, model, runs = a_tool([QUERY, "It drew 9,999 W."])
    context = a_context(tmp_path)

    answer = tool.query(REQUEST, context)

    assert isinstance(answer, Answered)
    # Nothing holds its numbers against the table: a limit of what is compared with.
    assert answer.text == "It drew 9,999 W."
    assert answer.tables[0].preview == ((812.5,),)
    assert [p.name for p in model.asked] == ["exasage-query", "exasage-answer"]
    assert "average\n812.5" in model.asked[1].request
    assert answer.cost.retrieval.llm_calls == 2
    ((_, scope),) = runs.asked
    assert [m.name for m in scope.metrics] == ["total_power"]
    assert not scope.jobs
    assert answer.evidence.execution == "virtual"
    assert answer.evidence.entities == ("node 900",)


def test_the_prompt_is_the_same_for_every_request_but_for_what_was_extracted(
    tmp_path: Path,
) -> None:
    tool, model, _ = a_tool([QUERY, "a", QUERY, "b"])

    tool.query(REQUEST, a_context(tmp_path))
    tool.query("Which racks are there?", a_context(tmp_path))

    first, second = model.asked[0], model.asked[2]
    assert (first.instructions, first.examples) == (second.instructions, second.examples)
    assert first.request.splitlines() == [
        f"Request: {REQUEST}",
        "Metrics: ipmi_pub/total_power",
        "Entities: node 900",
        "Time: 2022-06-01T00:00:00Z to 2022-06-01T23:59:59Z",
    ]


@pytest.mark.parametrize(
    ("request_text", "reason"),
    [
        ("total_power of node 900 in the last 10 hours", DeclineReason.TIME),
        ("Pue and Tot_ict of the data center", DeclineReason.UNKNOWN_METRIC),
        ("how hot is it?", DeclineReason.NOT_UNDERSTOOD),
    ],
)
def test_malformed_input_fails_at_once(
    tmp_path: Path, request_text: str, reason: DeclineReason
) -> None:
    tool, model, runs = a_tool([])

    answer = tool.query(request_text, a_context(tmp_path))

    assert isinstance(answer, Declined)
    assert answer.reason is reason
    assert answer.text.startswith("Malformed input: ")
    assert not model.asked
    assert not runs.asked


def test_a_query_that_does_not_conform_is_not_written_again(tmp_path: Path) -> None:
    tool, model, _ = a_tool(['{"query": "SELECT ?x WHERE { ?x a oda:Teapot . }"}'])

    answer = tool.query(REQUEST, a_context(tmp_path))

    assert isinstance(answer, Declined)
    assert "was not let in" in answer.text
    assert "Teapot" in answer.text
    assert len(model.asked) == 1
    assert answer.evidence.queries == ()
    assert [m.metric for m in answer.evidence.metrics] == ["total_power"]


@pytest.mark.parametrize("error", [ScopeTooLarge("9 readings"), QueryTimedOut("after 60 s")])
def test_a_query_that_does_not_run_is_not_tried_again(tmp_path: Path, error: Exception) -> None:
    tool, _, runs = a_tool([QUERY], CannedRun(error))

    answer = tool.query(REQUEST, a_context(tmp_path))

    assert isinstance(answer, Declined)
    assert str(error) in answer.text
    assert len(runs.asked) == 1


@pytest.mark.parametrize("replies", [["no JSON"], ['{"sql": "SELECT 1"}'], [QUERY, ""]])
def test_a_reply_of_no_use_is_the_end(tmp_path: Path, replies: list[str]) -> None:
    tool, model, _ = a_tool(replies)

    assert isinstance(tool.query(REQUEST, a_context(tmp_path)), Declined)
    assert len(model.asked) == len(replies)


def test_nothing_can_be_clarified(tmp_path: Path) -> None:
    tool, model, _ = a_tool([])

    answer = tool.clarify("0123456789abcdef", "the first", a_context(tmp_path))

    assert isinstance(answer, Declined)
    assert not model.asked


def test_the_examples_of_the_prompt_conform(tmp_path: Path) -> None:
    tool, model, _ = a_tool([QUERY, "a"])
    tool.query(REQUEST, a_context(tmp_path))

    shown: Prompt = model.asked[0]
    for _, reply in shown.examples:
        again, _, runs = a_tool([reply, "fine"])
        assert isinstance(again.query(REQUEST, a_context(tmp_path)), Answered), reply
        assert len(runs.asked) == 1
