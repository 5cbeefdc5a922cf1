"""One turn of a conversation, from message to reply; the only place that catches everything."""

import logging
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from uuid import uuid4

from agent import Analyst, Answer, Declined, Question
from agent.tracing import Span
from bot.errors import SessionStoreError
from bot.messages import Fact, IncomingMessage, Reply, Thread
from bot.outcome import Failed, Outcome
from bot.rendering import render
from bot.session_store import SessionStore
from bot.telemetry import tracing, without_credentials
from retrieval.errors import GraphStoreError, LakeError

log = logging.getLogger(__name__)

_SOMETHING = "something broke on our side"
Note = Callable[[str], None]


_BROKEN: tuple[tuple[type[Exception], str], ...] = (
    (LakeError, "a part of the data lake cannot be read"),
    (GraphStoreError, "the graph store failed"),
    (SessionStoreError, "the store of the sessions failed"),
)
"""Parts that whoever asks should know of: they need not look for a mistake of their own."""


def new_trace_id() -> str:
    """A name by which one turn is found in the log."""
    return uuid4().hex[:16]


def apology(error: Exception, trace_id: str) -> str:
    """What people are told where ``error`` kept a question from being answered."""
    broken = next((words for kind, words in _BROKEN if isinstance(error, kind)), _SOMETHING)
    return (
        f"Sorry, {broken} and this question was not answered. "
        f"Whoever runs this service finds the cause under trace id {trace_id}."
    )


@dataclass(frozen=True, slots=True)
class Conversation:
    """Hold, load, answer, save, reply."""

    analyst: Analyst
    sessions: SessionStore
    zone: str
    """The site's time zone, in which evidence is shown beside UTC."""

    def outcome_of(self, message: IncomingMessage, note: Note) -> Outcome:
        """What came of ``message``; an apology with the trace id where something broke.

        ``note`` is told what is being done meanwhile.
        """
        trace_id = new_trace_id()
        question = Question(
            message.text, message.sent_at, trace_id, message.author, message.thread.name
        )
        started = time.perf_counter()
        with (
            tracing(trace_id),
            self.analyst.tracer.question(question) as span,
            self.analyst.following(trace_id) as spent,
        ):
            answer: Answer | Failed
            try:
                answer = self._answer(message.thread, question, note)
                seconds = time.perf_counter() - started
                reply = self._reply(answer, message, trace_id, seconds)
            except Exception as error:
                log.exception("a turn failed", extra={"action": "turn_failed"})
                seconds = time.perf_counter() - started
                answer = Failed(
                    apology(error, trace_id),
                    cause=without_credentials(f"{type(error).__name__}: {error}"),
                    cost=spent(),
                )
                reply = self._reply(answer, message, trace_id, seconds)
            _tell(span, answer, reply)
            log.info(
                "a turn ended",
                extra={
                    "action": "turn_ended",
                    "status": reply.status.value,
                    "seconds": round(seconds, 3),
                },
            )
        return Outcome(answer, reply, trace_id, seconds)

    def _answer(self, thread: Thread, question: Question, note: Note) -> Answer:
        with self.sessions.hold(thread):
            session = self.sessions.load(thread)
            answer, session = self.analyst.answer(question, session, note)
            self.sessions.save(thread, session)
        return answer

    def _reply(
        self, answer: Answer | Failed, message: IncomingMessage, trace_id: str, seconds: float
    ) -> Reply:
        trace = Fact("Trace", (f"{trace_id}, {seconds:.2f} s",))
        return render(answer, message.thread, self.zone, trace)


def _tell(span: Span, answer: Answer | Failed, reply: Reply) -> None:
    """Say in the trace how the turn ended, and what it cost."""
    told: dict[str, object] = {"status": reply.status.value, "reply": reply.markdown}
    if isinstance(answer, Declined):
        told["reason"] = answer.reason
    told["cost"] = asdict(answer.cost)
    problem = answer.cause if isinstance(answer, Failed) else ""
    span.tell(told, usage=answer.cost.total, problem=problem)
