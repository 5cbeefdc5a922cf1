"""The tracer of the service: nests the steps of each thread and hands them to their keepers."""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from datetime import UTC, datetime

from agent.answer import Usage
from agent.session import Question
from agent.tracing import Kind, Span
from bot.trace_step import Keeper, Owner, Step, ids_in, new_span, new_trace, trace_id_of
from bot.trace_values import PlainValues


class _OpenStep:
    """A step under way; told from any thread, kept once it ended."""

    def __init__(self, step: Step, values: PlainValues) -> None:
        self.step = step
        self._values = values
        self._lock = threading.Lock()

    @property
    def id(self) -> str:
        """Its W3C traceparent."""
        return self.step.traceparent

    def tell(
        self,
        output: object = None,
        *,
        usage: Usage | None = None,
        model: str = "",
        problem: str = "",
    ) -> None:
        """What came of it; what was told before and is not told anew stays."""
        made, why = self._values.plain(output), self._values.text(problem)
        with self._lock:
            self.step = self.step.told(made, usage, model, why)


class _LiveQuestions:
    """Whose the questions are that this process works on, and the tokens of their replies."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Owner, Usage]] = {}
        self._lock = threading.Lock()

    @contextmanager
    def known(self, trace: str, owner: Owner) -> Iterator[None]:
        """While a question is worked on."""
        with self._lock:
            self._known[trace] = owner, Usage()
        try:
            yield
        finally:
            with self._lock:
                self._known.pop(trace, None)

    def owner_of(self, trace: str) -> Owner:
        """Whose the question is; nobody's where another process asked it."""
        return self._known.get(trace, _NOBODY)[0]

    def spent_on(self, trace: str) -> Usage:
        """The tokens of all replies so far."""
        return self._known.get(trace, _NOBODY)[1]

    def spend(self, trace: str, usage: Usage) -> None:
        """Count one more reply."""
        with self._lock:
            if trace in self._known:
                owner, spent = self._known[trace]
                self._known[trace] = owner, spent + usage


_NOBODY = Owner(), Usage()
# Of the whole process: tools that are called by a protocol have a tracer of their own.
_live = _LiveQuestions()
_open: ContextVar[_OpenStep | None] = ContextVar("open_step", default=None)


class StepTracer:
    """Safe to use from several threads; each keeper has every step."""

    def __init__(self, keepers: Sequence[Keeper], values: PlainValues | None = None) -> None:
        self._keepers = tuple(keepers)
        self._values = values or PlainValues()

    @contextmanager
    def question(self, question: Question) -> Iterator[Span]:
        """The root of the tree of ``question``; has the tokens of its replies where none is told.

        What another process spent is among them only where it is told.
        """
        trace = trace_id_of(question.trace_id)
        owner = Owner(self._values.text(question.user), self._values.text(question.conversation))
        given = {"question": question.text, "asked_at": question.asked_at}
        with (
            _live.known(trace, owner),
            self._step(Kind.QUESTION, "question", given, (trace, "")) as span,
        ):
            yield span

    @contextmanager
    def span(self, kind: Kind, name: str, given: object = None, parent: str = "") -> Iterator[Span]:
        """A step below the open one or ``parent``; with neither it begins a tree of its own."""
        above = _open.get()
        place = ids_in(parent)
        if place is None:
            place = (above.step.trace, above.step.span) if above else (new_trace(), "")
        with self._step(kind, name, given, place) as span:
            yield span

    def close(self) -> None:
        """Have what is not yet kept handed over; no step may begin afterwards."""
        for keeper in self._keepers:
            keeper.close()

    @contextmanager
    def _step(self, kind: Kind, name: str, given: object, place: tuple[str, str]) -> Iterator[Span]:
        trace, parent = place
        made = self._values.plain(given)
        owner = _live.owner_of(trace)
        now = datetime.now(UTC)
        step = Step(trace, new_span(), parent, kind, self._values.text(name), now, made, owner)
        opened = _OpenStep(step, self._values)
        for keeper in self._keepers:
            keeper.begun(step)
        started = time.perf_counter()
        token = _open.set(opened)
        try:
            yield opened
        except BaseException as error:
            opened.tell(problem=f"{type(error).__name__}: {error}")
            raise
        finally:
            _open.reset(token)
            self._end(opened, time.perf_counter() - started)

    def _end(self, opened: _OpenStep, seconds: float) -> None:
        step = replace(opened.step, seconds=seconds)
        if step.kind is Kind.GENERATION:
            _live.spend(step.trace, step.usage)
        if step.kind is Kind.QUESTION and step.usage == Usage():
            step = replace(step, usage=_live.spent_on(step.trace))
        for keeper in self._keepers:
            keeper.ended(step)
