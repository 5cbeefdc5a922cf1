import io
from collections.abc import Callable, Iterable

from rich.console import Console

from agent import Choice
from bot.messages import IncomingMessage, Reply, Status
from bot.platforms.console import ConsoleTalk
from tests.fakes.recording_platform import NOW, a_thread

CHOICES = (Choice("ambient", "the inlet"), Choice("gpu", "the GPU"))


class Closed(io.StringIO):
    """A terminal that is gone once so much was written to it."""

    def write(self, text: str) -> int:
        if "again" in self.getvalue():
            raise OSError("the terminal is gone")
        return super().write(text)


def talked(
    lines: Iterable[str], out: io.StringIO | None = None, *, is_terminal: bool = False
) -> tuple[list[IncomingMessage], str]:
    """What was asked, and what stood on the terminal in the end."""
    asked: list[IncomingMessage] = []
    waiting, written = iter(lines), out or io.StringIO()

    def read_line(_: str) -> str:
        try:
            return next(waiting)
        except StopIteration:
            raise EOFError from None

    def answers(message: IncomingMessage, note: Callable[[str], None]) -> Reply:
        asked.append(message)
        for each in ("reading the question", "[/bold] [red]", ""):
            note(each)
        return Reply(a_thread(), Status.CLARIFICATION, f"{message.text} again", choices=CHOICES)

    console = Console(file=written, force_terminal=is_terminal)
    ConsoleTalk(a_thread(), read_line, console, lambda: NOW).run(answers)
    return asked, written.getvalue()


def test_each_line_is_asked_and_its_reply_is_printed() -> None:
    asked, printed = talked(["power", "", "  node 3 "])

    assert [(message.text, message.sent_at) for message in asked] == [
        ("power", NOW),
        ("node 3", NOW),
    ]
    assert len({message.message_id for message in asked}) == 2
    assert "power again" in printed
    assert "node 3 again" in printed


def test_choices_are_taken_by_number() -> None:
    asked, _ = talked(["which", "2", "3", "0"])

    assert [message.text for message in asked] == ["which", "gpu", "3", "0"]


def test_a_number_is_a_number_where_nothing_is_to_be_chosen() -> None:
    asked, _ = talked(["2"])

    assert asked[0].text == "2"


def test_it_ends_when_it_is_told_to() -> None:
    asked, _ = talked(["power", "EXIT", "more"])

    assert [message.text for message in asked] == ["power"]


def test_what_is_being_done_is_no_mark_up() -> None:
    _, printed = talked(["power"], is_terminal=True)

    assert "[/bold] [red]" in printed


def test_it_ends_where_nobody_reads_the_terminal() -> None:
    asked, _ = talked(["power", "more", "more"], Closed())

    assert len(asked) == 1
