"""Posts, files and reactions over REST."""

import json
import mimetypes
import time

from aiohttp import web

from tests.mattermost_stub.errors import AppError, forbidden, invalid_body, invalid_url, not_found
from tests.mattermost_stub.posts import (
    PATCH_FIELDS,
    checked_fields,
    for_clients,
    mentioned,
    must_be_valid,
    new_post,
    updated_post,
)
from tests.mattermost_stub.records import (
    MOST_ON_A_PAGE,
    PAGE,
    Json,
    new_id,
    too_large,
    valid_id,
)
from tests.mattermost_stub.server import OK, Answer, Asked, Server


def _post_id(asked: Asked) -> str:
    post_id = asked.part("post_id")
    if not valid_id(post_id):
        raise invalid_url("post_id")
    return post_id


async def create(server: Server, asked: Asked) -> object:
    post = new_post(server.world, asked.body, asked.user)
    if post["type"].startswith("system_"):
        error_id = "api.context.invalid_param.app_error"
        raise AppError(400, error_id, "Invalid post.type parameter.")
    return Answer(await publish(server, post), 201)


async def publish(server: Server, post: Json) -> Json:
    """Store a post, and tell everybody of it; as clients see it. Raises AppError."""
    world = server.world
    world.must_be_in(post["user_id"], post["channel_id"], "create_post")
    if post["pending_post_id"] in world.pending:
        return for_clients(world.post(world.pending[post["pending_post_id"]]), world)
    _must_hang_together(server, post)
    if world.users[post["user_id"]].get("is_bot"):
        post["props"]["from_bot"] = "true"
    must_be_valid(world, post)
    if not (post["message"].strip() or post["file_ids"] or post["props"].get("attachments")):
        world.note("a post without words, files or attachments")
    _attach(server, post)
    world.posts[post["id"]] = post
    if post["pending_post_id"]:
        world.pending[post["pending_post_id"]] = post["id"]
    channel = world.channels[post["channel_id"]]
    channel["last_post_at"] = post["create_at"]
    channel["total_msg_count"] += 1
    seen = for_clients(post, world)
    await server.hub.publish("posted", _event_data(server, seen), channel=post["channel_id"])
    return seen


def _must_hang_together(server: Server, post: Json) -> None:
    if not post["root_id"]:
        return
    bad = AppError(400, "api.post.create_post.root_id.app_error", "Invalid RootId parameter.")
    root = server.world.posts.get(post["root_id"])
    if root is None or root["delete_at"] or root["root_id"]:
        raise bad
    if root["channel_id"] != post["channel_id"]:
        error_id = "api.post.create_post.channel_root_id.app_error"
        raise AppError(400, error_id, "Invalid ChannelId for RootId parameter.")


def _attach(server: Server, post: Json) -> None:
    kept = []
    for file_id in post["file_ids"]:
        file = server.world.files.get(file_id)
        if file and file["user_id"] == post["user_id"] and not file.get("post_id"):
            file["post_id"] = post["id"]
            kept.append(file_id)
        else:
            server.world.note(f"file {file_id} is not attached: not there, not theirs, or used")
    post["file_ids"] = kept


def _event_data(server: Server, post: Json) -> Json:
    world = server.world
    channel = world.channels[post["channel_id"]]
    data: Json = {
        "channel_display_name": channel["display_name"],
        "channel_name": channel["name"],
        "channel_type": channel["type"],
        "post": json.dumps(post),
        "sender_name": f"@{world.users[post['user_id']]['username']}",
        "set_online": True,
        "team_id": channel["team_id"],
    }
    told = mentioned(world, post)
    if told:
        data["mentions"] = json.dumps(told)
    if post.get("file_ids"):
        data["otherFile"] = "true"
        kinds = [world.files[file_id]["mime_type"] for file_id in post["file_ids"]]
        if any(kind.startswith("image/") for kind in kinds):
            data["image"] = "true"
    return data


async def ephemeral(server: Server, asked: Asked) -> object:
    world = server.world
    if not isinstance(asked.body, dict) or not asked.body.get("user_id"):
        raise invalid_body("user_id")
    for field in set(asked.body) - {"user_id", "post"}:
        world.note(f"ephemeral: no field {field!r}")
    if not isinstance(asked.body.get("post"), dict):
        raise invalid_body("post")
    if not world.settings.may_whisper:
        raise forbidden("create_post_ephemeral")
    post = new_post(world, asked.body["post"], asked.user)
    return Answer(await whisper(server, str(asked.body["user_id"]), post), 201)


