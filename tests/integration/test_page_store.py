"""What the page keeps in a real Valkey server: threads, marks and log-ins."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest

from bot.embedded_redis import EmbeddedRedis
from bot.errors import TurnStoreError
from bot.messages import Thread
from bot.page_logins import Login
from bot.page_posts import PageThread
from bot.platforms.page_login import PageLogin
from bot.redis_client import RedisClient
from bot.redis_logins import RedisLogins
from bot.redis_page import RedisPage

TOKENS = {"anna": "a token of anna's own", "ben": "a token of ben's own"}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = EmbeddedRedis(tmp_path_factory.mktemp("redis"))
    yield server.open()
    server.close()


@pytest.fixture
def posts(url: str) -> Iterator[RedisPage]:
    store = RedisPage(url, timedelta(days=1), most_threads=3)
    yield store
    store.close()


@pytest.fixture
def logins(url: str) -> Iterator[RedisLogins]:
    store = RedisLogins(url, timedelta(days=1))
    yield store
    store.close()


@pytest.fixture
def person(request: pytest.FixtureRequest) -> str:
    """Somebody whose threads no other test has."""
    return str(request.node.name)


def read(posts: RedisPage, thread: Thread) -> PageThread:
    found = posts.read(thread)
    assert found is not None
    return found


def test_posts_stand_in_their_order_and_once(posts: RedisPage, person: str) -> None:
    thread = Thread("web", person, "1")

    added = [posts.add(thread, post, {"text": f"{post} é"}, "title") for post in ("b", "a", "b")]

    assert added == [True, True, False]
    assert [post.body for post in read(posts, thread).posts] == [{"text": "b é"}, {"text": "a é"}]


def test_a_post_that_is_replaced_stays_where_it_is(posts: RedisPage, person: str) -> None:
    thread = Thread("web", person, "1")
    for post in ("a", "b"):
        posts.add(thread, post, {"text": post}, "title")

    assert posts.replace(thread, "a", {"text": "new"})
    assert not posts.replace(thread, "c", {"text": "new"})
    assert [post.body["text"] for post in read(posts, thread).posts] == ["new", "b"]


def test_every_change_gives_a_new_version(posts: RedisPage, person: str) -> None:
    thread = Thread("web", person, "1")
    posts.add(thread, "a", {}, "title")
    versions = [read(posts, thread).version]
    changes: tuple[Callable[[], bool], ...] = (
        lambda: posts.add(thread, "b", {}, ""),
        lambda: posts.replace(thread, "a", {"text": "new"}),
        lambda: posts.mark(thread, "vote:1", "yes"),
    )
    for change in changes:
        assert change()
        versions.append(read(posts, thread).version)

    assert versions == sorted(set(versions))


def test_a_mark_is_made_once_where_that_is_asked_for(posts: RedisPage, person: str) -> None:
    thread = Thread("web", person, "1")
    posts.add(thread, "a", {}, "title")

    made = [posts.mark(thread, "choice:1", value, once=True) for value in ("gpu", "cpu")]

    assert made == [True, False]
    assert posts.mark(thread, "vote:1", "yes")
    assert posts.mark(thread, "vote:1", "no slow")
    assert read(posts, thread).marks == {"choice:1": "gpu", "vote:1": "no slow"}


def test_the_thread_used_last_comes_first_and_the_oldest_is_forgotten(
    posts: RedisPage, person: str
) -> None:
    for root in ("1", "2", "3", "1", "4"):
        thread = Thread("web", person, root)
        posts.add(thread, f"{root}-{len(posts.threads(person))}", {}, f"thread {root}")

    assert {each.title for each in posts.threads(person)} == {"thread 1", "thread 3", "thread 4"}
    assert posts.threads(person)[0].id == "4"
    assert posts.read(Thread("web", person, "2")) is None


def test_nobody_reads_the_threads_of_others(posts: RedisPage, person: str) -> None:
    posts.add(Thread("web", person, "1"), "a", {}, "title")

    for other in (f"{person}2", person[:-1], f"{person}:1", ""):
        assert posts.read(Thread("web", other, "1")) is None
        assert not posts.threads(other)
        assert not posts.mark(Thread("web", other, "1"), "vote:1", "yes")


def test_what_is_no_character_is_kept_as_its_stand_in(posts: RedisPage, person: str) -> None:
    thread = Thread("web", person, "1")

    posts.add(thread, "a", {"text": "half \ud83d"}, "half \ud83d")

    assert read(posts, thread).posts[0].body["text"] == "half ?"


def test_a_store_that_is_away_is_an_error_of_ours() -> None:
    away = RedisPage("unix:///nowhere/redis.sock", timedelta(days=1))

    with pytest.raises(TurnStoreError, match="the store of the page"):
        away.threads("anna")
    away.close()


def test_a_token_lets_its_person_in_and_nobody_else(logins: RedisLogins) -> None:
    login = PageLogin(TOKENS, logins)

    begun = login.begin(TOKENS["ben"])

    assert begun is not None
    assert begun[0] == login.person(begun[1]) == "ben"
    assert [login.begin(token) for token in ("", "ben", "a token of ben's own ", "\ud83d")] == [
        None
    ] * 4
    assert [login.person(secret) for secret in ("", TOKENS["ben"], "unknown")] == [None] * 3


def test_a_log_in_ends_when_it_is_told_to(logins: RedisLogins) -> None:
    login = PageLogin(TOKENS, logins)
    begun, other = login.begin(TOKENS["ben"]), login.begin(TOKENS["ben"])
    assert begun is not None
    assert other is not None

    login.end(begun[1])

    assert login.person(begun[1]) is None
    assert login.person(other[1]) == "ben"


@pytest.mark.parametrize("tokens", [{"ben": "another token of ben"}, {"anna": TOKENS["ben"]}])
def test_a_log_in_ends_with_its_token(logins: RedisLogins, tokens: dict[str, str]) -> None:
    begun = PageLogin(TOKENS, logins).begin(TOKENS["ben"])
    assert begun is not None

    assert PageLogin(tokens, logins).person(begun[1]) is None


def test_who_reads_the_store_cannot_log_in_with_it(logins: RedisLogins, url: str) -> None:
    logins.keep("the cookie", Login("ben", "a hash"))
    client = RedisClient(url, TurnStoreError, "the store")

    keys = client.ask("return redis.call('keys', '*')", [], [])
    client.close()

    assert keys
    assert not any(b"the cookie" in bytes(key) for key in keys)
