"""From reception to reply, in one process over a real Valkey server."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace

import pytest
import redis

from bot.embedded_redis import EmbeddedRedis
from bot.intake.reception import FULL
from bot.intake.stopping import NOT_YOURS, NOTHING_RUNS, TOO_LATE
from bot.intake.workers import Workers
from bot.messages import Act, Click, IncomingMessage, Thread, Way
from bot.turn_store import TurnStage
from tests.fakes.recording_platform import NOW
from tests.intake_service import ADMIN, Service, a_question, open_service, wait_until, working


def command(number: int, text: str) -> IncomingMessage:
    """What was typed behind the name of the command."""
    return replace(a_question(text, number, root=""), way=Way.COMMAND)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = EmbeddedRedis(tmp_path_factory.mktemp("store"))
    yield server.open()
    server.close()


@pytest.fixture
def service(address: str) -> Iterator[Service]:
    with closing(redis.Redis.from_url(address)) as operator:
        operator.flushall()
    with open_service(address) as opened:
        yield opened


def texts(service: Service) -> list[str]:
    return [post.text for post in service.board.answers()]


def test_a_message_is_answered_in_its_thread(service: Service) -> None:
    message = a_question("power of node 3", 1)

    with working(service):
        service.reception().receive(message)
        wait_until(lambda: bool(texts(service)))
        wait_until(lambda: service.inbox.depth().lanes == 0)

    (answer,) = service.board.answers()
    record = service.turns.load(message.trace_id)
    assert (answer.thread, answer.text) == (message.thread.name, "1: power of node 3")
    assert record is not None
    assert record.stage is TurnStage.DONE


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("inbox-sweeper", lambda workers: workers.ended.set()),
        ("lease-watch", lambda workers: workers.watch.close()),
        ("tasks", lambda workers: workers.tasks.stop(5)),
    ],
)
def test_a_part_that_ended_is_known(
    service: Service, name: str, end: Callable[[Workers], None]
) -> None:
    with working(service) as workers:
        before = {part: alive() for part, alive in workers.parts().items()}
        end(workers)
        wait_until(lambda: not workers.parts()[name]())
        after = {part: alive() for part, alive in workers.parts().items()}

    assert all(before.values())
    assert [part for part, alive in after.items() if not alive] == [name]


def test_what_came_while_nobody_worked_is_answered_once_somebody_does(service: Service) -> None:
    for number in range(3):
        service.reception().receive(a_question(f"q{number}", number))

    with working(service):
        wait_until(lambda: len(texts(service)) == 3)

    assert texts(service) == ["1: q0", "2: q1", "3: q2"]


def test_a_lost_task_loses_no_message(service: Service, address: str) -> None:
    service.reception().receive(a_question("q", 1))
    with closing(redis.Redis.from_url(address)) as operator:
        operator.delete(*operator.keys("odabot:1:queue*"))

    with working(service):
        wait_until(lambda: texts(service) == ["1: q"])


def test_a_message_that_is_not_for_us_is_not_kept(service: Service) -> None:
    service.reception().receive(a_question("lunch?", 1, addressed=False))

    assert service.inbox.depth().lanes == 0


def test_mention_and_message_are_one_and_the_second_is_counted(service: Service) -> None:
    with working(service):
        for _ in range(3):
            service.reception().receive(a_question("q", 1))
        wait_until(lambda: bool(texts(service)))
        service.reception().receive(a_question("q", 2))
        wait_until(lambda: len(texts(service)) == 2)

    assert texts(service) == ["1: q", "2: q"]
    assert service.duplicates == 2


def test_a_message_behind_another_is_told_to_wait(service: Service) -> None:
    slow = a_question("slow", 1)
    with working(service):
        service.reception().receive(slow)
        wait_until(lambda: service.coordinator.asked == ["slow"])
        service.reception().receive(a_question("next", 2, author="bob"))
        wait_until(lambda: bool(service.board.whispers()))
        before = texts(service)
        service.coordinator.stop(slow.trace_id)
        wait_until(lambda: len(texts(service)) == 2)

    ((_, user, told),) = service.board.whispers()
    assert before == []
    assert user == "bob"
    assert "as soon as the question before it is answered" in told
    assert texts(service) == ["stopped", "1: next"]


def test_threads_do_not_wait_for_each_other(service: Service) -> None:
    slow = a_question("slow", 1, root="slow")
    with working(service):
        service.reception().receive(slow)
        wait_until(lambda: service.coordinator.asked == ["slow"])
        service.reception().receive(a_question("q", 1, root="other"))
        wait_until(lambda: texts(service) == ["1: q"])
        service.coordinator.stop(slow.trace_id)

    assert service.board.whispers() == []


def test_the_word_stop_goes_past_the_queue(service: Service) -> None:
    with working(service):
        service.reception().receive(a_question("slow", 1))
        wait_until(lambda: service.coordinator.asked == ["slow"])
        service.reception().receive(a_question("and then?", 2))
        service.reception().receive(a_question(" Stop! ", 3))
        wait_until(lambda: len(texts(service)) == 2)

    assert texts(service) == ["stopped", "This question was stopped before I came to it."]
    assert service.coordinator.asked == ["slow"]


@pytest.mark.parametrize(("author", "channel"), [("bob", "channel"), ("ada", "elsewhere")])
def test_a_question_by_command_is_stopped_by_command_there(
    service: Service, author: str, channel: str
) -> None:
    slow = command(1, "ask slow")
    there = replace(command(2, "stop"), thread=Thread("test", channel, ""), author=author)
    with working(service):
        service.reception().receive(slow)
        wait_until(lambda: bool(service.coordinator.asked))
        service.reception().receive(there)
        wait_until(lambda: bool(service.board.whispers()))
        before = service.stops.stopped((slow.trace_id,))
        service.reception().receive(command(3, "stop"))
        wait_until(lambda: texts(service) == ["stopped"])

    assert before == frozenset()
    assert service.stops.stopped((slow.trace_id,)) == {slow.trace_id}


@pytest.mark.parametrize(("author", "stops"), [("bob", False), (ADMIN, True), ("ada", True)])
def test_only_who_asked_or_an_administrator_stops(
    service: Service, author: str, stops: bool
) -> None:
    slow = a_question("slow", 1)
    with working(service):
        service.reception().receive(slow)
        wait_until(lambda: service.coordinator.asked == ["slow"])
        service.reception().receive(Click(slow.thread, "c1", author, Act.STOP, slow.trace_id, NOW))
        if not stops:
            wait_until(lambda: bool(service.board.whispers()))
            service.coordinator.stop(slow.trace_id)
        wait_until(lambda: bool(texts(service)))

    assert service.stops.stopped((slow.trace_id,)) == (
        frozenset({slow.trace_id}) if stops else frozenset()
    )
    told = [[slow.thread.name, author, NOT_YOURS]]
    assert service.board.whispers() == ([] if stops else told)


def test_a_stop_where_nothing_runs_says_so(service: Service) -> None:
    with working(service):
        message = a_question("q", 1)
        service.reception().receive(message)
        wait_until(lambda: bool(texts(service)))
        wait_until(lambda: service.inbox.depth().lanes == 0)
        service.reception().receive(a_question("stop", 2))
        service.reception().receive(
            Click(message.thread, "c", "ada", Act.STOP, message.trace_id, NOW)
        )
        wait_until(lambda: len(service.board.whispers()) == 2)

    assert {told for _, _, told in service.board.whispers()} == {NOTHING_RUNS, TOO_LATE}
    assert texts(service) == ["1: q"]


def test_a_stop_that_the_platform_sends_again_stops_nothing_later(service: Service) -> None:
    first, second = a_question("slow", 1), a_question("slow again", 3)
    with working(service):
        service.reception().receive(first)
        service.reception().receive(a_question("stop", 2))
        wait_until(lambda: texts(service) == ["stopped"] or len(texts(service)) == 1)
        service.reception().receive(second)
        wait_until(lambda: "slow again" in service.coordinator.asked)
        service.reception().receive(a_question("stop", 2))
        stopped = service.stops.stopped((second.trace_id,))
        service.coordinator.stop(second.trace_id)

    assert not stopped
    assert service.duplicates == 1


def test_a_question_that_breaks_is_apologised_for_and_the_next_goes_on(service: Service) -> None:
    with working(service):
        service.reception().receive(a_question("broken", 1))
        service.reception().receive(a_question("q", 2))
        wait_until(lambda: len(texts(service)) == 2)

    apology, answer = texts(service)
    assert "Sorry" in apology
    assert answer == "1: q"
    assert service.coordinator.asked == ["broken", "q"]


def test_an_answer_waits_for_its_platform_and_is_worked_out_once(service: Service) -> None:
    service.posting.down = True
    with working(service):
        service.reception().receive(a_question("q", 1))
        wait_until(lambda: service.coordinator.asked == ["q"] or service.inbox.depth().lanes == 1)
        service.posting.down = False
        wait_until(lambda: texts(service) == ["1: q"])

    assert service.coordinator.asked == ["q"]


def test_a_click_is_done_past_the_questions_of_its_thread(service: Service) -> None:
    slow = a_question("slow", 1)
    click = Click(slow.thread, "c1", "bob", Act.QUERY, "0123", NOW)
    with working(service):
        service.reception().receive(slow)
        wait_until(lambda: service.coordinator.asked == ["slow"])
        service.reception().receive(click)
        service.reception().receive(click)
        wait_until(lambda: service.clicks == [click])
        service.coordinator.stop(slow.trace_id)

    assert service.clicks == [click]
    assert service.duplicates == 1


def test_a_click_whose_answer_did_not_go_out_is_done_again(service: Service) -> None:
    service.broken_clicks = 1
    click = Click(Thread("test", "channel", "1"), "c1", "bob", Act.QUERY, "0123", NOW)
    with working(service):
        service.reception().receive(click)
        wait_until(lambda: service.clicks == [click])


def test_a_reply_that_begins_a_thread_has_its_session_there(service: Service) -> None:
    asked = replace(a_question("q", 1, root=""), way=Way.COMMAND, text="ask q")
    with working(service):
        service.reception().receive(asked)
        wait_until(lambda: bool(texts(service)))
        wait_until(lambda: service.inbox.depth().lanes == 0)
        (post,) = service.board.answers()
        service.reception().receive(a_question("more", 2, root=post.id))
        wait_until(lambda: len(texts(service)) == 2)

    assert texts(service)[1] == "2: more"


def test_half_a_character_does_not_keep_a_message_out(service: Service) -> None:
    with working(service):
        service.reception().receive(a_question("power \ud83d of node 3", 1))
        wait_until(lambda: texts(service) == ["1: power ? of node 3"])


def test_a_thread_with_too_many_questions_says_so(service: Service) -> None:
    with working(service):
        slow = a_question("slow", 1)
        service.reception().receive(slow)
        wait_until(lambda: service.coordinator.asked == ["slow"])
        for number in range(60):
            service.reception().receive(a_question("slow", number + 2))
        wait_until(lambda: [w[2] for w in service.board.whispers()].count(FULL) == 11)
        service.reception().receive(a_question("stop", 99))
        wait_until(lambda: len(texts(service)) == 50)
