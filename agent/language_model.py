"""The port to a language model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

from agent.answer import Usage
from agent.tools import Tool

Shape = TypeVar("Shape", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked: everything before ``request`` is the same for every question.

    An endpoint that keeps the beginning of prompts then reads the request alone.
    """

    name: str
    """The step that it belongs to, as its file is called."""
    instructions: str
    examples: tuple[tuple[str, str], ...]
    """Requests and the replies to them, put as turns of a conversation."""
    request: str
    longest: int = 256
    """The most tokens that a reply may have."""


@dataclass(frozen=True, slots=True)
class Filled(Generic[Shape]):
    """A reply in the shape that was asked for, and what it cost."""

    value: Shape
    usage: Usage


@dataclass(frozen=True, slots=True)
class Written:
    """A reply in free text, and what it cost."""

    text: str
    usage: Usage


@dataclass(frozen=True, slots=True)
class Called:
    """The call of a tool that a model wants, and what the reply cost."""

    tool: str
    """One of those that were offered."""
    arguments: Mapping[str, object]
    """As the model gives them; the tool itself holds them against its schema."""
    usage: Usage


class LanguageModel(Protocol):
    """Answers prompts; what comes back is a proposal that rules must check."""

    @property
    def name(self) -> str:
        """Which model answers, as its endpoint calls it."""
        ...

    def fill(self, prompt: Prompt, shape: type[Shape]) -> Filled[Shape]:
        """A reply in ``shape``; names that are no choice of it cannot come back.

        Raises ModelUnavailable, ModelRefused, or ModelReplyUnusable with what it cost.
        """
        ...

    def write(self, prompt: Prompt) -> Written:
        """A reply in free text; raises like ``fill``."""
        ...

    def call(self, prompt: Prompt, tools: Sequence[Tool]) -> Called:
        """Which of ``tools`` is to be called next, and how; raises like ``fill``.

        A reply that calls no tool, or one that was not offered, is of no use.
        """
        ...
