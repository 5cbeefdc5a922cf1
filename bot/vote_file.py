"""Votes as JSON lines in one file; the last line of a person on an answer counts."""

import json
import logging
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from bot.buttons.voting import Vote

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class VoteFile:
    """Several threads and processes may write to the same file."""

    path: Path

    def voted(self, vote: Vote) -> None:
        """Append ``vote``; a disk that cannot be written to is logged."""
        line = json.dumps(asdict(vote) | {"at": vote.at.isoformat()}) + "\n"
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file = os.open(self.path, flags, 0o600)
            try:
                # In one write, so that lines of several processes do not mix.
                os.write(file, line.encode())
            finally:
                os.close(file)
        except OSError:
            log.exception("a vote cannot be written", extra={"action": "vote-lost"})
