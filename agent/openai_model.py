"""LanguageModel over any endpoint that speaks OpenAI's protocol, vLLM first."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeVar, assert_never

import openai
from openai.types import Model
from openai.types.chat import ChatCompletion
from openai.types.chat.chat_completion import Choice
from pydantic import BaseModel, ValidationError
from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception,
    stop_after_attempt,
    wait_random_exponential,
)

from agent.answer import Usage
from agent.errors import ModelRefused, ModelReplyUnusable, ModelUnavailable
from agent.language_model import Called, Filled, Prompt, Shape, Written
from agent.settings import AgentSettings, SchemaForm
from agent.tool_calls import call_schema, function_of, tools_text, wanted_call
from agent.tools import Tool

_LONGEST_WAIT = 20.0
"""Seconds between two attempts, whatever the endpoint asks for."""
_NO_KEY = "none"
"""The library wants a key, most endpoints of one's own do not."""
_GROWING = wait_random_exponential(multiplier=0.5, max=_LONGEST_WAIT)

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Abilities:
    """What an endpoint can do, as far as trying tells."""

    models: tuple[str, ...]
    context: int | None
    """Tokens of prompt and reply together; None where the endpoint does not say."""
    holds_schema: bool
    """Whether a reply keeps to a schema that contradicts the question."""
    calls_tools: bool
    """Whether it calls a tool by the protocol's own means where it must."""


class OpenAiModel:
    """Asks for one whole reply at a time, at temperature 0."""

    def __init__(self, settings: AgentSettings) -> None:
        """Nothing is sent before the first question; ``settings`` must name an address."""
        self._settings = settings
        key = settings.model_key
        self._client = openai.OpenAI(
            base_url=settings.model_url,
            api_key=key.get_secret_value() if key is not None else _NO_KEY,
            timeout=settings.model_seconds,
            max_retries=0,
        )

    @cached_property
    def name(self) -> str:
        """The configured model, or the first one that the endpoint lists."""
        if self._settings.model_name:
            return self._settings.model_name
        listed = self._listed()
        if not listed:
            raise ModelRefused("the model's endpoint lists no model")
        return listed[0].id

    def fill(self, prompt: Prompt, shape: type[Shape]) -> Filled[Shape]:
        """A reply in ``shape``, read and checked."""
        schema = shape.model_json_schema()
        shaped = _shaped(self._settings.model_schema, prompt.name, schema)
        done, usage = self._complete(prompt, shaped)
        text = _text_of(done, usage)
        try:
            return Filled(shape.model_validate_json(text), usage)
        except ValidationError as error:
            wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
            raise ModelReplyUnusable(f"the reply to {prompt.name} is {wrong}", usage) from error

    def write(self, prompt: Prompt) -> Written:
        """A reply in free text."""
        done, usage = self._complete(prompt, {})
        return Written(_text_of(done, usage), usage)

    def call(self, prompt: Prompt, tools: Sequence[Tool]) -> Called:
        """The tool to be called next, read from a tool call or from a reply in JSON."""
        if self._settings.model_tools == "native":
            return self._called_natively(prompt, tools)
        schema = call_schema(tools)
        asked = replace(prompt, instructions=f"{prompt.instructions}\n\n{tools_text(tools)}")
        done, usage = self._complete(
            asked, _shaped(self._settings.model_schema, prompt.name, schema)
        )
        return _called(prompt, _text_of(done, usage), tools, usage)

    def _called_natively(self, prompt: Prompt, tools: Sequence[Tool]) -> Called:
        offered = [{"type": "function", "function": function_of(tool)} for tool in tools]
        done, usage = self._complete(prompt, {"tools": offered, "tool_choice": "required"})
        calls = [c for c in done.message.tool_calls or () if c.type == "function"]
        if not calls:
            raise ModelReplyUnusable(f"the reply to {prompt.name} calls no tool", usage)
        name, arguments = calls[0].function.name, calls[0].function.arguments
        written = f'{{"tool": {json.dumps(name)}, "arguments": {arguments or "{}"}}}'
        return _called(prompt, written, tools, usage)

    def abilities(self) -> Abilities:
        """What the endpoint can do, tried out with one small request; raises ModelError."""
        listed = self._listed()
        mine = next((model for model in listed if model.id == self.name), None)
        if mine is None:
            known = ", ".join(model.id for model in listed) or "none"
            raise ModelRefused(f"the endpoint has no model {self.name!r}; it lists {known}")
        return Abilities(
            tuple(m.id for m in listed),
            _context_of(mine),
            self._holds_schema(),
            self._calls_tools(),
        )

    def must_answer(self) -> None:
        """Raises ModelError where the endpoint does not even list its models."""
        self._listed()

    def close(self) -> None:
        """Give the connections back."""
        self._client.close()

    def _holds_schema(self) -> bool:
        # The schema leaves no way to obey the question, so that a good guess cannot pass for it.
        asked = Prompt("schema", "Answer in JSON.", (), 'Reply {"word": "apple"}.', longest=24)
        try:
            self.fill(asked, _OnlyPear)
        except ModelReplyUnusable:
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

    def _listed(self) -> Sequence[Model]:
        return tuple(self._tried(lambda: self._client.models.list().data))

    def _complete(self, prompt: Prompt, extra: Mapping[str, Any]) -> tuple[Choice, Usage]:
        """The one choice of a reply; the turns go out in the same bytes for the same prompt."""
        turns: list[Any] = [{"role": "system", "content": prompt.instructions}]
        for asked, replied in prompt.examples:
            turns.append({"role": "user", "content": asked})
            turns.append({"role": "assistant", "content": replied})
        turns.append({"role": "user", "content": prompt.request})
        name = self.name
        done = self._tried(
            lambda: self._client.chat.completions.create(
                model=name,
                messages=turns,
                temperature=0,
                max_tokens=prompt.longest,
                stream=False,
                **extra,
            )
        )
        if not isinstance(done, ChatCompletion) or not done.choices:
            raise ModelReplyUnusable("the model's endpoint answered something else than a reply")
        sent = done.usage.prompt_tokens if done.usage is not None else 0
        written = done.usage.completion_tokens if done.usage is not None else 0
        return done.choices[0], Usage(1, sent, written)

    def _tried(self, call: Callable[[], Result]) -> Result:
        """What ``call`` gives; repeated where that can help and cannot be paid for twice."""
        tries = Retrying(
            retry=retry_if_exception(_may_pass),
            stop=stop_after_attempt(self._settings.model_attempts),
            wait=_pause,
            reraise=True,
        )
        try:
            return tries(call)
        except openai.APITimeoutError as error:
            limit = f"{self._settings.model_seconds:g} s"
            raise ModelUnavailable(f"the model did not reply within {limit}") from error
        except openai.APIConnectionError as error:
            where = self._settings.model_url
            raise ModelUnavailable(f"the model's endpoint {where} cannot be reached") from error
        except openai.APIStatusError as error:
            told = f"the model's endpoint answered {error.status_code}"
            if _may_pass(error):
                raise ModelUnavailable(told) from error
            raise ModelRefused(f"{told}: {_reason(error)}") from error
        except (openai.OpenAIError, ValueError, AttributeError) as error:
            # A web page is text to the library, and it trips over what text does not have.
            raise ModelUnavailable("the model's endpoint does not speak its protocol") from error


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


