"""What every chat platform promises, over the recording one and the console."""

import io
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from rich.console import Console

from agent import Choice
from bot.chat_platform import ChatPlatform
from bot.messages import IncomingMessage, Reply, Status
from bot.platforms.console import ConsolePlatform
from tests.fakes.recording_platform import NOW, RecordingPlatform, a_thread


@dataclass
class Harness:
    """A platform, and a person at the other end of it."""

    platform: ChatPlatform
    say: Callable[[str], None]
    heard: Callable[[], str]


def recording(_: Path) -> Harness:
    platform = RecordingPlatform()
    return Harness(
        platform, platform.say, lambda: "\n".join(reply.markdown for reply in platform.replies)
    )


def console(_: Path) -> Harness:
    lines: queue.Queue[str] = queue.Queue()
    out = io.StringIO()
    platform = ConsolePlatform(
        a_thread(), lambda _: lines.get(timeout=10), Console(file=out), lambda: NOW, lambda: None
    )
    return Harness(platform, lines.put, out.getvalue)


@pytest.fixture(params=[recording, console])
def harness(request: pytest.FixtureRequest, tmp_path: Path) -> Harness:
    made: Harness = request.param(tmp_path)
    return made


def listening(harness: Harness) -> queue.Queue[IncomingMessage]:
    received: queue.Queue[IncomingMessage] = queue.Queue()
    harness.platform.listen(received.put)
    return received


def test_hands_in_what_a_person_says(harness: Harness) -> None:
    received = listening(harness)

    harness.say("power of node 900")
    message = received.get(timeout=10)
    harness.platform.close()

    assert message.text == "power of node 900"
    assert message.addressed
    assert message.sent_at == NOW


def test_carries_a_reply_out_to_its_thread(harness: Harness) -> None:
    received = listening(harness)
    harness.say("power")
    thread = received.get(timeout=10).thread

    harness.platform.send(Reply(thread, Status.COMPLETED, "It was 812.5 W."))
    heard = harness.heard()
    harness.platform.close()

    assert "It was 812.5 W." in heard


def test_showing_work_never_raises(harness: Harness) -> None:
    received = listening(harness)
    harness.say("power")
    thread = received.get(timeout=10).thread

    for note in ("reading the question", "[/bold] [red]", ""):
        harness.platform.show_working(thread, note)
    harness.platform.show_working(a_thread("nobody knows it"), "reading")
    harness.platform.close()


def test_closing_is_harmless_at_any_time(harness: Harness) -> None:
    harness.platform.close()
    harness.platform.listen(lambda _: None)
    harness.platform.close()
    harness.platform.close()


def test_the_console_takes_choices_by_number() -> None:
    lines: queue.Queue[str] = queue.Queue()
    received: queue.Queue[IncomingMessage] = queue.Queue()
    platform = ConsolePlatform(
        a_thread(),
        lambda _: lines.get(timeout=10),
        Console(file=io.StringIO()),
        lambda: NOW,
        lambda: None,
    )
    platform.listen(received.put)

    lines.put("which")
    received.get(timeout=10)
    choices = (Choice("ambient", "the inlet"), Choice("gpu", "the GPU"))
    platform.send(Reply(a_thread(), Status.CLARIFICATION, "Which?", choices=choices))
    lines.put("2")
    chosen = received.get(timeout=10)
    platform.close()

    assert chosen.text == "gpu"


def test_the_console_ends_where_nobody_reads_it() -> None:
    lines: queue.Queue[str] = queue.Queue()
    received: queue.Queue[IncomingMessage] = queue.Queue()
    ended = threading.Event()
    out = io.StringIO()
    platform = ConsolePlatform(
        a_thread(), lambda _: lines.get(timeout=10), Console(file=out), lambda: NOW, ended.set
    )
    platform.listen(received.put)
    lines.put("power")
    received.get(timeout=10)

    out.close()
    with pytest.raises(ValueError, match="closed"):
        platform.send(Reply(a_thread(), Status.COMPLETED, "x"))

    assert ended.wait(10)
