"""Session to versioned JSON and back."""

from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from agent import Session
from bot.errors import SessionStoreError

VERSION = 1


@dataclass(frozen=True, slots=True)
class _Envelope:
    version: int
    session: Session


_ADAPTER = TypeAdapter(_Envelope)


def encode(session: Session) -> bytes:
    """``session`` as JSON, with the version of its form."""
    return _ADAPTER.dump_json(_Envelope(VERSION, session))


def decode(data: bytes) -> Session:
    """The session that :func:`encode` wrote.

    Raises SessionStoreError for a form that this program does not know.
    """
    try:
        envelope = _ADAPTER.validate_json(data)
    except ValidationError as error:
        raise SessionStoreError(f"a stored session cannot be read: {error}") from error
    if envelope.version != VERSION:
        raise SessionStoreError(
            f"a stored session has form {envelope.version}; this program reads form {VERSION}"
        )
    return envelope.session
