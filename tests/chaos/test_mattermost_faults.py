"""The service as an operator runs it, in a Mattermost that fails: cut off, told twice or not."""

import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.messages import IncomingMessage, Thread
from tests.chaos.faults import Row, Tell
from tests.chaos.service_processes import ServiceProcess, power_of, started
from tests.chaos.store_server import StoreServer
from tests.free_port import free_port
from tests.intake_service import wait_until
from tests.lakes import tiny_lake
from tests.mattermost_stub import ADA, BOT, MattermostStub, mattermost_stub
from tests.service_process import mattermost_environment

EVERY = pytest.mark.every_fault
THREADS = 4


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, where it was asked, and words that its answer must have."""

    channel: str
    root: str
    post: str
    answer: str

    @property
    def key(self) -> str:
        """What the first part of its answer is marked with."""
        thread = Thread("mattermost", self.channel, self.root)
        told = IncomingMessage(thread, self.post, ADA, "", datetime.now(UTC), True)
        return f"{told.trace_id}-0"


@dataclass
class Site:
    """Mattermost, Valkey, and the processes of the service."""

    folder: Path
    chat: MattermostStub
    store: StoreServer
    channels: Sequence[str]
    variables: dict[str, str]
    running: list[ServiceProcess] = field(default_factory=list)

    def start(self, *options: str) -> ServiceProcess:
        """``odabot OPTIONS``, ready."""
        said = self.folder / f"said-{len(list(self.folder.glob('said-*')))}.txt"
        self.running.append(started(options, self.variables, said))
        self.running[-1].wait_until_ready()
        return self.running[-1]

    def ask(self, node: int, after: Sequence[Asked] = ()) -> list[Asked]:
        """A question in each channel: in a thread of its own, or in those of ``after``."""
        roots = [one.root for one in after] or [""] * THREADS
        asked = []
        for number, (channel, root) in enumerate(zip(self.channels, roots, strict=True)):
            text, answer = power_of(node + number)
            post = self.chat.mention(text, channel=channel, root=root)
            asked.append(Asked(channel, root or post, post, answer))
        return asked

    def row(self, fault: str, asked: Sequence[Asked]) -> Row:
        """What stands in the channels now."""
        posts = [post for channel in self.channels for post in self.chat.posts(channel)]
        marks = Counter(mark for post in posts if (mark := mark_of(post)))
        lost = sum(not marks[one.key] for one in asked)
        return Row(fault, len(asked), lost, sum(count > 1 for count in marks.values()))

    def check_order(self, asked: Sequence[Asked]) -> None:
        """Each thread's answers stand in its order, and say what was asked."""
        for root in {one.root for one in asked}:
            mine = {one.key: one for one in asked if one.root == root}
            found = [post for post in self.chat.replies(root) if mark_of(post) in mine]
            assert [mark_of(post) for post in found] == list(mine)
            for post in found:
                assert mine[mark_of(post)].answer in post["message"]

    def clear(self) -> None:
        """Kill every process and forget what was asked."""
        for each in self.running:
            each.kill()
        self.running.clear()
        self.chat.reset()
        self.store.flush()


def mark_of(post: dict[str, Any]) -> str:
    """What a part of an answer is told by."""
    return str(post["props"].get("odabot_part", "")) if post["user_id"] == BOT else ""


@pytest.fixture(scope="module")
def one_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder, port = tmp_path_factory.mktemp("mattermost"), free_port()
    with ExitStack() as parts:
        chat = parts.enter_context(mattermost_stub())
        channels = [chat.add_channel(f"fault{number}", [ADA, BOT]) for number in range(THREADS)]
        store = StoreServer(folder / "valkey")
        parts.callback(store.close)
        variables = mattermost_environment(folder, chat, port) | {
            "ODABOT_RETRIEVAL__LAKE": str(tiny_lake(folder / "lake")),
            "ODABOT_REDIS_URL": store.url,
            "ODABOT_HTTP__PORT": str(port),
            "ODABOT_LEASE_SECONDS": "6",
            "ODABOT_GRACE_SECONDS": "5",
            "ODABOT_MATTERMOST__WATCH_SECONDS": "2",
        }
        rooms = "".join(f'{channel} = "oncall"\n' for channel in channels)
        with Path(variables["ODABOT_ACCESS"]).open("a") as access:
            access.write(rooms)
        site = Site(folder, chat, store, channels, variables)
        parts.callback(site.clear)
        yield site


@pytest.fixture
def site(one_site: Site) -> Iterator[Site]:
    yield one_site
    one_site.clear()


def break_off(site: Site) -> None:
    site.chat.reset_sockets()


def fail_some(site: Site) -> None:
    site.chat.fail_share(0.3)


def tell_twice(site: Site) -> None:
    site.chat.double_events(THREADS * 2)


def tell_nothing(site: Site) -> None:
    site.chat.lose_events(THREADS)


def restart_server(site: Site) -> None:
    site.chat.forget_sockets()


def restart_valkey(site: Site) -> None:
    site.store.restart(signal.SIGKILL)


FAULTS: dict[str, Callable[[Site], None]] = {
    "connection reset": break_off,
    "30 % of requests fail": fail_some,
    "events twice": tell_twice,
    "events lost": tell_nothing,
    "server restarted": restart_server,
    "Valkey killed": restart_valkey,
}
ALWAYS = "connection reset"


@pytest.mark.parametrize(
    "fault", [pytest.param(f, marks=() if f == ALWAYS else EVERY) for f in FAULTS]
)
def test_what_goes_wrong_between_two_questions(site: Site, tell: Tell, fault: str) -> None:
    site.start("serve")
    asked = site.ask(2)
    FAULTS[fault](site)
    asked += site.ask(10, asked)
    wait_until(lambda: not site.row("", asked).lost, 240)

    tell(site.row(f"mattermost: {fault}", asked))
    site.check_order(asked)


@EVERY
def test_the_bot_is_killed_and_questions_are_asked_while_it_is_away(site: Site, tell: Tell) -> None:
    bot = site.start("serve")
    asked = site.ask(2)
    bot.kill()
    # Mattermost tells nobody of these; they are read back.
    asked += site.ask(10, asked)
    site.start("serve")
    asked += site.ask(18, asked[:THREADS])
    wait_until(lambda: not site.row("", asked).lost, 240)

    tell(site.row("mattermost: bot killed", asked))
    site.check_order(asked)


@EVERY
def test_workers_are_killed(site: Site, tell: Tell) -> None:
    site.start("serve", "--no-work")
    workers = [site.start("worker"), site.start("worker")]
    asked = site.ask(2)
    asked += site.ask(10, asked)
    for worker in workers:
        worker.kill()
    site.start("worker")
    wait_until(lambda: not site.row("", asked).lost, 240)

    tell(site.row("mattermost: workers killed", asked))
    site.check_order(asked)
