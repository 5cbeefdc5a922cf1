"""What every store of digests promises, over the one in memory and over a real Valkey server."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import redis

from agent import Pending, Session, Turn
from bot.digests.digest import Digest, DigestPart, Posting, When
from bot.digests.digest_store import DigestStore, Draft, LastRun, LimitReached, Limits, Said
from bot.digests.redis_digests import RedisDigests
from bot.digests.schedule import Schedule
from bot.digests.snapshot import PartSnapshot, RowSnapshot, TableSnapshot
from bot.errors import DigestStoreError
from bot.messages import Thread
from tests.fakes.memory_digests import MemoryDigests

NOW = datetime(2022, 6, 15, 8, tzinfo=UTC)
LATER = NOW + timedelta(days=1)
PLACE = Thread("slack", "T1/C1", "")
MANY = Limits(10, 100)


def a_digest(made_by: str = "t1", owner: str = "U1") -> Digest:
    return Digest(
        id="",
        owner=owner,
        place=PLACE,
        place_said="#ops",
        question="PUE of yesterday",
        parts=(DigestPart("PUE of yesterday", (("which time", "yesterday"),)),),
        when=When(Schedule("0 8 * * *", "Europe/Rome"), "daily at 08:00"),
        posting=Posting(True, 5.0, True),
        made_at=NOW,
        made_by=made_by,
        since=NOW,
    )


@pytest.fixture(params=["memory", "redis"])
def store(request: pytest.FixtureRequest) -> Iterator[DigestStore]:
    if request.param == "memory":
        yield MemoryDigests()
        return
    url = request.getfixturevalue("address")
    with redis.Redis.from_url(url) as operator:
        operator.flushall()
    digests = RedisDigests(url)
    yield digests
    digests.close()


def added(store: DigestStore, digest: Digest) -> Digest:
    kept = store.add(digest, LATER, MANY)
    assert isinstance(kept, Digest)
    return kept


def test_what_is_added_is_found_under_an_id_of_its_own(store: DigestStore) -> None:
    first, second = added(store, a_digest("t1")), added(store, a_digest("t2"))

    assert first.id != second.id
    assert store.get(first.id) == first == replace(a_digest("t1"), id=first.id)
    assert store.all() == (first, second)
    assert store.due_times() == {first.id: LATER, second.id: LATER}


def test_one_turn_creates_one_digest_however_often_it_is_taken_up(store: DigestStore) -> None:
    first = added(store, a_digest("t1"))

    again = store.add(a_digest("t1"), LATER, Limits(1, 1))

    assert again == first
    assert store.all() == (first,)


def test_nobody_has_more_than_they_may(store: DigestStore) -> None:
    added(store, a_digest("t1"))

    assert store.add(a_digest("t2"), LATER, Limits(1, 9)) == LimitReached(of_one_owner=True)
    assert store.add(a_digest("t3", "U2"), LATER, Limits(9, 1)) == LimitReached(of_one_owner=False)
    assert isinstance(store.add(a_digest("t4", "U2"), LATER, Limits(1, 9)), Digest)


def test_what_is_removed_makes_room(store: DigestStore) -> None:
    first = added(store, a_digest("t1"))
    store.save_run(first.id, LastRun(NOW, "posted"))

    removed = store.remove(first.id)

    assert removed
    assert not store.remove(first.id)
    assert store.get(first.id) is None
    assert not store.due_times()
    assert store.last_run(first.id) is None
    assert isinstance(store.add(a_digest("t2"), LATER, Limits(1, 1)), Digest)


def test_ids_are_not_used_again(store: DigestStore) -> None:
    first = added(store, a_digest("t1"))
    store.remove(first.id)

    assert added(store, a_digest("t2")).id != first.id


def test_a_paused_digest_is_due_no_more_until_it_goes_on(store: DigestStore) -> None:
    digest = added(store, a_digest())
    paused = replace(digest, paused=True)

    store.replace(paused, None)
    due_while_paused = store.due_times()
    moved = store.move_on(digest.id, LATER, LATER + timedelta(days=1))

    assert store.get(digest.id) == paused
    assert not due_while_paused
    assert not moved
    assert store.replace(digest, LATER)
    assert store.due_times() == {digest.id: LATER}


def test_what_is_gone_is_not_replaced(store: DigestStore) -> None:
    digest = added(store, a_digest())
    store.remove(digest.id)

    assert not store.replace(digest, LATER)
    assert store.all() == ()
    store.save_run(digest.id, LastRun(NOW, "posted"))
    assert store.last_run(digest.id) is None


def test_one_of_many_moves_a_digest_on(store: DigestStore) -> None:
    digest = added(store, a_digest())
    following = LATER + timedelta(days=1)

    moved = [store.move_on(digest.id, LATER, following) for _ in range(3)]

    assert moved == [True, False, False]
    assert store.due_times() == {digest.id: following}


def test_the_last_run_is_kept_with_what_it_said(store: DigestStore) -> None:
    digest = added(store, a_digest())
    rows = (RowSnapshot(("38",), 0, (43.0, None)),)
    table = TableSnapshot("inlet", ("maximum", "average"), 1, rows, "abc")
    run = LastRun(NOW, "posted", (Said(NOW, (PartSnapshot("answered", (table,)),)),))

    before = store.last_run(digest.id)
    store.save_run(digest.id, run)

    assert before is None
    assert store.last_run(digest.id) == run


def test_a_draft_waits_for_its_author_in_its_thread(store: DigestStore) -> None:
    thread = Thread("slack", "T1/C1", "1.5")
    turn = Turn("PUE", NOW)
    session = Session((), Pending(turn, "which time", (("yesterday", "yesterday"),), free=True))
    draft = Draft(a_digest(), (), DigestPart("PUE"), (DigestPart("power"),), session)

    store.save_draft(thread, "U1", draft)

    assert store.draft(thread, "U1") == draft
    assert store.draft(thread, "U2") is None
    assert store.draft(Thread("slack", "T1/C1", "1.6"), "U1") is None
    store.save_draft(thread, "U1", None)
    assert store.draft(thread, "U1") is None


def test_a_server_that_is_gone_is_an_error() -> None:
    store = RedisDigests("unix:///nowhere/nothing.sock")

    with pytest.raises(DigestStoreError, match="does not answer"):
        store.due_times()
    store.close()
