"""How soon a question in Mattermost is worked on under load, and what is lost or out of order.

Run: python -m bench.mattermost_load [--threads 50] [--questions 200] [--breaks 3]

One odabot serve, two odabot worker and a Valkey run over a tiny lake; our own stub server of
Mattermost is the other side. Some events come twice, and so many times meanwhile every connection
is broken off by a TCP reset. At last a button below each thread's first answer is pressed.
"""

import argparse
import json
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from bench._load import ANSWER, Asked, ask_all, print_found, print_seconds, settled, warm_up
from bench._service import mattermost_side, running_service
from bot.messages import IncomingMessage, Thread
from tests.free_port import free_port
from tests.lakes import tiny_lake
from tests.mattermost_stub import ADA, BOT, MattermostStub, mattermost_stub

_AGAIN = 5
"""Every so manieth event comes twice."""
_BUTTON = "Show query"


@dataclass(slots=True)
class MattermostChat:
    """What people do there, and how soon they see that somebody works on it."""

    stub: MattermostStub
    asked: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, text: str, channel: str, root: str) -> tuple[str, str]:
        """Ask; some of it is told to the bot twice."""
        with self.lock:
            self.asked += 1
            again = self.asked % _AGAIN == 0
        if again:
            self.stub.double_events(1)
        post = self.stub.mention(text, channel=channel, root=root)
        thread = Thread("mattermost", channel, root or post)
        return post, IncomingMessage(thread, post, ADA, "", datetime.now(UTC), True).trace_id

    def answers(self, channel: str, root: str) -> Sequence[str]:
        """The keys that the bot's posts in a thread carry."""
        return [key_of(post) for post in self.stub.replies(root) if ANSWER in json.dumps(post)]

    def begun_after(self, asked: Sequence[Asked]) -> list[float]:
        """The seconds from each question to the first sign of its answer, in its thread."""
        seconds = []
        for root in {one.root for one in asked}:
            posts = self.stub.thread(root)
            signs = {key_of(post).partition("-")[0]: post["create_at"] for post in reversed(posts)}
            for one in asked:
                if one.root == root and one.turn in signs:
                    written = self.stub.post(one.message)["create_at"]
                    seconds.append((signs[one.turn] - written) / 1000)
        return seconds

    def press_all(self, roots: Sequence[str]) -> list[float]:
        """Press a button in each thread, all at once; how long each press took."""
        with ThreadPoolExecutor(len(roots)) as people:
            return list(people.map(self._press, roots))

    def _press(self, root: str) -> float:
        post = next(p for p in self.stub.replies(root) if _BUTTON in json.dumps(p["props"]))
        started = time.perf_counter()
        self.stub.press(post["id"], _BUTTON)
        return time.perf_counter() - started


def key_of(post: dict[str, object]) -> str:
    """What our outlet marks its posts with."""
    props = post.get("props")
    return str(props.get("odabot_part", "")) if isinstance(props, dict) else ""


def measured(options: argparse.Namespace, lake: Path) -> None:
    """Run the load, and print what came of it."""
    with tempfile.TemporaryDirectory() as name, mattermost_stub() as stub:
        folder, port = Path(name), free_port()
        channels = [stub.add_channel(f"load{n}", [ADA, BOT]) for n in range(options.channels)]
        side = mattermost_side(stub, port, channels)
        with running_service(folder, lake, side, options.workers, port) as service:
            warm_up(MattermostChat(stub), channels, options.workers)
            before = service.counted()
            chat, over = MattermostChat(stub), threading.Event()
            breaking = threading.Thread(target=_break_off, args=(stub, options.breaks, over))
            breaking.start()
            started = time.monotonic()
            asked = ask_all(chat, channels, options.threads, options.questions)
            handed_in = time.monotonic() - started
            found = settled(chat, asked)
            took = time.monotonic() - started
            over.set()
            breaking.join()
            print(f"\nmattermost: {options.threads} threads, {len(asked)} questions")
            print_seconds("begun, as the thread shows", chat.begun_after(asked), "")
            print_found(found, handed_in, took, service.counted() - before)
            pressed = chat.press_all(sorted({one.root for one in asked}))
            print_seconds("presses acknowledged", pressed, "")


def _break_off(stub: MattermostStub, times: int, over: threading.Event) -> None:
    for _ in range(times):
        if over.wait(3):
            return
        stub.reset_sockets()


def main() -> None:
    """Measure."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--threads", type=int, default=50)
    options.add_argument("--questions", type=int, default=200)
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--channels", type=int, default=25)
    options.add_argument("--breaks", type=int, default=3)
    with tempfile.TemporaryDirectory() as folder:
        measured(options.parse_args(), tiny_lake(Path(folder) / "lake"))


if __name__ == "__main__":
    main()
