"""Digests of real questions, over the tiny lake and the agent as it is wired for people."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agent import Analyst
from bot.conversation import Conversation
from bot.digests.digest import Digest, DigestPart
from bot.digests.digest_runs import DigestRun
from bot.digests.digest_store import LimitReached, Limits
from bot.errors import DigestStoreError
from bot.memory_sessions import MemorySessions
from bot.messages import Reply, Status
from tests.fakes.memory_digests import MemoryDigests
from tests.fakes.open_access import open_guard
from tests.unit.bot.digests.digest_setting import Setting

NOW = datetime(2022, 6, 2, 10, tzinfo=UTC)
DUE = datetime(2022, 6, 3, 6, tzinfo=UTC)
"""When the lake has only the facility's data of the day before."""
SAME_DAY = datetime(2022, 6, 2, 12, tzinfo=UTC)


@pytest.fixture
def setting(analyst: Analyst) -> Setting:
    return Setting(Conversation(analyst, MemorySessions(), "UTC", open_guard()), now=NOW)


def created(setting: Setting, question: str, when: str = "daily 12:00") -> Reply:
    reply = setting.say(f'digest create "{question}" {when}')
    assert reply is not None
    return reply


def posted(runs: list[DigestRun | None]) -> DigestRun:
    (run,) = runs
    assert run is not None
    return run


def parts(setting: Setting) -> list[str]:
    (digest,) = setting.store.all()
    return [part.question for part in digest.parts]


def test_the_sites_question_is_taken_as_two_and_posts_both(setting: Setting) -> None:
    reply = created(setting, "PUE and the five hottest nodes of yesterday")

    run = posted(setting.at(SAME_DAY))

    assert parts(setting) == ["PUE yesterday", "the five hottest nodes of yesterday"]
    assert reply.status is Status.COMPLETED
    for told in (reply, run.reply):
        assert "**1. PUE yesterday**\nPUE on 2022-06-01 UTC: average" in told.markdown
        assert "on 2022-06-01 UTC: node" in told.markdown
        assert [table.row_count for table in told.tables] == [1, 5]
    assert all(table.csv.path.exists() for table in run.reply.tables)
    labels = [fact.label for fact in run.reply.facts]
    assert "1. Samples" in labels
    assert "2. Samples" in labels


def test_a_follow_up_goes_on_from_what_was_posted(setting: Setting, analyst: Analyst) -> None:
    created(setting, "the five hottest nodes of yesterday")
    run = posted(setting.at(SAME_DAY))
    assert run.session is not None

    outcome, _ = setting.asks.asked(
        setting.message("and the coldest?"), run.session, (), lambda note: None
    )

    assert outcome.reply.status is Status.COMPLETED
    assert "on 2022-06-01 UTC" in outcome.reply.markdown


def test_a_plot_comes_with_its_picture(setting: Setting) -> None:
    created(setting, "plot the PUE of yesterday")

    run = posted(setting.at(SAME_DAY))

    (picture,) = run.reply.files
    assert picture.is_picture
    assert picture.path.exists()


def test_what_is_asked_back_is_settled_at_creation_and_holds_ever_after(setting: Setting) -> None:
    asked = created(setting, "temperature of node 12 yesterday")
    label = asked.choices[0].label

    kept = setting.say(label)
    run = posted(setting.at(SAME_DAY))

    assert asked.status is Status.CLARIFICATION
    assert kept is not None
    assert kept.status is Status.COMPLETED
    assert "Digest **d1** is set" in kept.markdown
    assert run.reply.status is Status.COMPLETED
    assert "inlet (ambient) temperature" in run.reply.markdown.lower()
    (digest,) = setting.store.all()
    assert digest.parts[0].settled


def test_a_time_that_is_asked_for_may_be_written_freely(setting: Setting) -> None:
    asked = created(setting, "PUE")

    kept = setting.say("the last 6 hours")
    run = posted(setting.at(SAME_DAY))

    assert asked.status is Status.CLARIFICATION
    assert kept is not None
    assert "is set" in kept.markdown
    assert "2022-06-02 06:00 to 12:00 UTC" in run.reply.markdown


