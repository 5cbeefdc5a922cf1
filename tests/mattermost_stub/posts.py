"""What makes a post valid, and what the server makes of it: limits, attachments, mentions."""

import json
import re
from copy import deepcopy
from typing import Any

from tests.mattermost_stub.errors import AppError, invalid_body
from tests.mattermost_stub.records import Json, World, new_id, valid_id

MOST_MESSAGE_RUNES = 16_383
MOST_PROPS_RUNES = 8_000
MOST_FILE_IDS_RUNES = 300
_POST_FIELDS: dict[str, type | tuple[type, ...]] = {
    "id": str,
    "create_at": int,
    "update_at": int,
    "edit_at": int,
    "delete_at": int,
    "is_pinned": bool,
    "user_id": str,
    "channel_id": str,
    "root_id": str,
    "parent_id": str,
    "original_id": str,
    "message": str,
    "type": str,
    "props": dict,
    "hashtags": str,
    "filenames": list,
    "file_ids": list,
    "pending_post_id": str,
    "has_reactions": bool,
    "reply_count": int,
    "last_reply_at": int,
    "participants": list,
    "is_following": bool,
    "metadata": dict,
}
PATCH_FIELDS: dict[str, type | tuple[type, ...]] = {
    "is_pinned": bool,
    "message": str,
    "props": dict,
    "file_ids": list,
    "has_reactions": bool,
}
_ATTACHMENT: Json = {
    "id": 0,
    "fallback": "",
    "color": "",
    "pretext": "",
    "author_name": "",
    "author_link": "",
    "author_icon": "",
    "title": "",
    "title_link": "",
    "text": "",
    "fields": None,
    "image_url": "",
    "thumb_url": "",
    "footer": "",
    "footer_icon": "",
    "ts": None,
}
_ACTION = {
    "id", "type", "name", "disabled", "style", "data_source", "options", "default_option",
    "integration", "cookie",
}  # fmt: skip
_STYLES = {"", "default", "primary", "success", "good", "warning", "danger"}
_ACTION_ID = re.compile(r"[A-Za-z0-9]+")
_MENTION = re.compile(r"(?<![\w@])@([a-z0-9][a-z0-9._-]*)", re.IGNORECASE)


def checked_fields(
    world: World, given: object, fields: dict[str, type | tuple[type, ...]], name: str = "post"
) -> Json:
    """What came in, its fields of the right types; others are noted, and left out."""
    if not isinstance(given, dict):
        raise invalid_body(name)
    kept: Json = {}
    for field, value in given.items():
        if field not in fields:
            world.note(f"{name}: no field {field!r}")
        elif value is None:
            continue
        elif not isinstance(value, fields[field]):
            raise invalid_body(name)
        else:
            kept[field] = value
    return kept


def new_post(world: World, given: object, author: str) -> Json:
    """A whole post of what was sent, not stored yet; raises AppError."""
    sent = checked_fields(world, given, _POST_FIELDS)
    made = world.now()
    return {
        "id": new_id(),
        "create_at": made,
        "update_at": made,
        "edit_at": 0,
        "delete_at": 0,
        "is_pinned": bool(sent.get("is_pinned", False)),
        "user_id": author,
        "channel_id": sent.get("channel_id", ""),
        "root_id": sent.get("root_id", ""),
        "parent_id": sent.get("root_id", ""),
        "original_id": "",
        "message": sent.get("message", ""),
        "type": sent.get("type", ""),
        "props": deepcopy(sent.get("props", {})),
        "hashtags": "",
        "file_ids": list(dict.fromkeys(sent.get("file_ids", []))),
        "pending_post_id": sent.get("pending_post_id", ""),
    }


def updated_post(world: World, post: Json, given: object) -> Json:
    """A whole new state: what PUT sends counts as a whole, missing fields as empty ones."""
    sent = checked_fields(world, given, _POST_FIELDS)
    return post | {
        "message": sent.get("message", ""),
        "props": deepcopy(sent.get("props", {})),
        "file_ids": sent.get("file_ids", []),
        "is_pinned": sent.get("is_pinned", False),
    }


