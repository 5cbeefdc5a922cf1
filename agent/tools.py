"""The port to tools: what a sub-agent may call by name, in this process or in another."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from agent.budget import Budget


@dataclass(frozen=True, slots=True)
class Tool:
    """What a model is told of a tool."""

    name: str
    description: str
    parameters: Mapping[str, object]
    """JSON schema of its arguments."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call gave: an object, or an error report that helps to call again."""

    content: Mapping[str, object]
    problem: str = ""


class ToolSet(Protocol):
    """The tools of one server; a sub-agent is aware of no others."""

    def tools(self) -> tuple[Tool, ...]:
        """What can be called; raises ToolsUnavailable."""
        ...

    def call(
        self,
        name: str,
        arguments: Mapping[str, object],
        parent: str = "",
        budget: Budget | None = None,
    ) -> ToolResult:
        """Call a tool; ``parent`` is the traceparent of the step that calls.

        The tool is told what is left of ``budget``, and once that is stopped the call is ended:
        Stopped is raised at once. A tool that does not exist, or arguments that do not fit, are a
        result with a problem. Raises ToolsUnavailable where the server cannot be reached.
        """
        ...
