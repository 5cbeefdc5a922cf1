"""The chat service as processes of its own that tests kill, in a Slack that fails when told to."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import Any

import httpx

from bot.messages import IncomingMessage, Thread
from bot.platforms.slack import EVENTS_PATH
from tests.chaos.faults import Row
from tests.chaos.store_server import StoreServer
from tests.fakes.model_server import ModelServer, serving
from tests.fault_proxy import FaultProxy, fault_proxy
from tests.free_port import free_port
from tests.intake_service import wait_until
from tests.lakes import tiny_lake
from tests.local_slack import ADA, BOT_USER, TEAM, LocalSlack, local_slack
from tests.oxigraph_server import oxigraph
from tests.service_process import ROOT, environment
from tests.slack_requests import SlackRequests, a_mention, a_message

ROOMS = tuple(f"C8FAULT{number:02}" for number in range(8))
"""A channel for each thread: Slack takes a message a second in each."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, where it was asked, and words that its answer must have."""

    channel: str
    root: str
    moment: str
    text: str
    answer: str

    @property
    def turn(self) -> str:
        """The trace id that its answer is posted with."""
        thread = Thread("slack", f"{TEAM}/{self.channel}", self.root)
        return IncomingMessage(thread, self.moment, ADA, "", datetime.now(UTC), True).trace_id


def power_of(node: int) -> tuple[str, str]:
    """A question, and words that its answer has."""
    text = f"average total power of node {node} on 1 June 2022"
    return text, f"Total node power of node {node} on 2022-06-01 UTC: average"


@dataclass
class ServiceProcess:
    """One process of the service."""

    process: "subprocess.Popen[bytes]"
    said: Path

    def wait_until_ready(self) -> str:
        """Its address, once it says that it serves."""
        wait_until(lambda: "\n" in self.said.read_text() or self.process.poll() is not None, 120)
        text = self.said.read_text()
        assert "metrics at http" in text, text
        return text.split("metrics at ")[1].split()[0]

    def healthy(self) -> bool:
        """Whether all that it needs runs."""
        return httpx.get(f"{self.wait_until_ready()}healthz", timeout=30).status_code == 200

    def kill(self, number: int = signal.SIGKILL) -> None:
        """Send it a signal; after SIGKILL nothing of it runs on."""
        if self.process.poll() is None:
            os.kill(self.process.pid, number)
        if number == signal.SIGKILL:
            self.process.wait(30)


def started(options: Sequence[str], variables: Mapping[str, str], said: Path) -> ServiceProcess:
    """``odabot OPTIONS``, which may not be ready yet; what it says goes to ``said``."""
    with said.open("wb") as told:
        process = subprocess.Popen(
            [sys.executable, "-m", "bot", *options],
            cwd=ROOT,
            env=dict(variables),
            stdout=told,
            stderr=told,
        )
    return ServiceProcess(process, said)