def must_be_valid(world: World, post: Json) -> None:
    """Completes the attachments, and holds the post to the limits of 5.37; raises AppError."""
    props = post["props"]
    if "attachments" in props:
        props["attachments"] = _attachments(world, props["attachments"])
    if len(post["message"]) > MOST_MESSAGE_RUNES:
        raise _invalid("msg", "Invalid message.")
    if post["root_id"] and not valid_id(post["root_id"]):
        raise _invalid("root_id", "Invalid root id.")
    if (
        post["type"]
        and not post["type"].startswith(("custom_", "system_"))
        and post["type"] != "me"
    ):
        raise _invalid("type", "Invalid type.")
    if len(go_json(post["file_ids"])) > MOST_FILE_IDS_RUNES:
        raise _invalid("file_ids", "Invalid file ids. Note that uploads are limited to 10 files.")
    if len(go_json(props)) > MOST_PROPS_RUNES:
        raise _invalid("props", "Invalid props.")


def _invalid(field: str, words: str) -> AppError:
    return AppError(400, f"model.post.is_valid.{field}.app_error", words)


def _attachments(world: World, given: object) -> list[Json]:
    """Each with every field, as the server stores it; what is no attachment is dropped."""
    whole = []
    for each in given if isinstance(given, list) else []:
        if not isinstance(each, dict):
            world.note("an attachment is no object: it is dropped")
            continue
        for field in set(each) - set(_ATTACHMENT) - {"actions"}:
            world.note(f"attachment: no field {field!r}")
        attachment = deepcopy(_ATTACHMENT) | {k: v for k, v in each.items() if k in _ATTACHMENT}
        actions = [_action(world, action) for action in each.get("actions") or []]
        whole.append(attachment | ({"actions": actions} if actions else {}))
    ids = [action["id"] for attachment in whole for action in attachment.get("actions", [])]
    if len(set(ids)) < len(ids):
        world.note(f"two actions of one post have one id: {ids}")
    return whole


def _action(world: World, given: Json) -> Json:
    action = {k: v for k, v in given.items() if k in _ACTION and v not in (None, "", {}, [])}
    for field in set(given) - _ACTION:
        world.note(f"action: no field {field!r}")
    action.setdefault("id", new_id())
    if not _ACTION_ID.fullmatch(str(action["id"])):
        world.note(f"the id {action['id']!r} of an action never reaches its integration")
    if not action.get("name"):
        world.note("an action without a name is not shown")
    if not action.get("integration", {}).get("url"):
        world.note(f"the action {action.get('name')!r} has no integration")
    if action.get("type", "button") not in ("button", "select"):
        world.note(f"an action of type {action['type']!r}")
    style = action.get("style", "")
    if style not in _STYLES and not re.fullmatch(r"#[0-9a-fA-F]{6}", str(style)):
        world.note(f"an action of style {style!r}")
    return action


def for_clients(post: Json, world: World) -> Json:
    """A post as clients see it: without what its buttons hold, and with its files."""
    seen = deepcopy(post)
    for attachment in seen["props"].get("attachments", []):
        for action in attachment.get("actions", []):
            action.pop("integration", None)
    replies = [p for p in world.posts.values() if p["root_id"] == post["id"] and not p["delete_at"]]
    seen["reply_count"] = len(replies)
    seen["last_reply_at"] = replies[-1]["create_at"] if replies else 0
    seen["participants"] = None
    files = [world.files[file_id] for file_id in post["file_ids"] if file_id in world.files]
    seen["metadata"] = {"files": files} if files else {}
    if not seen["file_ids"]:
        del seen["file_ids"]
    return seen


def action_of(post: Json, action_id: str) -> Json | None:
    """The action of that id, with what it holds."""
    for attachment in post["props"].get("attachments", []):
        for action in attachment.get("actions", []):
            if action["id"] == action_id:
                return dict(action)
    return None


def mentioned(world: World, post: Json) -> list[str]:
    """The ids of who is told of a post: by name, all of a channel, or the other one of a DM."""
    channel = world.channels[post["channel_id"]]
    members = world.members[channel["id"]]
    if channel["type"] == "D":
        return [member for member in members if member != post["user_id"]]
    said = {name.lower().rstrip(".-_") for name in _MENTION.findall(post["message"])}
    if said & {"all", "channel", "here"}:
        return [member for member in members if member != post["user_id"]]
    return [m for m in members if world.users[m]["username"] in said and m != post["user_id"]]


def go_json(value: Any) -> str:
    """As Go writes JSON: no spaces, keys in order, and what HTML knows escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text
