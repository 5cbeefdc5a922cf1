"""Threads of the page as JSON files, so that a restart does not lose them."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from bot.platforms.page_threads import Entry

log = logging.getLogger(__name__)

VERSION = 1


@dataclass(frozen=True, slots=True)
class _Kept:
    version: int
    entries: list[Entry]


_ADAPTER = TypeAdapter(_Kept)


class PageArchive:
    """One file a thread in ``folder``; what cannot be read or written is logged and left out."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self) -> Iterable[tuple[str, list[Entry]]]:
        """Every kept thread as its id and entries, the one used last at the end."""
        kept = []
        for path in self._folder.glob("*.json"):
            try:
                kept.append((path.stat().st_mtime_ns, path.stem, self._read(path)))
            except (OSError, ValidationError, ValueError) as error:
                log.warning("a thread of the page cannot be read: %s: %s", path, error)
        return [(thread_id, entries) for _, thread_id, entries in sorted(kept, key=_age)]

    def save(self, thread_id: str, entries: Sequence[Entry]) -> None:
        """Replace what is kept of a thread."""
        path = self._folder / f"{thread_id}.json"
        draft = path.with_suffix(".draft")
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            draft.write_bytes(_ADAPTER.dump_json(_Kept(VERSION, list(entries))))
            draft.replace(path)
        except OSError as error:
            log.warning("a thread of the page cannot be kept: %s", error)

    def forget(self, thread_id: str) -> None:
        """Keep nothing more of a thread."""
        (self._folder / f"{thread_id}.json").unlink(missing_ok=True)

    def _read(self, path: Path) -> list[Entry]:
        kept = _ADAPTER.validate_json(path.read_bytes())
        if kept.version != VERSION:
            raise ValueError(f"form {kept.version}; this program reads form {VERSION}")
        return kept.entries


def _age(kept: tuple[int, str, list[Entry]]) -> int:
    return kept[0]
