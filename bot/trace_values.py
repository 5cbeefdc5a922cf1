"""Makes what a step is given plain: without secrets, and cut where it is long."""

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from pathlib import PurePath

from pydantic import BaseModel, SecretStr

from bot.telemetry import without_credentials
from bot.trace_step import Plain

_TEXT = 20_000
"""Characters of one text; a query with a thousand jobs in it is longer."""
_ITEMS = 100
_DEPTH = 8
_WHOLE = 60_000
"""Characters of one value as JSON."""
_BEGINNING = 4_000
_SECRET_NAMES = ("authorization", "password", "secret", "api_key", "apikey", "cookie", "token")
_HIDDEN = "***"


@dataclass(frozen=True, slots=True)
class PlainValues:
    """Knows the secrets of the settings, so that none is kept wherever it turns up."""

    secrets: frozenset[str] = frozenset()

    def text(self, text: str) -> str:
        """``text`` without secrets, cut where it is long."""
        text = without_credentials(text)
        for secret in self.secrets:
            text = text.replace(secret, _HIDDEN)
        return _cut(text, _TEXT)

    def plain(self, value: object) -> Plain:
        """``value`` as JSON can say it; of what is no plain value, the name of its type."""
        made = self._plain(value, 0)
        if isinstance(made, dict | list):
            said = json.dumps(made)
            if len(said) > _WHOLE:
                return _cut(said, _BEGINNING)
        return made

    def _plain(self, value: object, depth: int) -> Plain:
        match value:
            case Enum():
                return self._plain(value.value, depth)
            case None | bool() | int() | float():
                return value
            case str():
                return self.text(value)
            case date() | datetime():
                return value.isoformat()
            case PurePath():
                return self.text(str(value))
            case Mapping() | Sequence() | Set() if depth >= _DEPTH or isinstance(value, bytes):
                return f"{len(value)} items"
            case Mapping():
                return self._mapping(value, depth)
            case Sequence() | Set():
                made = [self._plain(each, depth + 1) for each in list(value)[:_ITEMS]]
                left = len(value) - _ITEMS
                return [*made, f"and {left} more"] if left > 0 else made
            case _:
                return type(value).__name__

    def _mapping(self, value: Mapping[object, object], depth: int) -> Plain:
        made: dict[str, Plain] = {}
        for name, each in list(value.items())[:_ITEMS]:
            key = self.text(str(name))
            hidden = isinstance(each, str) and _names_a_secret(key)
            made[key] = _HIDDEN if hidden else self._plain(each, depth + 1)
        if len(value) > _ITEMS:
            made["..."] = f"and {len(value) - _ITEMS} more"
        return made


def secrets_in(settings: BaseModel) -> frozenset[str]:
    """Every secret that ``settings`` hold, at any depth."""
    found: set[str] = set()
    for name in type(settings).model_fields:
        value = getattr(settings, name)
        if isinstance(value, BaseModel):
            found |= secrets_in(value)
        elif isinstance(value, SecretStr):
            found.add(value.get_secret_value())
    return frozenset(found - {""})


def _names_a_secret(key: str) -> bool:
    return any(name in key.lower() for name in _SECRET_NAMES)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"
