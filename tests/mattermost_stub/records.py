"""What the stub server keeps: people, teams, channels, posts, files and commands."""

import secrets
import time
from dataclasses import dataclass, field
from typing import Any

from tests.mattermost_stub.errors import AppError, forbidden, not_found

Json = dict[str, Any]

_LETTERS = "ybndrfg8ejkmcpqxot1uwisza345h769"
PAGE = 60
MOST_ON_A_PAGE = 200


def new_id() -> str:
    """An id as the real server makes them: 26 letters and digits."""
    return "".join(secrets.choice(_LETTERS) for _ in range(26))


def fixed_id(name: str) -> str:
    """The same id for the same name, and one that can be read."""
    return (name + "0" * 26)[:26]


def valid_id(text: object) -> bool:
    """Whether it has the form of an id."""
    return isinstance(text, str) and len(text) == 26 and text.isascii() and text.isalnum()


TEAM = fixed_id("team")
BOT, ADA, BEN = fixed_id("odabot"), fixed_id("ada"), fixed_id("ben")
OPS, QUIET, SECRET = fixed_id("ops"), fixed_id("quiet"), fixed_id("secret")
BOT_TOKEN, ADA_TOKEN, BEN_TOKEN = (f"{name}token000000000000000000"[:26] for name in "xyz")


@dataclass
class ServerSettings:
    """What the administrator has set; a test may change it while the server runs."""

    version: str = "5.37.9"
    site_url: str | None = None
    """SiteURL; None: where the server itself is; empty as on a fresh server."""
    allowed_untrusted: str = "127.0.0.1 localhost"
    """AllowedUntrustedInternalConnections; empty as on a fresh server."""
    bots_enabled: bool = True
    access_tokens_enabled: bool = True
    commands_enabled: bool = True
    may_whisper: bool = True
    """Whether the bot's role has create_post_ephemeral; a fresh server gives it to admins alone."""
    bot_is_admin: bool = False
    """Whether the bot may look at the groups of others."""
    licensed: bool = False
    """Whether there are groups at all."""
    reliable_websockets: bool = True
    developer: bool = False
    """Whether errors bring their details along."""
    files_enabled: bool = True
    max_file_size: int = 100 * 1024 * 1024
    post_edit_seconds: int = -1
    requests_a_second: int = 0
    """RateLimitSettings.PerSec; 0: off, as on a fresh server."""
    burst: int = 100


