"""Tools as a model is told of them, and the call that it wants, read from its reply."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from agent.tools import Tool


class _Call(BaseModel):
    model_config = ConfigDict(extra="forbid")

    tool: str
    arguments: dict[str, JsonValue]


def tools_text(tools: Sequence[Tool]) -> str:
    """``tools`` as instructions, for a model that is to reply with a call in JSON."""
    lines = [
        f"- {tool.name}({', '.join(_arguments(tool))}): {' '.join(tool.description.split())}"
        for tool in tools
    ]
    shape = '{"tool": name, "arguments": {...}}'
    return "\n".join(("Tools, of which you call one in each reply, as " + shape + ":", *lines))


def function_of(tool: Tool) -> Mapping[str, object]:
    """``tool`` as the protocol declares a function."""
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters": dict(tool.parameters),
    }


def call_schema(tools: Sequence[Tool]) -> Mapping[str, object]:
    """The JSON schema of a call of one of ``tools``: no other can be named."""
    calls = [
        {
            "type": "object",
            "properties": {
                "tool": {"type": "string", "enum": [tool.name]},
                "arguments": dict(tool.parameters),
            },
            "required": ["tool", "arguments"],
            "additionalProperties": False,
        }
        for tool in tools
    ]
    return calls[0] if len(calls) == 1 else {"anyOf": calls}


def wanted_call(text: str, names: Sequence[str]) -> tuple[str, Mapping[str, object]]:
    """The tool of ``names`` that ``text`` calls, and its arguments.

    Raises ValueError, whose words say what the text is instead.
    """
    try:
        told = _Call.model_validate_json(text)
    except ValidationError as error:
        wrong = error.errors()[0]
        where = ".".join(map(str, wrong["loc"]))
        raise ValueError(f"no call of a tool: {where} {wrong['msg']}") from error
    if told.tool not in names:
        raise ValueError(f"a call of {told.tool!r:.60}, which is none of {', '.join(names)}")
    return told.tool, told.arguments


def _arguments(tool: Tool) -> Sequence[str]:
    properties = tool.parameters.get("properties", {})
    return list(properties) if isinstance(properties, Mapping) else []
