"""Outlet over Mattermost's REST API: one request at a time, never tried again here."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Protocol

from agent import Choice
from bot.errors import PlatformError, PostRefused, TurnStoreError
from bot.messages import Act, Reply, ReplyFile, Thread
from bot.outlet import Part
from bot.platforms.mattermost_attachments import (
    Json,
    actions_of,
    progress_part,
    reply_parts,
    settled_part,
    why_part,
)
from bot.platforms.mattermost_limits import OLD_MESSAGE
from bot.platforms.mattermost_rest import MattermostRefused, MattermostRest

_KEY = "odabot_part"
# How far back a message is looked for: a turn that is taken over is never older.
_LOOK_BACK = timedelta(days=2)
_PAGE = 200
_PAGES = 10
_INVALID, _FORBIDDEN = 400, 403
_AS_FILE = "The answer is too long for a message here."


class SealsButtons(Protocol):
    """Makes what a button proves itself by; may raise TurnStoreError. See ``ButtonTokens``."""

    def sealed(self, act: Act, turn: str, value: str, thread: Thread, shown_in: str = "") -> str:
        """A token for a button of ``thread``, shown in its channel or in another one."""
        ...


@dataclass(slots=True)
class MattermostOutlet:
    """Posts to the channel of a thread as the bot account."""

    rest: MattermostRest
    tokens: SealsButtons
    actions_url: str
    """Where the server tells us of what is pressed."""
    clock: Callable[[], datetime] = field(default=partial(datetime.now, UTC))
    _names: dict[str, str] = field(default_factory=dict)

    def parts(self, reply: Reply, turn: str) -> tuple[Part, ...]:
        """``reply`` as posts, its files in the last ones."""
        return reply_parts(reply, turn)

    def progress(self, note: str, seconds: float, turn: str) -> Part:
        """One line, and the button that stops it."""
        return progress_part(note, seconds, turn)

    def settled(self, part: Part, note: str, by: str = "") -> Part:
        """``part`` without choices to press."""
        if settled_part(part, note) is part:
            return part
        return settled_part(part, note, self._called(by) if by else "")

    def why(self, text: str, reasons: tuple[Choice, ...], turn: str) -> Part:
        """A line, and a menu."""
        return why_part(text, reasons, turn)

    def post(self, thread: Thread, part: Part, key: str) -> str:
        """Post ``part`` with its files; the id of the post.

        The server drops what it was sent within the last minutes under the same pending id.
        """
        files = [self._uploaded(thread, each) for each in part.files]
        try:
            return self._post(thread, part, part.text, files, key)
        except MattermostRefused as refusal:
            plain = not part.body and not part.files and len(part.text) > OLD_MESSAGE
            if refusal.status != _INVALID or not plain:
                raise
        whole = self.rest.upload(thread.channel, "answer.txt", part.text.encode())
        return self._post(thread, part, _AS_FILE, [whole], key)

    def posted(self, thread: Thread, key: str) -> str | None:
        """The post that carries ``key`` among its properties."""
        try:
            me = self._me()
            for post in self._posts(thread):
                if post["user_id"] == me and (post.get("props") or {}).get(_KEY) == key:
                    return str(post["id"])
        except PostRefused as error:
            raise PlatformError(f"a message could not be looked for: {error}") from error
        return None

    def edit(self, thread: Thread, message_id: str, part: Part) -> None:
        """Put words and buttons of ``part`` in place of a post's."""
        # Without attachments, those of before would stay.
        body = {"message": part.text, "props": self._props(part, thread)}
        self.rest.put(f"/posts/{message_id}/patch", body)

    def whisper(self, thread: Thread, user: str, part: Part) -> None:
        """Show ``part`` to ``user`` alone: in the thread, or else in a message to them."""
        post = {
            "channel_id": thread.channel,
            "root_id": thread.root,
            "message": part.text,
            "props": self._props(part, thread),
        }
        try:
            self.rest.post("/posts/ephemeral", {"user_id": user, "post": post})
        except MattermostRefused as refusal:
            if refusal.status != _FORBIDDEN:
                raise
            self._tell_directly(thread, user, part)

    def _tell_directly(self, thread: Thread, user: str, part: Part) -> None:
        channel = _id_of(self.rest.post("/channels/direct", [self._me(), user]))
        # What is pressed there is about the thread, which is of another channel.
        body = {
            "channel_id": channel,
            "root_id": thread.root if channel == thread.channel else "",
            "message": part.text,
            "props": self._props(part, thread, channel),
        }
        self.rest.post("/posts", body)

    def _post(self, thread: Thread, part: Part, text: str, files: list[str], key: str) -> str:
        body = {
            "channel_id": thread.channel,
            "root_id": thread.root,
            "message": text,
            "file_ids": files,
            "pending_post_id": f"{self._me()}:{key}",
            "props": {**self._props(part, thread), _KEY: key},
        }
        return _id_of(self.rest.post("/posts", body))

    def _uploaded(self, thread: Thread, file: ReplyFile) -> str:
        try:
            data = file.path.read_bytes()
        except OSError as error:
            raise PostRefused(f"a file of a reply is gone: {error}") from error
        return self.rest.upload(thread.channel, file.name, data)

    def _props(self, part: Part, thread: Thread, shown_in: str = "") -> Json:
        attachments = [self._sealed(each, thread, shown_in) for each in part.body]
        # An edit replaces all properties, the mark of a bot too.
        return {"from_bot": "true", "attachments": attachments}

    def _sealed(self, attachment: Mapping[str, object], thread: Thread, shown_in: str) -> Json:
        """``attachment`` with tokens in place of what its buttons do."""
        actions = [self._sealed_action(each, thread, shown_in) for each in actions_of(attachment)]
        return {**attachment, "actions": actions}

    def _sealed_action(self, action: Json, thread: Thread, shown_in: str) -> Json:
        integration: Any = action["integration"]
        does = integration["context"]
        act, turn, value = Act(does["act"]), does["turn"], does["value"]
        try:
            token = self.tokens.sealed(act, turn, value, thread, shown_in)
        except TurnStoreError as error:
            raise PlatformError(str(error)) from error
        return {**action, "integration": {"url": self.actions_url, "context": {"token": token}}}

    def _posts(self, thread: Thread) -> Iterator[Mapping[str, Any]]:
        """The thread's posts, or the channel's newest where it has no root."""
        if thread.root:
            yield from self.rest.get(f"/posts/{thread.root}/thread")["posts"].values()
            return
        oldest = int((self.clock() - _LOOK_BACK).timestamp() * 1000)
        for page in range(_PAGES):
            told = self.rest.get(f"/channels/{thread.channel}/posts?page={page}&per_page={_PAGE}")
            found = [told["posts"][name] for name in told["order"]]
            yield from found
            if len(found) < _PAGE or found[-1]["create_at"] < oldest:
                return

    def _me(self) -> str:
        return self._known("me", "id")

    def _called(self, user: str) -> str:
        try:
            return f"@{self._known(user, 'username')}"
        except PlatformError:
            return "Somebody"

    def _known(self, user: str, what: str) -> str:
        if user not in self._names:
            self._names[user] = _field(self.rest.get(f"/users/{user}"), what)
        return self._names[user]


def _id_of(told: object) -> str:
    return _field(told, "id")


def _field(told: object, name: str) -> str:
    if not isinstance(told, Mapping) or not told.get(name):
        raise PlatformError(f"Mattermost did not say the {name} of what it has")
    return str(told[name])
