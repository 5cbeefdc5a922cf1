"""Which route does what; and the small ones on the server itself."""

from collections.abc import Awaitable, Callable

from aiohttp import web

from tests.mattermost_stub import action_routes, people_routes, post_routes
from tests.mattermost_stub.errors import AppError
from tests.mattermost_stub.records import Json
from tests.mattermost_stub.server import MAKES, Asked, Server, no_page

_API = "/api/v4"
_ROUTES: tuple[tuple[str, str, MAKES], ...] = (
    ("GET", "/users/{user_id}", people_routes.user),
    ("GET", "/users/username/{username}", people_routes.user_by_name),
    ("POST", "/users/ids", people_routes.users_by_ids),
    ("POST", "/users/usernames", people_routes.users_by_names),
    ("POST", "/users/{user_id}/typing", people_routes.typing),
    ("GET", "/users/{user_id}/teams", people_routes.teams_of_user),
    ("GET", "/users/{user_id}/groups", people_routes.groups_of_user),
    ("GET", "/users/{user_id}/teams/{team_id}/channels", people_routes.channels_of_user),
    ("POST", "/roles/names", people_routes.roles_by_names),
    ("GET", "/teams/{team_id}", people_routes.team),
    ("GET", "/teams/name/{team_name}", people_routes.team_by_name),
    ("GET", "/teams/{team_id}/members/{user_id}", people_routes.team_member),
    ("GET", "/teams/{team_id}/channels/name/{channel_name}", people_routes.channel_by_name),
    (
        "GET",
        "/teams/name/{team_name}/channels/name/{channel_name}",
        people_routes.channel_by_names,
    ),
    ("POST", "/channels/direct", people_routes.direct_channel),
    ("POST", "/channels/group", people_routes.group_channel),
    ("GET", "/channels/{channel_id}", people_routes.channel),
    ("GET", "/channels/{channel_id}/members", people_routes.channel_members),
    ("POST", "/channels/{channel_id}/members", people_routes.add_channel_member),
    ("GET", "/channels/{channel_id}/members/{user_id}", people_routes.channel_member),
    ("DELETE", "/channels/{channel_id}/members/{user_id}", people_routes.remove_channel_member),
    ("GET", "/channels/{channel_id}/posts", post_routes.of_channel),
    ("POST", "/posts", post_routes.create),
    ("POST", "/posts/ephemeral", post_routes.ephemeral),
    ("GET", "/posts/{post_id}", post_routes.get),
    ("PUT", "/posts/{post_id}", post_routes.update),
    ("DELETE", "/posts/{post_id}", post_routes.delete),
    ("PUT", "/posts/{post_id}/patch", post_routes.patch),
    ("GET", "/posts/{post_id}/thread", post_routes.thread),
    ("POST", "/posts/{post_id}/actions/{action_id:[A-Za-z0-9]+}", action_routes.press),
    ("POST", "/files", post_routes.upload),
    ("GET", "/files/{file_id}", post_routes.file),
    ("GET", "/files/{file_id}/info", post_routes.file_info),
    ("POST", "/reactions", post_routes.react),
    ("POST", "/commands", action_routes.create_command),
    ("GET", "/commands", action_routes.commands),
    ("DELETE", "/commands/{command_id}", action_routes.delete_command),
    ("POST", "/commands/execute", action_routes.execute),
)


async def _ping(server: Server, asked: Asked) -> object:
    return {"AndroidLatestVersion": "", "IosLatestVersion": "", "status": "OK"}


async def _client_config(server: Server, asked: Asked) -> object:
    """What every client may know of the settings; more of them for who is logged in."""
    settings = server.world.settings
    if asked.query("format") != "old":
        words = "New format for the client configuration is not supported yet."
        raise AppError(501, "api.config.client.old_format.app_error", words)
    said: Json = {
        "Version": settings.version,
        "BuildNumber": settings.version,
        "SiteURL": server.site_url,
        "WebsocketURL": "",
        "EnableBotAccountCreation": str(settings.bots_enabled).lower(),
        "EnableUserAccessTokens": str(settings.access_tokens_enabled).lower(),
    }
    if not asked.user:
        return said
    return said | {
        "EnableCommands": str(settings.commands_enabled).lower(),
        "EnableFileAttachments": str(settings.files_enabled).lower(),
        "MaxFileSize": str(settings.max_file_size),
        "PostEditTimeLimit": str(settings.post_edit_seconds),
        "EnableDeveloper": str(settings.developer).lower(),
    }


def application(server: Server) -> web.Application:
    """All routes, over ``server``."""
    app = web.Application(client_max_size=2**31)
    for method, path, makes in _ROUTES:
        app.router.add_route(method, _API + path, server.handler(makes))
    for path, makes in (("/system/ping", _ping), ("/config/client", _client_config)):
        app.router.add_get(_API + path, server.handler(makes, open_to_all=True))
    app.router.add_get(_API + "/websocket", _websocket(server))
    hook = server.handler(action_routes.later_response, open_to_all=True)
    app.router.add_post("/hooks/commands/{hook_id}", hook)
    app.router.add_route("*", "/{rest:.*}", server.handler(no_page, open_to_all=True))
    return app


def _websocket(server: Server) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    async def connect(request: web.Request) -> web.StreamResponse:
        word, _, token = request.headers.get("Authorization", "").partition(" ")
        known = server.world.tokens.get(token, "") if word.lower() == "bearer" else ""
        return await server.hub.serve(request, known)

    return connect
