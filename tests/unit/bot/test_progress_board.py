"""Progress messages while an answer is on its way."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace

from bot.errors import PlatformError
from bot.outbound.progress import ProgressBoard
from bot.turn_store import TurnRecord
from tests.fakes.memory_outbound import OpenThrottle
from tests.fakes.recording_outlet import RecordingOutlet, rest, troubles
from tests.fakes.recording_platform import a_message, a_thread

RECORD = TurnRecord(a_message("?"), progress="1")


def an_outlet(**befallen: list[object]) -> RecordingOutlet:
    outlet = RecordingOutlet(troubles(**befallen))  # type: ignore[arg-type]
    outlet.post(a_thread(), outlet.progress("", 0, ""), "k")
    return outlet


def wait_until(holds: Callable[[], bool]) -> None:
    give_up = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < give_up
        time.sleep(0.005)


def runs_a_board() -> bool:
    return any(each.name == "progress" for each in threading.enumerate())


def test_the_newest_note_is_shown_and_those_between_are_left_out() -> None:
    outlet, board = an_outlet(), ProgressBoard(OpenThrottle(), seconds=0.5)
    board.begin(outlet, RECORD)

    for note in ("planning", "querying", "drawing"):
        board.note(RECORD.trace_id, note)
    wait_until(lambda: outlet.texts == ["drawing"])
    board.end(RECORD.trace_id)

    assert outlet.calls.count("edit") == 1


def test_nothing_is_edited_once_it_has_ended() -> None:
    outlet, board = an_outlet(), ProgressBoard(OpenThrottle(), seconds=0.005)
    board.begin(outlet, RECORD)
    wait_until(lambda: "edit" in outlet.calls)

    board.end(RECORD.trace_id)
    board.note(RECORD.trace_id, "too late")
    before = len(outlet.calls)
    time.sleep(0.05)

    assert len(outlet.calls) == before


def test_an_edit_that_finds_no_room_is_left_out() -> None:
    class Full(OpenThrottle):
        def take(self, name: str, pace: object, patience: float) -> float | None:
            self.taken.append(name)
            return None

    outlet, throttle = an_outlet(), Full()
    board = ProgressBoard(throttle, seconds=0.005)
    board.begin(outlet, RECORD)
    wait_until(lambda: len(throttle.taken) > 2)
    board.end(RECORD.trace_id)

    assert "edit" not in outlet.calls


def test_a_rest_and_an_error_stop_neither_the_board_nor_other_turns() -> None:
    outlet = an_outlet(edit=[rest(3), PlatformError("away")])
    throttle = OpenThrottle()
    board = ProgressBoard(throttle, seconds=0.005)
    other = replace(RECORD, message=replace(RECORD.message, message_id="m2"))

    board.begin(outlet, RECORD)
    board.begin(outlet, other)
    board.note(other.trace_id, "the other")
    board.end(RECORD.trace_id)
    wait_until(lambda: outlet.texts == ["the other"])
    board.end(other.trace_id)

    assert throttle.held == [("edits:command", 3)]


def test_a_board_without_turns_has_no_thread_and_starts_one_again() -> None:
    outlet, board = an_outlet(), ProgressBoard(OpenThrottle(), seconds=0.005)

    board.begin(outlet, RECORD)
    assert runs_a_board()
    board.end(RECORD.trace_id)
    wait_until(lambda: not runs_a_board())
    board.begin(outlet, RECORD)
    board.note(RECORD.trace_id, "again")
    wait_until(lambda: outlet.texts == ["again"])
    board.end(RECORD.trace_id)
