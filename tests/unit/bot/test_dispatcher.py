import logging
from pathlib import Path

import pytest

from agent import Analyst
from bot.conversation import Conversation
from bot.dispatcher import CLOSING, FULL, Dispatcher
from bot.memory_sessions import MemorySessions
from bot.messages import Status
from tests.fakes.canned_analyst import CannedCoordinator
from tests.fakes.recording_platform import RecordingPlatform, a_message, a_thread


def a_dispatcher(
    folder: Path, *, workers: int = 2, waiting: int = 5
) -> tuple[Dispatcher, CannedCoordinator]:
    coordinator = CannedCoordinator(folder)
    conversation = Conversation(Analyst(coordinator), MemorySessions(), "UTC")
    return Dispatcher(conversation, workers, waiting), coordinator


def test_a_question_gets_its_reply(tmp_path: Path) -> None:
    dispatcher, _ = a_dispatcher(tmp_path)
    platform = RecordingPlatform()

    dispatcher.dispatch(a_message("power"), platform)

    assert platform.wait_for_replies(1)[0].status is Status.COMPLETED


def test_stays_silent_where_it_was_not_addressed(tmp_path: Path) -> None:
    dispatcher, coordinator = a_dispatcher(tmp_path)
    platform = RecordingPlatform()

    dispatcher.dispatch(a_message("power", addressed=False), platform)

    assert dispatcher.close()
    assert not coordinator.asked
    assert not platform.replies


def test_a_thread_is_answered_in_the_order_of_its_questions(tmp_path: Path) -> None:
    dispatcher, coordinator = a_dispatcher(tmp_path, workers=2)
    platform = RecordingPlatform()

    for text in ("slow", "second 1200", "third"):
        dispatcher.dispatch(a_message(text), platform)
    platform.wait_for_note("waiting to be released")
    asked_meanwhile = len(coordinator.asked)
    coordinator.release.set()
    replies = platform.wait_for_replies(3)

    assert asked_meanwhile == 1
    assert [question.text for question in coordinator.asked] == ["slow", "second 1200", "third"]
    assert [r.status for r in replies] == [Status.COMPLETED, Status.REJECTED, Status.COMPLETED]


def test_another_thread_does_not_wait_for_a_slow_one(tmp_path: Path) -> None:
    dispatcher, coordinator = a_dispatcher(tmp_path, workers=2)
    platform = RecordingPlatform()

    dispatcher.dispatch(a_message("slow", a_thread("1")), platform)
    dispatcher.dispatch(a_message("power", a_thread("2")), platform)
    first = platform.wait_for_replies(1)[0]
    coordinator.release.set()
    platform.wait_for_replies(2)

    assert first.thread == a_thread("2")


def test_says_so_when_full_and_when_a_question_must_wait(tmp_path: Path) -> None:
    dispatcher, coordinator = a_dispatcher(tmp_path, workers=1, waiting=1)
    platform = RecordingPlatform()

    for root in ("1", "2", "3"):
        dispatcher.dispatch(a_message("slow", a_thread(root)), platform)
    refused = platform.wait_for_replies(1)[0]
    coordinator.release.set()
    platform.wait_for_replies(3)

    assert (refused.thread, refused.markdown) == (a_thread("3"), FULL)
    assert a_thread("2") in [thread for thread, note in platform.notes if "waiting for" in note]


def test_takes_nothing_more_once_closed(tmp_path: Path) -> None:
    dispatcher, coordinator = a_dispatcher(tmp_path)
    platform = RecordingPlatform()

    dispatcher.close()
    dispatcher.dispatch(a_message("power"), platform)

    assert platform.wait_for_replies(1)[0].markdown == CLOSING
    assert not coordinator.asked


def test_closing_lets_what_runs_come_to_its_end(tmp_path: Path) -> None:
    dispatcher, coordinator = a_dispatcher(tmp_path)
    platform = RecordingPlatform()
    dispatcher.dispatch(a_message("slow"), platform)

    too_soon = dispatcher.close(grace_seconds=0.01)
    coordinator.release.set()
    in_time = dispatcher.close(grace_seconds=10)

    assert (too_soon, in_time) == (False, True)
    assert len(platform.replies) == 1


def test_a_reply_that_cannot_be_posted_is_logged_and_the_thread_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    dispatcher, coordinator = a_dispatcher(tmp_path, workers=1)

    with caplog.at_level(logging.ERROR):
        for text in ("first", "second"):
            dispatcher.dispatch(a_message(text), RecordingPlatform(broken=True))
        platform = RecordingPlatform()
        dispatcher.dispatch(a_message("third"), platform)
        platform.wait_for_replies(1)

    assert len(coordinator.asked) == 3
    lost = [record for record in caplog.records if vars(record).get("action") == "reply_lost"]
    assert len(lost) == 2
