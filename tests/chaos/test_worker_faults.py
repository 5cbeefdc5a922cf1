"""Workers that are killed, frozen or told to end; stores that start again: nothing is lost."""

import random
import signal
from collections import Counter
from collections.abc import Sequence

import pytest

from bot.messages import IncomingMessage
from tests.chaos.faults import Row, Tell
from tests.chaos.worker_processes import Site, door_of
from tests.intake_service import Service, a_question, wait_until

STAGES = (
    "progress to be posted",
    "progress posted",
    "asked",
    "worked out",
    "answer kept",
    "session kept",
    "answer to be posted",
    "answer posted",
    "done",
)
ALWAYS = {"asked", "answer posted"}


def thread_of(root: str, count: int = 3) -> list[IncomingMessage]:
    return [a_question(f"{root}-{n}", n, root) for n in range(1, count + 1)]


def all_answered(door: Service, messages: Sequence[IncomingMessage], seconds: float = 30) -> None:
    """Return once each message has an answer and nothing is left to do."""
    wanted = {f"{m.trace_id}-0" for m in messages}
    wait_until(lambda: wanted <= {p.key for p in door.board.answers()}, seconds)
    wait_until(lambda: door.inbox.depth().lanes == 0, seconds)


def row(fault: str, door: Service, messages: Sequence[IncomingMessage]) -> Row:
    """What became of ``messages``; their answers count the turns of their thread."""
    posts = Counter(post.key for post in door.board.posts())
    keys = [f"{m.trace_id}-0" for m in messages]
    lost = sum(posts[key] == 0 for key in keys)
    return Row(fault, len(messages), lost, sum(count > 1 for count in posts.values()))


def in_order(door: Service, messages: Sequence[IncomingMessage]) -> None:
    """Each thread's answers stand in its order, and each turn knew of those before it."""
    for root in {m.thread.root for m in messages}:
        mine = [m for m in messages if m.thread.root == root]
        name = mine[0].thread.name
        told = [post.text for post in door.board.answers() if post.thread == name]
        by_time = sorted(mine, key=lambda m: m.sent_at)
        assert told == [f"{n}: {m.text}" for n, m in enumerate(by_time, 1)]


def killed_at(stage: str) -> object:
    return pytest.param(stage, marks=() if stage in ALWAYS else pytest.mark.every_fault)


@pytest.mark.parametrize("stage", [killed_at(stage) for stage in STAGES])
def test_a_worker_is_killed(site: Site, tell: Tell, stage: str) -> None:
    messages = thread_of("t")
    with door_of(site) as door:
        first = site.start(stop_at=stage)
        for message in messages:
            door.reception().receive(message)
        first.wait_until_held()
        first.kill()
        site.start()
        all_answered(door, messages)

        tell(row(f"worker killed: {stage}", door, messages))
        in_order(door, messages)


@pytest.mark.parametrize("stage", [killed_at(stage) for stage in ("worked out", "answer kept")])
def test_a_worker_is_frozen_and_comes_back_after_another_took_over(
    site: Site, tell: Tell, stage: str
) -> None:
    messages = thread_of("t")
    with door_of(site) as door:
        first = site.start(stop_at=stage)
        for message in messages:
            door.reception().receive(message)
        first.wait_until_held()
        first.kill(signal.SIGSTOP)
        site.start()
        all_answered(door, messages)
        first.let_go()
        first.kill(signal.SIGCONT)
        first.kill(signal.SIGTERM)
        first.wait()

        tell(row(f"worker frozen: {stage}", door, messages))
        in_order(door, messages)


def test_workers_are_killed_again_and_again(site: Site, tell: Tell) -> None:
    chance = random.Random(5)
    messages = [m for root in "abcdef" for m in thread_of(root, 4)]
    chance.shuffle(messages)
    with door_of(site) as door:
        workers = [site.start(), site.start()]
        for number, message in enumerate(messages):
            # Every message comes twice, as a mention and as itself.
            door.reception().receive(message)
            door.reception().receive(message)
            if number % 6 == 5:
                workers.pop(0).kill()
                workers.append(site.start())
        all_answered(door, messages, 60)

        tell(row("workers killed at random", door, messages))
        assert door.duplicates == len(messages)


@pytest.mark.parametrize(
    ("how", "number"), [("killed", signal.SIGKILL), ("told to end", signal.SIGTERM)]
)
def test_the_store_starts_again(site: Site, tell: Tell, how: str, number: int) -> None:
    messages = [m for root in "abc" for m in thread_of(root, 3)]
    with door_of(site) as door:
        site.start()
        for message in messages[:4]:
            door.reception().receive(message)
        site.server.restart(number)
        for message in messages[4:]:
            door.reception().receive(message)
        all_answered(door, messages, 60)

        tell(row(f"Valkey {how}", door, messages))
        in_order(door, messages)


def test_an_answer_outlives_the_store_and_its_worker(site: Site, tell: Tell) -> None:
    messages = thread_of("t")
    with door_of(site) as door:
        first = site.start(stop_at="answer kept")
        for message in messages:
            door.reception().receive(message)
        first.wait_until_held()
        first.kill()
        site.server.restart(signal.SIGKILL)
        site.start()
        all_answered(door, messages, 60)

        tell(row("Valkey and worker killed: answer kept", door, messages))
        in_order(door, messages)


def test_events_come_in_another_order_and_twice(site: Site, tell: Tell) -> None:
    messages = [m for root in "abc" for m in thread_of(root, 5)]
    with door_of(site) as door:
        again = messages * 2
        random.Random(3).shuffle(again)
        for message in again:
            door.reception().receive(message)
        site.start()
        site.start()
        all_answered(door, messages)

        tell(row("events twice and in another order", door, messages))
        in_order(door, messages)
        assert door.duplicates == len(messages)


def test_a_worker_that_is_told_to_end_hands_over_what_takes_long(site: Site, tell: Tell) -> None:
    messages = thread_of("t")
    with door_of(site) as door:
        # Nobody waits for this lease to end.
        first = site.start(stop_at="asked", lease_seconds=600, grace=0.2)
        for message in messages:
            door.reception().receive(message)
        first.wait_until_held()
        first.kill(signal.SIGTERM)
        first.wait()
        site.start()
        all_answered(door, messages)

        tell(row("worker told to end", door, messages))
        in_order(door, messages)


def test_a_question_that_kills_its_worker_is_given_up_and_the_next_is_answered(
    site: Site, tell: Tell
) -> None:
    deadly, after = a_question("kills", 1), a_question("after", 2)
    with door_of(site) as door:
        door.reception().receive(deadly)
        door.reception().receive(after)
        for _ in range(3):
            site.start().wait()
        site.start()
        all_answered(door, [deadly, after])

        tell(row("a question that kills", door, [deadly, after]))
        apology, answer = (post.text for post in door.board.answers())
        assert "each attempt broke off" in apology
        assert deadly.trace_id in apology
        assert answer == "1: after"


def test_a_stop_reaches_the_worker_of_another_process(site: Site) -> None:
    slow = a_question("slow", 1)
    with door_of(site) as door:
        site.start()
        door.reception().receive(slow)
        wait_until(lambda: any(p.key.endswith("progress") for p in door.board.posts()))
        door.reception().receive(a_question("stop", 2))
        all_answered(door, [slow])

        assert [post.text for post in door.board.answers()] == ["stopped"]
