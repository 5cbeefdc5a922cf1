"""Who asked what, whether they were let, and which data an answer touched: one line each."""

import json
import logging
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol

from agent import Answer
from bot.access import Decision, Entry, Granted
from bot.messages import Thread
from bot.outcome import Failed
from bot.trace_values import PlainValues

log = logging.getLogger(__name__)

_LONGEST_TEXT = 2_000
_NAME = "%Y-%m-%d"


class Audit(Protocol):
    """Is told of every decision, and of what came of those that let somebody ask."""

    def decided(
        self, entry: Entry, decision: Decision, thread: Thread, trace_id: str, text: str
    ) -> None:
        """``entry`` was decided on; ``text`` is what was asked, empty where nothing was."""
        ...

    def answered(self, trace_id: str, answer: Answer | Failed) -> None:
        """What the turn of ``trace_id`` touched."""
        ...


class NoAudit:
    """Of what keeps no log."""

    def decided(
        self, entry: Entry, decision: Decision, thread: Thread, trace_id: str, text: str
    ) -> None:
        """Nothing."""

    def answered(self, trace_id: str, answer: Answer | Failed) -> None:
        """Nothing."""


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True)
class AuditFiles:
    """A file of JSON lines a day, in UTC; several processes may write to it.

    A line that cannot be written is logged as an error, with no word of what was asked.
    """

    folder: Path
    days: float
    """How long a file is kept."""
    values: PlainValues = field(default_factory=PlainValues)
    clock: Callable[[], datetime] = _now
    _day: str = field(default="", init=False)

    def decided(
        self, entry: Entry, decision: Decision, thread: Thread, trace_id: str, text: str
    ) -> None:
        """One line on the decision, before anything is done."""
        let = isinstance(decision, Granted)
        line: dict[str, object] = {
            "event": "decided",
            "trace_id": trace_id,
            "platform": entry.platform,
            "channel": entry.channel,
            "thread": thread.root,
            "user": entry.author,
            "way": entry.way,
            "wants": entry.wants.value,
            "decision": "granted" if let else "refused",
        }
        if isinstance(decision, Granted):
            line |= {"roles": decision.roles, "scope": decision.scope.told or "everything"}
        else:
            line["why"] = decision.why.value
        if text:
            line["text"] = text[:_LONGEST_TEXT]
        self._append(line)

    def answered(self, trace_id: str, answer: Answer | Failed) -> None:
        """One line on the answer: how it ended, and the metrics, things and times in it."""
        line: dict[str, object] = {
            "event": "answered",
            "trace_id": trace_id,
            "answer": type(answer).__name__.lower(),
        }
        if not isinstance(answer, Failed):
            evidence = answer.evidence
            line |= {
                "metrics": [f"{m.plugin}/{m.metric}" for m in evidence.metrics],
                "entities": evidence.entities,
                "windows": [[w.start.isoformat(), w.end.isoformat()] for w in evidence.time_ranges],
                "queries": len(evidence.queries),
            }
        self._append(line)

    def _append(self, line: dict[str, object]) -> None:
        now = self.clock().astimezone(UTC)
        told = self.values.plain({"time": now.isoformat(timespec="milliseconds"), **line})
        data = (json.dumps(told, separators=(",", ":")) + "\n").encode()
        day = now.strftime(_NAME)
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if day != self._day:
                self._day = day
                self._tidy(now)
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
            # In one write, so that lines of several processes do not mix.
            file = os.open(self.folder / f"{day}.jsonl", flags, 0o600)
            try:
                os.write(file, data)
            finally:
                os.close(file)
        except OSError:
            log.exception("the audit log cannot be written", extra={"action": "audit-lost"})

    def _tidy(self, now: datetime) -> None:
        """Remove the files that are older than they are kept."""
        first = (now - timedelta(days=self.days)).strftime(_NAME)
        for path in self.folder.glob("????-??-??.jsonl"):
            if path.stem < first:
                path.unlink(missing_ok=True)
