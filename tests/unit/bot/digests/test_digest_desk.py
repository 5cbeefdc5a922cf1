"""What comes of what people write about digests."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agent import Choice, Declined, DeclineReason, NeedsClarification
from bot.digests.digest import Digest, DigestPart
from bot.messages import Status, Thread, Way
from bot.outcome import Failed
from tests.unit.bot.digests.digest_setting import HERE, NOW, Setting, a_setting

CREATE = 'digest create "PUE of yesterday" daily 08:00 Europe/Rome in #ops'


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    return a_setting(tmp_path)[0]


def only(setting: Setting) -> Digest:
    (digest,) = setting.store.all()
    return digest


def test_creating_says_what_was_understood_and_when_it_runs_next(setting: Setting) -> None:
    reply = setting.say(CREATE)

    assert reply is not None
    assert reply.status is Status.COMPLETED
    assert "daily at 08:00 Europe/Rome, in #ops" in reply.markdown
    assert "Next run: Saturday 11 June 2022, 08:00 Europe/Rome (06:00 UTC)" in reply.markdown
    assert "the site's zone, UTC" in reply.markdown
    assert "Found." in reply.markdown
    assert len(reply.tables) == 1
    digest = only(setting)
    assert digest.owner == "ada"
    assert digest.place == Thread("test", "T1/ops", "")
    assert setting.store.due_times() == {digest.id: datetime(2022, 6, 11, 6, tzinfo=UTC)}


def test_without_a_channel_it_is_posted_where_it_was_created(setting: Setting) -> None:
    told = setting.told('digest create "power" hourly')

    assert ", here." in told
    assert only(setting).place == Thread("test", "T1/general", "")


def test_a_question_in_parts_is_kept_as_its_parts(tmp_path: Path) -> None:
    setting, asks = a_setting(tmp_path)
    asks.script["PUE yesterday"] = asks.script["PUE of yesterday"]
    asks.script["the hottest node of yesterday"] = [asks.table(("node", "max"), ("38", 43.0))]

    reply = setting.say('digest create "PUE and the hottest node of yesterday" daily 08:00')

    assert reply is not None
    assert "I read it as 2 questions" in reply.markdown
    assert "1. PUE yesterday" in reply.markdown
    assert len(reply.tables) == 2
    assert [part.question for part in only(setting).parts] == [
        "PUE yesterday",
        "the hottest node of yesterday",
    ]


def test_a_time_that_may_hold_for_a_part_that_does_without_is_not_guessed(tmp_path: Path) -> None:
    setting, asks = a_setting(tmp_path)
    asks.script["power yesterday"] = asks.script["the PUE of yesterday"] = asks.script["power"]

    told = setting.told('digest create "power and the PUE of yesterday" daily 08:00')
    parted = setting.told('digest create "power; the PUE of yesterday" daily 08:00')

    assert "open whether 'power' is meant of 'yesterday' too" in told
    assert "I read it as 2 questions:\n1. power\n2. the PUE of yesterday" in parted
    assert len(setting.store.all()) == 1


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Declined(DeclineReason.UNKNOWN_ENTITY, "There is no node 1200."), "no node 1200"),
        (Declined(DeclineReason.UNAVAILABLE, "The store is down."), "store is down"),
        (Failed("Sorry, something broke."), "something broke"),
    ],
)
def test_what_the_bot_cannot_answer_is_refused_with_the_reason(
    setting: Setting, tmp_path: Path, answer: Declined | Failed, said: str
) -> None:
    setting, asks = a_setting(tmp_path)
    asks.script["power of node 1200 now"] = [answer]

    reply = setting.say('digest create "power of node 1200 now" daily 08:00')

    assert reply is not None
    assert reply.status is Status.REJECTED
    assert said in reply.markdown
    assert not setting.store.all()


def test_words_that_no_way_of_splitting_helps_are_refused_as_they_stand(setting: Setting) -> None:
    told = setting.told('digest create "PUE of yesterday and the mood" daily 08:00')

    assert "I do not understand 'PUE of yesterday and the mood'" in told
    assert not setting.store.all()


def test_a_way_that_is_answered_goes_before_one_without_data(tmp_path: Path) -> None:
    setting, asks = a_setting(tmp_path)
    found = asks.script["power"][0]
    asks.script |= {
        "the fans, the mood": [Declined(DeclineReason.NO_DATA, "No data.")],
        "the fans": [found],
        "the mood and the heat": [found],
        "the heat": [found],
    }

    setting.told('digest create "the fans, the mood and the heat" daily 08:00')

    assert [part.question for part in only(setting).parts] == ["the fans", "the mood and the heat"]


def test_a_channel_is_called_by_its_name(setting: Setting) -> None:
    told = setting.told('digest create "power" hourly in <#C012AB|ops>')

    assert ", in #ops." in told
    assert " in #ops; next" in setting.told("digest list")


def test_no_data_at_the_moment_is_no_obstacle(tmp_path: Path) -> None:
    setting, asks = a_setting(tmp_path)
    asks.script["power"] = [Declined(DeclineReason.NO_DATA, "There are no data of power.")]

    reply = setting.say('digest create "power" daily 08:00')

    assert reply is not None
    assert reply.status is Status.COMPLETED
    assert "There are no data of power." in reply.markdown
    assert only(setting).parts == (DigestPart("power"),)


def test_what_is_asked_back_is_settled_before_the_digest_is_kept(tmp_path: Path) -> None:
    # How an analyst settles it is tried with a real one, in tests/integration.
    setting, asks = a_setting(tmp_path)
    asks.script["heat"] = [
        NeedsClarification("Which one?", (Choice("a", "air"), Choice("g", "GPU")))
    ]

    reply = setting.say('digest create "heat" daily 08:00')

    assert reply is not None
    assert reply.status is Status.CLARIFICATION
    assert [choice.id for choice in reply.choices] == ["a", "g"]
    assert not setting.store.all()


def test_a_command_that_nothing_comes_back_to_waits_for_no_choice(tmp_path: Path) -> None:
    setting, asks = a_setting(tmp_path)
    choices = (Choice("a", "air"), Choice("g", "GPU"))
    asks.script["heat"] = [NeedsClarification("Which one?", choices)]

    reply = setting.say('digest create "heat" daily 08:00', thread=Thread("test", "T1/general", ""))

    assert reply is not None
    assert reply.status is Status.REJECTED
    assert not reply.choices
    assert "Which one? (air, GPU)\nSay it in the question" in reply.markdown


def test_a_message_that_is_not_about_digests_is_left_to_others(setting: Setting) -> None:
    assert setting.say("PUE of yesterday") is None


def test_who_may_not_have_digests_creates_none(setting: Setting) -> None:
    setting.rights.without.add("ada")

    assert "may not have digests" in setting.told(CREATE)
    assert "may not have digests" in setting.told("digest list")
    assert "digest create" in setting.told("digest help")
    assert not setting.store.all()


def test_where_they_may_not_be_posted_none_is_created(setting: Setting) -> None:
    told = setting.told('digest create "power" hourly in #no-digests')

    assert "may not have digests there" in told
    assert not setting.store.all()


def test_what_is_said_in_private_is_posted_in_private(setting: Setting) -> None:
    direct = replace(setting.message('digest create "power" hourly'), direct=True)
    elsewhere = replace(setting.message('digest create "power" hourly in #ops'), direct=True)

    setting.desk.reply_to(direct, lambda note: None)
    setting.desk.reply_to(replace(elsewhere, message_id="m2"), lambda note: None)

    assert [digest.direct for digest in setting.store.all()] == [True, False]


def test_a_channel_that_cannot_be_written_to_is_refused(setting: Setting) -> None:
    told = setting.told('digest create "power" hourly in #secret')

    assert told == "I cannot post to #secret."


def test_too_often_is_refused(setting: Setting) -> None:
    assert "every 15 minutes" in setting.told('digest create "power" cron "*/5 * * * *"')
    assert "every 15 minutes" in setting.told('digest create "power" cron "0,1 8 * * *"')


def test_nobody_has_more_digests_than_the_limit(setting: Setting) -> None:
    told = [setting.told('digest create "power" hourly') for _ in range(4)]

    assert "You have 3 digests" in told[3]
    assert len(setting.store.all()) == 3


def test_all_together_have_no_more_than_the_limit(setting: Setting) -> None:
    for owner in "abcde":
        setting.told('digest create "power" hourly', owner)

    assert "There are 5 digests" in setting.told('digest create "power" hourly', "f")


def test_a_list_shows_ones_own_and_what_is_posted_in_the_channel(setting: Setting) -> None:
    setting.told(CREATE)
    setting.told('digest create "power" hourly', "bob")
    setting.told('digest create "power" hourly in #other', "bob")

    told = setting.told("digest list")

    assert "**d1** PUE of yesterday: daily at 08:00 Europe/Rome in #ops; next Saturday" in told
    assert "Of others, in this channel:\n- **d2**" in told
    assert "d3" not in told
    assert "You have no digests" in setting.told("digest list", "carl", Thread("test", "T1/x", ""))


def test_only_an_admin_lists_all_of_the_workspace(setting: Setting) -> None:
    setting.told(CREATE)
    setting.told('digest create "power" hourly', "bob", Thread("test", "T2/general", ""))
    setting.rights.admins.add("root")

    assert "Only an admin" in setting.told("digest list all")
    told = setting.told("digest list all", "root")
    assert "d1" in told
    assert "d2" not in told


@pytest.mark.parametrize("verb", ["pause", "resume", "run-now", "delete", "show"])
def test_others_cannot_tell_whether_a_digest_exists(setting: Setting, verb: str) -> None:
    setting.told(CREATE)

    of_ada = setting.told(f"digest {verb} d1", "bob")
    of_nobody = setting.told(f"digest {verb} d7", "bob")

    assert of_ada.replace("d1", "d7") == of_nobody
    assert not setting.taken
    assert not only(setting).paused


def test_one_of_that_name_in_another_workspace_is_somebody_else(setting: Setting) -> None:
    setting.told(CREATE)

    elsewhere = Thread("test", "T2/general", "1")

    assert "no digest d1" in setting.told("digest delete d1", "ada", elsewhere)
    setting.rights.admins.add("root")
    assert "no digest d1" in setting.told("digest delete d1", "root", elsewhere)
    assert "deleted" in setting.told("digest delete d1", "root")


def test_a_paused_digest_is_not_due_until_it_is_resumed(setting: Setting) -> None:
    setting.told(CREATE)

    assert "paused" in setting.told("digest pause d1")
    assert setting.at(NOW + timedelta(days=1)) == []
    assert "; paused" in setting.told("digest list")
    assert "Next run: Sunday 12 June" in setting.told("digest resume d1")
    assert len(setting.at(NOW + timedelta(days=2))) == 1


def test_run_now_puts_it_once_with_its_owners_name(setting: Setting) -> None:
    setting.told(CREATE)
    setting.rights.admins.add("root")
    message = setting.message("digest run-now d1", "root")

    for _ in range(2):
        setting.desk.reply_to(message, lambda note: None)

    (put,) = setting.taken.values()
    assert (put.author, put.way) == ("ada", Way.DIGEST)
    assert put.thread == Thread("test", "T1/ops", "")


def test_a_preview_is_read_where_it_is_asked_for(tmp_path: Path) -> None:
    setting, asks = a_setting(tmp_path)
    setting.told(CREATE)

    reply = setting.say("digest preview d1")

    assert reply is not None
    assert reply.thread == HERE
    assert len(reply.tables) == 1
    assert asks.asked_as[-1].author == "ada"
    assert not setting.taken
    assert "no digest d1" in setting.told("digest preview d1", "bob")
    assert "Found." in setting.told('digest preview "PUE of yesterday"')


def test_taken_up_again_a_command_creates_no_second_digest(setting: Setting) -> None:
    message = setting.message(CREATE)

    for _ in range(2):
        setting.desk.reply_to(message, lambda note: None)

    assert only(setting).id == "d1"


def test_conditions_are_explained(setting: Setting) -> None:
    told = setting.told('digest create "power" hourly only when changed by 5 %, quiet on no data')

    assert "changed by 5 % or more" in told
    assert "silent when there are no data" in told
    told = setting.told('digest create "power" hourly only when changed')
    assert "numbers count where rows have no names" in told


def test_help_names_every_command(setting: Setting) -> None:
    told = setting.told("digest help")

    for word in ("create", "list", "preview", "run-now", "pause", "resume", "delete", "cron"):
        assert word in told
