"""How soon Slack is acknowledged under load, and what is lost, answered twice or out of order.

Run: python -m bench.slack_load [--transport http|socket|both] [--threads 50] [--questions 200]

One odabot serve, two odabot worker and a Valkey run over a tiny lake; a Slack that we did not write
(local-slack, from npm) is the other side. Over HTTP our own injector sends each question as Slack
does, as an app_mention and a message, and every fifth event once more as Slack tries again; in
Socket Mode a relay takes the time between an envelope and its acknowledgement.
"""

import argparse
import random
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from bench._slack_relay import relay_to
from bench._slack_service import RunningService, running_service
from bot.messages import IncomingMessage, Thread
from tests.lakes import tiny_lake
from tests.local_slack import ADA, BOT_USER, TEAM, LocalSlack, local_slack
from tests.slack_requests import SlackRequests, a_mention, a_message

_NODES = 36
_WAIT_SECONDS = 300.0
_AGAIN = 0.2
"""So many of the events are sent a second time, as Slack does after a time-out."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, where it was asked, and its place among those of its thread."""

    channel: str
    root: str
    moment: str
    place: int

    @property
    def turn(self) -> str:
        """The trace id that its answer is posted with."""
        thread = Thread("slack", f"{TEAM}/{self.channel}", self.root)
        told = IncomingMessage(thread, self.moment, ADA, "", datetime.now(UTC), True)
        return told.trace_id


@dataclass(slots=True)
class Load:
    """People who all ask at once, each in a thread of their own."""

    slack: LocalSlack
    requests: SlackRequests | None
    """None where the Slack itself delivers."""
    acknowledged: list[float] = field(default_factory=list)
    refused: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def ask_all(self, channels: Sequence[str], threads: int, questions: int) -> list[Asked]:
        """Ask them all; what was asked, once all of it was handed in."""
        each = [questions // threads + (n < questions % threads) for n in range(threads)]
        with ThreadPoolExecutor(threads) as people:
            begun = [
                people.submit(self._ask_in_thread, channels[n % len(channels)], n, count)
                for n, count in enumerate(each)
            ]
            return [asked for one in begun for asked in one.result()]

    def _ask_in_thread(self, channel: str, number: int, count: int) -> list[Asked]:
        asked: list[Asked] = []
        root = ""
        for place in range(count):
            hour = (number + place) % 23
            text = (
                f"Average total power of node {number % _NODES} on 1 June 2022"
                f" from {hour:02}:00 to {hour + 1:02}:00"
            )
            moment = self.slack.mention(text, channel=channel, thread=root)
            self._deliver(text, channel, moment, root)
            root = root or moment
            asked.append(Asked(channel, root, moment, place))
        return asked

    def _deliver(self, text: str, channel: str, moment: str, root: str) -> None:
        """Hand the question in as Slack does, twice, and some of it once more."""
        if self.requests is None:
            return
        mention = a_mention(text, moment)
        for event in (mention, a_message(f"<@{BOT_USER}> {text}", moment)):
            event["channel"] = channel
            if root:
                event["thread_ts"] = root
            name = f"Ev{event['type']}{channel}{moment}"
            self._sent(event, name, 0)
            if random.random() < _AGAIN:  # noqa: S311 - no secret
                self._sent(event, name, 1)

    def _sent(self, event: dict[str, object], name: str, retry: int) -> None:
        assert self.requests is not None
        started = time.perf_counter()
        answer = self.requests.event(event, event_id=name, retry=retry)
        seconds = time.perf_counter() - started
        with self.lock:
            self.acknowledged.append(seconds)
            self.refused += answer.status_code != 200


@dataclass(frozen=True, slots=True)
class Found:
    """What became of the questions."""

    lost: int
    twice: int
    disordered: int
    """Threads in which an answer stands before that of an earlier question."""


def looked_at(slack: LocalSlack, asked: Sequence[Asked]) -> Found:
    """What stands in the threads now."""
    threads: dict[tuple[str, str], list[Asked]] = {}
    for one in asked:
        threads.setdefault((one.channel, one.root), []).append(one)
    lost = twice = disordered = 0
    for (channel, root), questions in threads.items():
        turns = [question.turn for question in questions]
        answers = _answers(slack, channel, root, turns)
        counts = Counter(answers)
        lost += sum(not counts[turn] for turn in turns)
        twice += sum(counts[turn] > 1 for turn in turns)
        order = [turns.index(turn) for turn in dict.fromkeys(answers)]
        disordered += order != sorted(order)
    return Found(lost, twice, disordered)


def _answers(slack: LocalSlack, channel: str, root: str, turns: Sequence[str]) -> list[str]:
    """The turn of each first part of an answer in a thread, in the order posted."""
    messages = slack.thread(root, channel=channel)
    marks = [
        str(block.get("block_id", ""))
        for message in sorted(messages, key=lambda each: float(each["ts"]))
        for block in message.get("blocks") or ()
    ]
    firsts = {f"{turn}-0": turn for turn in turns}
    return [firsts[mark] for mark in marks if mark in firsts]


def measured(transport: str, options: argparse.Namespace, lake: Path) -> None:
    """Run the load over one transport, and print what came of it."""
    channels = [f"C9LOAD{n:02}" for n in range(options.channels)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with (
            local_slack(folder, channels=channels) as slack,
            relay_to(slack.url) as relay,
            running_service(folder, lake, relay.api_url, transport, options.workers) as service,
        ):
            requests = SlackRequests(f"{service.http}/slack/events")
            load = Load(slack, requests if transport == "http" else None)
            started = time.monotonic()
            asked = load.ask_all(channels, options.threads, options.questions)
            handed_in = time.monotonic() - started
            found = _settled(slack, asked)
            took = time.monotonic() - started
            seconds = load.acknowledged if transport == "http" else relay.seconds
            print(f"\n{transport}: {options.threads} threads, {len(asked)} questions")
            _print_acknowledged(seconds, load.refused, len(relay.sent))
            print(f"  handed in within {handed_in:.1f} s, all answered after {took:.1f} s")
            print(f"  lost {found.lost}, twice {found.twice}, out of order {found.disordered}")
            _print_counted(service)


def _settled(slack: LocalSlack, asked: Sequence[Asked]) -> Found:
    """What became of them, once all are answered and a while has gone by, or time is up."""
    given_up = time.monotonic() + _WAIT_SECONDS
    while looked_at(slack, asked).lost and time.monotonic() < given_up:
        time.sleep(1)
    time.sleep(5)  # whatever is answered twice is so by now
    return looked_at(slack, asked)


def _print_acknowledged(seconds: Sequence[float], refused: int, open_: int) -> None:
    ordered = sorted(seconds)
    p50, p99 = (ordered[int(len(ordered) * part)] for part in (0.5, 0.99))
    print(
        f"  {len(ordered)} acknowledged: p50 {p50 * 1000:.0f} ms, p99 {p99 * 1000:.0f} ms,"
        f" slowest {ordered[-1] * 1000:.0f} ms; refused {refused}, never {open_}"
    )


def _print_counted(service: RunningService) -> None:
    counted = service.counted()
    names = ("questions", "duplicates", "outcomes", "rate_limits")
    print("  /metrics: " + ", ".join(f"{n} {counted[f'odabot_{n}_total']}" for n in names))


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
