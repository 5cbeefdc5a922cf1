"""Users, teams, channels and their members, over REST."""

from tests.mattermost_stub.errors import AppError, forbidden, invalid_body, invalid_url, not_found
from tests.mattermost_stub.records import MOST_ON_A_PAGE, PAGE, Json, fixed_id, valid_id
from tests.mattermost_stub.server import OK, Answer, Asked, Server, ids_of


def _user_id(asked: Asked) -> str:
    user_id = asked.me("user_id")
    if not valid_id(user_id):
        raise invalid_url("user_id")
    return user_id


def _id(asked: Asked, name: str) -> str:
    given = asked.part(name)
    if not valid_id(given):
        raise invalid_url(name)
    return given


async def user(server: Server, asked: Asked) -> object:
    return server.world.user(_user_id(asked))


async def user_by_name(server: Server, asked: Asked) -> object:
    for each in server.world.users.values():
        if each["username"] == asked.part("username"):
            return each
    raise not_found("store.sql_user.get_by_username.app_error", "Unable to find the user.")


async def users_by_ids(server: Server, asked: Asked) -> object:
    known = server.world.users
    return [known[each] for each in ids_of(asked, "user_ids") if each in known]


async def users_by_names(server: Server, asked: Asked) -> object:
    names = ids_of(asked, "usernames")
    return [each for each in server.world.users.values() if each["username"] in names]


async def roles_by_names(server: Server, asked: Asked) -> object:
    may = ["create_direct_channel", "create_group_channel", "list_public_teams"]
    if server.world.settings.may_whisper:
        may.append("create_post_ephemeral")
    names = ids_of(asked, "role_names")
    return [
        {"id": fixed_id("role"), "name": "system_user", "permissions": may, "built_in": True}
        for name in names
        if name == "system_user"
    ]


async def typing(server: Server, asked: Asked) -> object:
    if _user_id(asked) != asked.user:
        raise forbidden("manage_system")
    if not isinstance(asked.body, dict) or "channel_id" not in asked.body:
        raise invalid_body("channel_id")
    server.world.must_be_in(asked.user, str(asked.body["channel_id"]), "create_post")
    return {}


async def teams_of_user(server: Server, asked: Asked) -> object:
    of = _user_id(asked)
    members = server.world.team_members
    return [team for team_id, team in server.world.teams.items() if of in members[team_id]]


async def groups_of_user(server: Server, asked: Asked) -> object:
    of, settings = _user_id(asked), server.world.settings
    if of != asked.user and not settings.bot_is_admin:
        raise forbidden("manage_system")
    if not settings.licensed:
        words = "Your license does not support LDAP groups."
        raise AppError(501, "api.ldap_groups.license_error", words)
    return [
        {"id": fixed_id(name), "name": name, "display_name": name.title(), "source": "ldap"}
        for name, members in server.world.groups.items()
        if of in members
    ]


async def team(server: Server, asked: Asked) -> object:
    return _team(server, _id(asked, "team_id"), asked.user)


async def team_by_name(server: Server, asked: Asked) -> object:
    return _team_named(server, asked.part("team_name"), asked.user)


def _team_named(server: Server, name: str, user_id: str) -> Json:
    for each in server.world.teams.values():
        if each["name"] == name:
            return _team(server, str(each["id"]), user_id)
    raise not_found("app.team.get_by_name.missing.app_error", "Unable to find the existing team.")


def _team(server: Server, team_id: str, user_id: str) -> Json:
    if team_id not in server.world.teams:
        raise not_found("app.team.get.find.app_error", "Unable to find the existing team.")
    if user_id not in server.world.team_members[team_id]:
        raise forbidden("view_team")
    return server.world.teams[team_id]


async def team_member(server: Server, asked: Asked) -> object:
    members = server.world.team_members
    _team(server, _id(asked, "team_id"), asked.user)
    if _user_id(asked) not in members[asked.part("team_id")]:
        raise not_found("app.team.get_member.missing.app_error", "No team member found.")
    return {
        "team_id": asked.part("team_id"),
        "user_id": _user_id(asked),
        "roles": "team_user",
        "delete_at": 0,
        "scheme_guest": False,
        "scheme_user": True,
        "scheme_admin": False,
        "explicit_roles": "",
    }


async def channels_of_user(server: Server, asked: Asked) -> object:
    of, in_team = _user_id(asked), _id(asked, "team_id")
    if of != asked.user:
        raise forbidden("edit_other_users")
    _team(server, in_team, asked.user)
    return [
        channel
        for channel_id, channel in server.world.channels.items()
        if channel["team_id"] in (in_team, "") and server.world.in_channel(of, channel_id)
    ]


