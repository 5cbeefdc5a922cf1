"""How soon Slack is acknowledged under load, and what is lost, answered twice or out of order.

Run: python -m bench.slack_load [--transport http|socket|both] [--threads 50] [--questions 200]

One odabot serve, two odabot worker and a Valkey run over a tiny lake; a Slack that we did not write
(local-slack, from npm) is the other side. Over HTTP our own injector sends each question as Slack
does, as an app_mention and a message, and every fifth event once more as Slack tries again; in
Socket Mode a relay takes the time between an envelope and its acknowledgement.
"""

import argparse
import json
import random
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import httpx

from bench._load import ANSWER, ask_all, print_found, print_seconds, settled, warm_up
from bench._service import running_service, slack_side
from bench._slack_relay import SlackRelay, relay_to
from bot.messages import IncomingMessage, Thread
from tests.lakes import tiny_lake
from tests.local_slack import ADA, BOT_USER, TEAM, LocalSlack, local_slack
from tests.slack_requests import SlackRequests, a_mention, a_message

_AGAIN = 0.2
"""So many of the events are sent a second time, as Slack does after a time-out."""
_UNLIMITED = httpx.Limits(max_connections=None, max_keepalive_connections=None)


@dataclass(slots=True)
class SlackChat:
    """What people do there, and how soon it is acknowledged."""

    slack: LocalSlack
    requests: SlackRequests | None
    """None where the Slack itself delivers."""
    acknowledged: list[float] = field(default_factory=list)
    refused: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, text: str, channel: str, root: str) -> tuple[str, str]:
        """Ask, and hand the question in as Slack does, twice, and some of it once more."""
        moment = self.slack.mention(text, channel=channel, thread=root)
        thread = Thread("slack", f"{TEAM}/{channel}", root or moment)
        told = IncomingMessage(thread, moment, ADA, "", datetime.now(UTC), True)
        if self.requests is None:
            return moment, told.trace_id
        mention = a_mention(text, moment)
        for event in (mention, a_message(f"<@{BOT_USER}> {text}", moment)):
            event["channel"] = channel
            if root:
                event["thread_ts"] = root
            name = f"Ev{event['type']}{channel}{moment}"
            self._sent(self.requests, event, name, 0)
            if random.random() < _AGAIN:  # noqa: S311 - no secret
                self._sent(self.requests, event, name, 1)
        return moment, told.trace_id

    def answers(self, channel: str, root: str) -> Sequence[str]:
        """The marks of the blocks of answers in a thread."""
        messages = [
            message
            for message in self.slack.thread(root, channel=channel)
            if ANSWER in json.dumps(message)
        ]
        return [
            str(block.get("block_id", ""))
            for message in sorted(messages, key=lambda each: float(each["ts"]))
            for block in message.get("blocks") or ()
        ]

    def _sent(
        self, requests: SlackRequests, event: dict[str, object], name: str, retry: int
    ) -> None:
        started = time.perf_counter()
        answer = requests.event(event, event_id=name, retry=retry)
        seconds = time.perf_counter() - started
        with self.lock:
            self.acknowledged.append(seconds)
            self.refused += answer.status_code != 200


def measured(transport: str, options: argparse.Namespace, lake: Path) -> None:
    """Run the load over one transport, and print what came of it."""
    channels = [f"C9LOAD{n:02}" for n in range(options.channels)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with ExitStack() as parts:
            slack = parts.enter_context(local_slack(folder, channels=channels))
            relay = SlackRelay(slack.api_url)
            if transport == "socket":
                relay = parts.enter_context(relay_to(slack.url))
            side = slack_side(relay.api_url, transport, channels)
            service = parts.enter_context(running_service(folder, lake, side, options.workers))
            requests = None
            if transport == "http":
                people = parts.enter_context(httpx.Client(limits=_UNLIMITED))
                requests = SlackRequests(f"{service.http}/slack/events", send=people.post)
            warm_up(SlackChat(slack, requests), channels, options.workers)
            relay.seconds.clear()
            before = service.counted()
            chat = SlackChat(slack, requests)
            started = time.monotonic()
            asked = ask_all(chat, channels, options.threads, options.questions)
            handed_in = time.monotonic() - started
            found = settled(chat, asked)
            took = time.monotonic() - started
            seconds = chat.acknowledged if transport == "http" else relay.seconds
            print(f"\n{transport}: {options.threads} threads, {len(asked)} questions")
            more = f"; refused {chat.refused}, never {len(relay.sent)}"
            print_seconds("acknowledged", seconds, more)
            print_found(found, handed_in, took, service.counted() - before)


def main() -> None:
    """Measure one transport, or both."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--transport", choices=["http", "socket", "both"], default="both")
    options.add_argument("--threads", type=int, default=50)
    options.add_argument("--questions", type=int, default=200)
    options.add_argument("--workers", type=int, default=2)
    options.add_argument(
        "--channels", type=int, default=25, help="Slack takes one message a second in each"
    )
    chosen = options.parse_args()
    both = ["http", "socket"]
    with tempfile.TemporaryDirectory() as folder:
        lake = tiny_lake(Path(folder) / "lake")
        for transport in both if chosen.transport == "both" else [chosen.transport]:
            measured(transport, chosen, lake)


if __name__ == "__main__":
    main()
