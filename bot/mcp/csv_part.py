"""A table's CSV in parts that a message can carry."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class CsvPart:
    """Some lines of a file; all parts in order are the file."""

    text: str
    next_offset: int | None
    """Where the next part begins, in bytes; None at the end."""
    total_bytes: int


def csv_names(folder: Path) -> tuple[str, ...]:
    """The tables that a request left in ``folder``, by the names of their files."""
    return tuple(sorted(path.name for path in folder.glob("*.csv")))


def csv_part(path: Path, offset: int, limit: int) -> CsvPart | None:
    """At most ``limit`` bytes from ``offset`` on; None where the file ends before.

    It ends with a line where one ends in it, and never inside a character.
    """
    total = path.stat().st_size
    if offset > total:
        return None
    with path.open("rb") as file:
        file.seek(offset)
        data = file.read(limit)
    if offset + len(data) < total:
        data = data[: data.rfind(b"\n") + 1] or _whole_characters(data)
    # An offset inside a character was not given by us; what cannot be read is shown as such.
    text = data.decode(errors="replace")
    end = offset + len(data)
    return CsvPart(text, end if end < total else None, total)


def _whole_characters(data: bytes) -> bytes:
    """``data`` without the first bytes of a character that goes on behind it."""
    for cut in range(1, min(4, len(data))):
        if data[-cut] & 0xC0 == 0xC0:
            return data[:-cut]
    return data
