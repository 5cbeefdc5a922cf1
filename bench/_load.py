"""Many people who ask at once, each in a thread of their own, and what came of their questions."""

import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

_NODES = 36
_WAIT_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, where it was asked, and its place among those of its thread."""

    channel: str
    root: str
    message: str
    turn: str
    """The trace id that its answer is posted with."""
    place: int


ANSWER = "Total node power of node"
"""Stands in every answer, and in nothing else that the bot writes."""


class Chat(Protocol):
    """The platform that they write on."""

    def ask(self, text: str, channel: str, root: str) -> tuple[str, str]:
        """Have ``text`` asked of the bot; the message's id, and the trace id of its turn."""
        ...

    def answers(self, channel: str, root: str) -> Sequence[str]:
        """The key of each message in a thread that has one and says :data:`ANSWER`, as posted."""
        ...


def warm_up(chat: Chat, channels: Sequence[str], workers: int) -> None:
    """Have every worker answer, so that what they do once only is done before the load."""
    asked = ask_all(chat, channels, 4 * workers, 4 * workers)
    if settled(chat, asked).lost:
        raise SystemExit("the service does not answer")


def ask_all(chat: Chat, channels: Sequence[str], threads: int, questions: int) -> list[Asked]:
    """Ask them all; what was asked, once all of it was handed in."""
    each = [questions // threads + (n < questions % threads) for n in range(threads)]
    with ThreadPoolExecutor(threads) as people:
        begun = [
            people.submit(_ask_in_thread, chat, channels[n % len(channels)], n, count)
            for n, count in enumerate(each)
        ]
        return [asked for one in begun for asked in one.result()]


def _ask_in_thread(chat: Chat, channel: str, number: int, count: int) -> list[Asked]:
    asked: list[Asked] = []
    root = ""
    for place in range(count):
        hour = (number + place) % 23
        text = (
            f"Average total power of node {number % _NODES} on 1 June 2022"
            f" from {hour:02}:00 to {hour + 1:02}:00"
        )
        message, turn = chat.ask(text, channel, root)
        root = root or message
        asked.append(Asked(channel, root, message, turn, place))
    return asked


@dataclass(frozen=True, slots=True)
class Found:
    """What became of the questions."""

    lost: int
    twice: int
    disordered: int
    """Threads in which an answer stands before that of an earlier question."""


def settled(chat: Chat, asked: Sequence[Asked]) -> Found:
    """What became of them, once all are answered and a while has gone by, or time is up."""
    given_up = time.monotonic() + _WAIT_SECONDS
    while _looked_at(chat, asked).lost and time.monotonic() < given_up:
        time.sleep(1)
    time.sleep(5)  # whatever is answered twice is so by now
    return _looked_at(chat, asked)


def _looked_at(chat: Chat, asked: Sequence[Asked]) -> Found:
    """What stands in the threads now."""
    threads: dict[tuple[str, str], list[Asked]] = {}
    for one in asked:
        threads.setdefault((one.channel, one.root), []).append(one)
    lost = twice = disordered = 0
    for (channel, root), questions in threads.items():
        firsts = {f"{question.turn}-0": question.place for question in questions}
        answers = [firsts[key] for key in chat.answers(channel, root) if key in firsts]
        counts = Counter(answers)
        lost += sum(not counts[question.place] for question in questions)
        twice += sum(count > 1 for count in counts.values())
        order = list(dict.fromkeys(answers))
        disordered += order != sorted(order)
    return Found(lost, twice, disordered)


def print_seconds(what: str, seconds: Sequence[float], more: str) -> None:
    """How soon something happened."""
    ordered = sorted(seconds)
    p50, p99 = (ordered[int(len(ordered) * part)] for part in (0.5, 0.99))
    print(
        f"  {len(ordered)} {what}: p50 {p50 * 1000:.0f} ms, p99 {p99 * 1000:.0f} ms,"
        f" slowest {ordered[-1] * 1000:.0f} ms{more}"
    )


def print_found(found: Found, handed_in: float, took: float, counted: Counter[str]) -> None:
    """What became of the questions, and what the service says of itself."""
    print(f"  handed in within {handed_in:.1f} s, all answered after {took:.1f} s")
    print(f"  lost {found.lost}, twice {found.twice}, out of order {found.disordered}")
    names = ("questions", "duplicates", "outcomes", "rate_limits")
    print("  /metrics: " + ", ".join(f"{n} {counted[f'odabot_{n}_total']}" for n in names))