def test_each_of_several_parts_may_ask_back(setting: Setting) -> None:
    created(setting, "temperature of node 12 yesterday; PUE")

    second = setting.say("inlet (ambient) temperature")
    kept = setting.say("yesterday")

    assert second is not None
    assert second.status is Status.CLARIFICATION
    assert "Over which time?" in second.markdown
    assert kept is not None
    assert "is set" in kept.markdown
    (digest,) = setting.store.all()
    assert [len(part.settled) for part in digest.parts] == [1, 1]


def test_a_choice_that_broke_off_can_be_taken_up_again(setting: Setting) -> None:
    class Breaking(MemoryDigests):
        broken = True

        def add(self, digest: Digest, due: datetime, limits: Limits) -> Digest | LimitReached:
            if self.broken:
                self.broken = False
                raise DigestStoreError("gone")
            return super().add(digest, due, limits)

    setting.store = Breaking()
    created(setting, "PUE")
    chosen = setting.message("yesterday")
    with pytest.raises(DigestStoreError):
        setting.desk.reply_to(chosen, lambda note: None)

    reply = setting.desk.reply_to(chosen, lambda note: None)

    assert reply is not None
    assert "is set" in reply.markdown
    assert len(setting.store.all()) == 1


def test_another_question_is_no_choice(setting: Setting) -> None:
    created(setting, "PUE")

    assert setting.say("how many nodes does rack 0 have") is None
    # And what would have been a choice is none any more.
    assert setting.say("yesterday") is None
    assert not setting.store.all()


def test_somebody_elses_word_is_no_choice(setting: Setting) -> None:
    created(setting, "PUE")

    assert setting.say("yesterday", "bob") is None
    assert setting.say("yesterday") is not None


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("power of node 4711 yesterday", "4711"),
        ("PUE of yesterday; the mood", "mood"),
        ("PUE; PUE; PUE; PUE; PUE", ""),
        ("the mood of yesterday", "mood"),
        ("PUE and the mood of yesterday", "mood"),
        ("power of node 12 on 31 June", "31 June"),
        ("delete all jobs", ""),
    ],
)
def test_what_cannot_be_answered_is_refused(setting: Setting, question: str, said: str) -> None:
    reply = created(setting, question)

    assert reply.status is Status.REJECTED
    assert said in reply.markdown
    assert not setting.store.all()


def test_a_day_without_data_is_said_or_passed_over(setting: Setting) -> None:
    created(setting, "total power of node 12 yesterday")
    created(setting, "total power of node 12 yesterday", "daily 12:00 quiet on no data")

    runs = setting.at(SAME_DAY + timedelta(days=2))

    assert [run is not None for run in runs] == [True, False]
    assert runs[0] is not None
    assert "no data" in runs[0].reply.markdown


def test_it_is_posted_only_when_the_numbers_change(setting: Setting) -> None:
    created(setting, "PUE of the last hour", "hourly only when changed by 50 %")
    created(setting, "PUE of the last hour", "hourly only when changed by 0.01 %")

    first = setting.at(NOW + timedelta(hours=1))
    second = setting.at(NOW + timedelta(hours=2))

    assert [run is not None for run in first] == [True, True]
    assert [run is not None for run in second] == [False, True]
    assert second[1] is not None
    assert "Changed since Thursday 2 June 2022, 11:00 UTC:\n- PUE, average: " in (
        second[1].reply.markdown
    )


def test_a_digest_part_without_choices_is_asked_as_it_stands(setting: Setting) -> None:
    created(setting, "the five hottest nodes of yesterday")

    (digest,) = setting.store.all()

    assert digest.parts == (DigestPart("the five hottest nodes of yesterday"),)


def test_files_of_each_run_are_its_own(setting: Setting, tmp_path: Path) -> None:
    created(setting, "PUE of the last hour", "hourly")

    one = posted(setting.at(NOW + timedelta(hours=1)))
    other = posted(setting.at(NOW + timedelta(hours=2)))

    assert one.reply.tables[0].csv.path != other.reply.tables[0].csv.path
