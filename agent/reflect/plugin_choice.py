"""Step P: the plugin of the lake that measures what a sub-query asks for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from string import Template
from typing import Any, Literal

from pydantic import create_model

from agent.asking_model import AskingModel
from agent.language_model import Prompt
from agent.prompt_files import prompt
from agent.reflect.reflection import Reflection, WithConfidence

_TOKENS = 30


class PluginReply(WithConfidence):
    """A plugin; which there are is filled in for each lake."""

    plugin: str


def plugin_of(
    model: AskingModel,
    part: str,
    plugins: Mapping[str, str],
    misplaced: Callable[[str], str],
    reflection: Reflection,
) -> PluginReply | None:
    """The plugin of ``part``, one of ``plugins``; None where the model does not become sure.

    ``misplaced`` says why a plugin cannot be meant.
    """

    def against(reply: PluginReply) -> str:
        return reflection.unsure(reply) or misplaced(reply.plugin)

    return reflection.ask(model, _asked(part, plugins), _shape(tuple(plugins)), against)


def _asked(part: str, plugins: Mapping[str, str]) -> Prompt:
    asked = prompt("plugin", longest=_TOKENS, question=part)
    listed = "\n".join(f"{name}: {line}" for name, line in plugins.items())
    return replace(
        asked,
        instructions=Template(asked.instructions).substitute(plugins=listed),
        # What this lake lacks must not be held up as an example.
        examples=tuple(e for e in asked.examples if any(f'"{name}"' in e[1] for name in plugins)),
    )


def _shape(plugins: Sequence[str]) -> type[PluginReply]:
    names: Any = Literal[tuple(plugins)]
    return create_model("Plugin", __base__=PluginReply, plugin=(names, ...))
