import json
from collections.abc import Mapping
from pathlib import Path

from agent.answer import MetricUse
from agent.baselines.datalake_agent import datalake_agent
from agent.budget import Budget
from agent.run_context import RunContext
from agent.session import Question
from agent.tools import Tool, ToolResult
from tests.fakes.recording_platform import NOW
from tests.fakes.scripted_model import ScriptedModel

SCHEMA: Mapping[str, object] = {"type": "object", "properties": {"metric": {"type": "string"}}}


class CannedLake:
    """The tools by name, with two rows for any query."""

    def __init__(self) -> None:
        self.called: list[str] = []

    def tools(self) -> tuple[Tool, ...]:
        names = ("datalake_list_plugins", "datalake_list_metrics", "datalake_query")
        return tuple(Tool(name, name, SCHEMA) for name in names)

    def call(
        self,
        name: str,
        arguments: Mapping[str, object],
        parent: str = "",
        budget: Budget | None = None,
    ) -> ToolResult:
        self.called.append(name)
        if arguments.get("metric") == "warmth":
            return ToolResult({}, "there are no files of plugin=ipmi_pub/metric=warmth")
        if name != "datalake_query":
            return ToolResult({"plugins": ["ipmi_pub"]})
        rows = [["2022-06-01T00:00:00+00:00", 5], ["2022-06-01T00:00:20+00:00", 7]]
        content = {"plugin": "ipmi_pub", "metric": "ambient", "columns": ["timestamp", "value"]}
        return ToolResult({**content, "rows": rows, "matched": 2})


def a_call(tool: str, **arguments: object) -> str:
    return json.dumps({"tool": tool, "arguments": arguments})


def a_context(folder: Path) -> RunContext:
    return RunContext(Question("ambient", NOW, "t"), folder, Budget(50_000, 60, 600))


def test_lists_reads_and_reports_in_the_models_words(tmp_path: Path) -> None:
    lake = CannedLake()
    replies = [
        a_call("datalake_list_plugins"),
        a_call("datalake_query", metric="warmth"),
        a_call("datalake_query", metric="ambient"),
        a_call("finish", report="It was 900 degrees."),
    ]

    report = datalake_agent(ScriptedModel(replies), lake).work("ambient", (), a_context(tmp_path))

    assert lake.called == ["datalake_list_plugins", "datalake_query", "datalake_query"]
    # No number of it is held against anything: a limit of what is compared with.
    assert report.text.startswith("It was 900 degrees.\n")
    assert '"matched": 2' in report.text
    assert report.found is not None
    assert report.found.evidence.metrics == (MetricUse("ipmi_pub", "ambient", ""),)
    (table,) = report.found.tables
    assert table.csv.read_text().splitlines()[1:] == [
        "2022-06-01T00:00:00+00:00,5",
        "2022-06-01T00:00:20+00:00,7",
    ]


def test_what_read_nothing_found_nothing(tmp_path: Path) -> None:
    model = ScriptedModel([a_call("finish", report="It is about 20 degrees as a rule.")])

    report = datalake_agent(model, CannedLake()).work("ambient", (), a_context(tmp_path))

    assert report.found is None
    assert report.problem == "It is about 20 degrees as a rule."
