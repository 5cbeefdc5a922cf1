"""What is read back of the channels, and how far."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.errors import PlatformError, PostRefused, RateLimited
from bot.platforms.mattermost_history import MattermostHistory

NOW = datetime(2022, 6, 15, 10, tzinfo=UTC)
MOMENT = int(NOW.timestamp() * 1000)


@dataclass
class Remembered:
    """What was heard, as a set."""

    until: int | None = None
    posts: set[str] = field(default_factory=set)

    def since(self) -> int | None:
        return self.until

    def has(self, post: str) -> bool:
        return post in self.posts

    def note(self, post: str, created: int) -> None:
        self.posts.add(post)

    def begin(self, now: int) -> None:
        self.until = now

    def complete(self, until: int) -> None:
        self.until = until


@dataclass
class Channels:
    """A server with channels by their ids, each with the moments of its posts, oldest first."""

    posts: dict[str, list[int]]
    fails: Iterator[Exception | None] = field(default_factory=lambda: iter(()))
    asked: list[str] = field(default_factory=list)

    def get(self, path: str) -> Any:
        self.asked.append(path)
        failure = next(self.fails, None)
        if failure is not None:
            raise failure
        if path == "/users/me/teams":
            return [{"id": "red"}, {"id": "blue"}]
        if path.startswith("/users/me/teams/"):
            # Each team lists all: as it does with those of two people.
            return [self._channel(name, made) for name, made in self.posts.items()]
        channel, _, query = path.removeprefix("/channels/").partition("/posts?page=")
        page = int(query.partition("&")[0])
        made = sorted(self.posts[channel], reverse=True)[page * 200 : page * 200 + 200]
        posts = {f"{channel}{at}": self._post(channel, at) for at in made}
        return {"order": list(posts), "posts": posts | {"root": self._post(channel, 1)}}

    def _channel(self, name: str, made: list[int]) -> dict[str, object]:
        return {"id": name, "type": "O", "last_post_at": max(made, default=0)}

    def _post(self, channel: str, at: int) -> dict[str, object]:
        return {"id": f"{channel}{at}", "create_at": at, "channel_id": channel}


def history(
    server: Channels, heard: Remembered, rest: Callable[[float], object] = lambda seconds: None
) -> MattermostHistory:
    return MattermostHistory(server.get, heard, timedelta(hours=1), lambda: NOW, rest)


def test_where_nothing_was_ever_heard_it_begins_with_now() -> None:
    heard = Remembered()

    found = history(Channels({"ops": [MOMENT - 5]}), heard).unheard()

    assert (found.posts, found.until, heard.until) == ((), MOMENT - 5, MOMENT - 5)


def test_what_was_not_heard_comes_in_the_order_in_which_it_was_written() -> None:
    server = Channels(
        {"ops": [MOMENT - 9, MOMENT - 3], "quiet": [MOMENT - 5], "old": [MOMENT - 20]}
    )
    heard = Remembered(MOMENT - 8, {f"ops{MOMENT - 3}"})

    found = history(server, heard).unheard()

    assert [post.id for post in found.posts] == [f"quiet{MOMENT - 5}"]
    assert found.until == MOMENT - 3
    # Where nothing is new, nobody looks.
    assert not any("/channels/old" in path for path in server.asked)
    heard.posts.clear()
    assert [post.created for post in history(server, heard).unheard().posts] == [
        MOMENT - 5,
        MOMENT - 3,
    ]


def test_it_goes_back_page_by_page_as_far_as_it_must() -> None:
    server = Channels({"ops": [MOMENT - each for each in range(1000)]})

    found = history(server, Remembered(MOMENT - 450)).unheard()

    assert len(found.posts) == 450
    assert sum("/channels/ops" in path for path in server.asked) == 3


def test_it_goes_back_no_further_than_anybody_waits() -> None:
    hour = 3_600_000
    server = Channels({"ops": [MOMENT - 2 * hour, MOMENT - hour + 1]})

    found = history(server, Remembered(MOMENT - 5 * hour)).unheard()

    assert [post.created for post in found.posts] == [MOMENT - hour + 1]


def test_a_post_that_is_dated_later_than_now_does_not_hide_what_comes() -> None:
    found = history(Channels({"ops": [MOMENT + 10**9]}), Remembered(MOMENT - 5)).unheard()

    assert found.until == MOMENT + 60_000


def test_a_limit_is_waited_for() -> None:
    rests: list[float] = []
    limited = iter([RateLimited("later", 0.5), None, RateLimited("later", 900.0)])
    server = Channels({"ops": [MOMENT - 3]}, limited)

    found = history(server, Remembered(MOMENT - 5), rests.append).unheard()

    assert len(found.posts) == 1
    assert rests == [0.5, 10.0]


def test_a_channel_that_is_closed_to_us_keeps_no_other_from_being_read() -> None:
    fails = iter([None, None, None, PostRefused("not a member any more")])
    server = Channels({"ops": [MOMENT - 3], "quiet": [MOMENT - 2]}, fails)

    found = history(server, Remembered(MOMENT - 5)).unheard()

    assert [post.id for post in found.posts] == [f"quiet{MOMENT - 2}"]


def test_where_the_server_does_not_answer_nothing_counts_as_heard() -> None:
    fails = iter([None, None, None, PlatformError("away")])
    server = Channels({"ops": [MOMENT - 3]}, fails)

    with pytest.raises(PlatformError, match="away"):
        history(server, Remembered(MOMENT - 5)).unheard()


@pytest.mark.parametrize("answer", [{"error": "log in first"}, [{"name": "red"}], "html", 7])
def test_an_answer_that_is_not_mattermosts_is_said_to_be_none(answer: object) -> None:
    with pytest.raises(PlatformError, match="cannot be read"):
        MattermostHistory(lambda path: answer, Remembered(MOMENT)).unheard()


def test_a_bot_without_teams_has_nothing_to_read() -> None:
    found = MattermostHistory(lambda path: None, Remembered(MOMENT)).unheard()

    assert found.posts == ()


def test_where_nothing_was_ever_written_all_that_comes_is_to_be_heard() -> None:
    heard = Remembered()
    history(Channels({"ops": []}), heard).unheard()

    found = history(Channels({"ops": [MOMENT - 3]}), heard).unheard()

    assert [post.created for post in found.posts] == [MOMENT - 3]


def test_who_is_in_no_channel_yet_has_heard_nothing_to_go_on_from() -> None:
    heard = Remembered()

    history(Channels({}), heard).unheard()

    assert heard.since() is None