@dataclass
class World:
    """All records, by their ids, and who may do what with them."""

    settings: ServerSettings = field(default_factory=ServerSettings)
    users: dict[str, Json] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    """Users, by their tokens."""
    teams: dict[str, Json] = field(default_factory=dict)
    team_members: dict[str, list[str]] = field(default_factory=dict)
    groups: dict[str, list[str]] = field(default_factory=dict)
    """Ids of people, by the names of their groups; the id of a group is :func:`fixed_id` of it."""
    channels: dict[str, Json] = field(default_factory=dict)
    members: dict[str, list[str]] = field(default_factory=dict)
    posts: dict[str, Json] = field(default_factory=dict)
    """In the order in which they were made; what was deleted too, with delete_at."""
    whispers: list[tuple[str, Json]] = field(default_factory=list)
    """Ephemeral posts, each with the user who sees it."""
    cookies: dict[str, Json] = field(default_factory=dict)
    """Ephemeral posts with what their buttons hold, by id: the client's cookie in reality."""
    files: dict[str, Json] = field(default_factory=dict)
    contents: dict[str, bytes] = field(default_factory=dict)
    commands: dict[str, Json] = field(default_factory=dict)
    pending: dict[str, str] = field(default_factory=dict)
    """Posts, by the pending_post_id under which they were made."""
    complaints: list[str] = field(default_factory=list)
    _last_time: int = 0

    def now(self) -> int:
        """Milliseconds since 1970, never the same twice."""
        self._last_time = max(self._last_time + 1, int(time.time() * 1000))
        return self._last_time

    def add_user(self, name: str, user_id: str = "", *, bot: bool = False) -> Json:
        """A person or a bot, in no team yet."""
        made = self.now()
        user: Json = {
            "id": user_id or new_id(),
            "create_at": made,
            "update_at": made,
            "delete_at": 0,
            "username": name,
            "auth_data": "",
            "auth_service": "",
            "email": f"{name}@example.org",
            "nickname": "",
            "first_name": name.title(),
            "last_name": "",
            "position": "",
            "roles": "system_user",
            "locale": "en",
            "timezone": {
                "automaticTimezone": "",
                "manualTimezone": "",
                "useAutomaticTimezone": "t",
            },
        }
        if bot:
            user |= {"is_bot": True, "bot_description": ""}
        self.users[str(user["id"])] = user
        return user

    def add_team(self, name: str, team_id: str = "") -> Json:
        """A team without members."""
        team: Json = {
            "id": team_id or new_id(),
            "create_at": self.now(),
            "update_at": self.now(),
            "delete_at": 0,
            "display_name": name.title(),
            "name": name,
            "description": "",
            "email": "",
            "type": "O",
            "invite_id": "",
            "allow_open_invite": False,
        }
        self.teams[str(team["id"])] = team
        self.team_members[str(team["id"])] = []
        return team

    def add_channel(
        self, name: str, kind: str, members: list[str], *, team: str = TEAM, channel_id: str = ""
    ) -> Json:
        """A channel of ``kind`` O, P, D or G."""
        made = self.now()
        channel: Json = {
            "id": channel_id or new_id(),
            "create_at": made,
            "update_at": made,
            "delete_at": 0,
            "team_id": team,
            "type": kind,
            "display_name": name.title() if kind in "OP" else "",
            "name": name,
            "header": "",
            "purpose": "",
            "last_post_at": 0,
            "total_msg_count": 0,
            "extra_update_at": 0,
            "creator_id": "",
            "scheme_id": None,
            "props": None,
            "group_constrained": None,
        }
        self.channels[str(channel["id"])] = channel
        self.members[str(channel["id"])] = list(members)
        return channel

    def direct_channel(self, one: str, other: str) -> tuple[Json, bool]:
        """The channel of two, and whether it was made just now."""
        name = "__".join(sorted((one, other)))
        for channel in self.channels.values():
            if channel["name"] == name:
                return channel, False
        return self.add_channel(name, "D", sorted({one, other}), team=""), True

    def user(self, user_id: str) -> Json:
        """Raises AppError."""
        if user_id not in self.users:
            raise not_found("app.user.missing_account.const", "Unable to find the user.")
        return self.users[user_id]

    def channel(self, channel_id: str) -> Json:
        """Raises AppError."""
        if channel_id not in self.channels:
            words = "Unable to find the existing channel."
            raise not_found("app.channel.get.existing.app_error", words)
        return self.channels[channel_id]

    def post(self, post_id: str) -> Json:
        """One that is not deleted; raises AppError."""
        post = self.posts.get(post_id)
        if post is None or post["delete_at"]:
            raise not_found("app.post.get.app_error", "Unable to get the post.")
        return post

    def in_channel(self, user_id: str, channel_id: str) -> bool:
        """Whether somebody is a member."""
        return user_id in self.members.get(channel_id, [])

    def must_be_in(self, user_id: str, channel_id: str, permission: str) -> None:
        """Raises AppError for who is no member of that channel."""
        if not self.in_channel(user_id, channel_id):
            raise forbidden(permission)

    def must_read(self, user_id: str, channel_id: str) -> None:
        """Raises AppError for who may not look at a channel: public ones are their team's."""
        channel = self.channel(channel_id)
        in_team = user_id in self.team_members.get(channel["team_id"], [])
        if not self.in_channel(user_id, channel_id) and not (channel["type"] == "O" and in_team):
            raise forbidden("read_channel")

    def thread(self, post_id: str) -> list[Json]:
        """The root of a post and what replies to it, oldest first; raises AppError."""
        root = self.post(post_id)["root_id"] or post_id
        return [
            post
            for post in self.posts.values()
            if not post["delete_at"] and root in (post["id"], post["root_id"])
        ]

    def note(self, complaint: str) -> None:
        """Keep what the real server lets pass, and what is a mistake all the same."""
        self.complaints.append(complaint)


def too_large(most: int) -> AppError:
    """A file beyond what the administrator has set."""
    error_id = "api.file.upload_file.too_large_detailed.app_error"
    return AppError(413, error_id, f"Unable to upload file. Limit: {most} bytes.")


def small_world(settings: ServerSettings) -> World:
    """One team with the bot, Ada and Ben; the bot is not in the private channel ``secret``."""
    world = World(settings)
    world.add_team("m100", TEAM)
    for name, user_id, token in (
        ("odabot", BOT, BOT_TOKEN),
        ("ada", ADA, ADA_TOKEN),
        ("ben", BEN, BEN_TOKEN),
    ):
        world.add_user(name, user_id, bot=user_id == BOT)
        world.tokens[token] = user_id
        world.team_members[TEAM].append(user_id)
    everybody = [BOT, ADA, BEN]
    world.add_channel("ops", "O", everybody, channel_id=OPS)
    world.add_channel("quiet", "O", everybody, channel_id=QUIET)
    world.add_channel("secret", "P", [ADA, BEN], channel_id=SECRET)
    return world
