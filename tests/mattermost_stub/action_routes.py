"""Buttons, menus and slash commands: how the server calls their integrations."""

import json
import time

import aiohttp

from tests.mattermost_stub.errors import AppError, invalid_body, invalid_url, not_found
from tests.mattermost_stub.outgoing import call, form_of_command, must_be_allowed, new_trigger
from tests.mattermost_stub.post_routes import change, publish, whisper
from tests.mattermost_stub.posts import action_of, new_post, updated_post
from tests.mattermost_stub.records import Json, new_id, valid_id
from tests.mattermost_stub.server import OK, Answer, Asked, Server

RESPONSE_URL_SECONDS, RESPONSE_URL_USES = 30 * 60, 5
_KEPT_PROPS = ("from_webhook", "override_username", "override_icon_url")
_RESPONSE = {
    "response_type", "text", "username", "channel_id", "icon_url", "type", "props",
    "goto_location", "trigger_id", "skip_slack_parsing", "attachments", "extra_responses",
}  # fmt: skip


def _failed(detail: str) -> AppError:
    words, error_id = "Action integration error.", "api.post.do_action.action_integration.app_error"
    return AppError(400, error_id, words, detail)


async def press(server: Server, asked: Asked) -> object:
    body = asked.body if isinstance(asked.body, dict) else {}
    return await pressed(
        server,
        asked.part("post_id"),
        asked.part("action_id"),
        asked.user,
        str(body.get("selected_option", "")),
    )


async def pressed(server: Server, post_id: str, action_id: str, user_id: str, option: str) -> Json:
    """Call the integration of a button or menu, and do what it answers; raises AppError."""
    world = server.world
    post = world.posts.get(post_id) or world.cookies.get(post_id)
    if post is None or post["delete_at"]:
        raise not_found("app.post.get.app_error", "Unable to get the post.")
    world.must_read(user_id, post["channel_id"])
    action = action_of(post, action_id)
    if action is None or "integration" not in action:
        raise not_found("api.post.do_action.action_id.app_error", "Invalid action id.")
    channel, user = world.channels[post["channel_id"]], world.users[user_id]
    team = world.teams.get(channel["team_id"], {"id": "", "name": ""})
    context = dict(action["integration"].get("context", {}))
    if action.get("type") == "select" and option:
        context["selected_option"] = option
    sent = {
        "user_id": user_id,
        "user_name": user["username"],
        "channel_id": channel["id"],
        "channel_name": channel["name"],
        "team_id": team["id"],
        "team_domain": team["name"],
        "post_id": post_id,
        "trigger_id": new_trigger(),
        "type": action.get("type", ""),
        "data_source": action.get("data_source", ""),
    } | ({"context": context} if context else {})
    answered = await _integration(server, str(action["integration"]["url"]), sent)
    await _follow(server, post, user_id, answered)
    return {"status": "OK", "trigger_id": new_id()}


async def _integration(server: Server, url: str, sent: Json) -> Json:
    must_be_allowed(server.world, url, _failed("").error_id, "Action integration error.")
    try:
        status, _, body = await call(server.client, url, json=sent)
        answered = json.loads(body)
    except (aiohttp.ClientError, TimeoutError, ValueError) as broken:
        raise _failed(f"err={broken}") from broken
    if status != 200:
        raise _failed(f"status={status}")
    if not isinstance(answered, dict):
        raise _failed("err=no object")
    for field in set(answered) - {"update", "ephemeral_text", "skip_slack_parsing"}:
        server.world.note(f"answer of an integration: no field {field!r}")
    return answered


async def _follow(server: Server, post: Json, user_id: str, answered: Json) -> None:
    new = answered.get("update")
    if new is not None and post["id"] in server.world.posts:
        changed = updated_post(server.world, post, new)
        if "props" not in new:
            changed["props"] = post["props"]
        else:
            changed["props"] |= {k: post["props"][k] for k in _KEPT_PROPS if k in post["props"]}
        # The files of the post are lost where the answer does not name them.
        await change(server, post, changed | {"is_pinned": post["is_pinned"]})
    if answered.get("ephemeral_text"):
        said = {
            "message": answered["ephemeral_text"],
            "channel_id": post["channel_id"],
            "root_id": post["root_id"] or post["id"],
            "props": {"from_webhook": "true"},
        }
        await whisper(server, user_id, new_post(server.world, said, user_id))


