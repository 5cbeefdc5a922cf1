"""The channels of a Mattermost server, as people there name them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from bot.errors import PostRefused
from bot.messages import IncomingMessage, Thread

Get = Callable[[str], Any]
"""What the server has at a path of its API; raises PostRefused where it has nothing for us there,
PlatformError where it does not answer."""

_OPEN, _PRIVATE = "O", "P"


@dataclass(frozen=True, slots=True)
class MattermostChannels:
    """Finds a channel that a person and the bot are both in; raises PlatformError."""

    get: Get

    def find(self, said: str, near: IncomingMessage) -> Thread | str:
        """The channel called ``said`` in the team of ``near``, or why there is none.

        Written in a direct message, which is of no team, it is looked for in all teams of the bot.
        """
        name = said.lstrip("~#").lower()
        found = tuple(self._both_in(near.author, name, self._teams(near.thread.channel)))
        if not found:
            return f"There is no channel ~{name} that you and I are both in."
        if len(found) > 1:
            return (
                f"More than one of your teams has a channel ~{name}."
                " Write this to me in a channel of the team that you mean."
            )
        return Thread(near.thread.platform, found[0], "")

    def together(self, one: Thread, other: Thread) -> bool:
        """Whether both are of one server, where a person's id is one and the same."""
        return one.platform == other.platform

    def _teams(self, channel: str) -> tuple[str, ...]:
        team = self.get(f"/channels/{_quoted(channel)}").get("team_id")
        if team:
            return (str(team),)
        return tuple(str(each["id"]) for each in self.get("/users/me/teams"))

    def _both_in(self, person: str, name: str, teams: tuple[str, ...]) -> Iterator[str]:
        """The channels of that name; who is not in one, is told no more."""
        for team in teams:
            channel = self._there(f"/teams/{team}/channels/name/{_quoted(name)}")
            if channel is None or channel.get("delete_at") or not _is_room(channel):
                continue
            members = f"/channels/{channel['id']}/members"
            inside = (self._there(f"{members}/{_quoted(who)}") for who in ("me", person))
            if all(each is not None for each in inside):
                yield str(channel["id"])

    def _there(self, path: str) -> Mapping[str, Any] | None:
        try:
            found: Mapping[str, Any] = self.get(path)
        except PostRefused:
            return None
        return found


def _is_room(channel: Mapping[str, Any]) -> bool:
    return channel.get("type") in (_OPEN, _PRIVATE)


def _quoted(part: str) -> str:
    return quote(part, safe="")
