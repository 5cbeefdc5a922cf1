"""What goes out through the gateway: each part once, whatever the platform or a worker does."""

from dataclasses import replace
from pathlib import Path

import pytest

from agent import Choice
from bot.errors import PlatformError
from bot.messages import Reply, ReplyFile, Status, Thread
from bot.outbound import Gateway, Patience
from bot.outbound.gateway import REFUSED
from bot.outbound.progress import ProgressBoard
from bot.outbound.throttle import Throttle
from bot.turn_store import TurnRecord, TurnStage
from tests.fakes.memory_outbound import KeptTurns, MemoryEngaged, OpenThrottle, WorkerDiedError
from tests.fakes.recording_counters import RecordingCounters
from tests.fakes.recording_outlet import LostAnswer, RecordingOutlet, rest, troubles
from tests.fakes.recording_platform import a_message, a_thread

ROOTLESS = a_thread("")
AWAY = PlatformError("away")


class Sender:
    """A gateway, and what it wrote."""

    def __init__(
        self, outlet: RecordingOutlet, throttle: Throttle | None = None, dies_at: int = 0
    ) -> None:
        self.pauses: list[float] = []
        self.outlet = outlet
        self.turns = KeptTurns(dies_at)
        self.counters = RecordingCounters()
        self.engaged = MemoryEngaged()
        self.throttle = throttle or OpenThrottle()
        self.gateway = Gateway(
            {"command": outlet},
            self.turns,
            self.throttle,
            self.engaged,
            ProgressBoard(self.throttle, seconds=0.01),
            self.counters,
            Patience(tries=4, sleep=self.pauses.append),
        )


def a_turn(markdown: str = "one\ntwo", thread: Thread | None = None, **more: object) -> TurnRecord:
    thread = thread or a_thread()
    reply = Reply(thread, Status.COMPLETED, markdown)
    return TurnRecord(
        a_message("?", thread),
        TurnStage.ANSWERED,
        replace(reply, **more),  # type: ignore[arg-type]
    )


def test_a_reply_is_posted_part_by_part_and_the_record_says_so() -> None:
    sender = Sender(RecordingOutlet())

    record = sender.gateway.deliver(a_turn())

    trace = record.trace_id
    assert sender.outlet.texts == ["one", "two"]
    assert record.posted == ((f"{trace}-0", "1"), (f"{trace}-1", "2"))
    assert record.stage is TurnStage.DONE
    assert sender.turns.records.pop() == record
    assert [kept.posted for kept in sender.turns.records] == [
        ((f"{trace}-0", ""),),
        ((f"{trace}-0", "1"),),
        ((f"{trace}-0", "1"), (f"{trace}-1", "")),
        ((f"{trace}-0", "1"), (f"{trace}-1", "2")),
    ]


@pytest.mark.parametrize("dies_at", range(1, 8))
def test_a_worker_that_dies_at_any_save_leaves_nothing_out_and_nothing_twice(dies_at: int) -> None:
    first = Sender(RecordingOutlet(), dies_at=dies_at)
    turn = a_turn("one\ntwo\nthree")
    with pytest.raises(WorkerDiedError):
        first.gateway.deliver(turn)

    taken_over = first.turns.records[-1] if first.turns.records else turn
    record = Sender(first.outlet).gateway.deliver(taken_over)

    assert first.outlet.texts == ["one", "two", "three"]
    assert [message_id for _, message_id in record.posted] == ["1", "2", "3"]


def test_what_was_posted_but_not_answered_is_found_and_not_posted_again() -> None:
    sender = Sender(RecordingOutlet(troubles(post=[LostAnswer()])))

    sender.gateway.deliver(a_turn("one"))

    assert sender.outlet.texts == ["one"]
    assert sender.outlet.calls == ["post", "posted"]


def test_what_cannot_be_looked_up_is_not_posted_again() -> None:
    sender = Sender(RecordingOutlet(troubles(post=[LostAnswer()], posted=[AWAY] * 3)))

    with pytest.raises(PlatformError):
        sender.gateway.deliver(a_turn("one"))

    assert sender.outlet.texts == ["one"]


