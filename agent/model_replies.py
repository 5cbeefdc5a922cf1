"""What an endpoint sends, read strictly: what is not of the protocol's form is no reply.

The library takes whatever comes for what its types say; a count of tokens that is a text, or below
zero, would then be paid from a question's budget.
"""

from typing import Annotated

from pydantic import BaseModel, Field, ValidationError, ValidatorFunctionWrapHandler
from pydantic.functional_validators import WrapValidator

from agent.answer import Usage
from agent.errors import ModelReplyUnusable, ModelUnavailable

_STRANGE = "the model's endpoint does not speak its protocol"
_MOST_TOKENS = 1_000_000_000


class Function(BaseModel):
    """A call as a model writes it."""

    name: str
    arguments: str | None = None


class _ToolCall(BaseModel):
    function: Function


def _or_nothing(value: object, read: ValidatorFunctionWrapHandler) -> object:
    """What ``read`` makes of ``value``, or None: the rest counts without it, too."""
    try:
        return read(value)
    except ValidationError:
        return None


_OrNothing = WrapValidator(_or_nothing)


class _Message(BaseModel):
    content: Annotated[str | None, _OrNothing] = None
    tool_calls: Annotated[tuple[_ToolCall, ...] | None, _OrNothing] = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: Annotated[str | None, _OrNothing] = None


_Tokens = Annotated[int, Field(ge=0, le=_MOST_TOKENS)]


class _Tokenized(BaseModel):
    prompt_tokens: _Tokens
    completion_tokens: _Tokens


class Completion(BaseModel):
    """A reply to a prompt."""

    choices: Annotated[tuple[_Choice, ...], Field(min_length=1)]
    tokens: Annotated[_Tokenized | None, _OrNothing] = Field(None, alias="usage")

    @property
    def usage(self) -> Usage:
        """What it cost; no tokens where the endpoint counts none."""
        if self.tokens is None:
            return Usage(1)
        return Usage(1, self.tokens.prompt_tokens, self.tokens.completion_tokens)

    def text(self) -> str:
        """The text of the reply; raises ModelReplyUnusable where it has none, or no end."""
        choice = self.choices[0]
        if choice.finish_reason == "length":
            raise ModelReplyUnusable("the model did not come to an end", self.usage)
        if not choice.message.content:
            raise ModelReplyUnusable("the model's reply is empty", self.usage)
        return choice.message.content

    def call(self) -> Function | None:
        """The first call of a tool; None where there is none."""
        calls = self.choices[0].message.tool_calls
        return calls[0].function if calls else None


class _Meta(BaseModel):
    n_ctx: int | None = None
    n_ctx_train: int | None = None


class Listed(BaseModel):
    """A model that an endpoint has."""

    id: Annotated[str, Field(min_length=1)]
    max_model_len: Annotated[int | None, _OrNothing] = None
    """Tokens of context, as vLLM says it; the protocol has no word for it."""
    meta: Annotated[_Meta | None, _OrNothing] = None
    """Where llama.cpp says it."""

    @property
    def context(self) -> int | None:
        """Tokens of prompt and reply together; None where the endpoint does not say."""
        meta = self.meta or _Meta()
        return self.max_model_len or meta.n_ctx or meta.n_ctx_train


class _Listing(BaseModel):
    data: tuple[Listed, ...]


def completion_in(sent: bytes) -> Completion:
    """The reply in the body of an answer; raises ModelUnavailable."""
    try:
        return Completion.model_validate_json(sent)
    except ValidationError as error:
        raise ModelUnavailable(_STRANGE) from error


def models_in(sent: bytes) -> tuple[Listed, ...]:
    """The models in the body of an answer; raises ModelUnavailable."""
    try:
        return _Listing.model_validate_json(sent).data
    except ValidationError as error:
        raise ModelUnavailable(_STRANGE) from error