async def create_command(server: Server, asked: Asked) -> object:
    body = asked.body if isinstance(asked.body, dict) else {}
    trigger = str(body.get("trigger", ""))
    if not valid_id(body.get("team_id")) or not body.get("url") or not trigger:
        raise invalid_body("command")
    for other in server.world.commands.values():
        if other["trigger"] == trigger and other["team_id"] == body["team_id"]:
            error_id = "api.command.duplicate_trigger.app_error"
            raise AppError(400, error_id, "This trigger word is already in use.")
    made = server.world.now()
    command: Json = {
        "id": new_id(),
        "token": new_id(),
        "create_at": made,
        "update_at": made,
        "delete_at": 0,
        "creator_id": asked.user,
        "team_id": body["team_id"],
        "trigger": trigger,
        "method": body.get("method", "P"),
        "username": "",
        "icon_url": "",
        "auto_complete": bool(body.get("auto_complete", False)),
        "auto_complete_desc": "",
        "auto_complete_hint": "",
        "display_name": "",
        "description": "",
        "url": body["url"],
    }
    server.world.commands[command["id"]] = command
    return Answer(command, 201)


async def commands(server: Server, asked: Asked) -> object:
    team = asked.query("team_id")
    if not valid_id(team):
        raise invalid_url("team_id")
    return [each for each in server.world.commands.values() if each["team_id"] == team]


async def delete_command(server: Server, asked: Asked) -> object:
    if server.world.commands.pop(asked.part("command_id"), None) is None:
        raise not_found("store.sql_command.get.missing.app_error", "Command does not exist.")
    return OK


async def execute(server: Server, asked: Asked) -> object:
    body = asked.body if isinstance(asked.body, dict) else {}
    typed = str(body.get("command", ""))
    if len(typed) <= 1 or not typed.startswith("/") or not valid_id(body.get("channel_id")):
        raise invalid_body("command")
    return await executed(server, asked.user, str(body["channel_id"]), typed)


async def executed(server: Server, user_id: str, channel_id: str, typed: str) -> Json:
    """Have somebody type a slash command; raises AppError."""
    world = server.world
    world.must_be_in(user_id, channel_id, "use_slash_commands")
    trigger = typed.partition(" ")[0][1:]
    found = [c for c in world.commands.values() if c["trigger"] == trigger]
    if not found or not world.settings.commands_enabled:
        words = f"Command with a trigger of '/{trigger}' not found."
        raise not_found("api.command.execute_command.not_found.app_error", words)
    command, error_id = found[0], "api.command.execute_command.failed.app_error"
    words = f"Command with a trigger of '{trigger}' failed."
    must_be_allowed(world, command["url"], error_id, words)
    hook = new_id()
    until = time.time() + RESPONSE_URL_SECONDS
    server.hooks[hook] = {"user": user_id, "channel": channel_id, "uses": 0, "until": until}
    form = form_of_command(
        world,
        command,
        world.channels[channel_id],
        world.users[user_id],
        typed,
        f"{server.site_url}/hooks/commands/{hook}",
    )
    headers = {"Accept": "application/json", "Authorization": f"Token {command['token']}"}
    try:
        status, said, raw = await call(server.client, command["url"], data=form, headers=headers)
    except (aiohttp.ClientError, TimeoutError) as broken:
        raise AppError(500, error_id, words, str(broken)) from broken
    if status != 200:
        resp = "api.command.execute_command.failed_resp.app_error"
        raise AppError(500, resp, f"{words[:-1]} returned response {status}.")
    answered = _command_response(said.get("Content-Type", ""), raw, error_id, words)
    await respond(server, user_id, channel_id, answered)
    return answered


def _command_response(media_type: str, raw: bytes, error_id: str, words: str) -> Json:
    if not media_type.startswith("application/json"):
        return {"response_type": "ephemeral", "text": raw.decode()}
    try:
        answered = json.loads(raw)
    except ValueError as broken:
        raise AppError(500, error_id, words, str(broken)) from broken
    return dict(answered)


async def respond(server: Server, user_id: str, channel_id: str, answered: Json) -> None:
    """Show what a command answers: to who typed it, or to all."""
    for field in set(answered) - _RESPONSE:
        server.world.note(f"answer of a command: no field {field!r}")
    props = dict(answered.get("props") or {}) | {"from_webhook": "true"}
    if answered.get("attachments"):
        props["attachments"] = answered["attachments"]
    said = {"message": answered.get("text", ""), "channel_id": channel_id, "props": props}
    if not said["message"] and not answered.get("attachments"):
        return
    post = new_post(server.world, said, user_id)
    if answered.get("response_type") == "in_channel":
        await publish(server, post)
    else:
        await whisper(server, user_id, post)


async def later_response(server: Server, asked: Asked) -> object:
    hook = server.hooks.get(asked.part("hook_id"))
    if hook is None or time.time() > hook["until"]:
        raise not_found("app.command_webhook.get.missing", "Unable to get the webhook.")
    if hook["uses"] >= RESPONSE_URL_USES:
        error_id = "app.command_webhook.try_use.invalid"
        raise AppError(400, error_id, "Invalid webhook.")
    hook["uses"] += 1
    if not isinstance(asked.body, dict):
        raise AppError(400, "web.command_webhook.parse.app_error", "Unable to parse incoming data.")
    await respond(server, hook["user"], hook["channel"], asked.body)
    return Answer(None, raw=b"ok", media_type="text/plain")