async def whisper(server: Server, user_id: str, post: Json) -> Json:
    """Show a post to one person, and keep it nowhere."""
    post["type"] = ""
    must_be_valid(server.world, post)
    post["type"] = "system_ephemeral"
    server.world.cookies[post["id"]] = post
    seen = for_clients(post, server.world)
    server.world.whispers.append((user_id, seen))
    if server.world.in_channel(user_id, post["channel_id"]):
        await server.hub.publish("ephemeral_message", {"post": json.dumps(seen)}, user=user_id)
    else:
        server.world.note(f"an ephemeral post for {user_id}, who is not in that channel")
    return seen


async def get(server: Server, asked: Asked) -> object:
    post = server.world.post(_post_id(asked))
    server.world.must_read(asked.user, post["channel_id"])
    return for_clients(post, server.world)


async def thread(server: Server, asked: Asked) -> object:
    posts = server.world.thread(_post_id(asked))
    server.world.must_read(asked.user, posts[0]["channel_id"])
    return _listed(server, list(reversed(posts)), "", "")


async def of_channel(server: Server, asked: Asked) -> object:
    channel_id = asked.part("channel_id")
    if not valid_id(channel_id):
        raise invalid_url("channel_id")
    server.world.must_be_in(asked.user, channel_id, "read_channel")
    since = asked.query("since")
    if since and not since.isdigit():
        raise invalid_url("since")
    there = [p for p in server.world.posts.values() if p["channel_id"] == channel_id]
    if since:
        # Deleted ones too, and no pages: at most a thousand.
        changed = [post for post in there if post["update_at"] > int(since)]
        return _listed(server, list(reversed(changed))[:1000], "", "")
    standing = [post for post in there if not post["delete_at"]]
    per_page = min(asked.number("per_page", PAGE), MOST_ON_A_PAGE)
    start = asked.number("page", 0) * per_page
    for name in ("after", "before"):
        if asked.query(name):
            mark = server.world.posts.get(asked.query(name))
            if mark is None:
                # As the database compares with nothing: there is no such post, and no error.
                page = []
            elif name == "after":
                later = [p for p in standing if p["create_at"] > mark["create_at"]]
                page = list(reversed(later[start : start + per_page]))
            else:
                earlier = [p for p in standing if p["create_at"] < mark["create_at"]]
                page = list(reversed(earlier))[start : start + per_page]
            return _page(server, page, standing)
    return _page(server, list(reversed(standing))[start : start + per_page], standing)


def _page(server: Server, page: list[Json], standing: list[Json]) -> Json:
    ids = [post["id"] for post in standing]
    following = previous = ""
    if page:
        newest, oldest = ids.index(page[0]["id"]), ids.index(page[-1]["id"])
        following = ids[newest + 1] if newest + 1 < len(ids) else ""
        previous = ids[oldest - 1] if oldest else ""
    return _listed(server, page, following, previous)


def _listed(server: Server, posts: list[Json], following: str, previous: str) -> Json:
    """``posts`` in their order; in ``posts`` of the answer, the rest of their threads as well."""
    roots = {post["root_id"] or post["id"] for post in posts}
    replies = {post["root_id"] for post in posts} - {""}
    around = [
        post
        for post in server.world.posts.values()
        if not post["delete_at"] and (post["id"] in replies or post["root_id"] in roots)
    ]
    return {
        "order": [post["id"] for post in posts],
        "posts": {post["id"]: for_clients(post, server.world) for post in [*around, *posts]},
        "next_post_id": following,
        "prev_post_id": previous,
    }


async def patch(server: Server, asked: Asked) -> object:
    post = _own(server, asked)
    sent = checked_fields(server.world, asked.body, PATCH_FIELDS)
    return await change(server, post, post | sent)


async def update(server: Server, asked: Asked) -> object:
    post = _own(server, asked)
    if not isinstance(asked.body, dict) or asked.body.get("id") != post["id"]:
        raise invalid_body("id")
    return await change(server, post, updated_post(server.world, post, asked.body))


def _own(server: Server, asked: Asked) -> Json:
    post_id = _post_id(asked)
    post = server.world.posts.get(post_id)
    if post is None or post["delete_at"]:
        raise forbidden("edit_post")
    server.world.must_be_in(asked.user, post["channel_id"], "edit_post")
    if post["user_id"] != asked.user:
        raise forbidden("edit_others_posts")
    limit = server.world.settings.post_edit_seconds
    if limit != -1 and time.time() * 1000 > post["create_at"] + limit * 1000:
        error_id = "api.post.update_post.permissions_time_limit.app_error"
        raise AppError(400, error_id, f"Post edit is only allowed for {limit} seconds.")
    return post


