"""The paper's Datalake Query Tool: raw files by plugin and metric, and nothing that knows them.

No ontology, no gate, no question back, no CSV: what comes back is a bounded piece of JSON in the
raw units of the files, and relating one call's rows to another's is left to the model.
"""

import math
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from agent.budget import Budget
from agent.tools import Tool, ToolResult
from retrieval.lake import Lake
from retrieval.raw_lake import NotRead, RawQuery, raw_metrics, raw_plugins, raw_rows

MOST_ROWS = 200
"""Rows of one reply."""


def _listed(value: object) -> object:
    return [value] if isinstance(value, str | int) else value


_Text = Annotated[
    str, BeforeValidator(lambda value: str(value) if isinstance(value, int) else value)
]
_Texts = Annotated[tuple[_Text, ...], BeforeValidator(_listed)]


class _Nothing(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _OfPlugin(BaseModel):
    model_config = ConfigDict(extra="forbid")

    plugin: str = Field(description="Name of a plugin, as listed.")


class _Rows(BaseModel):
    model_config = ConfigDict(extra="forbid")

    plugin: str = Field(description="Name of a plugin, as listed.")
    metric: str = Field(description="Name of a metric of the plugin, as listed.")
    start: datetime | None = Field(None, description="First moment, ISO 8601 (UTC).")
    end: datetime | None = Field(None, description="Last moment, ISO 8601 (UTC).")
    nodes: _Texts = Field((), description="Only rows of these nodes, by number.")
    where: dict[str, _Texts] = Field({}, description="Only rows with these values, by column.")
    aggregate: Literal["avg", "min", "max", "sum", "count"] | None = Field(
        None, description="One number of the values, not the rows."
    )
    by: str = Field("", description="Column: one number for each of its values.")
    limit: int = Field(100, ge=1, le=MOST_ROWS, description="The most rows that come back.")


class DatalakeQueryTool:
    """A ToolSet of three tools over the files of one lake."""

    def __init__(self, lake: Lake) -> None:
        self._lake = lake

    def tools(self) -> tuple[Tool, ...]:
        """What can be called."""
        return (
            Tool(
                "datalake_list_plugins",
                "The plugins of the data lake.",
                _Nothing.model_json_schema(),
            ),
            Tool(
                "datalake_list_metrics",
                "The metrics of a plugin, each a directory of Parquet files.",
                _OfPlugin.model_json_schema(),
            ),
            Tool(
                "datalake_query",
                "Raw rows of one metric of one plugin, or an aggregate of their values.",
                _Rows.model_json_schema(),
            ),
        )

    def call(
        self,
        name: str,
        arguments: Mapping[str, object],
        parent: str = "",
        budget: Budget | None = None,
    ) -> ToolResult:
        """Call a tool; what does not fit is a result with a problem. Raises LakeError."""
        called = _CALLS.get(name)
        if called is None:
            return ToolResult({}, f"there is no tool {name!r}; there are {', '.join(_CALLS)}")
        try:
            return called(self._lake, arguments)
        except ValidationError as error:
            wrong = error.errors()[0]
            where = ".".join(map(str, wrong["loc"])) or "arguments"
            return ToolResult({}, f"{name}: {where}: {wrong['msg']}")


def _list_plugins(lake: Lake, arguments: Mapping[str, object]) -> ToolResult:
    _Nothing.model_validate(dict(arguments))
    return ToolResult({"plugins": list(raw_plugins(lake))})


def _list_metrics(lake: Lake, arguments: Mapping[str, object]) -> ToolResult:
    plugin = _OfPlugin.model_validate(dict(arguments)).plugin
    metrics = raw_metrics(lake, plugin)
    if not metrics:
        return ToolResult({}, f"there are no files of plugin={plugin}")
    return ToolResult({"plugin": plugin, "metrics": list(metrics)})


def _query(lake: Lake, arguments: Mapping[str, object]) -> ToolResult:
    asked = _Rows.model_validate(dict(arguments))
    where = {**asked.where, **({"node": asked.nodes} if asked.nodes else {})}
    found = raw_rows(
        lake,
        RawQuery(
            asked.plugin,
            asked.metric,
            _in_utc(asked.start),
            _in_utc(asked.end),
            where,
            asked.aggregate,
            asked.by,
            asked.limit,
        ),
    )
    if isinstance(found, NotRead):
        return ToolResult({}, found.text)
    return ToolResult(
        {
            "plugin": asked.plugin,
            "metric": asked.metric,
            "columns": list(found.columns),
            "rows": [[_json(cell) for cell in row] for row in found.rows],
            "matched": found.matched,
        }
    )


def _in_utc(moment: datetime | None) -> datetime | None:
    if moment is None or moment.tzinfo is not None:
        return moment
    return moment.replace(tzinfo=UTC)


def _json(cell: object) -> object:
    if isinstance(cell, datetime):
        return (cell if cell.tzinfo else cell.replace(tzinfo=UTC)).astimezone(UTC).isoformat()
    return str(cell) if isinstance(cell, float) and not math.isfinite(cell) else cell


_CALLS: Mapping[str, Callable[[Lake, Mapping[str, object]], ToolResult]] = MappingProxyType(
    {
        "datalake_list_plugins": _list_plugins,
        "datalake_list_metrics": _list_metrics,
        "datalake_query": _query,
    }
)
