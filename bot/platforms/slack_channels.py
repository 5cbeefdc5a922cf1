"""The channels of a workspace, as people there name them."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError

from bot.errors import PlatformError
from bot.messages import IncomingMessage, Thread
from bot.platforms.slack_outlet import ClientOf

_MARKED = re.compile(r"<#([A-Z0-9]+)(?:\|[^>]*)?>")
_PAGE = 1000
_PAGES = 20


@dataclass(frozen=True, slots=True)
class SlackChannels:
    """Finds a channel that a person and the bot are both in; raises PlatformError."""

    client_of: ClientOf

    def find(self, said: str, near: IncomingMessage) -> Thread | str:
        """The channel called ``said`` in the workspace of ``near``, or why there is none."""
        team = near.thread.channel.partition("/")[0]
        marked = _MARKED.search(said)
        try:
            client = self.client_of(team)
            channel = marked.group(1) if marked else self._named(client, said.lstrip("#"))
            if channel is None or not self._both_in(client, channel, near.author):
                shown = said if marked else f"#{said.lstrip('#')}"
                return f"There is no channel {shown} that you and I are both in."
        except (SlackClientError, OSError) as error:
            raise PlatformError(f"Slack does not tell about its channels: {error}") from error
        return Thread(near.thread.platform, f"{team}/{channel}", "")

    def together(self, one: Thread, other: Thread) -> bool:
        """Whether both are of one workspace."""
        return _workspace(one) == _workspace(other)

    def _named(self, client: WebClient, name: str) -> str | None:
        asked = {"types": "public_channel,private_channel", "exclude_archived": "true"}
        pages = _pages(client.conversations_list, **asked)
        rows = (row for page in pages for row in page["channels"])
        return next((str(row["id"]) for row in rows if row.get("name") == name), None)

    def _both_in(self, client: WebClient, channel: str, person: str) -> bool:
        """Whether the bot and ``person`` read there; who is not in it, is told no more."""
        try:
            if not client.conversations_info(channel=channel)["channel"].get("is_member", True):
                return False
            pages = _pages(client.conversations_members, channel=channel)
            return any(person in page["members"] for page in pages)
        except SlackApiError as error:
            if error.response.get("error") in {"channel_not_found", "not_in_channel"}:
                return False
            raise


def _pages(method: Callable[..., Any], **asked: str) -> Iterator[Mapping[str, Any]]:
    """The pages that ``method`` gives, up to a number that no workspace should have."""
    cursor: str | None = None
    for _ in range(_PAGES):
        page = method(limit=_PAGE, cursor=cursor, **asked)
        yield page
        cursor = (page.get("response_metadata") or {}).get("next_cursor")
        if not cursor:
            return


def _workspace(thread: Thread) -> tuple[str, str]:
    return thread.platform, thread.channel.partition("/")[0]
