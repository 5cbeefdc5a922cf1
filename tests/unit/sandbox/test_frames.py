"""Messages survive the way through bytes; what is none is refused before it costs memory."""

import json
import struct
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.frames import MalformedMessage, Message, packed, read_message


def reader(content: bytes) -> Callable[[int], bytes]:
    rest = bytearray(content)

    def read(count: int) -> bytes:
        if count > len(rest):
            raise EOFError
        piece = bytes(rest[:count])
        del rest[:count]
        return piece

    return read


@given(st.dictionaries(st.text(), st.integers() | st.text()), st.lists(st.binary()))
def test_a_message_survives(head: dict[str, object], bodies: list[bytes]) -> None:
    head.pop("bodies", None)
    message = Message(head, tuple(bodies))

    read = read_message(reader(packed(message)), 1 << 20)

    assert read == message


def a_head(text: str) -> bytes:
    return struct.pack(">I", len(text)) + text.encode()


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xff\xff\xff",
        a_head("{"),
        a_head("[]"),
        a_head("{}"),
        a_head('{"bodies": 1}'),
        a_head('{"bodies": [-1]}'),
        a_head('{"bodies": [true]}'),
        a_head('{"bodies": [1e9]}'),
        a_head('{"bodies": [1000000]}'),
        a_head(json.dumps({"bodies": [0] * 10_001})),
        a_head("[" * 100_000),
        struct.pack(">I", 2) + b"\xff\xff",
    ],
)
def test_refuses_what_is_no_message(content: bytes) -> None:
    with pytest.raises(MalformedMessage):
        read_message(reader(content), 1000)


@given(st.binary())
def test_any_bytes_are_a_message_or_refused_or_too_few(content: bytes) -> None:
    try:
        message = read_message(reader(content), 1000)
    except (MalformedMessage, EOFError):
        return

    assert isinstance(message, Message)
