"""Files that the page may hand out: those of replies, from one folder only."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bot.messages import ReplyFile


class PageFiles:
    """Files of answers; nothing else of the disk can be asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()

    def may_hand_out(self, held: Mapping[str, Any]) -> bool:
        """Whether a file that a reply holds is there, and lies where those of answers do."""
        # A link could lead out of the folder after the reply was posted.
        resolved = Path(held["path"]).resolve()
        return resolved.is_relative_to(self._folder) and resolved.is_file()

    def get(self, held: Mapping[str, Any]) -> ReplyFile | None:
        """That file, as long as it lies where it lay."""
        if not self.may_hand_out(held):
            return None
        return ReplyFile(held["name"], Path(held["path"]), held["media_type"], held["title"])
