"""A set of tools that are plain functions of this process."""

from collections.abc import Callable, Mapping

from agent.budget import Budget
from agent.errors import ToolsUnavailable
from agent.tools import Tool, ToolResult

Function = Callable[[Mapping[str, object], str], ToolResult]
"""Takes the arguments and the traceparent of the caller."""


class CannedTools:
    """Calls the function of a tool's name once its arguments are those of the schema."""

    def __init__(self, *tools: tuple[Tool, Function]) -> None:
        self._tools = {tool.name: (tool, function) for tool, function in tools}
        self.calls: list[tuple[str, Mapping[str, object]]] = []
        self.reachable = True

    def tools(self) -> tuple[Tool, ...]:
        self._require_reachable()
        return tuple(tool for tool, _ in self._tools.values())

    def call(
        self,
        name: str,
        arguments: Mapping[str, object],
        parent: str = "",
        budget: Budget | None = None,
    ) -> ToolResult:
        self._require_reachable()
        self.calls.append((name, arguments))
        if name not in self._tools:
            return ToolResult({}, f"Unknown tool: {name}")
        tool, function = self._tools[name]
        known, needed = tool.parameters["properties"], tool.parameters.get("required", ())
        assert isinstance(known, Mapping)
        assert isinstance(needed, list | tuple)
        wrong = [
            *(a for a in arguments if a not in known),
            *(n for n in needed if n not in arguments),
        ]
        if wrong:
            return ToolResult({}, f"wrong arguments: {', '.join(wrong)}")
        return function(arguments, parent)

    def _require_reachable(self) -> None:
        if not self.reachable:
            raise ToolsUnavailable("nobody is there")