def test_a_platform_that_is_away_is_asked_again_ever_more_slowly() -> None:
    sender = Sender(RecordingOutlet(troubles(post=[AWAY, AWAY, AWAY])))

    sender.gateway.deliver(a_turn("one"))

    assert sender.outlet.texts == ["one"]
    assert sender.pauses == [1, 2, 4]


def test_a_platform_that_stays_away_is_left_and_what_was_kept_goes_on_later() -> None:
    sender = Sender(RecordingOutlet(troubles(post=[None, *[AWAY] * 4])))
    with pytest.raises(PlatformError):
        sender.gateway.deliver(a_turn())

    record = sender.gateway.deliver(sender.turns.records[-1])

    assert sender.outlet.texts == ["one", "two"]
    assert record.stage is TurnStage.DONE


def test_a_rest_that_the_platform_wants_is_kept_by_everybody() -> None:
    throttle = OpenThrottle()
    sender = Sender(RecordingOutlet(troubles(post=[rest(7)])), throttle)

    sender.gateway.deliver(a_turn("one"))

    assert sender.outlet.texts == ["one"]
    assert sender.pauses == [7]
    assert throttle.held == [("post:command:channel", 7)]
    assert sender.counters.counted == [("limited", "command")]
    assert sender.outlet.calls == ["post", "post"]


def test_what_is_refused_goes_out_in_a_plainer_form_and_is_not_tried_again_as_it_was() -> None:
    sender = Sender(RecordingOutlet(refuses=frozenset({"one"})))

    sender.gateway.deliver(a_turn())

    assert sender.outlet.texts == ["plain one", "two"]
    assert sender.outlet.calls == ["post", "post", "post"]


def test_what_is_refused_in_every_form_is_told_to_who_asked_and_the_rest_goes_out() -> None:
    sender = Sender(RecordingOutlet(refuses=frozenset({"one", "plain one"})))

    record = sender.gateway.deliver(a_turn())

    assert sender.outlet.texts == ["two"]
    assert [message_id for _, message_id in record.posted] == [REFUSED, "1"]
    ((_, user, told),) = sender.outlet.whispers
    assert user == "ada"
    assert record.trace_id in told


def test_the_first_message_of_a_reply_without_a_thread_begins_one() -> None:
    sender = Sender(RecordingOutlet())

    sender.gateway.deliver(a_turn(thread=ROOTLESS))

    assert [message.thread.root for message in sender.outlet.messages] == ["", "1"]
    assert sender.engaged.threads == {a_thread("1")}


@pytest.mark.parametrize("dies_at", range(1, 5))
def test_a_thread_that_a_dead_worker_began_is_gone_on_with(dies_at: int) -> None:
    first = Sender(RecordingOutlet(), dies_at=dies_at)
    turn = a_turn(thread=ROOTLESS)
    with pytest.raises(WorkerDiedError):
        first.gateway.deliver(turn)

    second = Sender(first.outlet)
    second.gateway.deliver(first.turns.records[-1] if first.turns.records else turn)

    assert [message.thread.root for message in first.outlet.messages] == ["", "1"]


def test_files_are_posted_once_too(tmp_path: Path) -> None:
    file = ReplyFile("t.csv", tmp_path / "t.csv", "text/csv", "the table")
    sender = Sender(RecordingOutlet(troubles(post=[None, LostAnswer()])))

    sender.gateway.deliver(a_turn("one", files=(file,)))

    assert sender.outlet.texts == ["one", "the table"]


@pytest.mark.parametrize("way", ["begin", "deliver", "say"])
def test_whatever_is_posted_makes_the_thread_ours(way: str) -> None:
    sender = Sender(RecordingOutlet())

    if way == "begin":
        sender.gateway.begin(a_turn())
    elif way == "deliver":
        sender.gateway.deliver(a_turn())
    else:
        sender.gateway.say(a_thread(), Reply(a_thread(), Status.COMPLETED, "busy"), "k")

    assert sender.engaged.holds(a_thread())


