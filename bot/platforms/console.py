"""ChatPlatform over a terminal: one thread, one person."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from rich.console import Console
from rich.status import Status as Spinner
from rich.text import Text

from agent import Choice
from bot.chat_platform import Receive
from bot.messages import IncomingMessage, Reply, Thread
from bot.terminal import print_reply

_ENDINGS = {"exit", "quit", ":q"}


@dataclass
class ConsolePlatform:
    """ChatPlatform over a terminal: asks for a line, waits for its reply, asks again."""

    thread: Thread
    read_line: Callable[[str], str]
    """Like ``input``: shows a prompt, gives a line, raises EOFError at the end."""
    console: Console
    clock: Callable[[], datetime]
    on_end: Callable[[], None]
    """Called when the person has no more to say, or the platform is closed."""
    prompt: str = "> "

    def __post_init__(self) -> None:
        """Begin with no reply to wait for and nothing to choose from."""
        self._replied = threading.Event()
        self._closed = threading.Event()
        self._choices: tuple[Choice, ...] = ()
        self._spinner: Spinner | None = None

    def listen(self, receive: Receive) -> None:
        """Read lines in a thread of its own and call ``receive`` for each, one after the other."""
        threading.Thread(target=self._read, args=(receive,), daemon=True).start()

    def send(self, reply: Reply) -> None:
        """Print ``reply``; its choices can be taken by number.

        The conversation ends where nobody reads the terminal any more.
        """
        self._stop_spinner()
        printed = False
        try:
            self.console.print()
            print_reply(self.console, reply)
            self.console.print()
            printed = True
        finally:
            self._choices = reply.choices
            if not printed:
                self._closed.set()
            self._replied.set()

    def show_working(self, thread: Thread, note: str) -> None:
        """Show ``note`` beside a moving sign, where there is a terminal to move it."""
        if not self.console.is_terminal:
            return
        if self._spinner is None:
            self._spinner = self.console.status("")
            self._spinner.start()
        self._spinner.update(Text(note, "dim"))

    def close(self) -> None:
        """Stop asking for lines."""
        self._closed.set()
        self._stop_spinner()
        self._replied.set()

    def _read(self, receive: Receive) -> None:
        try:
            while not self._closed.is_set():
                text = self.read_line(self.prompt).strip()
                if text.lower() in _ENDINGS:
                    break
                if text:
                    self._replied.clear()
                    receive(self._message(text))
                    self._replied.wait()
        except (EOFError, OSError):
            # The input has ended, or the terminal is gone.
            pass
        finally:
            self.on_end()

    def _message(self, text: str) -> IncomingMessage:
        meant = self._meant(text)
        return IncomingMessage(self.thread, uuid4().hex, "console", meant, self.clock(), True)

    def _meant(self, text: str) -> str:
        if text.isdecimal() and 1 <= int(text) <= len(self._choices):
            return self._choices[int(text) - 1].id
        return text

    def _stop_spinner(self) -> None:
        if self._spinner is not None:
            self._spinner.stop()
            self._spinner = None