async def channel(server: Server, asked: Asked) -> object:
    found = server.world.channel(_id(asked, "channel_id"))
    server.world.must_read(asked.user, str(found["id"]))
    return found


async def channel_by_name(server: Server, asked: Asked) -> object:
    return _channel_named(server, _id(asked, "team_id"), asked.part("channel_name"), asked.user)


async def channel_by_names(server: Server, asked: Asked) -> object:
    in_team = _team_named(server, asked.part("team_name"), asked.user)
    return _channel_named(server, str(in_team["id"]), asked.part("channel_name"), asked.user)


def _channel_named(server: Server, in_team: str, name: str, user_id: str) -> Json:
    missing = not_found("app.channel.get_by_name.missing.app_error", "Channel does not exist.")
    for found in server.world.channels.values():
        if found["name"] == name and found["team_id"] in (in_team, ""):
            try:
                server.world.must_read(user_id, str(found["id"]))
            except AppError:
                # What is private is not there for who is not in it.
                raise missing from None
            return found
    raise missing


async def channel_members(server: Server, asked: Asked) -> object:
    channel_id = _id(asked, "channel_id")
    server.world.must_read(asked.user, channel_id)
    per_page = min(asked.number("per_page", PAGE), MOST_ON_A_PAGE)
    start = asked.number("page", 0) * per_page
    page = server.world.members[channel_id][start : start + per_page]
    return [_member(channel_id, each) for each in page]


async def channel_member(server: Server, asked: Asked) -> object:
    channel_id, of = _id(asked, "channel_id"), _user_id(asked)
    server.world.must_read(asked.user, channel_id)
    if not server.world.in_channel(of, channel_id):
        raise not_found("app.channel.get_member.missing.app_error", "No channel member found.")
    return _member(channel_id, of)


async def add_channel_member(server: Server, asked: Asked) -> object:
    channel_id = _id(asked, "channel_id")
    found = server.world.channel(channel_id)
    if not isinstance(asked.body, dict) or not valid_id(asked.body.get("user_id")):
        raise invalid_body("user_id")
    new = str(asked.body["user_id"])
    joins = new == asked.user and found["type"] == "O"
    if not joins and not server.world.in_channel(asked.user, channel_id):
        raise forbidden("manage_public_channel_members")
    server.world.user(new)
    if not server.world.in_channel(new, channel_id):
        server.world.members[channel_id].append(new)
        data = {"user_id": new, "team_id": found["team_id"]}
        await server.hub.publish("user_added", data, channel=channel_id)
    return Answer(_member(channel_id, new), 201)


async def remove_channel_member(server: Server, asked: Asked) -> object:
    channel_id, of = _id(asked, "channel_id"), _user_id(asked)
    if of != asked.user:
        raise forbidden("manage_public_channel_members")
    server.world.channel(channel_id)
    server.world.members[channel_id].remove(of)
    return OK


def _member(channel_id: str, user_id: str) -> Json:
    return {
        "channel_id": channel_id,
        "user_id": user_id,
        "roles": "channel_user",
        "last_viewed_at": 0,
        "msg_count": 0,
        "mention_count": 0,
        "notify_props": {},
        "last_update_at": 0,
        "scheme_guest": False,
        "scheme_user": True,
        "scheme_admin": False,
        "explicit_roles": "",
    }


async def direct_channel(server: Server, asked: Asked) -> object:
    ids = ids_of(asked, "user_ids")
    if len(ids) != 2:
        raise invalid_body("user_ids")
    if asked.user not in ids:
        raise forbidden("manage_system")
    for each in ids:
        server.world.user(each)
    found, is_new = server.world.direct_channel(*ids)
    if is_new:
        for each in set(ids):
            other = ids[0] if each == ids[1] else ids[1]
            data = {"teammate_id": other}
            await server.hub.publish("direct_added", data, channel=str(found["id"]))
    return Answer(found, 201)


async def group_channel(server: Server, asked: Asked) -> object:
    ids = sorted({*ids_of(asked, "user_ids"), asked.user})
    if not 3 <= len(ids) <= 8:
        raise AppError(400, "api.channel.create_group.bad_size.app_error", "Bad size of a group.")
    name = "group" + "".join(each[:3] for each in ids)
    for found in server.world.channels.values():
        if found["name"] == name:
            return Answer(found, 201)
    return Answer(server.world.add_channel(name, "G", ids, team=""), 201)