async def change(server: Server, post: Json, new: Json) -> Json:
    """Store the new state of a post, and tell everybody; as clients see it. Raises AppError."""
    must_be_valid(server.world, new)
    attached = [each["props"].get("attachments") for each in (new, post)]
    same = new["message"] == post["message"] and new["file_ids"] == post["file_ids"]
    new["update_at"] = server.world.now()
    if not same or attached[0] != attached[1]:
        new["edit_at"] = new["update_at"]
    server.world.posts[post["id"]] = new
    seen = for_clients(new, server.world)
    data = {"post": json.dumps(seen)}
    await server.hub.publish("post_edited", data, channel=post["channel_id"])
    return seen


async def delete(server: Server, asked: Asked) -> object:
    post = server.world.posts.get(_post_id(asked))
    if post is None or post["delete_at"]:
        raise forbidden("delete_post")
    if post["user_id"] != asked.user:
        raise forbidden("delete_others_posts")
    await remove(server, post)
    return OK


async def remove(server: Server, post: Json) -> None:
    """Delete a post, and what replies to it."""
    for each in list(server.world.posts.values()):
        if post["id"] in (each["id"], each["root_id"]):
            each["delete_at"] = each["update_at"] = server.world.now()
    data = {"post": json.dumps(for_clients(post, server.world))}
    await server.hub.publish("post_deleted", data, channel=post["channel_id"])


async def upload(server: Server, asked: Asked) -> object:
    channel_id = asked.query("channel_id")
    if not server.world.settings.files_enabled:
        error_id = "api.file.attachments.disabled.app_error"
        raise AppError(501, error_id, "File attachments have been disabled on this server.")
    parts: list[tuple[str, bytes]] = []
    if asked.request.content_type.startswith("multipart/"):
        form = await asked.request.post()
        channel_id = str(form.get("channel_id", channel_id))
        fields = form.getall("files", [])
        for field in fields:
            if isinstance(field, web.FileField):
                with field.file as sent:
                    parts.append((field.filename, sent.read()))
    elif asked.query("filename"):
        parts.append((asked.query("filename"), await asked.request.read()))
    if not valid_id(channel_id):
        raise invalid_body("channel_id")
    server.world.must_be_in(asked.user, channel_id, "upload_file")
    if not parts:
        error_id = "api.file.upload_file.incorrect_number_of_files.app_error"
        raise AppError(400, error_id, "Unable to upload files. No file was found.")
    if any(len(data) > server.world.settings.max_file_size for _, data in parts):
        raise too_large(server.world.settings.max_file_size)
    stored = [_store(server, asked.user, name, data) for name, data in parts]
    return Answer({"file_infos": stored, "client_ids": []}, 201)


def _store(server: Server, user_id: str, name: str, data: bytes) -> Json:
    made = server.world.now()
    file: Json = {
        "id": new_id(),
        "user_id": user_id,
        "create_at": made,
        "update_at": made,
        "delete_at": 0,
        "name": name,
        "extension": name.rpartition(".")[2] if "." in name else "",
        "size": len(data),
        "mime_type": mimetypes.guess_type(name)[0] or "application/octet-stream",
        "has_preview_image": False,
    }
    server.world.files[file["id"]] = file
    server.world.contents[file["id"]] = data
    return file


async def file(server: Server, asked: Asked) -> object:
    info = _file(server, asked)
    said = {"Content-Disposition": f'inline;filename="{info["name"]}"'}
    raw = server.world.contents[info["id"]]
    return Answer(None, raw=raw, media_type=str(info["mime_type"]), headers=said)


async def file_info(server: Server, asked: Asked) -> object:
    return _file(server, asked)


def _file(server: Server, asked: Asked) -> Json:
    found = server.world.files.get(asked.part("file_id"))
    if found is None:
        raise not_found("app.file_info.get.app_error", "Unable to get the file info.")
    if found["user_id"] != asked.user:
        if not found.get("post_id"):
            raise forbidden("read_channel")
        post = server.world.posts[found["post_id"]]
        server.world.must_read(asked.user, post["channel_id"])
    return found


async def react(server: Server, asked: Asked) -> object:
    body = asked.body if isinstance(asked.body, dict) else {}
    if body.get("user_id") != asked.user or not valid_id(body.get("post_id")):
        raise invalid_body("reaction")
    post = server.world.post(str(body["post_id"]))
    reaction = {
        "user_id": asked.user,
        "post_id": post["id"],
        "emoji_name": str(body.get("emoji_name", "")),
        "create_at": server.world.now(),
    }
    data = {"reaction": json.dumps(reaction)}
    await server.hub.publish("reaction_added", data, channel=post["channel_id"])
    return Answer(reaction, 201)
