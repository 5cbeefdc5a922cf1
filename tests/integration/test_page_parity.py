"""Every kind of reply, button and digest on the page: it lacks nothing that Slack has."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from bot.buttons.voting import REASONS, WHY
from bot.embedded_redis import EmbeddedRedis
from bot.errors import PostRefused
from bot.messages import Act, Click, Thread
from bot.outbound.progress import FIRST_NOTE
from bot.outlet import Part
from bot.platforms.page_desk import PageDesk
from bot.platforms.page_json import Reader, thread_json
from bot.platforms.page_outlet import PageOutlet
from bot.platforms.slack_blocks import reply_parts as slack_parts
from bot.platforms.slack_blocks import settled_part as slack_settled
from bot.platforms.slack_blocks import why_part as slack_why
from bot.redis_inbox import RedisInbox
from bot.redis_page import RedisPage
from tests.fakes.recording_intake import RecordingIntake
from tests.fakes.recording_platform import NOW
from tests.integration.test_parity import REPLIES, TURN, pressed_in_slack, said_in_slack

Pressed = set[tuple[Act, str, str]]


@dataclass(frozen=True, slots=True)
class Shown:
    """A page, and what is pressed on it."""

    outlet: PageOutlet
    desk: PageDesk
    intake: RecordingIntake

    def entry(self, *parts: Part) -> tuple[Thread, dict[str, Any]]:
        """What a browser gets of a message, in a thread of its own."""
        (part,) = parts
        post = self.outlet.post(Thread("web", "ada", ""), part, uuid4().hex)
        thread = Thread("web", "ada", post)
        found = self.desk.posts.read(thread)
        assert found is not None
        told = thread_json(found, (), Reader(lambda held: True, sees_queries=True))
        return thread, told["entries"][0]

    def pressed(self, *parts: Part) -> Pressed:
        """What arrives when every button is pressed and every option chosen."""
        thread, entry = self.entry(*parts)
        self.intake.taken.clear()
        count = 0
        for act in entry.get("acts", ()):
            assert self.desk.press("ada", thread.root, Act(act), entry["turn"], "")
            count += 1
        for reason in entry.get("reasons", ()):
            assert self.desk.press("ada", thread.root, Act.UNHELPFUL, entry["turn"], reason["id"])
            count += 1
        for choice in entry.get("choices", ()):
            if choice["open"]:
                # A choice is made once: each in a thread where none was made.
                once, _ = self.entry(*parts)
                assert self.desk.choose("ada", once.root, choice["id"])
                count += 1
        assert len(self.intake.taken) == count
        return {(c.act, c.turn, c.value) for c in self.intake.taken if isinstance(c, Click)}


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    redis = EmbeddedRedis(tmp_path_factory.mktemp("redis"))
    url, lives, intake = redis.open(), timedelta(hours=1), RecordingIntake()
    with closing(RedisPage(url, lives)) as posts, closing(RedisInbox(url, lives)) as inbox:
        desk = PageDesk(posts, inbox, intake.receive, lambda: NOW)
        yield Shown(PageOutlet(posts), desk, intake)
    redis.close()


@pytest.mark.parametrize("kind", REPLIES)
def test_every_button_of_a_reply_is_there_and_is_heard(kind: str, page: Shown) -> None:
    heard = page.pressed(*page.outlet.parts(REPLIES[kind], TURN))

    # A table has its file below it on the page, where Slack may need a button for that.
    in_slack = pressed_in_slack(slack_parts(REPLIES[kind], TURN))
    assert heard == {each for each in in_slack if each[0] is not Act.CSV}


@pytest.mark.parametrize("kind", REPLIES)
def test_without_a_turn_nothing_can_be_pressed(kind: str, page: Shown) -> None:
    assert page.pressed(*page.outlet.parts(REPLIES[kind], "")) == set()


@pytest.mark.parametrize("kind", REPLIES)
def test_a_reply_says_and_brings_all_of_it(kind: str, page: Shown) -> None:
    reply = REPLIES[kind]

    _, entry = page.entry(*page.outlet.parts(reply, TURN))

    assert entry["text"] == reply.markdown
    assert [(fact["label"], tuple(fact["lines"])) for fact in entry["facts"]] == [
        (fact.label, fact.lines) for fact in reply.facts
    ]
    assert [table["row_count"] for table in entry["tables"]] == [t.row_count for t in reply.tables]
    assert [table["csv"]["name"] for table in entry["tables"]] == [t.csv.name for t in reply.tables]
    assert all(table["csv"]["url"] for table in entry["tables"])
    assert [(f["title"], f["picture"]) for f in entry["files"]] == [
        (f.title, f.is_picture) for f in reply.files
    ]


@pytest.mark.parametrize("kind", REPLIES)
def test_what_is_settled_is_settled_here_too(kind: str, page: Shown) -> None:
    note = "chose: the GPU cores"
    in_slack = tuple(slack_settled(p, note, "ada") for p in slack_parts(REPLIES[kind], TURN))
    settled = [page.outlet.settled(p, note, "ada") for p in page.outlet.parts(REPLIES[kind], TURN)]

    heard = page.pressed(*settled)
    _, entry = page.entry(*settled)

    assert not any(act is Act.CHOOSE for act, _, _ in heard)
    assert ("chose" in said_in_slack(in_slack)) == (entry["settled"] == note)


def test_why_an_answer_did_not_help_is_asked_with_the_same_reasons(page: Shown) -> None:
    heard = page.pressed(page.outlet.why(WHY, REASONS, TURN))

    assert heard == pressed_in_slack((slack_why(WHY, REASONS, TURN),)) != set()


def test_progress_has_what_it_says_and_ends_without_a_trace(page: Shown) -> None:
    thread = Thread("web", "ada", "progress")
    post = page.outlet.post(thread, page.outlet.progress(FIRST_NOTE, 12, TURN), "key")
    found = page.desk.posts.read(thread)
    assert found is not None
    (shown,) = found.posts

    page.outlet.edit(thread, post, Part("Answered below."))
    ended = page.desk.posts.read(thread)

    assert (shown.body["note"], shown.body["seconds"], shown.turn) == (FIRST_NOTE, 12, TURN)
    assert ended is not None
    assert thread_json(ended, (), Reader(lambda held: True, sees_queries=True))["entries"] == []


def test_what_is_posted_twice_stands_once(page: Shown) -> None:
    thread = Thread("web", "ada", "twice")
    (part,) = page.outlet.parts(REPLIES["words"], TURN)

    first = page.outlet.post(thread, part, "one key")
    again = page.outlet.post(thread, part, "one key")

    assert first == again == page.outlet.posted(thread, "one key")
    assert page.outlet.posted(thread, "another key") is None
    found = page.desk.posts.read(thread)
    assert found is not None
    assert len(found.posts) == 1


def test_nobody_is_told_in_the_thread_of_somebody_else(page: Shown) -> None:
    with pytest.raises(PostRefused):
        page.outlet.whisper(Thread("web", "ada", "1"), "ben", Part("for ben alone"))
    assert page.desk.posts.read(Thread("web", "ben", "1")) is None
