"""What digests need of the conversation and of the platform, and a question asked by itself."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from agent import Session
from bot.digests.digest import Digest, DigestPart
from bot.messages import IncomingMessage, Thread
from bot.outcome import Outcome

Note = Callable[[str], None]


class AsksAlone(Protocol):
    """Answers a message in a session that it is given; nothing is loaded or kept."""

    def asked(
        self,
        message: IncomingMessage,
        session: Session,
        settled: tuple[tuple[str, str], ...],
        note: Note,
        part_of: str = "",
    ) -> tuple[Outcome, Session]:
        """What came of ``message`` with these choices made, and the session that it leaves.

        What its author may see applies. Where something broke, the outcome says so. ``part_of`` is
        the trace id of the turn that it is a part of: what stops that stops it.
        """
        ...


class Rights(Protocol):
    """Who may do what about digests."""

    def refusal(self, message: IncomingMessage) -> str:
        """Why the author of ``message`` may do nothing about digests there; empty if they may."""
        ...

    def may_have_digests(self, person: str, place: Thread, *, direct: bool) -> bool:
        """Whether ``person`` may have digests posted to ``place``; ``direct``: to them alone."""
        ...

    def is_admin(self, message: IncomingMessage) -> bool:
        """Whether the author of ``message`` may change what belongs to others there."""
        ...


class Places(Protocol):
    """The channels of a platform."""

    def find(self, said: str, near: IncomingMessage) -> Thread | str:
        """The channel that the author of ``near`` calls ``said``, as a thread without a root.

        Where there is none that they and the bot may write to: why not, in a sentence.
        """
        ...

    def together(self, one: Thread, other: Thread) -> bool:
        """Whether the people of one are those of the other: the same workspace."""
        ...


@dataclass(frozen=True, slots=True)
class Tried:
    """One question of a digest, and what came of it."""

    part: DigestPart
    outcome: Outcome
    session: Session


def ask_part(
    asks: AsksAlone, message: IncomingMessage, part: DigestPart, number: int, note: Note
) -> Tried:
    """``part`` put as a question of ``message``, the ``number``-th of several, from 0."""
    name = f"{message.message_id}#{number}" if number else message.message_id
    question = replace(message, message_id=name, text=part.question)
    outcome, session = asks.asked(question, Session(), part.settled, note, message.trace_id)
    return Tried(part, outcome, session)


def is_of(digest: Digest, message: IncomingMessage, places: Places) -> bool:
    """Whether ``digest`` belongs to the author of ``message``."""
    return digest.owner == message.author and places.together(digest.place, message.thread)
