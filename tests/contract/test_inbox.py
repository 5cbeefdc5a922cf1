"""What the inbox promises, over a real Valkey server."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
import redis

from bot.errors import LeaseLost, TurnStoreError
from bot.intake.inbox import Added, Admission, Lease, Taken
from bot.messages import Act, Click, IncomingMessage
from bot.redis_inbox import RedisInbox
from bot.redis_turns import RedisTurns
from bot.turn_store import TurnRecord, TurnStage
from tests.fakes.recording_platform import NOW, a_message, a_thread

DAY = timedelta(days=1)
CLICK = Click(a_thread(), "c1", "ada", Act.HELPFUL, "0123", NOW, "it was fast")


@pytest.fixture
def inbox(address: str) -> Iterator[RedisInbox]:
    with redis.Redis.from_url(address) as operator:
        operator.flushall()
    made = RedisInbox(address, DAY, again=timedelta(milliseconds=1))
    yield made
    made.close()


def number(n: int, seconds: float = 0.0) -> IncomingMessage:
    at = NOW + timedelta(seconds=seconds or n)
    return replace(a_message(f"question {n}"), message_id=str(n), sent_at=at)


def text_of(taken: Taken | None) -> str:
    assert taken is not None
    assert isinstance(taken.item, TurnRecord)
    return taken.item.message.text


def taken(inbox: RedisInbox, lane: str = "a") -> Lease:
    lease = inbox.take(lane)
    assert lease is not None
    return lease


def all_of(inbox: RedisInbox, lane: str = "a") -> list[str]:
    lease = taken(inbox, lane)
    texts = []
    while (item := lease.next()) is not None:
        texts.append(text_of(item))
        lease.finish(item)
    return texts


def test_what_is_added_is_a_turn_that_was_accepted(inbox: RedisInbox, address: str) -> None:
    message = number(1)

    added = inbox.add(message, "a")

    turns = RedisTurns(address, DAY)
    assert added == Added(Admission.ADDED, 0)
    assert turns.load(message.trace_id) == TurnRecord(message)
    assert inbox.waiting("a") == (TurnRecord(message),)
    turns.close()


def test_a_message_that_comes_twice_is_taken_once(inbox: RedisInbox) -> None:
    inbox.add(number(1), "a")

    again = inbox.add(number(1), "a")
    answered = all_of(inbox)
    later = inbox.add(number(1), "a")

    assert (again.admission, later.admission) == (Admission.KNOWN, Admission.KNOWN)
    assert answered == ["question 1"]
    assert inbox.take("a") is None


def test_a_message_that_comes_from_many_sides_at_once_is_taken_once(inbox: RedisInbox) -> None:
    start = threading.Barrier(8)
    found: list[Admission] = []

    def hand_in() -> None:
        start.wait()
        found.append(inbox.add(number(1), "a").admission)

    threads = [threading.Thread(target=hand_in) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(found) == [Admission.ADDED, *[Admission.KNOWN] * 7]
    assert len(inbox.waiting("a")) == 1


def test_a_lane_keeps_the_order_in_which_messages_were_sent(inbox: RedisInbox) -> None:
    for n in (2, 1, 3):
        inbox.add(number(n), "a")

    assert all_of(inbox) == ["question 1", "question 2", "question 3"]


def test_messages_of_the_same_millisecond_keep_the_order_in_which_they_were_sent(
    inbox: RedisInbox,
) -> None:
    # Slack tells messages of one second apart by a counter in the last digits of their moment.
    for n in (3, 1, 2):
        inbox.add(number(n, 7 + n / 1_000_000), "a")

    assert all_of(inbox) == ["question 1", "question 2", "question 3"]


def test_messages_of_the_same_moment_keep_the_order_in_which_they_came(inbox: RedisInbox) -> None:
    for n in (5, 3, 4):
        inbox.add(number(n, seconds=1.0), "a")
    lease = taken(inbox)
    first = lease.next()
    assert first is not None
    lease.finish(first)
    lease.leave()
    inbox.add(number(1, seconds=1.0), "a")

    assert text_of(first) == "question 5"
    assert all_of(inbox) == [f"question {n}" for n in (3, 4, 1)]


def test_what_was_begun_comes_before_an_earlier_one_that_arrives_late(inbox: RedisInbox) -> None:
    inbox.add(number(2), "a")
    first = taken(inbox)
    begun = first.next()
    inbox.add(number(1), "a")
    first.leave()

    assert text_of(begun) == "question 2"
    assert text_of(taken(inbox).next()) == "question 2"
    assert [i.message.text for i in inbox.waiting("a") if isinstance(i, TurnRecord)] == [
        "question 2",
        "question 1",
    ]


def test_one_worker_at_a_time_has_a_lane(inbox: RedisInbox) -> None:
    inbox.add(number(1), "a")
    inbox.add(number(2), "b")

    first = taken(inbox)

    assert inbox.take("a") is None
    assert inbox.take("b") is not None
    first.leave()
    assert inbox.take("a") is not None


def test_of_many_workers_at_once_one_has_it(inbox: RedisInbox) -> None:
    inbox.add(number(1), "a")
    start = threading.Barrier(8)
    found: list[Lease | None] = []

    def take() -> None:
        start.wait()
        found.append(inbox.take("a"))

    threads = [threading.Thread(target=take) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len([lease for lease in found if lease is not None]) == 1


def test_a_lane_without_work_has_no_lease(inbox: RedisInbox) -> None:
    assert inbox.take("a") is None


def test_whoever_lost_the_lease_changes_nothing_more(inbox: RedisInbox, address: str) -> None:
    message = number(1)
    inbox.add(message, "a")
    slow = taken(inbox)
    item = slow.next()
    assert item is not None
    with redis.Redis.from_url(address) as operator:
        operator.delete("odabot:1:lease:a")
    other = taken(inbox)

    with pytest.raises(LeaseLost):
        slow.save(TurnRecord(message, TurnStage.DONE))
    with pytest.raises(LeaseLost):
        slow.finish(item)
    with pytest.raises(LeaseLost):
        slow.renew()
    with pytest.raises(LeaseLost):
        slow.next()
    slow.leave()

    found = other.next()
    assert found is not None
    assert (found.tries, found.item) == (2, TurnRecord(message))


def test_a_lease_ends_by_itself_and_the_lane_is_due(address: str, inbox: RedisInbox) -> None:
    short = RedisInbox(address, DAY, lease=timedelta(milliseconds=50))
    short.add(number(1), "a")
    dead = taken(short)
    dead.next()

    while not inbox.due():
        pass

    while (lease := inbox.take("a")) is None:
        pass
    found = lease.next()
    assert found is not None
    assert found.tries == 2
    short.close()


def test_a_lease_that_is_renewed_does_not_end(inbox: RedisInbox, address: str) -> None:
    short = RedisInbox(address, DAY, lease=timedelta(seconds=2))
    short.add(number(1), "renewed")
    lease = taken(short, "renewed")

    for _ in range(5):
        threading.Event().wait(0.5)
        lease.renew()

    assert short.take("renewed") is None
    short.close()


def test_a_lane_that_nobody_took_is_due_and_is_given_to_one(
    inbox: RedisInbox, address: str
) -> None:
    patient = RedisInbox(address, DAY, again=timedelta(seconds=1))
    patient.add(number(1), "a")

    at_once = patient.due()
    while not (later := patient.due()):
        pass
    again = patient.due()

    assert (at_once, list(later), again) == ((), ["a"], ())
    patient.close()


def test_a_lane_that_is_done_is_due_no_more(inbox: RedisInbox) -> None:
    inbox.add(number(1), "a")

    all_of(inbox)

    assert inbox.depth().lanes == 0
    assert not inbox.due()


def test_a_lane_that_is_left_comes_back_after_so_long(inbox: RedisInbox) -> None:
    inbox.add(number(1), "a")
    lease = taken(inbox)
    item = lease.next()

    lease.leave(0.2, item)
    at_once = inbox.due()
    while not (later := inbox.due()):
        pass

    assert (at_once, list(later)) == ((), ["a"])
    found = taken(inbox).next()
    assert found is not None
    assert found.tries == 1


def test_a_stage_is_what_the_next_worker_finds(inbox: RedisInbox) -> None:
    inbox.add(number(1), "a")
    lease = taken(inbox)
    item = lease.next()
    record = TurnRecord(number(1), TurnStage.ANSWERED, progress="17")
    lease.save(record)
    lease.leave()

    found = taken(inbox).next()

    assert item is not None
    assert found is not None
    assert found.item == record


def test_a_click_lies_in_its_lane_and_is_forgotten_once_done(
    inbox: RedisInbox, address: str
) -> None:
    inbox.add(CLICK, "quick")
    again = inbox.add(CLICK, "quick")
    lease = taken(inbox, "quick")
    found = lease.next()
    assert found is not None
    lease.finish(found)

    with redis.Redis.from_url(address) as operator:
        left = [key for key in operator.keys("*click*") if b":seen:" not in key]
    assert again.admission is Admission.KNOWN
    assert found.item == CLICK
    assert left == []


def test_a_lane_takes_only_so_many(inbox: RedisInbox, address: str) -> None:
    small = RedisInbox(address, DAY, most_in_lane=2)

    found = [small.add(number(n + 100), "small").admission for n in range(3)]

    assert found == [Admission.ADDED, Admission.ADDED, Admission.FULL]
    assert len(small.waiting("small")) == 2
    small.close()


def test_what_is_only_remembered_is_known_and_not_done(inbox: RedisInbox) -> None:
    before = inbox.has(number(1))

    inbox.remember(number(1))

    assert (before, inbox.has(number(1))) == (False, True)
    assert inbox.add(number(1), "a").admission is Admission.KNOWN
    assert inbox.take("a") is None


def test_nothing_is_left_of_a_lane_that_is_done(inbox: RedisInbox, address: str) -> None:
    inbox.add(number(1), "a")
    all_of(inbox)

    with redis.Redis.from_url(address) as operator:
        left = {key for key in operator.keys("*") if b":seen:" not in key}
    assert left == {b"odabot:1:lanes:last"}


def test_what_cannot_be_read_is_told(inbox: RedisInbox, address: str) -> None:
    message = number(1)
    inbox.add(message, "a")
    with redis.Redis.from_url(address) as operator:
        operator.set(f"odabot:1:turn:{message.trace_id}", b'{"version": 99}')

    found = taken(inbox).next()

    assert found is not None
    assert found.item is None


def test_a_server_that_does_not_answer_is_an_error_of_ours(tmp_path: Path) -> None:
    inbox = RedisInbox(f"unix://{tmp_path}/nobody.sock", DAY)

    with pytest.raises(TurnStoreError, match="the inbox"):
        inbox.add(number(1), "a")
