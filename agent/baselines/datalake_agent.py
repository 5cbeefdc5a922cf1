"""The sub-agent over the Datalake Query Tool: what the model retrieved, in the model's words."""

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from agent.answer import Answered, AnswerTable, Evidence, MetricUse
from agent.deep.sub_agent import Report
from agent.deep.tool_agent import Made, ToolAgent
from agent.language_model import LanguageModel
from agent.run_context import RunContext
from agent.tools import ToolSet

_ABOUT = (
    "reads rows of one metric at a time from the raw files of the data lake, as inline JSON; knows"
    " no relations between jobs, nodes and racks, and asks nothing back"
)
_OFFERED = ("datalake_list_plugins", "datalake_list_metrics", "datalake_query")
_SHOWN_ROWS = 20
_LONGEST_INLINE = 800
"""Characters of JSON that go on with the report."""


def datalake_agent(model: LanguageModel, tools: ToolSet) -> ToolAgent:
    """The sub-agent of retrieval that has no graph, no check and no question back."""
    return ToolAgent(
        model,
        tools,
        _OFFERED,
        _ABOUT,
        lambda made, context: None,
        _concluded,
        prompt_name="retrieve-datalake",
    )


def _concluded(told: str, made: Sequence[Made], context: RunContext) -> Report:
    """The model's words with the rows it read; those are files only for the code agent to open."""
    read = [call.result.content for call in made if call.result.content.get("rows")]
    if not read:
        return Report(problem=told or "nothing was retrieved")
    tables = tuple(_table(content, context.folder, n) for n, content in enumerate(read, 1))
    metrics = dict.fromkeys(MetricUse(str(c["plugin"]), str(c["metric"]), "") for c in read)
    inline = json.dumps(read[-1])[:_LONGEST_INLINE]
    answer = Answered(told, tables, (), Evidence(metrics=tuple(metrics)))
    return Report(f"{told}\n{inline}", answer)


def _table(content: Mapping[str, object], folder: Path, number: int) -> AnswerTable:
    heads, rows = content["columns"], content["rows"]
    assert isinstance(heads, list)
    assert isinstance(rows, list)
    path = folder / f"raw-{number}.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([heads, *rows])
    shown = tuple(tuple(row) for row in rows[:_SHOWN_ROWS])
    return AnswerTable(str(content["metric"]), tuple(heads), len(rows), path, shown)
