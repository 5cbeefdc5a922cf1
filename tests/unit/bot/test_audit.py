"""The audit log: who asked what, what was decided, what was touched; and no secret."""

import json
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agent import Analyst
from bot.access import Entry, Granted, Refused, Right, Why
from bot.audit import AuditFiles
from bot.conversation import Conversation
from bot.guard import Guard
from bot.memory_sessions import MemorySessions
from bot.messages import Status, Thread
from bot.trace_values import PlainValues
from retrieval.data_scope import WHOLE, DataScope
from tests.fakes.canned_analyst import CannedCoordinator
from tests.fakes.recording_platform import NOW, a_message

RACKS = DataScope(plugins=frozenset({"ipmi_pub"}))


class Fixed:
    """Access that decides one thing."""

    def __init__(self, decision: Granted | Refused) -> None:
        self.decision = decision
        self.entries: list[Entry] = []

    def decide(self, entry: Entry) -> Granted | Refused:
        self.entries.append(entry)
        return self.decision


def lines_in(folder: Path) -> list[dict[str, object]]:
    return [
        json.loads(x) for path in sorted(folder.iterdir()) for x in path.read_text().splitlines()
    ]


def a_conversation(folder: Path, access: Fixed) -> tuple[Conversation, CannedCoordinator]:
    coordinator = CannedCoordinator(folder / "answers")
    audit = AuditFiles(folder / "audit", 10, PlainValues(frozenset({"xoxb-1"})), lambda: NOW)
    analyst = Analyst(coordinator)
    return Conversation(analyst, MemorySessions(), "UTC", Guard(access, audit)), coordinator


def test_an_answer_leaves_who_asked_and_what_it_touched(tmp_path: Path) -> None:
    access = Fixed(Granted(RACKS, frozenset(Right), ("hardware", "ops")))
    conversation, coordinator = a_conversation(tmp_path, access)

    outcome = conversation.outcome_of(a_message("power of node 900"), lambda note: None)

    assert coordinator.asked[0].scope == RACKS
    decided, answered = lines_in(tmp_path / "audit")
    assert decided == {
        "time": "2022-06-15T10:00:00.000+00:00",
        "event": "decided",
        "trace_id": outcome.trace_id,
        "platform": "command",
        "channel": "channel",
        "thread": "1",
        "user": "ada",
        "way": "message",
        "wants": "ask",
        "decision": "granted",
        "roles": ["hardware", "ops"],
        "scope": "the plugins ipmi",
        "text": "power of node 900",
    }
    assert answered["trace_id"] == outcome.trace_id
    assert answered["metrics"] == ["ipmi_pub/total_power"]
    assert answered["entities"] == ["node 900"]
    assert answered["windows"] == [["2022-06-01T00:00:00+00:00", "2022-06-02T00:00:00+00:00"]]


def test_who_is_refused_reaches_no_data(tmp_path: Path) -> None:
    access = Fixed(Refused(Why.UNKNOWN, "I do not know you."))
    conversation, coordinator = a_conversation(tmp_path, access)

    outcome = conversation.outcome_of(a_message("power"), lambda note: None)

    assert coordinator.asked == []
    assert outcome.reply.status is Status.REJECTED
    assert outcome.reply.markdown == "I do not know you."
    decided, _ = lines_in(tmp_path / "audit")
    assert (decided["decision"], decided["why"]) == ("refused", "no role for this person")


def test_a_secret_is_never_written(tmp_path: Path) -> None:
    access = Fixed(Granted(WHOLE, frozenset(Right), ("ops",)))
    conversation, _ = a_conversation(tmp_path, access)

    conversation.outcome_of(
        a_message("is xoxb-1 at http://ada:hunter2@db with password=12345 broken"),
        lambda note: None,
    )

    text = "".join(path.read_text() for path in (tmp_path / "audit").iterdir())
    assert '"answer":"failed"' in text
    for secret in ("xoxb-1", "hunter2", "12345"):
        assert secret not in text


def test_old_files_go_and_only_the_owner_may_read(tmp_path: Path) -> None:
    now = datetime(2026, 1, 31, 23, 59, tzinfo=UTC)
    clock = [now]
    audit = AuditFiles(tmp_path / "audit", 2, clock=lambda: clock[0])
    for _ in range(5):
        audit.decided(*_refused())
        clock[0] += timedelta(days=1)

    names = sorted(path.name for path in (tmp_path / "audit").iterdir())

    assert names == ["2026-02-02.jsonl", "2026-02-03.jsonl", "2026-02-04.jsonl"]
    assert os.stat(tmp_path / "audit" / names[0]).st_mode & 0o077 == 0


def test_a_log_that_cannot_be_written_is_an_error_in_the_other_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "audit").write_text("in the way")

    AuditFiles(tmp_path / "audit", 2).decided(*_refused("what is my salary"))

    assert "audit log cannot be written" in caplog.text
    assert "salary" not in caplog.text


def _refused(text: str = "") -> tuple[Entry, Refused, Thread, str, str]:
    message = replace(a_message(text), author="eve")
    return Entry.of(message), Refused(Why.UNKNOWN, "no"), message.thread, "t1", text
