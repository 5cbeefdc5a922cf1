"""What the page's script sends: a JSON object, of which fields are texts."""

import json
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request

_MOST_BYTES = 256_000


async def field_of(request: Request, name: str) -> str:
    """The text ``name``; 400 or 413 where there is none."""
    return (await fields_of(request, name))[0]


async def fields_of(request: Request, *names: str, optional: str = "") -> tuple[str, ...]:
    """The texts of those names, and ``optional``, empty where it is left out."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MOST_BYTES:
            raise HTTPException(413, "That is too long.")
    try:
        value: Any = json.loads(body)
    except ValueError as error:
        raise HTTPException(400, "That is no JSON.") from error
    found = []
    for name in (*names, *([optional] if optional else [])):
        text = (
            value.get(name, "" if name == optional else None) if isinstance(value, dict) else None
        )
        if not isinstance(text, str):
            raise HTTPException(400, f"A text {name!r} is missing.")
        found.append(text)
    return tuple(found)
