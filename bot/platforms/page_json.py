"""Threads of the page as the JSON objects that its script reads."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.page_posts import (
    Listed,
    PageThread,
    Post,
    PostKind,
    choice_mark,
    vote_mark,
)

Json = dict[str, Any]
HELPFUL, UNHELPFUL = "yes", "no"


@dataclass(frozen=True, slots=True)
class Running:
    """A question that waits for its reply."""

    turn: str
    note: str
    seconds: int = 0


@dataclass(frozen=True, slots=True)
class Reader:
    """Who looks at a thread."""

    may_hand_out: Callable[[Mapping[str, Any]], bool]
    """Whether the file of a reply is there, and may be fetched."""
    sees_queries: bool
    """Whether they may see what an answer rests on."""


def thread_json(thread: PageThread, running: Sequence[Running], reader: Reader) -> Json:
    """``thread`` with everything that was said in it."""
    open_turn = "" if running else turn_of_open_choices(thread)
    return {
        "id": thread.id,
        "title": thread.title,
        "version": version_of(thread, running),
        "working": [each.note for each in running],
        "running": [
            {"turn": each.turn, "note": each.note, "seconds": each.seconds} for each in running
        ],
        "entries": list(_entries(thread, reader, open_turn)),
    }


def version_of(thread: PageThread, running: Sequence[Running]) -> str:
    """What is another one after each change."""
    return f"{thread.version}-{len(running)}"


def turn_of_open_choices(thread: PageThread) -> str:
    """The turn whose choices stand last in the thread and were not made; empty without any."""
    said = [post for post in thread.posts if post.kind in (PostKind.QUESTION, PostKind.REPLY)]
    if not said or not said[-1].body.get("choices") or said[-1].body.get("settled"):
        return ""
    turn = said[-1].turn
    return "" if choice_mark(turn) in thread.marks else turn


def listing_json(threads: Sequence[Listed], at_work: frozenset[str]) -> list[Json]:
    """``threads`` for the list at the side; ``at_work`` are those that wait for a reply."""
    return [
        {
            "id": thread.id,
            "title": thread.title,
            "working": thread.id in at_work,
            "used": thread.used.isoformat(timespec="seconds"),
        }
        for thread in threads
    ]


def _entries(thread: PageThread, reader: Reader, open_turn: str) -> Iterator[Json]:
    for post in thread.posts:
        match post.kind:
            case PostKind.QUESTION:
                yield {
                    "from": "person",
                    "id": post.id,
                    "turn": post.turn,
                    "text": post.body["text"],
                }
            case PostKind.REPLY:
                yield _reply(
                    thread, post, reader, is_open=bool(post.turn) and post.turn == open_turn
                )
            case PostKind.NOTE:
                yield _note(thread, post, reader)
            case _:
                # Progress is told with what runs.
                pass


def _reply(thread: PageThread, post: Post, reader: Reader, *, is_open: bool) -> Json:
    body: Mapping[str, Any] = post.body
    chosen = thread.marks.get(choice_mark(post.turn)) if post.turn else None
    hidden = () if reader.sees_queries else ("query", "work")
    return {
        "from": "bot",
        "id": post.id,
        "turn": post.turn,
        "status": body["status"],
        "text": body["text"],
        "tables": [
            {**table, "csv": _file(thread, post, table["csv"], reader)} for table in body["tables"]
        ],
        "files": _files(thread, post, reader),
        "choices": [
            {**choice, "open": is_open, "chosen": choice["id"] == chosen}
            for choice in body["choices"]
        ],
        "settled": body["settled"],
        "facts": body["facts"] if reader.sees_queries else [],
        "acts": [act for act in body["acts"] if act not in hidden],
        "vote": _vote(thread.marks.get(vote_mark(post.turn), "")),
    }


def _note(thread: PageThread, post: Post, reader: Reader) -> Json:
    return {
        "from": "note",
        "id": post.id,
        "turn": post.turn,
        "text": post.body["text"],
        "reasons": post.body.get("reasons", []),
        "files": _files(thread, post, reader),
    }


def _vote(mark: str) -> Json | None:
    vote, _, reason = mark.partition(" ")
    return {"helpful": vote == HELPFUL, "reason": reason} if vote else None


def _files(thread: PageThread, post: Post, reader: Reader) -> list[Json]:
    body: Mapping[str, Any] = post.body
    texts = body.get("texts", {})
    return [
        {
            **_file(thread, post, number, reader),
            **({"text": texts[str(n)]} if str(n) in texts else {}),
        }
        for n, number in enumerate(body.get("files", ()))
    ]


def _file(thread: PageThread, post: Post, number: int, reader: Reader) -> Json:
    held: Mapping[str, Any] = held_files(post)[number]
    there = reader.may_hand_out(held)
    return {
        "name": held["name"],
        "title": held["title"],
        "picture": held["media_type"] in {"image/png", "image/jpeg", "image/webp"},
        "url": f"/files/{thread.id}/{post.id}/{number}" if there else None,
    }


def held_files(post: Post) -> Sequence[Mapping[str, Any]]:
    """The files of a reply, by the numbers that its tables and pictures are known by."""
    held: Any = post.body.get("held", ())
    return tuple(held)