def test_progress_is_shown_at_once_and_ends_with_the_answer() -> None:
    sender = Sender(RecordingOutlet())

    record = sender.gateway.begin(a_turn())
    shown = sender.outlet.messages[0].part
    sender.gateway.deliver(record)

    assert record.progress == "1"
    assert shown.body
    assert sender.outlet.texts == ["Answered below.", "one", "two"]
    assert not sender.outlet.messages[0].part.body


@pytest.mark.parametrize("dies_at", [1, 2, 3])
def test_progress_is_shown_once_whoever_takes_the_turn_over(dies_at: int) -> None:
    first = Sender(RecordingOutlet(), dies_at=dies_at)
    with pytest.raises(WorkerDiedError):
        first.gateway.begin(a_turn())

    second = Sender(first.outlet)
    record = second.gateway.begin(first.turns.records[-1] if first.turns.records else a_turn())

    assert record.progress == "1"
    assert len(first.outlet.messages) == 1


def test_an_answer_needs_no_progress_message() -> None:
    sender = Sender(RecordingOutlet(troubles(post=[AWAY] * 2)))

    record = sender.gateway.begin(a_turn("one"))
    sender.gateway.deliver(record)

    assert record.progress == ""
    assert sender.outlet.texts == ["one"]


def test_progress_that_was_shown_unheard_ends_with_the_answer_too() -> None:
    sender = Sender(RecordingOutlet(troubles(post=[LostAnswer()], posted=[AWAY])))

    record = sender.gateway.begin(a_turn("one"))
    sender.gateway.deliver(record)

    assert record.progress == ""
    assert sender.outlet.texts == ["Answered below.", "one"]


def test_progress_gives_way_where_a_channel_is_full_and_the_answer_waits() -> None:
    class NearlyFull(OpenThrottle):
        def take(self, name: str, pace: object, patience: float) -> float | None:
            return 60 if patience >= 60 else None

    sender = Sender(RecordingOutlet(), NearlyFull())

    record = sender.gateway.begin(a_turn("one"))
    sender.gateway.deliver(record)

    assert sender.outlet.texts == ["one"]
    assert sender.pauses == [60]


def test_an_answer_that_begins_its_thread_has_no_progress_message_before_it() -> None:
    sender = Sender(RecordingOutlet())

    sender.gateway.begin(a_turn(thread=ROOTLESS))

    assert sender.outlet.messages == []


def test_choices_are_taken_away_once_one_is_made() -> None:
    sender = Sender(RecordingOutlet())
    turn = a_turn("which?", choices=(Choice("a", "the inlet"),))
    record = sender.gateway.deliver(turn)

    sender.gateway.settle(record, "Ada chose: the inlet")

    assert sender.outlet.texts == ["which?\nAda chose: the inlet"]
    assert not sender.outlet.messages[0].part.body


def test_a_notice_that_is_said_again_is_posted_once() -> None:
    sender = Sender(RecordingOutlet())
    notice = Reply(a_thread(), Status.COMPLETED, "queued")

    first = sender.gateway.say(a_thread(), notice, "k")
    again = sender.gateway.say(a_thread(), notice, "k")

    assert first == again == ("1",)
    assert sender.outlet.texts == ["queued"]


def test_a_whisper_that_fails_stops_nobody() -> None:
    sender = Sender(RecordingOutlet(troubles(whisper=[AWAY] * 4)))

    sender.gateway.whisper(a_thread(), "ada", "not allowed")

    assert sender.outlet.whispers == []
    assert sender.outlet.calls == ["whisper"] * 4


def test_a_channel_that_stays_full_is_an_error_and_nothing_is_posted() -> None:
    class Full(OpenThrottle):
        def take(self, name: str, pace: object, patience: float) -> float | None:
            return None

    sender = Sender(RecordingOutlet(), Full())

    with pytest.raises(PlatformError):
        sender.gateway.deliver(a_turn("one"))

    assert sender.outlet.messages == []
    assert sender.pauses == []