def _text_of(choice: Choice, usage: Usage) -> str:
    if choice.finish_reason == "length":
        raise ModelReplyUnusable("the model did not come to an end", usage)
    if not choice.message.content:
        raise ModelReplyUnusable("the model's reply is empty", usage)
    return choice.message.content


def _may_pass(error: BaseException) -> bool:
    """Whether the same call may succeed in a moment; a time-out is not waited for twice."""
    if isinstance(error, openai.APIStatusError):
        return error.status_code == 429 or error.status_code >= 500
    return isinstance(error, openai.APIConnectionError) and not isinstance(
        error, openai.APITimeoutError
    )


def _pause(state: RetryCallState) -> float:
    """Seconds before the next attempt: what the endpoint asks for, else a growing random time."""
    error = state.outcome.exception() if state.outcome is not None else None
    if isinstance(error, openai.APIStatusError):
        asked = error.response.headers.get("retry-after", "")
        if asked.isdigit():
            return min(float(asked), _LONGEST_WAIT)
    return float(_GROWING(state))


def _reason(error: openai.APIStatusError) -> str:
    body = error.body
    text = body.get("message") if isinstance(body, dict) else body
    return " ".join(str(text or error.message).split())[:300]


def _context_of(model: Model) -> int | None:
    """Tokens of context, where vLLM and llama.cpp say them; the protocol has no word for it."""
    extra = model.model_extra or {}
    meta = extra.get("meta")
    of_meta = meta.get("n_ctx_train") if isinstance(meta, dict) else None
    length = extra.get("max_model_len") or of_meta
    return length if isinstance(length, int) else None
