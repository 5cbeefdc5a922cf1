"""What stores of votes and of open choices promise, in memory and over a real Valkey server."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.buttons.open_choices import OpenChoices
from bot.buttons.voting import Vote, Votes
from bot.errors import TurnStoreError
from bot.redis_choices import RedisChoices
from bot.redis_votes import RedisVotes
from tests.fakes.memory_votes import MemoryChoices, MemoryVotes
from tests.fakes.recording_platform import NOW, a_thread

DAY = timedelta(days=1)


@pytest.fixture(params=["memory", "redis"])
def votes(request: pytest.FixtureRequest) -> Iterator[Votes]:
    if request.param == "memory":
        yield MemoryVotes()
        return
    store = RedisVotes(request.getfixturevalue("address"), DAY)
    yield store
    store.close()


@pytest.fixture(params=["memory", "redis"])
def choices(request: pytest.FixtureRequest) -> Iterator[OpenChoices]:
    if request.param == "memory":
        yield MemoryChoices()
        return
    store = RedisChoices(request.getfixturevalue("address"), DAY)
    yield store
    store.close()


def a_vote(trace_id: str, user: str, *, helpful: bool = True, reason: str = "") -> Vote:
    return Vote(trace_id, "slack", "T1/C1", user, helpful, reason, NOW)


def test_the_last_vote_of_each_person_on_each_answer_is_kept(votes: Votes) -> None:
    changed = a_vote("one", "é", helpful=False, reason="slow")
    for vote in (a_vote("one", "é"), a_vote("one", "ben"), a_vote("two", "é"), changed):
        votes.keep(vote)

    assert votes.of("one", "é") == changed
    assert votes.of("one", "ben") == a_vote("one", "ben")
    assert votes.of("two", "é") == a_vote("two", "é")
    assert votes.of("two", "ben") is None


def test_a_thread_has_the_choices_that_were_put_last(choices: OpenChoices) -> None:
    thread = a_thread("votes")
    choices.put(thread, "one")
    choices.put(a_thread("another"), "two")
    choices.put(thread, "three")

    assert choices.of(thread) == "three"
    choices.forget(thread)
    assert choices.of(thread) == ""
    assert choices.of(a_thread("another")) == "two"


def test_a_server_that_does_not_answer_is_an_error_of_ours(tmp_path: Path) -> None:
    nobody = f"unix://{tmp_path}/nobody.sock"

    with pytest.raises(TurnStoreError, match="store of votes"):
        RedisVotes(nobody, DAY).of("one", "ada")
    with pytest.raises(TurnStoreError, match="open choices"):
        RedisChoices(nobody, DAY).of(a_thread())
