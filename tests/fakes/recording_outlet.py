"""Outlet in memory: keeps what is posted, and fails as a test wants it to."""

import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from agent import Choice
from bot.errors import PlatformError, PostRefused, RateLimited
from bot.messages import Reply, Thread
from bot.outlet import Part


@dataclass(frozen=True, slots=True)
class LostAnswer:
    """What was asked is done, but nobody hears of it."""


Trouble = LostAnswer | PlatformError


@dataclass(slots=True)
class Message:
    """What stands in a thread."""

    id: str
    thread: Thread
    key: str
    part: Part


@dataclass
class RecordingOutlet:
    """A platform whose messages are the lines of a reply, and whose files are parts of their own.

    ``troubles`` holds, for each method by its name, what befalls its next calls in turn.
    """

    troubles: Mapping[str, deque[Trouble | None]] = field(default_factory=dict)
    refuses: frozenset[str] = frozenset()
    """Texts that it never takes."""

    def __post_init__(self) -> None:
        """Begin with nothing posted."""
        self.messages: list[Message] = []
        self.whispers: list[tuple[Thread, str, str]] = []
        self.calls: list[str] = []
        self._lock = threading.Lock()

    def parts(self, reply: Reply, turn: str) -> tuple[Part, ...]:
        """Each line a message; the choices below the last one."""
        lines = [
            Part(line, instead=(Part(f"plain {line}"),)) for line in reply.markdown.split("\n")
        ]
        if reply.choices and turn:
            lines[-1] = Part(lines[-1].text, ({"choices": len(reply.choices)},))
        return (*lines, *(Part(file.title, files=(file,)) for file in reply.files))

    def progress(self, note: str, seconds: float, turn: str) -> Part:
        """The note."""
        return Part(note, ({"stops": turn},))

    def settled(self, part: Part, note: str, by: str = "") -> Part:
        """Without its body."""
        said = f"{by} {note}" if by else note
        return Part(f"{part.text}\n{said}") if part.body else part

    def why(self, text: str, reasons: tuple[Choice, ...], turn: str) -> Part:
        """The text, and the ids of the reasons."""
        return Part(text, ({"turn": turn, "reasons": [reason.id for reason in reasons]},))

    def post(self, thread: Thread, part: Part, key: str) -> str:
        """Keep ``part``; its id counts up."""
        with self._lock, self._trouble("post"):
            if part.text in self.refuses:
                raise PostRefused("it is on the list")
            self.messages.append(Message(str(len(self.messages) + 1), thread, key, part))
            return self.messages[-1].id

    def posted(self, thread: Thread, key: str) -> str | None:
        """The first message with ``key``, in that thread or in a new one of the channel."""
        with self._lock, self._trouble("posted"):
            found = (
                m for m in self.messages if m.key == key and m.thread.channel == thread.channel
            )
            return next((message.id for message in found), None)

    def edit(self, thread: Thread, message_id: str, part: Part) -> None:
        """Put ``part`` in place."""
        with self._lock, self._trouble("edit"):
            (message,) = [m for m in self.messages if m.id == message_id]
            message.part = part

    def whisper(self, thread: Thread, user: str, part: Part) -> None:
        """Keep what one person is told."""
        with self._lock, self._trouble("whisper"):
            self.whispers.append((thread, user, part.text))

    @property
    def texts(self) -> list[str]:
        """What stands there, in the order in which it was posted."""
        return [message.part.text for message in self.messages]

    def _trouble(self, method: str) -> "_Befallen":
        self.calls.append(method)
        waiting = self.troubles.get(method)
        return _Befallen(waiting.popleft() if waiting else None)


@dataclass(slots=True)
class _Befallen:
    trouble: Trouble | None

    def __enter__(self) -> None:
        if isinstance(self.trouble, PlatformError):
            raise self.trouble

    def __exit__(self, *_: object) -> None:
        if isinstance(self.trouble, LostAnswer):
            raise PlatformError("the answer was lost")


def troubles(**methods: list[Trouble | None]) -> dict[str, deque[Trouble | None]]:
    """What befalls the calls of each method."""
    return {method: deque(each) for method, each in methods.items()}


def rest(seconds: float) -> RateLimited:
    """The platform wants a rest."""
    return RateLimited("later", seconds)
