"""The agent's face: a question and a session in, an answer and a new session out."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from agent.answer import Answer, Cost
from agent.session import Question, Session
from agent.tracing import Tracer, Untraced

Follow = Callable[[str], AbstractContextManager[Callable[[], Cost]]]
"""Of a trace id, for a block: what its question spent so far."""


class Coordinates(Protocol):
    """Carries one question to its answer."""

    def work_on(
        self, question: Question, session: Session, note: Callable[[str], None]
    ) -> tuple[Answer, Session]:
        """The answer and the session that replaces ``session``."""
        ...


class Analyst:
    """Keeps nothing between two questions but what its parts hold open."""

    def __init__(
        self,
        coordinator: Coordinates,
        warm_up: Callable[[], None] = lambda: None,
        close: Callable[[], None] = lambda: None,
        tracer: Tracer | None = None,
        stop: Callable[[str], bool] = lambda trace_id: False,
        follow: Follow = lambda trace_id: nullcontext(Cost),
    ) -> None:
        """``warm_up`` loads what is slow to load, ``close`` ends what the parts keep running.

        ``tracer`` is the one that the parts trace to; ``stop`` ends a question that is worked on,
        and ``follow`` tells what one spends.
        """
        self.tracer: Tracer = tracer or Untraced()
        self._coordinator = coordinator
        self._warm_up = warm_up
        self._close = close
        self._stop = stop
        self._follow = follow

    def answer(
        self, question: Question, session: Session, note: Callable[[str], None]
    ) -> tuple[Answer, Session]:
        """Answer ``question``; the session that comes back replaces the one given.

        ``note`` is told what is being done, for whoever is waiting.
        """
        return self._coordinator.work_on(question, session, note)

    def stop(self, trace_id: str) -> bool:
        """Let the question of ``trace_id`` take no further step, from whichever thread.

        Whether it was being worked on.
        """
        return self._stop(trace_id)

    def following(self, trace_id: str) -> AbstractContextManager[Callable[[], Cost]]:
        """A block in which it can be asked what the question of ``trace_id`` spent so far.

        For a question that breaks off: one that is answered has its cost in the answer.
        """
        return self._follow(trace_id)

    def warm_up(self) -> None:
        """Load now what a question would otherwise wait for."""
        self._warm_up()

    def close(self) -> None:
        """End what is kept running; no question may be asked afterwards."""
        self._close()
