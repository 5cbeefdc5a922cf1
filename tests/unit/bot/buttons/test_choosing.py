"""Choices by buttons: made once, seen by everybody, and never without a word."""

from dataclasses import replace
from datetime import timedelta

import pytest

from agent import Pending, Session, Turn
from bot.buttons.choosing import ANSWERED_IN_WORDS, ENDED, EXPIRED, OF_THE_AUTHOR
from bot.buttons.pressed import FORGOTTEN
from bot.buttons.retiring import ASKED_ON
from bot.errors import PlatformError
from bot.messages import Reply, Status, Way
from bot.turn_store import TurnStage
from tests.fakes.recording_platform import NOW, a_thread
from tests.unit.bot.buttons.button_setting import ADA, BEN, CHOICES, Setting, a_click


def test_a_choice_goes_on_as_a_message_of_whoever_pressed() -> None:
    setting = Setting()
    record = setting.asked_back()

    setting.buttons.act(a_click(record, value="gpu", author=BEN))

    (message,) = setting.received
    assert (message.text, message.author, message.way) == ("gpu", BEN, Way.CHOICE)
    assert message.thread == record.message.thread
    assert message.addressed


def test_the_buttons_are_gone_and_everybody_sees_who_chose_what() -> None:
    setting = Setting()

    setting.buttons.act(a_click(setting.asked_back(), value="gpu", author=BEN))

    (message,) = setting.outlet.messages
    assert message.part.body == ()
    assert message.part.text == "Which one?\nben chose: the GPU cores"


def test_the_buttons_are_gone_before_the_choice_is_put() -> None:
    setting = Setting()
    record = setting.asked_back()
    seen: list[str] = []
    choosing = replace(
        setting.buttons.choosing, receive=lambda message: seen.append(setting.outlet.texts[0])
    )

    replace(setting.buttons, choosing=choosing).act(a_click(record, value="gpu"))

    assert seen == ["Which one?\nada chose: the GPU cores"]


def test_of_two_people_the_first_has_chosen_and_the_other_is_told() -> None:
    setting = Setting()
    record = setting.asked_back()

    setting.buttons.act(a_click(record, value="gpu", author=ADA, number=1))
    setting.elsewhere().buttons.act(a_click(record, value="ambient", author=BEN, number=2))

    assert [message.text for message in setting.received] == ["gpu"]
    assert setting.told(BEN) == ["“the GPU cores” was chosen already."]
    assert "ada chose: the GPU cores" in setting.outlet.texts[0]


def test_who_presses_twice_is_told_nothing_and_asks_nothing_twice() -> None:
    setting = Setting()
    record = setting.asked_back()

    setting.buttons.act(a_click(record, value="gpu", number=1))
    setting.buttons.act(a_click(record, value="gpu", number=2))

    assert len(setting.received) == 1
    assert setting.outlet.whispers == []


def test_a_click_that_is_begun_again_puts_the_same_message() -> None:
    setting = Setting()
    click = a_click(setting.asked_back(), value="gpu")

    setting.buttons.act(click)
    setting.elsewhere().buttons.act(click)

    one, other = setting.received
    assert one == other


def test_too_old_a_question_is_ended_and_whoever_pressed_is_told_what_to_do() -> None:
    setting = Setting()
    late = replace(a_click(setting.asked_back(), value="gpu"), at=NOW + timedelta(days=2))

    setting.buttons.act(late)

    assert setting.received == []
    assert setting.told(ADA) == [EXPIRED]
    assert setting.outlet.texts == [f"Which one?\n{ENDED}"]


def test_an_expired_question_stays_expired() -> None:
    setting = Setting()
    record = setting.asked_back()
    setting.buttons.act(replace(a_click(record, value="gpu"), at=NOW + timedelta(days=2)))

    setting.buttons.act(a_click(record, value="gpu", author=BEN, number=2))

    assert setting.received == []
    assert setting.told(BEN) == [EXPIRED]


def test_a_turn_that_nobody_remembers_is_said_to_be_forgotten() -> None:
    setting = Setting()
    record = setting.asked_back()

    setting.buttons.act(replace(a_click(record, value="gpu"), turn="unknown"))

    assert setting.told(ADA) == [FORGOTTEN]


