"""Values of our own types to plain JSON that says their types, and back to equal values.

A form of its own for each type would take the datetime for the text that stands for it, or one
request for another that has the same fields. A query comes back through the gate alone.
"""

import dataclasses
import json
import math
import sys
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import Any

from ontology.conformance import CheckedQuery, Rejection

Check = Callable[[str], CheckedQuery | Rejection]
_OURS = ("agent.", "retrieval.", "ontology.")
_KIND, _IS = "@", "is"


class NotPlain(ValueError):
    """A value of a type that this form does not know, or JSON that is none of it."""


def to_plain(value: object) -> object:
    """``value`` in plain JSON; raises NotPlain for a type that is not ours and none of Python's."""
    match value:
        case Enum():
            return {_KIND: _name_of(type(value)), _IS: value.name}
        case float() if not math.isfinite(value):
            return {_KIND: "float", _IS: repr(value)}
        case None | bool() | int() | float() | str():
            return value
        case tuple():
            return [to_plain(each) for each in value]
        case list():
            return {_KIND: "list", _IS: [to_plain(each) for each in value]}
        case frozenset():
            # Each process has another order of its own.
            return {_KIND: "frozenset", _IS: sorted(map(to_plain, value), key=json.dumps)}
        case Mapping():
            return {_KIND: "map", _IS: [[to_plain(k), to_plain(v)] for k, v in value.items()]}
        case datetime():
            return {_KIND: "datetime", _IS: value.isoformat()}
        case timedelta():
            return {_KIND: "seconds", _IS: value.total_seconds()}
        case Path():
            return {_KIND: "path", _IS: str(value)}
        case _ if isinstance(value, CheckedQuery):
            return {_KIND: "query", _IS: value.text}
        case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
            fields = [field.name for field in dataclasses.fields(value) if field.init]
            plain = {name: to_plain(getattr(value, name)) for name in fields}
            return {_KIND: _name_of(type(value)), _IS: plain}
        case _:
            raise NotPlain(f"{type(value).__name__} has no plain form")


def from_plain(plain: Any, check: Check) -> Any:
    """The value that :func:`to_plain` was given; raises NotPlain where it cannot be had again.

    ``check`` is the gate for queries. A file must still be there.
    """
    if isinstance(plain, list):
        return tuple(from_plain(each, check) for each in plain)
    if not isinstance(plain, dict):
        return plain
    try:
        kind, held = plain[_KIND], plain[_IS]
        made = _MADE.get(kind)
        if made is not None:
            return made(held, lambda each: from_plain(each, check))
        if kind == "query":
            return _checked(held, check)
        return _of_ours(kind, held, lambda each: from_plain(each, check))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NotPlain(f"not a value of this program: {error}") from error


def _there(path: str) -> Path:
    if not Path(path).exists():
        raise NotPlain(f"{path} is gone")
    return Path(path)


_MADE: dict[str, Callable[[Any, Callable[[Any], Any]], Any]] = {
    "float": lambda held, again: float(held),
    "list": lambda held, again: [again(each) for each in held],
    "frozenset": lambda held, again: frozenset(again(each) for each in held),
    "map": lambda held, again: {again(key): again(value) for key, value in held},
    "datetime": lambda held, again: datetime.fromisoformat(held),
    "seconds": lambda held, again: timedelta(seconds=held),
    "path": lambda held, again: _there(held),
}


def _checked(text: str, check: Check) -> CheckedQuery:
    found = check(text)
    if isinstance(found, Rejection):
        raise NotPlain("a query does not pass the gate any more")
    return found


def _of_ours(name: str, held: Any, again: Callable[[Any], Any]) -> Any:
    module, _, kind = name.partition(":")
    made = getattr(sys.modules.get(module), kind, None) if module.startswith(_OURS) else None
    if isinstance(made, type) and issubclass(made, Enum):
        return made[held]
    if made is CheckedQuery or not (isinstance(made, type) and dataclasses.is_dataclass(made)):
        raise NotPlain(f"{name} is no type of this program")
    return made(**{field: again(value) for field, value in held.items()})


def _name_of(kind: type) -> str:
    if not kind.__module__.startswith(_OURS):
        raise NotPlain(f"{kind.__name__} is not ours")
    return f"{kind.__module__}:{kind.__name__}"
