"""The port to traces: what was done for a question, step by step, for whoever audits it."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from enum import StrEnum
from typing import Protocol

from agent.answer import Usage
from agent.session import Question


class Kind(StrEnum):
    """What a span stands for."""

    QUESTION = "question"
    """The whole of a question, from the message to the reply."""
    AGENT = "agent"
    """The coordinator, or a sub-agent at work on a task."""
    TOOL = "tool"
    """One call of a tool: a query that is run, a program that is executed."""
    GENERATION = "generation"
    """One reply of a language model."""
    CHECK = "check"
    """What rules made of something proposed: accepted, or rejected and why."""


class Span(Protocol):
    """A step that is under way."""

    @property
    def id(self) -> str:
        """Its W3C traceparent, by which another process hangs its steps below; may be empty."""
        ...

    def tell(
        self,
        output: object = None,
        *,
        usage: Usage | None = None,
        model: str = "",
        problem: str = "",
    ) -> None:
        """What came of it; ``problem`` where it failed or was rejected."""
        ...


class Tracer(Protocol):
    """Keeps the steps of a question as a tree; never fails because of where it keeps them."""

    def question(self, question: Question) -> AbstractContextManager[Span]:
        """The root of the tree of ``question``, kept under its trace id, user and conversation."""
        ...

    def span(
        self, kind: Kind, name: str, given: object = None, parent: str = ""
    ) -> AbstractContextManager[Span]:
        """A step below the one that is open in this thread, or below ``parent`` of elsewhere.

        ``given`` and what is told are plain values (text, numbers, mappings and sequences of such);
        of anything else the name of its type is kept. A thread that was not started from a step
        needs that step's ``id`` as ``parent``. What is raised in the block is told as the step's
        problem and goes on.
        """
        ...


class Untraced:
    """Keeps nothing."""

    id = ""

    def tell(
        self,
        output: object = None,
        *,
        usage: Usage | None = None,
        model: str = "",
        problem: str = "",
    ) -> None:
        """Forgets what it is told."""

    @contextmanager
    def question(self, question: Question) -> Iterator["Untraced"]:
        """A question of which nothing is kept."""
        yield self

    @contextmanager
    def span(
        self, kind: Kind, name: str, given: object = None, parent: str = ""
    ) -> Iterator["Untraced"]:
        """A step of which nothing is kept."""
        yield self


UNTRACED = Untraced()
