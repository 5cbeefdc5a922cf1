"""Makes what a step is given plain: without secrets, and cut where it is long."""

from collections.abc import Iterable, Mapping, Sequence, Set, Sized
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from itertools import islice
from math import isfinite
from pathlib import PurePath
from typing import Any

from pydantic import BaseModel, SecretStr

from bot.telemetry import without_credentials
from bot.trace_step import Plain

_TEXT = 20_000
"""Characters of one text; a query with a thousand jobs in it is longer."""
_ITEMS = 100
_DEPTH = 8
_WHOLE = 60_000
"""Characters of one value, about."""
_LEAST = 5
"""Characters that anything takes."""
_LONGEST_SECRET = 2_000
_SHORTEST_SECRET = 6
_SECRET_NAMES = ("authorization", "password", "secret", "api_key", "apikey", "cookie", "token")
_TABLES = frozenset({"rows", "preview", "csv", "content_base64"})
"""What rows and files are called, here and in the replies of tools; only their size is kept."""
_HIDDEN = "***"
_LEFT_OUT = "..."


@dataclass(slots=True)
class _Room:
    """How much more of one value is kept."""

    characters: int = _WHOLE


@dataclass(frozen=True, slots=True)
class PlainValues:
    """Knows the secrets of the settings, so that none is kept wherever it turns up."""

    secrets: frozenset[str] = field(default_factory=frozenset)

    def text(self, text: str) -> str:
        """``text`` without secrets, cut where it is long."""
        # Cut before it is searched, which takes long, and again so that no half secret is left.
        made = text[: _TEXT + _LONGEST_SECRET].encode("utf-8", "replace").decode("utf-8")
        made = without_credentials(made)
        for secret in self.secrets:
            made = made.replace(secret, _HIDDEN)
        if len(made) <= _TEXT and len(text) <= _TEXT:
            return made
        return f"{made[:_TEXT]}... ({len(text)} characters)"

    def plain(self, value: object) -> Plain:
        """``value`` as JSON can say it; of what is no plain value, the name of its type."""
        return self._plain(value, 0, _Room())

    def _plain(self, value: object, depth: int, room: _Room) -> Plain:
        room.characters -= _LEAST
        match value:
            case Enum():
                return self._plain(value.value, depth, room)
            case float() if not isfinite(value):
                return str(value)
            case None | bool() | int() | float():
                return value
            case date() | datetime():
                return value.isoformat()
            case str() | PurePath():
                return self._within(str(value), room)
            case bytes() | bytearray() | memoryview():
                return f"{len(value)} bytes"
            case Mapping() | Sequence() | Set() if depth >= _DEPTH:
                return f"{len(value)} items"
            case Mapping():
                return self._mapping(value, depth, room)
            case Sequence() | Set():
                made = [self._plain(each, depth + 1, room) for each in _first(value, room)]
                left = len(value) - len(made)
                return [*made, f"and {left} more"] if left > 0 else made
            case BaseModel():
                return self._mapping(value.model_dump(), depth, room)
            case _ if is_dataclass(value) and not isinstance(value, type) and depth < _DEPTH:
                return self._mapping(_fields(value), depth, room)
            case _:
                return type(value).__name__

    def _mapping(self, value: Mapping[Any, object], depth: int, room: _Room) -> Plain:
        made: dict[str, Plain] = {}
        for name in _first(value, room):
            key, each = self.text(str(name)), value[name]
            if isinstance(each, str) and _names_a_secret(key):
                made[key] = _HIDDEN
            elif key in _TABLES and isinstance(each, Sequence):
                made[key] = f"{len(each)} {'characters' if isinstance(each, str) else 'rows'}"
            else:
                made[key] = self._plain(each, depth + 1, room)
        if len(value) > len(made):
            made[_LEFT_OUT] = f"and {len(value) - len(made)} more"
        return made

    def _within(self, text: str, room: _Room) -> str:
        made = self.text(text)
        if len(made) > room.characters:
            made = f"{made[: max(0, room.characters)]}{_LEFT_OUT}"
        room.characters -= len(made)
        return made


def secrets_in(settings: BaseModel) -> frozenset[str]:
    """Every secret that ``settings`` hold, at any depth; what is shorter than any is none.

    Who needs no key often sets one such as ``none``, which stands in every other text.
    """
    found: set[str] = set()
    for name in type(settings).model_fields:
        value = getattr(settings, name)
        if isinstance(value, BaseModel):
            found |= secrets_in(value)
        several = value if isinstance(value, list | tuple) else (value,)
        if isinstance(value, Mapping):
            several = tuple(value.values())
        found |= {each.get_secret_value() for each in several if isinstance(each, SecretStr)}
    return frozenset(secret for secret in found if len(secret) >= _SHORTEST_SECRET)


def _first(items: Iterable[object], room: _Room) -> Iterable[object]:
    """The first of ``items``, as long as there is room."""
    for item in islice(items, _ITEMS):
        if room.characters <= 0:
            return
        yield item


def _fields(value: object) -> dict[str, object]:
    """The public fields of a dataclass that are not as they are by default."""
    assert is_dataclass(value)
    told = {}
    for each in fields(value):
        here = getattr(value, each.name)
        is_empty = here is None or (isinstance(here, Sized) and not len(here))
        # Only what is plain can be compared: a table says of each of its cells whether it is so.
        is_usual = isinstance(here, str | int | float) and here == each.default
        if not (is_empty or is_usual or each.name.startswith("_")):
            told[each.name] = here
    return told


def _names_a_secret(key: str) -> bool:
    return any(name in key.lower() for name in _SECRET_NAMES)
