"""Messages between the host and the keeper inside: a small JSON head, then raw bodies.

Both sides import this file, so it needs nothing but the standard library. On the host every
byte read may have been written by the jailed program: lengths are checked before anything
is allocated, and what the head says is judged elsewhere.
"""

import json
import struct
from collections.abc import Callable, Sequence
from typing import NamedTuple

HEAD_BYTES = 1 << 20
_LENGTH = struct.Struct(">I")


class MalformedMessage(Exception):
    """What arrived is no message, or a larger one than was agreed."""


class Message(NamedTuple):
    """A head of plain JSON values and the bodies it announces."""

    head: dict[str, object]
    bodies: tuple[bytes, ...] = ()


def packed(message: Message) -> bytes:
    """``message`` as bytes."""
    head = dict(message.head, bodies=[len(body) for body in message.bodies])
    text = json.dumps(head).encode()
    return b"".join((_LENGTH.pack(len(text)), text, *message.bodies))


def read_message(read: Callable[[int], bytes], body_bytes: int) -> Message:
    """The next message; ``read(n)`` gives exactly n bytes or raises.

    Raises MalformedMessage if the head is no JSON object or the bodies pass ``body_bytes``.
    """
    (length,) = _LENGTH.unpack(read(_LENGTH.size))
    if length > HEAD_BYTES:
        raise MalformedMessage("head too long")
    try:
        head = json.loads(read(length))
    except (ValueError, RecursionError) as error:
        raise MalformedMessage("head is no JSON") from error
    if not isinstance(head, dict):
        raise MalformedMessage("head is no object")
    lengths = _lengths(head.pop("bodies", None))
    if sum(lengths) > body_bytes:
        raise MalformedMessage("bodies too long")
    return Message(head, tuple(read(each) for each in lengths))


def _lengths(value: object) -> Sequence[int]:
    if not isinstance(value, list) or len(value) > 10_000:
        raise MalformedMessage("no list of lengths")
    if not all(type(each) is int and each >= 0 for each in value):
        raise MalformedMessage("a length is no count")
    return value
