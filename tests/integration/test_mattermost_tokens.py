"""Tokens of buttons over a real Valkey server."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta

import pytest
import redis

from bot.embedded_redis import EmbeddedRedis
from bot.messages import Act, Thread
from bot.platforms.mattermost_tokens import ButtonTokens, Sealed
from tests.intake_service import wait_until

THREAD = Thread("mattermost", "channel1", "root1")
TURN = "0123456789abcdef"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = EmbeddedRedis(tmp_path_factory.mktemp("redis"))
    yield server.open()
    server.close()


@pytest.fixture
def tokens(url: str) -> Iterator[ButtonTokens]:
    with closing(ButtonTokens(url, timedelta(hours=1))) as opened:
        yield opened


def test_what_was_sealed_is_opened_by_every_process(url: str, tokens: ButtonTokens) -> None:
    token = tokens.sealed(Act.CHOOSE, TURN, "1", THREAD)

    with closing(ButtonTokens(url, timedelta(hours=1))) as other:
        found = other.opened(token, "channel1", "ada")

    assert found == Sealed(Act.CHOOSE, TURN, "1", "channel1", "root1")


def test_a_token_counts_in_its_own_channel_alone(tokens: ButtonTokens) -> None:
    token = tokens.sealed(Act.QUERY, TURN, "", THREAD)

    assert tokens.opened(token, "channel2", "ada") is None
    assert tokens.opened(token, "channel1", "ada") is not None


@pytest.mark.parametrize("place", [0, 31, 32, 63], ids=["first", "nonce", "signature", "last"])
def test_a_token_that_was_changed_is_refused(tokens: ButtonTokens, place: int) -> None:
    token = tokens.sealed(Act.CHOOSE, TURN, "1", THREAD)
    other = "0" if token[place] != "0" else "1"

    assert tokens.opened(token[:place] + other + token[place + 1 :], "channel1", "ada") is None


@pytest.mark.parametrize("token", ["", "ä" * 64, "0" * 64, "\0"])
def test_what_is_no_token_is_refused(tokens: ButtonTokens, token: str) -> None:
    assert tokens.opened(token, "channel1", "ada") is None


def test_what_others_wrote_into_the_store_bears_no_signature(
    url: str, tokens: ButtonTokens
) -> None:
    token = tokens.sealed(Act.QUERY, TURN, "", THREAD)
    with closing(redis.Redis.from_url(url)) as operator:
        (key,) = [key for key in operator.scan_iter("*") if token[:32].encode() in key]
        kept = operator.get(key)
        assert isinstance(kept, bytes)
        operator.set(key, kept.replace(b"query", b"choose"))

    assert tokens.opened(token, "channel1", "ada") is None


@pytest.mark.parametrize(
    ("act", "counts"), [(Act.CHOOSE, False), (Act.STOP, False), (Act.QUERY, True), (Act.CSV, True)]
)
def test_what_changes_something_counts_once(tokens: ButtonTokens, act: Act, counts: bool) -> None:
    token = tokens.sealed(act, TURN, "", THREAD)

    assert tokens.opened(token, "channel1", "ada") is not None
    tokens.spend(token, "ada")

    assert (tokens.opened(token, "channel1", "ada") is not None) == counts


def test_who_may_not_press_a_button_takes_it_from_nobody(tokens: ButtonTokens) -> None:
    token = tokens.sealed(Act.CHOOSE, TURN, "1", THREAD)

    tokens.spend(token, "eve")

    assert tokens.opened(token, "channel1", "eve") is None
    assert tokens.opened(token, "channel1", "ada") is not None


def test_a_token_ends_by_itself(url: str) -> None:
    with closing(ButtonTokens(url, timedelta(seconds=1))) as tokens:
        token = tokens.sealed(Act.QUERY, TURN, "", THREAD)
        assert tokens.opened(token, "channel1", "ada") is not None

        wait_until(lambda: tokens.opened(token, "channel1", "ada") is None)
