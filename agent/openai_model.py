"""LanguageModel over any endpoint that speaks OpenAI's protocol, vLLM first."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, assert_never, get_args

from pydantic import BaseModel, ValidationError

from agent.answer import Usage
from agent.errors import ModelRefused, ModelReplyUnusable
from agent.language_model import Called, Filled, Prompt, Shape, Written
from agent.model_replies import Completion
from agent.openai_endpoint import OpenAiEndpoint
from agent.settings import AgentSettings, SchemaForm
from agent.tool_calls import call_schema, function_of, tools_text, wanted_call
from agent.tools import Tool


@dataclass(frozen=True, slots=True)
class Abilities:
    """What an endpoint can do, as far as trying tells."""

    models: tuple[str, ...]
    context: int | None
    """Tokens of prompt and reply together; None where the endpoint does not say."""
    schemas: tuple[SchemaForm, ...]
    """Forms in which a schema is kept to that contradicts the question; the one that is set alone
    where that is one of them."""
    calls_tools: bool
    """Whether it calls a tool by the protocol's own means where it must."""
    counts_tokens: bool
    """Whether it says what a reply cost; a question's tokens cannot be bounded otherwise."""


class OpenAiModel:
    """Asks for one whole reply at a time, at temperature 0."""

    def __init__(self, settings: AgentSettings) -> None:
        """Nothing is sent before the first question; ``settings`` must name an address."""
        self._settings = settings
        self._endpoint = OpenAiEndpoint(settings)

    @cached_property
    def name(self) -> str:
        """The configured model, or the first one that the endpoint lists."""
        if self._settings.model_name:
            return self._settings.model_name
        listed = self._endpoint.models()
        if not listed:
            raise ModelRefused("the model's endpoint lists no model")
        return listed[0].id

    def fill(self, prompt: Prompt, shape: type[Shape]) -> Filled[Shape]:
        """A reply in ``shape``, read and checked."""
        schema = shape.model_json_schema()
        shaped = _shaped(self._settings.model_schema, prompt.name, schema)
        done = self._complete(prompt, shaped)
        text, usage = done.text(), done.usage
        try:
            return Filled(shape.model_validate_json(text), usage)
        except ValidationError as error:
            wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
            raise ModelReplyUnusable(f"the reply to {prompt.name} is {wrong}", usage) from error

    def write(self, prompt: Prompt) -> Written:
        """A reply in free text."""
        done = self._complete(prompt, {})
        return Written(done.text(), done.usage)

    def call(self, prompt: Prompt, tools: Sequence[Tool]) -> Called:
        """The tool to be called next, read from a tool call or from a reply in JSON."""
        if self._settings.model_tools == "native":
            return self._called_natively(prompt, tools)
        schema = call_schema(tools)
        asked = replace(prompt, instructions=f"{prompt.instructions}\n\n{tools_text(tools)}")
        done = self._complete(asked, _shaped(self._settings.model_schema, prompt.name, schema))
        return _called(prompt, done.text(), tools, done.usage)

    def _called_natively(self, prompt: Prompt, tools: Sequence[Tool]) -> Called:
        offered = [{"type": "function", "function": function_of(tool)} for tool in tools]
        done = self._complete(prompt, {"tools": offered, "tool_choice": "required"})
        call = done.call()
        if call is None:
            raise ModelReplyUnusable(f"the reply to {prompt.name} calls no tool", done.usage)
        written = f'{{"tool": {json.dumps(call.name)}, "arguments": {call.arguments or "{}"}}}'
        return _called(prompt, written, tools, done.usage)

    def abilities(self) -> Abilities:
        """What the endpoint can do, tried out with one small request; raises ModelError."""
        listed = self._endpoint.models()
        mine = next((model for model in listed if model.id == self.name), None)
        if mine is None:
            known = ", ".join(model.id for model in listed) or "none"
            raise ModelRefused(f"the endpoint has no model {self.name!r}; it lists {known}")
        # Without a schema first: what is not taken now is no matter of schemas or tools.
        plain = self._complete(Prompt("plain", "Answer in JSON.", (), "Reply {}.", longest=8), {})
        return Abilities(
            tuple(m.id for m in listed),
            mine.context,
            self._schemas(),
            self._calls_tools(),
            plain.tokens is not None,
        )

    def must_answer(self) -> None:
        """Raises ModelError where the endpoint does not even list its models."""
        self._endpoint.models()

    def close(self) -> None:
        """Give the connections back."""
        self._endpoint.close()

    def _schemas(self) -> tuple[SchemaForm, ...]:
        own = self._settings.model_schema
        if self._holds_schema(own):
            return (own,)
        others = [form for form in get_args(SchemaForm) if form not in (own, "none")]
        return tuple(form for form in others if self._holds_schema(form))

    def _holds_schema(self, form: SchemaForm) -> bool:
        # The schema leaves no way to obey the question, so that a good guess cannot pass for it.
        asked = Prompt("schema", "Answer in JSON.", (), 'Reply {"word": "apple"}.', longest=24)
        try:
            done = self._complete(asked, _shaped(form, asked.name, _OnlyPear.model_json_schema()))
            _OnlyPear.model_validate_json(done.text())
        except (ModelReplyUnusable, ModelRefused, ValidationError):
            return False
        return True

    def _calls_tools(self) -> bool:
        asked = Prompt("tool", "Use the tool.", (), "Report that the pear is ripe.", longest=48)
        schema = _OnlyPear.model_json_schema()
        try:
            self._called_natively(asked, [Tool("report", "Report a ripe fruit.", schema)])
        except (ModelReplyUnusable, ModelRefused):
            return False
        return True

    def _complete(self, prompt: Prompt, extra: Mapping[str, Any]) -> Completion:
        """The reply to a prompt, whose turns go out in the same bytes each time."""
        turns = [{"role": "system", "content": prompt.instructions}]
        for asked, replied in prompt.examples:
            turns.append({"role": "user", "content": asked})
            turns.append({"role": "assistant", "content": replied})
        turns.append({"role": "user", "content": prompt.request})
        return self._endpoint.complete(self.name, turns, prompt.longest, extra)


class _OnlyPear(BaseModel):
    word: Literal["pear"]


def _called(prompt: Prompt, text: str, tools: Sequence[Tool], usage: Usage) -> Called:
    try:
        name, arguments = wanted_call(text, [tool.name for tool in tools])
    except ValueError as error:
        raise ModelReplyUnusable(f"the reply to {prompt.name} is {error}", usage) from error
    return Called(name, arguments, usage)


def _shaped(form: SchemaForm, name: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    match form:
        case "json_schema":
            named = {"name": name, "schema": schema, "strict": True}
            return {"response_format": {"type": "json_schema", "json_schema": named}}
        case "structured_outputs":
            return {"extra_body": {"structured_outputs": {"json": schema}}}
        case "json_object":
            return {"response_format": {"type": "json_object", "schema": schema}}
        case "none":
            return {}
        case _:
            assert_never(form)
