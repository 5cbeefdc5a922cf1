"""Whether a Mattermost server is set up as it has to be, and in words what is not."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from bot.errors import PlatformError, PostRefused, RateLimited

OLDEST = (5, 37)
_WHISPERING = "create_post_ephemeral"
_A_DAY = 24 * 60 * 60


class Rest(Protocol):
    """The server's REST API; raises PlatformError, PostRefused where it refuses."""

    def get(self, path: str) -> Any:
        """What the server has there."""
        ...

    def post(self, path: str, body: object) -> Any:
        """Have it make something of ``body``."""
        ...


@dataclass(frozen=True, slots=True)
class Account:
    """Who our token is, and where."""

    id: str
    name: str
    roles: tuple[str, ...]
    version: str
    teams: tuple[str, ...]
    """Ids."""
    told: str
    """All of it in words."""


class MattermostCheck:
    """Looks at one server as the bot; every method says what it found, or raises PlatformError."""

    def __init__(self, rest: Rest, reach: Callable[[], None], hear: Callable[[], None]) -> None:
        """``reach`` and ``hear``: raise PlatformError without a way there, or without events."""
        self._rest = rest
        self._reach = reach
        self._hear = hear

    def account(self) -> str:
        """Whether the server is one, knows the token, and tells us of events."""
        told = self.known.told
        self._hear()
        return told

    def setup(self, commands: int, channels: Collection[str]) -> str:
        """Whether the settings that every client may see are as we need them.

        ``commands``: how many tokens of slash commands are configured; ``channels``: the ids of
        those that are named in our settings.
        """
        shown = self._config()
        wrong = [*self._unsuitable(shown, commands), *self._absent_from(channels)]
        if wrong:
            raise PlatformError("; ".join(wrong))
        size = int(shown.get("MaxFileSize") or 0) / 1e6
        typed = f"{commands} of slash commands" if commands else "no slash command"
        return f"SiteURL {shown['SiteURL']}, files up to {size:.0f} MB, {typed}"

    def whispers(self) -> str:
        """Whether a message can be shown to one person alone."""
        roles = self._rest.post("/roles/names", list(self.known.roles))
        if not any(_WHISPERING in (role.get("permissions") or ()) for role in roles):
            raise PlatformError(
                f"no role of @{self.known.name} ({', '.join(self.known.roles)}) has the permission"
                f" {_WHISPERING}"
            )
        return "shown to one person, in the channel"

    @cached_property
    def known(self) -> Account:
        """Our account; raises PlatformError."""
        self._reach()
        shown = self._config()
        version = str(shown["Version"])
        if _numbers(version) < OLDEST:
            oldest = ".".join(map(str, OLDEST))
            raise PlatformError(
                f"the server's version is {version}; {oldest} is the oldest we know"
            )
        me = self._rest.get("/users/me")
        if not me.get("is_bot"):
            raise PlatformError(
                f"the token is that of @{me['username']}, a person; a bot account's is wanted"
            )
        teams = self._rest.get("/users/me/teams")
        if not teams:
            raise PlatformError(
                f"@{me['username']} is in no team: invite it to one, and then to its channels"
            )
        told = f"{version}, as @{me['username']} in {', '.join(map(self._described, teams))}"
        ids = tuple(str(team["id"]) for team in teams)
        roles = tuple(str(me["roles"]).split())
        return Account(str(me["id"]), str(me["username"]), roles, version, ids, told)

    def _config(self) -> Mapping[str, str]:
        try:
            shown = self._rest.get("/config/client?format=old")
        except RateLimited:
            raise
        except PlatformError as error:
            raise PlatformError(f"what answers there is no Mattermost server: {error}") from error
        if not isinstance(shown, Mapping) or "Version" not in shown:
            raise PlatformError("what answers there is no Mattermost server")
        return shown

    def _described(self, team: Mapping[str, Any]) -> str:
        there = self._rest.get(f"/users/me/teams/{team['id']}/channels")
        count = sum(channel["type"] in ("O", "P") for channel in there)
        return f"{team['name']} ({count} channels)"

    @staticmethod
    def _unsuitable(shown: Mapping[str, str], commands: int) -> Iterator[str]:
        if not shown.get("SiteURL"):
            yield "SiteURL is not set: links in notifications lead nowhere"
        if shown.get("EnableFileAttachments") == "false":
            yield "EnableFileAttachments is off: no charts and no tables as files"
        if commands and shown.get("EnableCommands") == "false":
            yield "EnableCommands is off, while tokens of slash commands are configured"
        limit = int(shown.get("PostEditTimeLimit") or -1)
        if 0 <= limit < _A_DAY:
            yield (
                f"PostEditTimeLimit is {limit} seconds: later, buttons cannot be taken away"
                " from a message any more"
            )

    def _absent_from(self, channels: Collection[str]) -> Iterator[str]:
        for channel in channels:
            try:
                self._rest.get(f"/channels/{channel}/members/me")
            except PostRefused:
                yield f"@{self.known.name} is not in the channel {channel}, named in follow_in"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
