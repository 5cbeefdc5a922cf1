"""What the tools exasage_query, exasage_clarify and exasage_download_csv do, without a protocol."""

import hashlib
import json
import logging
import threading
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from agent.answer import Answer, Cost
from agent.answer_codec import Json, encode, encode_failure
from agent.budget import Allowance
from agent.retrieval_tools import RetrievalTools
from agent.run_context import ContextOf, RunContext
from agent.run_store import RunStatus, RunStore
from agent.session import Question
from agent.tracing import Kind
from bot.conversation import apology, new_trace_id
from bot.health import OPERATOR_ERRORS
from bot.mcp.csv_part import CsvPart, csv_names, csv_part
from bot.mcp.request_folders import RequestFolders, names_request
from bot.telemetry import tracing
from bot.trace_step import ids_in

_log = logging.getLogger(__name__)
_YEARS = range(1970, 2200)
"""In which a question may be asked: the words of others would lead out of the calendar."""
_ASK_FIRST = "Ask with exasage_query; its reply has the request_id."


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, in which conversation, and below which step of theirs."""

    user: str = ""
    conversation: str = ""
    traceparent: str = ""
    allowance: Allowance | None = None
    """What a question of theirs has left for the call; None: what any question may spend."""
    has_left: Callable[[], bool] = lambda: False
    """Whether they do not wait for the reply any more."""


@dataclass(frozen=True, slots=True)
class RetrievalDesk:
    """Takes requests by name; each reply is one JSON object."""

    tools: RetrievalTools
    runs: RunStore
    context_of: ContextOf
    folder: Path
    """Each request has its files in a folder of its name below it."""
    zone: ZoneInfo
    """Of a moment that has none."""
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    workers: int = 2
    """How many requests are worked on at a time."""
    wait_seconds: float = 120.0
    """How long a further one waits before it is turned away."""
    days: float = 30.0
    """How long the files of a request are kept."""
    _free: threading.Semaphore = field(init=False)
    _folders: RequestFolders = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_free", threading.Semaphore(self.workers))
        object.__setattr__(self, "_folders", RequestFolders(self.folder, self.days))

    def query(self, request: str, asked_at: datetime | None, asker: Asker) -> Json:
        """The reply to a new request; words such as "today" refer to ``asked_at``."""
        moment = asked_at or self.clock()
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=self.zone)
        if moment.year not in _YEARS:
            text = f"There is no telemetry of the year {moment.year}. Leave asked_at out for now."
            return encode_failure(text)
        self._folders.tidy()
        name = _request_id(request, moment, asker)
        question = Question(request, moment, name, asker.user, asker.conversation)
        return self._reply(
            "exasage_query", question, asker, lambda context: self.tools.query(request, context)
        )

    def clarify(self, request_id: str, choice: str, asker: Asker) -> Json:
        """The reply to a request that waited, now that ``choice`` is made."""
        try:
            state = self.runs.load(request_id) if names_request(request_id) else None
        except OPERATOR_ERRORS as error:
            return _broken("exasage_clarify", error, request_id)
        if state is None:
            return encode_failure(f"No request {request_id!r} is known. {_ASK_FIRST}")
        if state.status is not RunStatus.WAITING:
            text = f"Request {request_id} waits for no choice: it is {state.status.value}."
            return encode_failure(f"{text} Ask anew with exasage_query.", request_id)
        question = Question(choice, self.clock(), request_id, asker.user, asker.conversation)
        return self._reply(
            "exasage_clarify",
            question,
            asker,
            lambda context: self.tools.clarify(request_id, choice, context),
        )

    def download(self, request_id: str, table: str, offset: int, limit: int) -> Json:
        """At most ``limit`` bytes of a table's CSV from ``offset`` on, whole lines where it can."""
        folder = self._folders.of(request_id)
        if folder is None:
            return encode_failure(f"No request {request_id!r} is known. {_ASK_FIRST}")
        names = csv_names(folder)
        wanted = table or (names[0] if len(names) == 1 else "")
        if wanted not in names:
            asked = f"has no table {table!r}" if table else "has not one table"
            there = f"It has {', '.join(names)}." if names else "It has no table at all."
            return encode_failure(f"Request {request_id} {asked}. {there}", request_id)
        part = csv_part(folder / wanted, offset, limit)
        if part is None:
            text = f"The offset {offset} lies behind the end of {wanted}."
            return encode_failure(f"{text} Begin at 0, go on at next_offset.", request_id)
        return _downloaded(request_id, wanted, part)

    def _reply(
        self, tool: str, question: Question, asker: Asker, work: Callable[[RunContext], Answer]
    ) -> Json:
        if not self._free.acquire(timeout=self.wait_seconds):
            text = f"{self.workers} requests are worked on, and this one waited. Ask again later."
            return encode_failure(text, question.trace_id)
        try:
            return self._worked_on(tool, question, asker, work)
        finally:
            self._free.release()

    def _worked_on(
        self, tool: str, question: Question, asker: Asker, work: Callable[[RunContext], Answer]
    ) -> Json:
        with tracing(question.trace_id):
            context = _paid_by(asker, self.context_of(question, lambda note: None))
            try:
                tracer = context.tracer
                # Whoever is not traced may find the request under its own name.
                root = nullcontext() if asker.traceparent else tracer.question(question)
                given = {"request": question.text, "request_id": question.trace_id}
                with root, tracer.span(Kind.TOOL, tool, given, asker.traceparent) as span:
                    reply = encode(work(context), question.trace_id)
                    span.tell(reply)
            except OPERATOR_ERRORS as error:
                return _broken(tool, error, question.trace_id, context.budget.cost)
        return reply


def _paid_by(asker: Asker, context: RunContext) -> RunContext:
    """``context`` with no more to spend than ``asker`` has, and stopped where they left."""
    budget = context.budget
    return replace(context, budget=budget.within(asker.allowance or budget.left, asker.has_left))


def _request_id(request: str, moment: datetime, asker: Asker) -> str:
    """The name of a request: the same where the same step of a question is taken once more.

    A worker that takes over a question of one that died finds what was made of it by this.
    """
    named = ids_in(asker.traceparent)
    if named is None:
        return new_trace_id()
    whole = json.dumps([named[0], moment.isoformat(), request, asker.user, asker.conversation])
    return hashlib.sha256(whole.encode()).hexdigest()[:16]


def _broken(tool: str, error: Exception, request_id: str, cost: Cost | None = None) -> Json:
    extra = {"action": "tool-failed", "tool": tool}
    _log.error("A request failed", extra=extra, exc_info=error)
    return encode_failure(apology(error, request_id), request_id, cost)


def _downloaded(request_id: str, table: str, part: CsvPart) -> Json:
    return {
        "request_id": request_id,
        "status": "completed",
        "table": table,
        "csv": part.text,
        "next_offset": part.next_offset,
        "total_bytes": part.total_bytes,
    }
