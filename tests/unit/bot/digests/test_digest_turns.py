"""What a turn about digests leaves in its thread."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from agent import Analyst, Pending, Session, Turn
from bot.conversation import Conversation
from bot.digests.digest_runs import due_message
from bot.digests.digest_turns import DigestTurns
from bot.memory_sessions import MemorySessions
from bot.messages import Status
from bot.turn_store import TurnRecord, TurnStage
from tests.fakes.canned_analyst import CannedCoordinator
from tests.fakes.digest_parts import no_note
from tests.fakes.open_access import open_guard
from tests.unit.bot.digests.digest_setting import HERE, NOW, Setting


def turns_over(folder: Path) -> tuple[Setting, DigestTurns, MemorySessions]:
    sessions = MemorySessions()
    analyst = Analyst(CannedCoordinator(folder))
    conversation = Conversation(analyst, sessions, "UTC", open_guard())
    setting = Setting(conversation)
    return setting, DigestTurns(conversation, setting.desk, setting.runs, sessions), sessions


def turn(setting: Setting, turns: DigestTurns, text: str) -> TurnRecord:
    setting.number += 1
    record = turns.answered(TurnRecord(setting.message(text)), no_note)
    turns.keep_session(record)
    return record


def test_a_thread_waits_for_the_same_choice_as_its_digest(tmp_path: Path) -> None:
    setting, turns, sessions = turns_over(tmp_path)

    asked = turn(setting, turns, 'digest create "which power of yesterday" daily 08:00')
    waiting = sessions.load(HERE).pending

    assert asked.reply is not None
    assert asked.reply.status is Status.CLARIFICATION
    assert waiting is not None
    assert waiting.choices == tuple((c.id, c.label) for c in asked.reply.choices)


def test_what_stands_in_the_thread_stays_as_it_was(tmp_path: Path) -> None:
    setting, turns, sessions = turns_over(tmp_path)
    before = Session((Turn("power?", NOW),))
    with sessions.hold(HERE):
        sessions.save(HERE, before)

    created = turn(setting, turns, 'digest create "power of yesterday" daily 08:00')

    assert created.stage is TurnStage.ANSWERED
    assert sessions.load(HERE) == before


def test_another_command_leaves_what_the_thread_waits_for(tmp_path: Path) -> None:
    setting, turns, sessions = turns_over(tmp_path)
    pending = Pending(Turn("power?", NOW), "which", (("a", "air"),))
    with sessions.hold(HERE):
        sessions.save(HERE, Session((), pending))

    turn(setting, turns, "digest list")

    assert sessions.load(HERE).pending == pending


def test_once_it_is_chosen_nothing_waits(tmp_path: Path) -> None:
    setting, turns, sessions = turns_over(tmp_path)
    turn(setting, turns, 'digest create "which power of yesterday" daily 08:00')

    turn(setting, turns, "ambient")

    assert sessions.load(HERE).pending is None


def test_other_turns_are_left_to_the_conversation(tmp_path: Path) -> None:
    setting, turns, sessions = turns_over(tmp_path)

    answered = turn(setting, turns, "power of node 900")

    assert answered.reply is not None
    assert "812.5 W" in answered.reply.markdown
    assert len(sessions.load(HERE).turns) == 1
    assert replace(answered, reply=None).stage is TurnStage.ANSWERED


def test_each_digest_that_was_put_is_counted_by_what_came_of_it(tmp_path: Path) -> None:
    setting, turns, _ = turns_over(tmp_path)
    turn(setting, turns, 'digest create "power of yesterday" daily 08:00')
    (digest,) = setting.store.all()
    counted: list[str] = []
    turns = replace(turns, counted=counted.append)
    due = due_message(digest, NOW + timedelta(hours=1))

    turns.answered(TurnRecord(due), no_note)
    turn(setting, turns, f"digest delete {digest.id}")
    turns.answered(TurnRecord(due), no_note)

    assert counted == ["completed", "silent"]