@dataclass
class ServiceSite:
    """What all processes share, and those that run."""

    folder: Path
    slack: LocalSlack
    proxy: FaultProxy
    model: ModelServer
    store: StoreServer
    variables: dict[str, str]
    port: int
    running: list[ServiceProcess] = field(default_factory=list)
    started: int = 0

    def start(self, *options: str, **variables: str) -> ServiceProcess:
        """``odabot OPTIONS`` with further settings, which may not be ready yet."""
        self.started += 1
        said = self.folder / f"said-{self.started}.txt"
        self.running.append(started(options, self.variables | variables, said))
        return self.running[-1]

    @staticmethod
    def graph_store_at(url: str) -> dict[str, str]:
        """The settings of a store of graphs there."""
        places = {"QUERY_URL": "query", "UPDATE_URL": "update", "GRAPHS_URL": "store"}
        prefix = "ODABOT_RETRIEVAL__GRAPH_STORE__"
        told = {f"{prefix}{name}": f"{url}/{path}" for name, path in places.items()}
        return told | {f"{prefix}KIND": "sparql"}

    def serve(self) -> ServiceProcess:
        """``odabot serve`` that leaves the answers to workers, ready."""
        serving = self.start("serve", "--no-work")
        serving.wait_until_ready()
        return serving

    def workers(self, count: int = 1, **variables: str) -> list[ServiceProcess]:
        """So many of ``odabot worker``, ready."""
        made = [self.start("worker", **variables) for _ in range(count)]
        for each in made:
            each.wait_until_ready()
        return made

    def write(self, channel: str, root: str, asked: tuple[str, str], deliver: bool = True) -> Asked:
        """Have a person ask, and Slack tell us of it."""
        text, answer = asked
        moment = self.slack.mention(text, channel=channel, thread=root)
        one = Asked(channel, root or moment, moment, text, answer)
        if deliver:
            self.deliver(one)
        return one

    def ask(self, threads: int, each: int) -> list[Asked]:
        """So many questions in so many threads."""
        asked: list[Asked] = []
        roots = [""] * threads
        for place in range(each):
            for number in range(threads):
                question = power_of(2 + number * each + place)
                one = self.write(ROOMS[number], roots[number], question)
                roots[number] = one.root
                asked.append(one)
        return asked

    def deliver(self, asked: Asked, kinds: Sequence[str] = ("app_mention", "message")) -> None:
        """Tell us of a message as Slack does: by two events, again until each is acknowledged."""
        for kind in kinds:
            make = a_mention if kind == "app_mention" else a_message
            text = asked.text if kind == "app_mention" else f"<@{BOT_USER}> {asked.text}"
            event = make(text, asked.moment) | {"channel": asked.channel}
            if asked.root != asked.moment:
                event["thread_ts"] = asked.root
            self._deliver(event, f"Ev{kind}{asked.channel}{asked.moment}")

    def _deliver(self, event: dict[str, object], name: str) -> None:
        requests = SlackRequests(f"http://127.0.0.1:{self.port}{EVENTS_PATH}")
        give_up = time.monotonic() + 60
        for retry in range(1000):
            try:
                if requests.event(event, event_id=name, retry=retry).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            assert time.monotonic() < give_up, "an event is not acknowledged"
            time.sleep(0.2)

    def wait_for_answers(self, asked: Sequence[Asked], seconds: float = 120) -> None:
        """Return once each question has its answer, and nothing is left to do."""
        wait_until(lambda: not self.row("", asked).lost, seconds)
        wait_until(self._at_rest, seconds)

    def row(self, fault: str, asked: Sequence[Asked]) -> Row:
        """What stands in the threads now."""
        marks: Counter[str] = Counter()
        for channel, root in {(one.channel, one.root) for one in asked}:
            for message in self.slack.thread(root, channel=channel):
                marks.update(set(marks_of(message)))
        lost = sum(not marks[f"{one.turn}-0"] for one in asked)
        return Row(fault, len(asked), lost, sum(count > 1 for count in marks.values()))

    def check_order(self, asked: Sequence[Asked]) -> None:
        """Each thread's answers stand in its order, say what was asked, and nothing goes on."""
        for channel, root in {(one.channel, one.root) for one in asked}:
            mine = [one for one in asked if one.root == root and one.channel == channel]
            mine.sort(key=lambda one: float(one.moment))
            turns = {f"{one.turn}-0": one for one in mine}
            found = [
                (turns[mark], str(message))
                for message in self.slack.thread(root, channel=channel)
                for mark in marks_of(message)
                if mark in turns
            ]
            assert [one for one, _ in found] == mine
            assert "'stop'" not in str(self.slack.thread(root, channel=channel))
            for one, text in found:
                assert one.answer in text, text

    def clear(self) -> None:
        """Kill every process and forget what was asked."""
        for each in self.running:
            each.kill()
        self.running.clear()
        self.proxy.reset()
        self.model.faults.clear()
        self.store.flush()

    def _at_rest(self) -> bool:
        text = httpx.get(f"http://127.0.0.1:{self.port}/metrics", timeout=30).text
        return 'odabot_queue_depth{state="lanes"} 0.0' in text


def marks_of(message: dict[str, Any]) -> Iterator[str]:
    """What the parts of answers are told by: the id of a block, or the end of a file's name."""
    for block in message.get("blocks") or ():
        if "-" in str(block.get("block_id", "")):
            yield str(block["block_id"])
    for file in message.get("files") or ():
        yield "-".join(PurePath(file["name"]).stem.split("-")[-2:])


def _access(folder: Path) -> Path:
    rooms = "".join(f'{room} = "oncall"\n' for room in ROOMS)
    path = folder / "access.toml"
    path.write_text(
        f'[roles.oncall]\n[platforms.slack.users]\n{ADA} = "oncall"\n'
        f"[platforms.slack.channels]\n{rooms}"
    )
    return path


@contextmanager
def open_service_site(folder: Path, respond: Callable[[Any], Any]) -> Iterator[ServiceSite]:
    """A Slack, a model, a store of graphs and Valkey; no process of the service yet."""
    with ExitStack() as parts:
        slack = parts.enter_context(local_slack(folder, channels=ROOMS))
        proxy = parts.enter_context(fault_proxy(slack.url))
        model = parts.enter_context(serving(respond))
        graphs = parts.enter_context(oxigraph())
        store = StoreServer(folder / "valkey")
        parts.callback(store.close)
        port = free_port()
        data = folder / "data"
        data.mkdir()
        variables = environment(data, slack, "http") | {
            "ODABOT_ACCESS": str(_access(folder)),
            "ODABOT_SLACK__API_URL": f"{proxy.url}/api/",
            "ODABOT_RETRIEVAL__LAKE": str(tiny_lake(folder / "lake")),
            "ODABOT_REDIS_URL": store.url,
            "ODABOT_HTTP__PORT": str(port),
            "ODABOT_LEASE_SECONDS": "6",
            "ODABOT_GRACE_SECONDS": "5",
            "ODABOT_AGENT__MODEL_URL": model.url,
        }
        variables |= ServiceSite.graph_store_at(graphs)
        site = ServiceSite(folder, slack, proxy, model, store, variables, port)
        parts.callback(site.clear)
        yield site
