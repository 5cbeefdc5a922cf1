"""What a person does on the page, handed in as on any other platform; and what they see of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from secrets import token_urlsafe
from typing import Any

from bot.access import PAGE
from bot.intake.inbox import Inbox, Item
from bot.intake.lanes import lane_of
from bot.messages import Act, Click, Incoming, IncomingMessage, Thread, Way
from bot.page_posts import (
    Listed,
    PagePosts,
    PageThread,
    Post,
    PostKind,
    choice_mark,
    vote_mark,
)
from bot.platforms.page_bodies import question_body
from bot.platforms.page_json import HELPFUL, UNHELPFUL, Running, turn_of_open_choices
from bot.platforms.page_outlet import title_of
from bot.turn_store import TurnRecord

WAITS = "waiting for its turn"
_BEGUN = "working on it"
_RECENT = timedelta(minutes=30)
_LOOKED_AT = 20
"""Threads of which the list tells whether they are worked on: the ones used last."""
_VOTES = {Act.HELPFUL: HELPFUL, Act.UNHELPFUL: UNHELPFUL}


@dataclass(frozen=True, slots=True)
class PageDesk:
    """Every method raises TurnStoreError where nothing can be kept or read."""

    posts: PagePosts
    inbox: Inbox
    receive: Callable[[Incoming], None]
    clock: Callable[[], datetime]

    def begin(self, person: str, text: str) -> str:
        """A new thread with its first question; its id."""
        root = token_urlsafe(9)
        self._ask(Thread(PAGE, person, root), root, text)
        return root

    def ask(self, person: str, root: str, text: str) -> bool:
        """One more question; False where there is no such thread."""
        thread = Thread(PAGE, person, root)
        if self.posts.read(thread) is None:
            return False
        self._ask(thread, token_urlsafe(9), text)
        return True

    def choose(self, person: str, root: str, choice_id: str) -> bool:
        """Take a choice of the last reply; False where it may not be taken (any more)."""
        thread = Thread(PAGE, person, root)
        found = self.posts.read(thread)
        if found is None or self.running(thread, found):
            return False
        turn = turn_of_open_choices(found)
        labels = _labels(found, turn)
        if choice_id not in labels:
            return False
        if not self.posts.mark(thread, choice_mark(turn), choice_id, once=True):
            return False
        click = self._click(thread, Act.CHOOSE, turn, choice_id)
        # What comes of the click is taken in under this name.
        chosen = replace(self._message(thread, f"choice:{turn}", choice_id), way=Way.CHOICE)
        body = question_body(labels[choice_id], chosen.trace_id, lane_of(click))
        self.posts.add(thread, click.click_id, body, "")
        self.receive(click)
        return True

    def press(self, person: str, root: str, act: Act, turn: str, value: str) -> bool:
        """Press a button of a reply; False where the thread has no such turn."""
        thread = Thread(PAGE, person, root)
        found = self.posts.read(thread)
        if found is None or turn not in {post.turn for post in found.posts if post.turn}:
            return False
        if act in _VOTES:
            self.posts.mark(thread, vote_mark(turn), f"{_VOTES[act]} {value}".strip())
        self.receive(self._click(thread, act, turn, value))
        return True

    def stop(self, person: str, root: str) -> bool:
        """Stop all that is worked on in a thread, or waits; False where there is no such thread."""
        thread = Thread(PAGE, person, root)
        found = self.posts.read(thread)
        if found is None:
            return False
        for item in self.inbox.waiting(thread.name):
            if isinstance(item, TurnRecord):
                self.receive(self._click(thread, Act.STOP, item.trace_id, ""))
        return True

    def running(self, thread: Thread, found: PageThread) -> Sequence[Running]:
        """What waits for its reply, the oldest first."""
        notes = {p.turn: p for p in found.posts if p.kind == PostKind.PROGRESS}
        items: list[Item] = list(self.inbox.waiting(thread.name))
        turns = [item.trace_id for item in items if isinstance(item, TurnRecord)]
        running = [_running(turn, notes.get(turn)) for turn in turns]
        for post in _unanswered(found):
            lane = str(post.body["lane"])
            if lane != thread.name and post.turn not in turns and self.inbox.waiting(lane):
                running.append(Running(post.turn, _BEGUN))
        return running

    def at_work(self, threads: Sequence[Listed], person: str) -> frozenset[str]:
        """Those of a person's threads in which a question waits for its reply."""
        since = datetime.now(UTC) - _RECENT
        recent = [each.id for each in threads if each.used > since][:_LOOKED_AT]
        return frozenset(
            root for root in recent if self.inbox.waiting(Thread(PAGE, person, root).name)
        )

    def _ask(self, thread: Thread, message_id: str, text: str) -> None:
        message = self._message(thread, message_id, text)
        body = question_body(text, message.trace_id, lane_of(message))
        self.posts.add(thread, message_id, body, title_of(text))
        self.receive(message)

    def _message(self, thread: Thread, message_id: str, text: str) -> IncomingMessage:
        return IncomingMessage(
            thread, message_id, thread.channel, text, self.clock(), addressed=True, direct=True
        )

    def _click(self, thread: Thread, act: Act, turn: str, value: str) -> Click:
        return Click(thread, token_urlsafe(9), thread.channel, act, turn, self.clock(), value)


def _running(turn: str, progress: Post | None) -> Running:
    if progress is None:
        return Running(turn, WAITS)
    body: Any = progress.body
    return Running(turn, str(body["note"]), int(body["seconds"]))


def _unanswered(found: PageThread) -> list[Post]:
    """What was asked since the last reply."""
    waiting: list[Post] = []
    for post in found.posts:
        if post.kind == PostKind.QUESTION:
            waiting.append(post)
        elif post.kind == PostKind.REPLY:
            waiting = []
    return waiting


def _labels(found: PageThread, turn: str) -> dict[str, str]:
    """The labels of a turn's choices by their ids."""
    if not turn:
        return {}
    replies: list[Any] = [p.body for p in found.posts if p.turn == turn and p.body.get("choices")]
    return {choice["id"]: choice["label"] for body in replies for choice in body["choices"]}
