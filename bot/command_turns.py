"""Turns that are commands: help, status, whoami; and ask, whose rest is a question."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from bot.access import Granted, Refused, Right
from bot.guard import Guard
from bot.messages import IncomingMessage, Reply, Status, Way
from bot.turn_store import TurnRecord, TurnStage

Note = Callable[[str], None]

HELP = """Ask about the data centre in plain words: "what was the PUE yesterday?", "plot the GPU \
temperature of rack 12 for the last 10 hours". What follows in the thread goes on from there.

- mention me in a channel; a direct message needs no mention
- where I ask back, press a button or answer in words
- `stop` in a thread stops what you asked there
- `unfollow` in a thread keeps me quiet there until I am mentioned; `follow` has me listen again
- `/odabot ask QUESTION` begins a thread of its own; `/odabot stop` stops what you asked so
- `digest help`: questions that are put again every day, or whenever you like
- `status`: how much waits, and how I am; `whoami`: what you may ask"""
_UNKNOWN = (
    "That is no command of mine. To ask something: `/odabot ask {text}`. `/odabot help` has all."
)


class _Answers(Protocol):
    """Works out what a turn's reply is; see ``bot.intake.lane_work``."""

    def answered(self, record: TurnRecord, note: Note) -> TurnRecord: ...

    def told(self, record: TurnRecord, status: Status, text: str) -> TurnRecord: ...

    def keep_session(self, record: TurnRecord) -> None: ...


@dataclass(frozen=True, slots=True)
class CommandTurns:
    """Stands before everything that answers, and leaves to it what is no command."""

    others: _Answers
    guard: Guard
    status: Callable[[], str]
    """How the service is, in a few lines."""

    def answered(self, record: TurnRecord, note: Note) -> TurnRecord:
        """The turn with its reply; raises what the others raise."""
        message = record.message
        word, _, rest = message.text.strip().partition(" ")
        if message.way is Way.COMMAND and word == "ask" and rest.strip():
            asked = replace(record, message=replace(message, text=rest.strip()))
            return replace(self.others.answered(asked, note), message=message)
        text = self._text(message, word.lower(), bool(rest.strip()))
        if text is None:
            return self.others.answered(record, note)
        reply = Reply(message.thread, Status.COMPLETED, text)
        return replace(record, stage=TurnStage.ANSWERED, reply=reply)

    def told(self, record: TurnRecord, status: Status, text: str) -> TurnRecord:
        """The turn with a reply in these words."""
        return self.others.told(record, status, text)

    def keep_session(self, record: TurnRecord) -> None:
        """Have the thread go on from the turn's session."""
        self.others.keep_session(record)

    def _text(self, message: IncomingMessage, word: str, more: bool) -> str | None:
        """What to say to a command; None where it is none."""
        slash = message.way is Way.COMMAND
        if message.way in (Way.DIGEST, Way.CHOICE) or word in {"digest", "digests"}:
            return None
        if more and not slash:
            return None
        if word not in {"", "ask", "help", "status", "whoami"} or (more and word != "help"):
            return _UNKNOWN.format(text=message.text) if slash else None
        decision = self.guard.commands(message, Right.ASK)
        if isinstance(decision, Refused):
            return decision.text
        match word:
            case "status":
                return self.status()
            case "whoami":
                return _who(message, decision)
            case _:
                return HELP


def is_read_by_the_asker_alone(message: IncomingMessage) -> bool:
    """Whether the reply to a command is for whoever typed it, and nobody else in the channel."""
    return message.way is Way.COMMAND and message.text.split()[:1] != ["ask"]


def _who(message: IncomingMessage, granted: Granted) -> str:
    roles = " and ".join(granted.roles) or "everybody on this machine"
    rights = ", ".join(sorted(right.value for right in granted.rights))
    return f"You are `{message.author}`, asked here as: {roles}. You may: {rights}."
