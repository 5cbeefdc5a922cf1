"""Words by which a thread is followed or left, and choices that are no questions."""

from dataclasses import replace

import pytest

from agent import Analyst, Pending, Session, Turn
from bot.access import Refused, Why
from bot.buttons.choice_turns import GONE_ON, ChoiceTurns
from bot.conversation import Conversation
from bot.follow_turns import DIRECT, FOLLOWS, NO_THREAD, UNFOLLOWS, FollowTurns
from bot.guard import Guard
from bot.intake.lanes import is_quick, lane_of
from bot.memory_sessions import MemorySessions
from bot.messages import IncomingMessage, Status, Way
from bot.thread_words import Word, word_of
from bot.turn_store import TurnRecord
from tests.fakes.memory_outbound import MemoryEngaged
from tests.fakes.open_access import open_guard
from tests.fakes.recording_platform import NOW, a_message, a_thread
from tests.intake_service import StagedCoordinator


class Setting:
    """What answers, over a canned analyst."""

    def __init__(self, guard: Guard | None = None) -> None:
        self.coordinator, self.sessions = StagedCoordinator(), MemorySessions()
        self.engaged = MemoryEngaged()
        conversation = Conversation(
            Analyst(self.coordinator), self.sessions, "UTC", guard or open_guard()
        )
        choices = ChoiceTurns(conversation, self.sessions)
        self.turns = FollowTurns(choices, guard or open_guard(), self.engaged)

    def said(self, message: IncomingMessage) -> str:
        """What ``message`` is answered, and it posted as the gateway does it."""
        record = self.turns.answered(TurnRecord(message), lambda note: None)
        assert record.reply is not None
        self.engaged.add(message.thread)
        self.turns.after(record)
        return record.reply.markdown


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("help", Word.HELP),
        (" Help! ", Word.HELP),
        ("What can you do?", Word.HELP),
        ("how do you work", Word.HELP),
        ("who am i?", Word.WHOAMI),
        ("unfollow this  thread", Word.UNFOLLOW),
        ("stop following", Word.UNFOLLOW),
        ("status of node 3", None),
        ("", None),
        ("stop", None),
    ],
)
def test_a_word_is_read_where_it_is_all_that_was_written(text: str, word: Word | None) -> None:
    message = a_message(text)

    assert word_of(message) is word
    assert is_quick(lane_of(message)) is (word is not None)


def test_a_choice_is_no_word_and_waits_for_its_thread() -> None:
    choice = replace(a_message("help"), way=Way.CHOICE)

    assert word_of(choice) is None
    assert lane_of(choice) == lane_of(a_message("power of node 3"))


def test_a_thread_is_left_and_followed_again() -> None:
    setting = Setting()

    assert setting.said(a_message("unfollow")) == UNFOLLOWS
    assert not setting.engaged.holds(a_thread())
    assert setting.said(a_message("follow")) == FOLLOWS
    assert setting.engaged.holds(a_thread())
    assert setting.coordinator.asked == []


def test_there_is_nothing_to_follow_without_a_thread_or_where_all_is_read() -> None:
    setting = Setting()

    assert setting.said(replace(a_message("follow", a_thread("")), way=Way.COMMAND)) == NO_THREAD
    assert setting.said(replace(a_message("unfollow"), direct=True)) == DIRECT


def test_whoever_has_no_role_has_no_thread_left() -> None:
    class Closed:
        def decide(self, entry: object) -> Refused:
            return Refused(Why.UNKNOWN, "I may not answer you.")

    setting = Setting(Guard(Closed()))

    assert setting.said(a_message("unfollow")) == "I may not answer you."
    assert setting.engaged.holds(a_thread())


def test_what_is_no_word_is_a_question() -> None:
    setting = Setting()

    setting.said(a_message("power of node 3"))

    assert setting.coordinator.asked == ["power of node 3"]


def test_a_choice_is_made_where_the_thread_waits_for_it() -> None:
    setting = Setting()
    pending = Pending(Turn("?", NOW), "sensor", (("gpu", "the GPU cores"),))
    with setting.sessions.hold(a_thread()):
        setting.sessions.save(a_thread(), Session((), pending))

    setting.said(replace(a_message("gpu"), way=Way.CHOICE))

    assert setting.coordinator.asked == ["gpu"]


def test_a_choice_that_nothing_waits_for_is_never_taken_for_a_question() -> None:
    setting = Setting()
    choice = TurnRecord(replace(a_message("gpu"), way=Way.CHOICE))

    record = setting.turns.answered(choice, lambda note: None)

    assert setting.coordinator.asked == []
    assert record.reply is not None
    assert (record.reply.status, record.reply.markdown) == (Status.REJECTED, GONE_ON)
