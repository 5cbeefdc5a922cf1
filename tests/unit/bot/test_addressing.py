import pytest

from bot.addressing import Addressing, Follow
from bot.messages import IncomingMessage, Thread
from tests.fakes.recording_platform import NOW

OURS, OTHER = Thread("slack", "T1/C1", "1.1"), Thread("slack", "T1/C1", "2.2")


def for_us(follow: Follow, text: str = "and yesterday?", **how: object) -> bool:
    thread = how.pop("thread", OURS)
    assert isinstance(thread, Thread)
    message = IncomingMessage(
        thread,
        "1.2",
        "U1",
        text,
        NOW,
        addressed=bool(how.get("addressed")),
        direct=bool(how.get("direct")),
        to_others=bool(how.get("to_others")),
    )
    return Addressing(lambda _: follow, lambda thread: thread == OURS).is_for_us(message)


@pytest.mark.parametrize("follow", [Follow.MENTION, Follow.THREAD, Follow.ALL])
def test_a_mention_is_answered(follow: Follow) -> None:
    assert for_us(follow, addressed=True)
    assert for_us(follow, addressed=True, thread=OTHER)
    assert for_us(follow, "", addressed=True)


def test_a_channel_that_is_off_is_silent() -> None:
    assert not for_us(Follow.OFF, addressed=True)


def test_a_direct_message_is_answered_whatever_channels_do() -> None:
    assert for_us(Follow.OFF, addressed=True, direct=True)


def test_a_follow_up_needs_no_mention_where_we_have_answered() -> None:
    assert for_us(Follow.THREAD)
    assert not for_us(Follow.THREAD, thread=OTHER)
    assert not for_us(Follow.MENTION)


def test_everything_is_answered_where_everything_is_wanted() -> None:
    assert for_us(Follow.ALL, thread=OTHER)


@pytest.mark.parametrize("follow", [Follow.THREAD, Follow.ALL])
def test_words_to_somebody_else_are_left_alone(follow: Follow) -> None:
    assert not for_us(follow, to_others=True)


@pytest.mark.parametrize("follow", [Follow.THREAD, Follow.ALL])
def test_a_picture_without_words_is_no_question(follow: Follow) -> None:
    assert not for_us(follow, "")


def test_the_threads_are_looked_up_only_where_it_matters() -> None:
    def broken(thread: Thread) -> bool:
        raise AssertionError(thread)

    addressing = Addressing(lambda _: Follow.MENTION, broken)

    assert not addressing.is_for_us(IncomingMessage(OURS, "1.2", "U1", "hm", NOW, False))
