"""Outlet over Slack's Web API: one request at a time, never tried again here."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import PurePath
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from agent import Choice
from bot.errors import PlatformError, PostRefused
from bot.messages import Reply, Thread
from bot.outlet import Part
from bot.platforms.slack_blocks import progress_part, reply_parts, settled_part, why_part
from bot.platforms.slack_errors import code_of, translated
from bot.platforms.slack_installations import Installations, token_of
from bot.platforms.slack_limits import TEXT
from bot.platforms.slack_mrkdwn import escaped_within

_EVENT = "odabot_part"
# How far back a message is looked for: a turn that is taken over is never older.
_LOOK_BACK = timedelta(days=2)
_PAGE = 200
_PAGES = 10


ClientOf = Callable[[str], WebClient]
"""The client of a workspace by the id of its team."""


def slack_client(token: str, url: str = "https://slack.com/api/", seconds: int = 10) -> WebClient:
    """A client that gives up after so many seconds, and leaves it to us to try again.

    By itself it would send a message twice where the connection broke after it was taken.
    """
    return WebClient(token, base_url=url, timeout=seconds, retry_handlers=[])


def clients_of(installations: Installations, url: str) -> ClientOf:
    """The client of each workspace where the app is installed."""
    return lambda team: slack_client(token_of(installations, team), url)


@dataclass(frozen=True, slots=True)
class SlackOutlet:
    """Posts to the channel ``TEAM/CHANNEL`` of a thread as the bot of that workspace."""

    client_of: ClientOf
    clock: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))

    def parts(self, reply: Reply, turn: str) -> tuple[Part, ...]:
        """``reply`` as blocks and files."""
        return reply_parts(reply, turn)

    def progress(self, note: str, seconds: float, turn: str) -> Part:
        """One line, and the button that stops it."""
        return progress_part(note, seconds, turn)

    def settled(self, part: Part, note: str, by: str = "") -> Part:
        """``part`` without choices to press."""
        return settled_part(part, note, by)

    def why(self, text: str, reasons: tuple[Choice, ...], turn: str) -> Part:
        """A line, and a menu."""
        return why_part(text, reasons, turn)

    def post(self, thread: Thread, part: Part, key: str) -> str:
        """Post ``part``; the message's timestamp, or the file's id as Slack posts it later."""
        if part.files:
            (file,) = part.files
            try:
                data = file.path.read_bytes()
            except OSError as error:
                raise PostRefused(f"a file of a reply is gone: {error}") from error
            path = PurePath(file.name)
            return self._upload(thread, f"{path.stem}-{key}{path.suffix}", data, file.title)
        with translated():
            try:
                return self._post(thread, part, key)
            except SlackApiError as error:
                if part.body or code_of(error) != "msg_too_long":
                    raise
        return self._upload(thread, f"answer-{key}.txt", part.text.encode(), "The answer as text")

    def posted(self, thread: Thread, key: str) -> str | None:
        """The message that carries ``key``: on a block, in its metadata or in a file's name."""
        try:
            for message in self._messages(thread):
                if _carries(message, key):
                    return str(message["ts"])
        except PostRefused as error:
            raise PlatformError(f"a message could not be looked for: {error}") from error
        return None

    def edit(self, thread: Thread, message_id: str, part: Part) -> None:
        """Put text and blocks of ``part`` in place of a message's."""
        client, channel = self._at(thread)
        with translated():
            # Without blocks, those of before would stay.
            client.chat_update(channel=channel, ts=message_id, **_content(part, part.body))

    def whisper(self, thread: Thread, user: str, part: Part) -> None:
        """Show ``part`` to ``user`` alone, in the thread."""
        client, channel = self._at(thread)
        root = thread.root or None
        with translated():
            client.chat_postEphemeral(
                channel=channel, user=user, thread_ts=root, **_content(part, part.body)
            )

    def _post(self, thread: Thread, part: Part, key: str) -> str:
        client, channel = self._at(thread)
        posted = client.chat_postMessage(
            channel=channel,
            thread_ts=thread.root or None,
            metadata={"event_type": _EVENT, "event_payload": {"key": key}},
            unfurl_links=False,
            unfurl_media=False,
            **_content(part, _marked(part, key)),
        )
        return str(posted["ts"])

    def _upload(self, thread: Thread, name: str, data: bytes, title: str) -> str:
        client, channel = self._at(thread)
        upload = {"filename": name, "content": data, "title": title, "alt_txt": title}
        with translated():
            sent = client.files_upload_v2(
                file_uploads=[upload], channel=channel, thread_ts=thread.root or None
            )
        files: Any = sent["files"]
        return str(files[0]["id"])

    def _messages(self, thread: Thread) -> Iterator[Mapping[str, Any]]:
        """The thread's messages, or the channel's newest where it has no root."""
        client, channel = self._at(thread)
        since = f"{(self.clock() - _LOOK_BACK).timestamp():.6f}"
        asked: dict[str, Any] = {"channel": channel, "limit": _PAGE, "oldest": since}
        asked["include_all_metadata"] = True
        for _ in range(_PAGES):
            with translated():
                if thread.root:
                    page: Any = client.conversations_replies(ts=thread.root, **asked)
                else:
                    page = client.conversations_history(**asked)
            yield from page["messages"]
            asked["cursor"] = (page.get("response_metadata") or {}).get("next_cursor")
            if not asked["cursor"]:
                return

    def _at(self, thread: Thread) -> tuple[WebClient, str]:
        team, _, channel = thread.channel.rpartition("/")
        return self.client_of(team), channel


def _content(part: Part, blocks: Sequence[Mapping[str, object]]) -> dict[str, Any]:
    # What stands for the blocks is plain text: no sign in it may turn into mark-up.
    return {"text": escaped_within(part.text, TEXT), "blocks": list(blocks), "mrkdwn": False}


def _marked(part: Part, key: str) -> list[Mapping[str, object]]:
    return [
        {**block, "block_id": key} if number == 0 else block
        for number, block in enumerate(part.body)
    ]


def _carries(message: Mapping[str, Any], key: str) -> bool:
    metadata = message.get("metadata") or {}
    return (
        any(block.get("block_id") == key for block in message.get("blocks") or ())
        or (metadata.get("event_payload") or {}).get("key") == key
        or any(
            PurePath(str(file.get("name", ""))).stem.endswith(f"-{key}")
            for file in message.get("files") or ()
        )
    )
