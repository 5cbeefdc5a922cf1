"""The state of a request to versioned JSON and back."""

from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from agent.errors import RunStoreError
from agent.run_store import RunState

VERSION = 1


@dataclass(frozen=True, slots=True)
class _Envelope:
    version: int
    run: RunState


_ADAPTER = TypeAdapter(_Envelope)


def encode(run: RunState) -> bytes:
    """``run`` as JSON, with the version of its form."""
    return _ADAPTER.dump_json(_Envelope(VERSION, run))


def decode(data: bytes) -> RunState:
    """The state that :func:`encode` wrote.

    Raises RunStoreError for a form that this program does not know.
    """
    try:
        envelope = _ADAPTER.validate_json(data)
    except ValidationError as error:
        raise RunStoreError(f"the state of a request cannot be read: {error}") from error
    if envelope.version != VERSION:
        raise RunStoreError(
            f"the state of a request has form {envelope.version}; this program reads form {VERSION}"
        )
    return envelope.run
