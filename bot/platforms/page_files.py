"""Files that the page may hand out: known by an id that says nothing, from one folder only."""

import threading
from pathlib import Path
from secrets import token_urlsafe

from bot.messages import ReplyFile


class PageFiles:
    """Ids for files of answers; nothing else of the disk can be asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._by_id: dict[str, ReplyFile] = {}
        self._ids: dict[Path, str] = {}
        self._lock = threading.Lock()

    def id_of(self, file: ReplyFile) -> str | None:
        """The id under which ``file`` can be fetched; None where it may not be handed out."""
        if not self._may_hand_out(file.path):
            return None
        with self._lock:
            known = self._ids.setdefault(file.path, token_urlsafe(18))
            self._by_id[known] = file
            return known

    def get(self, file_id: str) -> ReplyFile | None:
        """The file of that id, as long as it lies where it lay."""
        file = self._by_id.get(file_id)
        return file if file is not None and self._may_hand_out(file.path) else None

    def _may_hand_out(self, path: Path) -> bool:
        # A link could lead out of the folder after it was registered.
        resolved = path.resolve()
        return resolved.is_relative_to(self._folder) and resolved.is_file()
