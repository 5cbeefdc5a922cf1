"""``odabot ask``: one question, its answer for a person or as JSON."""

import json
import logging
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TextIO
from uuid import uuid4

from rich.console import Console
from rich.text import Text

from bot import wiring
from bot.answer_json import answer_json
from bot.commands.running import BuildAnalyst, begin, clock_at
from bot.conversation import apology, new_trace_id
from bot.health import OPERATOR_ERRORS
from bot.memory_sessions import MemorySessions
from bot.messages import IncomingMessage, Reply, Status, Thread
from bot.outcome import Failed, Outcome
from bot.session_store import SessionStore
from bot.settings import Settings
from bot.telemetry import tracing, without_credentials
from bot.terminal import print_reply

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked, and how."""

    question: str
    now: datetime | None = None
    thread: str | None = None
    """Name of the session that the question belongs to; None: it stands alone."""
    as_json: bool = False
    out: Path | None = None
    """Folder for tables and pictures; None: the one in the data folder."""
    with_code: bool = False


def ask(
    asked: Asked, settings: Settings, build_analyst: BuildAnalyst, out: TextIO, err: TextIO
) -> int:
    """Print the answer to ``out``; the exit code: 0, or 1 where we failed.

    Raises one of ``bot.health.OPERATOR_ERRORS`` where the question could not even be begun; as
    JSON that is a failed answer like any other.
    """
    notes = Console(file=err)
    with ExitStack() as parts:
        try:
            outcome = _outcome(asked, settings, build_analyst, notes, parts)
        except OPERATOR_ERRORS as error:
            if not asked.as_json:
                raise
            outcome = _not_begun(error)
        if asked.as_json:
            out.write(json.dumps(answer_json(outcome)) + "\n")
        else:
            _print_for_people(outcome, Console(file=out), notes, asked.with_code)
        # Nobody waits for the parts to be closed, nor for traces that are still to be sent.
        out.flush()
    return 1 if outcome.reply.status is Status.FAILED else 0


def _outcome(
    asked: Asked,
    settings: Settings,
    build_analyst: BuildAnalyst,
    notes: Console,
    parts: ExitStack,
) -> Outcome:
    """What came of the question; ``parts`` takes what is to be closed afterwards."""
    begin(settings)
    answers = (asked.out or settings.answers).absolute()
    sessions = parts.enter_context(_sessions(asked, settings))
    analyst = parts.enter_context(closing(build_analyst(settings, answers)))
    conversation = wiring.build_conversation(settings, analyst, sessions)
    with notes.status("reading the question") as status:
        return conversation.outcome_of(_message(asked), lambda note: status.update(Text(note)))


def _not_begun(error: Exception) -> Outcome:
    trace_id = new_trace_id()
    with tracing(trace_id):
        log.error("a question could not be begun: %s", error)
    cause = without_credentials(f"{type(error).__name__}: {error}")
    answer = Failed(apology(error, trace_id), cause)
    thread = Thread("command", "ask", trace_id)
    return Outcome(answer, Reply(thread, Status.FAILED, answer.text), trace_id, 0.0)


def _sessions(asked: Asked, settings: Settings) -> AbstractContextManager[SessionStore]:
    # A question that stands alone needs no store, and so starts none.
    return wiring.open_sessions(settings) if asked.thread else nullcontext(MemorySessions())


def _message(asked: Asked) -> IncomingMessage:
    thread = Thread("command", "ask", asked.thread or uuid4().hex)
    return IncomingMessage(
        thread, uuid4().hex, "command", asked.question, clock_at(asked.now)(), addressed=True
    )


def _print_for_people(outcome: Outcome, console: Console, notes: Console, with_code: bool) -> None:
    print_reply(console, outcome.reply, with_code=with_code)
    if isinstance(outcome.answer, Failed):
        notes.print(outcome.answer.cause, markup=False, highlight=False, soft_wrap=True)
