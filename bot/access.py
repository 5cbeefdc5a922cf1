"""Who may do what, and how much of the data an answer may rest on: asked at every entry.

One function decides, for messages, clicks, commands, digests, the page and the terminal alike:
``Access.decide``. Nobody else looks at roles.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from bot.messages import Act, Click, IncomingMessage, Thread, Way
from retrieval.data_scope import WHOLE, DataScope

TERMINAL = "command"
PAGE = "web"
PRIVATE = frozenset({TERMINAL, PAGE})
"""Platforms on which nobody reads along: the terminal, and the page, where each has their own."""
PAGE_PERSON = "page"
"""Whoever asks on a page that has no log-in; nobody who logs in is called so."""


def is_local(platform: str, author: str) -> bool:
    """Whether that is somebody at this machine: at its terminal, or on a page without log-in."""
    return platform == TERMINAL or (platform, author) == (PAGE, PAGE_PERSON)


class Right(StrEnum):
    """Something that not everybody who may ask may do."""

    ASK = "ask"
    DIGESTS = "digests"
    """Make digests and change one's own; to receive them is to ask."""
    QUERY = "query"
    """See the queries behind an answer, and the steps in which it was made."""
    ADMIN = "admin"
    """Act on what others began: stop it, change their digests, read the service's state."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Somebody who wants something, and where what comes of it will stand."""

    platform: str
    author: str
    channel: str
    private: bool
    """Whether only the author reads along."""
    wants: Right = Right.ASK
    way: str = "message"
    """How it came, for the audit log."""
    turn: IncomingMessage | None = None
    """The message of the turn that is acted on; None where something new is asked."""

    @classmethod
    def of(cls, message: IncomingMessage, wants: Right = Right.ASK) -> "Entry":
        """The entry of ``message``, whose answer stands in its channel: a slash ``ask`` as well."""
        thread = message.thread
        private = message.direct or thread.platform in PRIVATE
        if message.way is Way.DIGEST:
            wants = Right.DIGESTS
        way = message.way.value
        return cls(thread.platform, message.author, thread.channel, private, wants, way)

    @classmethod
    def of_click(cls, click: Click, turn: IncomingMessage) -> "Entry":
        """The entry of ``click`` on a button of ``turn``, the message that was answered."""
        wants = Right.QUERY if click.act in (Act.QUERY, Act.WORK) else Right.ASK
        if click.act is Act.STOP and click.author != turn.author:
            wants = Right.ADMIN
        thread = click.thread
        private = turn.direct or thread.platform in PRIVATE
        way = f"click {click.act.value}"
        return cls(thread.platform, click.author, thread.channel, private, wants, way, turn)

    @classmethod
    def at(cls, thread: Thread, author: str, wants: Right, *, private: bool) -> "Entry":
        """Of something that is neither a message nor a click: a tab that is opened, a word."""
        return cls(thread.platform, author, thread.channel, private, wants, wants.value)


@dataclass(frozen=True, slots=True)
class Granted:
    """It may be done, over no more than ``scope``."""

    scope: DataScope
    rights: frozenset[Right]
    roles: tuple[str, ...]
    """The person's role, and the room's where others read along."""


class Why(StrEnum):
    """Why an entry is refused; for operators, people are told less."""

    UNKNOWN = "no role for this person"
    ROOM = "no role for this room"
    RIGHT = "the role does not let this be done"
    OTHERS = "the turn was answered over more data than the role lets be seen"
    CLOSED = "no access file is named"


@dataclass(frozen=True, slots=True)
class Refused:
    """It may not be done."""

    why: Why
    text: str
    """What the person is told."""


Decision = Granted | Refused


@dataclass(frozen=True, slots=True)
class Role:
    """What those who have it may do and see."""

    name: str
    scope: DataScope = WHOLE
    own_jobs: bool = False
    """Whether only the jobs of the person's own users on the cluster may be seen."""
    rights: frozenset[Right] = frozenset(Right)

    def seen_by(self, users: frozenset[str]) -> DataScope:
        """The scope for a person who has ``users`` on the cluster."""
        return self.scope.of_jobs(users) if self.own_jobs else self.scope


@dataclass(frozen=True, slots=True)
class Member:
    """A person's or a group's role, and who they are on the cluster."""

    role: Role
    users: frozenset[str] = frozenset()


class Roles(Protocol):
    """Where roles are looked up."""

    def of_person(self, platform: str, author: str, channel: str) -> Member | None:
        """The role of a person; None where there is none."""
        ...

    def of_room(self, platform: str, channel: str) -> Role | None:
        """The role of a channel, for what everybody in it may read; None where there is none."""
        ...


class Groups(Protocol):
    """Knows who is in a platform's groups of people."""

    def of(self, platform: str, author: str, channel: str) -> Collection[str]:
        """The ids of the groups that a person is in; empty where that cannot be found out."""
        ...


class NoGroups:
    """Of a service that asks no platform for its groups."""

    def of(self, platform: str, author: str, channel: str) -> Collection[str]:
        """None."""
        return ()


class Access(Protocol):
    """Decides every entry."""

    def decide(self, entry: Entry) -> Decision:
        """Whether ``entry`` may be done, and over which data."""
        ...


class LocalAccess:
    """Without an access file: everything at this machine, nothing from a chat platform."""

    def decide(self, entry: Entry) -> Decision:
        """Grants all to people at this machine, refuses all else."""
        if is_local(entry.platform, entry.author):
            return Granted(WHOLE, frozenset(Right), ("local",))
        return Refused(Why.CLOSED, "This service is not open to anybody here yet.")


_NOT_HERE = (
    "I cannot answer in this channel. Write to me directly, or ask whoever runs this service."
)
_NOT_YOURS = "You may not do that here; whoever runs this service can change it."


@dataclass(frozen=True, slots=True)
class RoleAccess:
    """By the roles of persons and rooms: where others read along, both must let it through."""

    roles: Roles

    def decide(self, entry: Entry) -> Decision:
        """Whether ``entry`` may be done; its scope is what person and room may both see."""
        member = self.roles.of_person(entry.platform, entry.author, entry.channel)
        if member is None:
            return Refused(Why.UNKNOWN, _unknown(entry))
        granted = Granted(
            member.role.seen_by(member.users), member.role.rights, (member.role.name,)
        )
        if not entry.private:
            room = self.roles.of_room(entry.platform, entry.channel)
            if room is None:
                return Refused(Why.ROOM, _NOT_HERE)
            scope = granted.scope & room.seen_by(member.users)
            rights = granted.rights & (room.rights | {Right.ADMIN})
            granted = Granted(scope, rights, (*granted.roles, room.name))
        if entry.wants not in granted.rights:
            return Refused(Why.RIGHT, _NOT_YOURS)
        return self._of_turn(entry, granted)

    def _of_turn(self, entry: Entry, granted: Granted) -> Decision:
        """What was answered to somebody else is for those who may see all that they may."""
        turn = entry.turn
        if turn is None or turn.author == entry.author or entry.wants is Right.ADMIN:
            return granted
        asked = self.decide(replace(Entry.of(turn), wants=Right.ASK))
        if isinstance(asked, Refused) or not granted.scope.covers(asked.scope):
            return Refused(Why.OTHERS, _NOT_YOURS)
        return granted


def _unknown(entry: Entry) -> str:
    known = f" You are known as {entry.author} here." if entry.author else ""
    return f"I do not know you, so I may not answer.{known} Whoever runs this service can add you."
