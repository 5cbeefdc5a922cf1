"""Threads of the page as JSON files, so that a restart does not lose them."""

import logging
from collections.abc import Iterable, Sequence
from pathlib import Path

from bot.platforms.page_threads import Entry
from bot.versioned_json import VersionedJson

log = logging.getLogger(__name__)

_FORM = VersionedJson(list[Entry], "entries", 1, what="the file", error=ValueError)


class PageArchive:
    """One file a thread in ``folder``; what cannot be read or written is logged and left out."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self) -> Iterable[tuple[str, list[Entry]]]:
        """Every kept thread as its id and entries, the one used last at the end."""
        kept = []
        for path in self._folder.glob("*.json"):
            try:
                kept.append((path.stat().st_mtime_ns, path.stem, _FORM.decode(path.read_bytes())))
            except (OSError, ValueError) as error:
                log.warning("a thread of the page cannot be read: %s: %s", path, error)
        return [(thread_id, entries) for _, thread_id, entries in sorted(kept, key=_age)]

    def save(self, thread_id: str, entries: Sequence[Entry]) -> None:
        """Replace what is kept of a thread."""
        path = self._folder / f"{thread_id}.json"
        draft = path.with_suffix(".draft")
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            draft.write_bytes(_FORM.encode(list(entries)))
            draft.replace(path)
        except OSError as error:
            log.warning("a thread of the page cannot be kept: %s", error)

    def forget(self, thread_id: str) -> None:
        """Keep nothing more of a thread."""
        (self._folder / f"{thread_id}.json").unlink(missing_ok=True)


def _age(kept: tuple[int, str, list[Entry]]) -> int:
    return kept[0]