def test_a_button_counts_in_its_own_channel_alone() -> None:
    setting = Setting()
    record = setting.asked_back()
    elsewhere = replace(a_thread(), channel="another")

    setting.buttons.act(a_click(record, value="gpu", thread=elsewhere))

    assert setting.received == []
    assert setting.told(ADA) == [FORGOTTEN]


def test_whoever_may_not_is_refused_and_the_buttons_stay() -> None:
    setting = Setting(refuses={BEN: "You may not ask here."})
    record = setting.asked_back()

    setting.buttons.act(a_click(record, value="gpu", author=BEN, number=1))
    assert setting.told(BEN) == ["You may not ask here."]
    assert setting.outlet.messages[0].part.body

    setting.buttons.act(a_click(record, value="gpu", author=ADA, number=2))
    assert [message.author for message in setting.received] == [ADA]


def test_what_is_said_of_a_digest_is_chosen_by_its_author() -> None:
    setting = Setting()
    reply = Reply(a_thread(), Status.CLARIFICATION, "Which one?", choices=CHOICES)
    record = setting.posted(reply)
    record = replace(record, message=replace(record.message, text='digest create "t" daily'))
    setting.turns.save(record)

    setting.buttons.act(a_click(record, value="gpu", author=BEN))

    assert setting.received == []
    assert setting.told(BEN) == [OF_THE_AUTHOR]


def test_a_click_before_all_is_posted_is_tried_again() -> None:
    setting = Setting()
    record = replace(setting.asked_back(), stage=TurnStage.ANSWERED)
    setting.turns.save(record)

    with pytest.raises(PlatformError, match="still being posted"):
        setting.buttons.act(a_click(record, value="gpu"))

    assert setting.received == []


PENDING = Pending(Turn("?", NOW), "sensor", (("ambient", "air"), ("gpu", "cores")))


def test_an_answer_in_words_takes_the_buttons_away_and_is_shown_as_the_choice() -> None:
    setting = Setting()
    asked = setting.asked_back(1, Session((), PENDING))
    setting.retiring.after(asked)
    made = Session((Turn("?", NOW, (("sensor", "gpu"),), "61 C"),))

    done = setting.posted(Reply(a_thread(), Status.COMPLETED, "61 C"), 2, made)
    setting.retiring.after(done)

    assert setting.outlet.texts == ["Which one?\nada chose in words: the GPU cores", "61 C"]
    setting.buttons.act(a_click(asked, value="ambient", author=BEN))
    assert setting.received == []
    assert setting.told(BEN) == [ANSWERED_IN_WORDS]


def test_another_question_takes_the_buttons_away() -> None:
    setting = Setting()
    setting.retiring.after(setting.asked_back(1, Session((), PENDING)))
    other = Session((Turn("PUE?", NOW, (), "1.2"),))

    setting.retiring.after(setting.posted(Reply(a_thread(), Status.COMPLETED, "1.2"), 2, other))

    assert setting.outlet.texts[0] == f"Which one?\nada {ASKED_ON}"


def test_a_second_question_back_ends_the_first() -> None:
    setting = Setting()
    first = setting.asked_back(1, Session((), PENDING))
    setting.retiring.after(first)
    again = replace(PENDING, turn=replace(PENDING.turn, settled=(("sensor", "ambient"),)))

    setting.retiring.after(setting.asked_back(2, Session((), again)))

    one, other = setting.outlet.messages
    assert one.part.text == "Which one?\nada chose in words: the air at the inlet"
    assert other.part.body


def test_a_failure_leaves_the_buttons_as_nothing_was_settled() -> None:
    setting = Setting()
    setting.retiring.after(setting.asked_back(1, Session((), PENDING)))

    setting.retiring.after(setting.posted(Reply(a_thread(), Status.FAILED, "Sorry"), 2))
    setting.retiring.after(
        setting.posted(Reply(a_thread(), Status.REJECTED, "No"), 3, Session((), PENDING))
    )

    assert setting.outlet.messages[0].part.body


def test_a_choice_that_was_pressed_is_not_said_to_be_in_words() -> None:
    setting = Setting()
    asked = setting.asked_back(1, Session((), PENDING))
    setting.retiring.after(asked)
    setting.buttons.act(a_click(asked, value="gpu"))
    made = Session((Turn("?", NOW, (("sensor", "gpu"),), "61 C"),))

    setting.retiring.after(setting.posted(Reply(a_thread(), Status.COMPLETED, "61 C"), 2, made))

    assert setting.outlet.texts[0] == "Which one?\nada chose: the GPU cores"
