"""Folders of requests by their names; those that nobody can want any more are removed."""

import re
import shutil
import threading
import time
from pathlib import Path

_REQUEST_ID = re.compile(r"[0-9a-f]{16}")
_DAY, _HOUR = 86_400.0, 3_600.0


def names_request(text: str) -> bool:
    """Whether ``text`` has the form of a request's name."""
    return _REQUEST_ID.fullmatch(text) is not None


class RequestFolders:
    """The files of each request, in a folder of its name, for so many days."""

    def __init__(self, place: Path, days: float) -> None:
        self.place = place
        self._seconds = days * _DAY
        self._tidied = 0.0
        self._lock = threading.Lock()

    def of(self, request_id: str) -> Path | None:
        """Where the files of a request lie; None where no such request is known."""
        folder = self.place / request_id
        return folder if names_request(request_id) and folder.is_dir() else None

    def tidy(self, now: float | None = None) -> None:
        """Remove what is too old, once an hour at most; ``now`` is in seconds since 1970."""
        moment = time.time() if now is None else now
        with self._lock:
            if moment - self._tidied < _HOUR or not self.place.is_dir():
                return
            self._tidied = moment
        for folder in self.place.iterdir():
            # What does not bear the name of a request was put there by somebody else.
            if self.of(folder.name) and moment - folder.stat().st_mtime > self._seconds:
                shutil.rmtree(folder, ignore_errors=True)
