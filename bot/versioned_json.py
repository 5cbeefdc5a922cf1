"""Values to JSON with the version of their form, and back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError, create_model

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class _Head:
    version: int


_HEADS = TypeAdapter(_Head)


class VersionedJson(Generic[Value]):
    """One form: ``{"version": 1, "session": ...}``."""

    def __init__(
        self,
        kind: type[Value],
        key: str,
        version: int,
        *,
        what: str,
        error: Callable[[str], Exception],
    ) -> None:
        """``kind``: a type that pydantic can read, kept under ``key``.

        ``error`` makes the exception that says of ``what`` why it cannot be read. A ``version`` is
        counted up where a program with the one before could not read what is written now.
        """
        fields: dict[str, Any] = {"version": (int, ...), key: (kind, ...)}
        self._whole: type[BaseModel] = create_model("_Whole", **fields)
        self._key = key
        self._version = version
        self._what = what
        self._error = error

    def encode(self, value: Value) -> bytes:
        """``value`` as JSON in UTF-8."""
        fields: dict[str, Any] = {"version": self._version, self._key: value}
        return self._whole.model_construct(**fields).model_dump_json().encode()

    def decode(self, data: bytes) -> Value:
        """The value that :meth:`encode` wrote; raises the form's error for anything else."""
        try:
            # The version first: what a later form holds says nothing to this program.
            version = _HEADS.validate_json(data).version
            if version != self._version:
                told = f"it has form {version}; this program reads form {self._version}"
                raise self._error(f"{self._what} cannot be read: {told}")
            value: Value = getattr(self._whole.model_validate_json(data), self._key)
        except ValidationError as error:
            raise self._error(f"{self._what} cannot be read: {error}") from error
        return value
