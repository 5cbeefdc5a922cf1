"""One turn of a conversation, from message to reply; the only place that catches everything."""

import logging
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from uuid import uuid4

from agent import Analyst, Answer, Declined, Question, Session
from agent.errors import RunStoreError
from agent.tracing import Span
from bot.access import Refused
from bot.counters import Counters, Uncounted
from bot.errors import SessionStoreError
from bot.guard import Guard, refusal
from bot.messages import Fact, IncomingMessage, Reply, Status
from bot.outcome import Failed, Outcome
from bot.rendering import render
from bot.session_store import SessionStore
from bot.telemetry import tracing, without_credentials
from bot.turn_store import TurnRecord, TurnStage
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
_STORES = (SessionStoreError, RunStoreError)
"""What a turn that is kept waits for, rather than end."""


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
    guard: Guard = field(default_factory=Guard)
    counters: Counters = field(default_factory=Uncounted)

    def outcome_of(self, message: IncomingMessage, note: Note) -> Outcome:
        """What came of ``message``; an apology with the trace id where something broke.

        ``note`` is told what is being done meanwhile.
        """

        def answer(question: Question) -> Answer:
            with self.sessions.hold(message.thread):
                session = self.sessions.load(message.thread)
                answered, session = self.analyst.answer(question, session, note)
                self.sessions.save(message.thread, session)
            return answered

        return self._outcome(message, new_trace_id(), answer)

    def answered(self, record: TurnRecord, note: Note) -> TurnRecord:
        """The turn with its reply, and the session as it leaves it; neither is kept yet.

        Whoever calls keeps every other worker off the thread. Raises SessionStoreError or
        RunStoreError where a store fails: nothing was lost then, and it may be called again.
        """
        message = record.message
        after: list[Session] = []

        def answer(question: Question) -> Answer:
            answered, session = self.analyst.answer(
                question, self.sessions.load(message.thread), note
            )
            after.append(session)
            return answered

        outcome = self._outcome(message, record.trace_id, answer, _STORES)
        session = None if isinstance(outcome.answer, Failed) or not after else after[0]
        return replace(record, stage=TurnStage.ANSWERED, reply=outcome.reply, session=session)

    def told(self, record: TurnRecord, status: Status, text: str) -> TurnRecord:
        """The turn with a reply in these words, and a session that nothing was done to."""
        facts = (Fact("Trace", (record.trace_id,)),) if status is Status.FAILED else ()
        reply = Reply(record.message.thread, status, text, facts=facts)
        return replace(record, stage=TurnStage.ANSWERED, reply=reply, session=None)

    def keep_session(self, record: TurnRecord) -> None:
        """Have the thread go on from the session of ``record``; the same however often.

        The thread is that of the reply's first message where the turn began one.
        """
        if record.session is None:
            return
        thread = record.message.thread
        if not thread.root:
            thread = replace(thread, root=dict(record.posted).get(f"{record.trace_id}-0", ""))
        with self.sessions.hold(thread):
            self.sessions.save(thread, record.session)

    def asked(
        self,
        message: IncomingMessage,
        session: Session,
        settled: tuple[tuple[str, str], ...],
        note: Note,
        part_of: str = "",
    ) -> tuple[Outcome, Session]:
        """What came of ``message`` in ``session``, and the session that it leaves; none is kept.

        ``settled`` are choices made in it beforehand; ``part_of`` is the trace id of the turn that
        asks it among others. Raises SessionStoreError or RunStoreError where a store fails: nothing
        was lost then, and it may be called again.
        """
        after = session

        def answer(question: Question) -> Answer:
            nonlocal after
            question = replace(question, settled=settled, part_of=part_of)
            answered, after = self.analyst.answer(question, session, note)
            return answered

        return self._outcome(message, message.trace_id, answer, _STORES), after

    def _outcome(
        self,
        message: IncomingMessage,
        trace_id: str,
        answer_of: Callable[[Question], Answer],
        passes: tuple[type[Exception], ...] = (),
    ) -> Outcome:
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
                decision = self.guard.asks(message, trace_id)
                if isinstance(decision, Refused):
                    answer = refusal(decision)
                else:
                    question = replace(question, scope=decision.scope)
                    answer = answer_of(question)
                seconds = time.perf_counter() - started
                reply = self._reply(answer, message, trace_id, seconds)
            except Exception as error:
                if isinstance(error, passes):
                    raise
                log.exception("a turn failed", extra={"action": "turn_failed"})
                seconds = time.perf_counter() - started
                answer = Failed(
                    apology(error, trace_id),
                    cause=without_credentials(f"{type(error).__name__}: {error}"),
                    cost=spent(),
                )
                reply = self._reply(answer, message, trace_id, seconds)
            self.guard.answered(trace_id, answer)
            _tell(span, answer, reply)
            self.counters.ended(reply.status, seconds, answer.cost.total)
            log.info(
                "a turn ended",
                extra={
                    "action": "turn_ended",
                    "status": reply.status.value,
                    "seconds": round(seconds, 3),
                },
            )
        return Outcome(answer, reply, trace_id, seconds)

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
