"""A conversation at a terminal: one thread, one person, one question at a time."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from rich.console import Console
from rich.text import Text

from agent import Choice
from bot.messages import IncomingMessage, Reply, Thread
from bot.terminal import print_reply

_ENDINGS = {"exit", "quit", ":q"}
Answers = Callable[[IncomingMessage, Callable[[str], None]], Reply]
"""From a message, and what is told meanwhile what is being done, to the reply."""


@dataclass(frozen=True, slots=True)
class ConsoleTalk:
    """Asks for a line, prints its reply, asks again."""

    thread: Thread
    read_line: Callable[[str], str]
    """Like ``input``: shows a prompt, gives a line, raises EOFError at the end."""
    console: Console
    clock: Callable[[], datetime]
    prompt: str = "> "

    def run(self, answers: Answers) -> None:
        """Return once the person has no more to say, or nobody reads the terminal any more."""
        choices: tuple[Choice, ...] = ()
        try:
            for text in self._lines():
                reply = self._answered(_meant(text, choices), answers)
                # As a line of its own before and after: what was typed stands right above.
                self.console.print()
                print_reply(self.console, reply)
                self.console.print()
                choices = reply.choices
        except (EOFError, OSError):
            # The input has ended, or the terminal is gone.
            return

    def _lines(self) -> Iterator[str]:
        while (text := self.read_line(self.prompt).strip()).lower() not in _ENDINGS:
            if text:
                yield text

    def _answered(self, text: str, answers: Answers) -> Reply:
        """The reply to ``text``; meanwhile a moving sign says what is being done."""
        message = IncomingMessage(self.thread, uuid4().hex, "console", text, self.clock(), True)
        if not self.console.is_terminal:
            return answers(message, lambda note: None)
        with self.console.status("") as spinner:
            return answers(message, lambda note: spinner.update(Text(note, "dim")))


def _meant(text: str, choices: tuple[Choice, ...]) -> str:
    """The id of the choice of that number, or what was written."""
    if text.isdecimal() and 1 <= int(text) <= len(choices):
        return choices[int(text) - 1].id
    return text
