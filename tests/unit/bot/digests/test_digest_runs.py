"""What is posted when a digest is due, and what is not."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agent import Declined, DeclineReason
from bot.digests.digest_runs import DigestRun
from bot.errors import TurnStoreError
from bot.messages import IncomingMessage, Status, Thread, Way
from bot.outcome import Failed
from tests.fakes.digest_parts import ScriptedAnswers, no_note
from tests.unit.bot.digests.digest_setting import NOW, Setting, a_setting

DUE = datetime(2022, 6, 11, 6, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def parts(tmp_path: Path) -> tuple[Setting, ScriptedAnswers]:
    return a_setting(tmp_path)


def created(setting: Setting, conditions: str = "", question: str = "power") -> None:
    told = setting.told(f'digest create "{question}" daily 08:00 Europe/Rome in #ops {conditions}')
    assert "is set" in told, told


def posted(runs: list[DigestRun | None]) -> DigestRun:
    (run,) = runs
    assert run is not None
    return run


def test_a_due_digest_is_put_with_its_owners_name_at_its_due_time(
    parts: tuple[Setting, ScriptedAnswers],
) -> None:
    setting, asks = parts
    created(setting)

    before = setting.at(DUE - timedelta(seconds=1))
    run = posted(setting.at(DUE + timedelta(minutes=3)))

    assert before == []
    (message,) = setting.taken.values()
    assert message.message_id == "digest:d1:2022-06-11T08:00+02:00"
    assert (message.author, message.way, message.sent_at) == ("ada", Way.DIGEST, DUE)
    assert message.thread == Thread("test", "T1/ops", "")
    assert asks.asked_as[-1].sent_at == DUE
    assert "**Digest d1: power**" in run.reply.markdown
    assert "due Saturday 11 June 2022, 08:00 Europe/Rome (06:00 UTC)" in run.reply.markdown
    assert "Found." in run.reply.markdown
    assert len(run.reply.tables) == 1
    assert run.session is not None
    assert [turn.question for turn in run.session.turns] == ["power"]


def test_it_is_put_once_for_each_due_time(parts: tuple[Setting, ScriptedAnswers]) -> None:
    setting, _ = parts
    created(setting)

    seen = [len(setting.at(DUE + n * timedelta(hours=1))) for n in range(50)]

    assert [hour for hour, count in enumerate(seen) if count] == [0, 24, 48]


def test_several_parts_come_as_one_reply(parts: tuple[Setting, ScriptedAnswers]) -> None:
    setting, _ = parts
    created(setting, question="power; PUE of yesterday")

    run = posted(setting.at(DUE))

    told = run.reply.markdown
    assert told.index("**1. power**") < told.index("**2. PUE of yesterday**")
    assert len(run.reply.tables) == 2
    assert [fact.label for fact in run.reply.facts][:1] == ["1. Language model"]
    assert run.session is not None
    assert len(run.session.turns) == 2


def test_what_broke_leaves_the_other_part_standing(
    parts: tuple[Setting, ScriptedAnswers],
) -> None:
    setting, asks = parts
    created(setting, question="power; PUE of yesterday")
    asks.script["PUE of yesterday"] = [Failed("Sorry, something broke.")]

    run = posted(setting.at(DUE))

    assert run.reply.status is Status.COMPLETED
    assert "Sorry, something broke." in run.reply.markdown
    assert "Found." in run.reply.markdown


def test_missed_within_the_window_it_runs_once(parts: tuple[Setting, ScriptedAnswers]) -> None:
    setting, asks = parts
    created(setting)

    run = posted(setting.at(DUE + timedelta(hours=5)))

    assert "Found." in run.reply.markdown
    assert asks.asked_as[-1].sent_at == DUE
    assert not setting.at(DUE + timedelta(hours=5, minutes=1))


def test_missed_for_longer_it_says_that_it_was_skipped(
    parts: tuple[Setting, ScriptedAnswers],
) -> None:
    setting, asks = parts
    created(setting)
    asked = len(asks.asked_as)

    run = posted(setting.at(DUE + timedelta(hours=7)))

    assert "It was skipped" in run.reply.markdown
    assert "within 6 hours. Next run: Sunday 12 June 2022, 08:00" in run.reply.markdown
    assert len(asks.asked_as) == asked
    assert not setting.at(DUE + timedelta(hours=8))
    assert "skipped" in setting.told("digest list")


def test_of_several_missed_the_last_runs_and_the_others_are_counted(
    parts: tuple[Setting, ScriptedAnswers],
) -> None:
    setting, asks = parts
    created(setting)
    setting.at(DUE)

    run = posted(setting.at(DUE + 3 * DAY + timedelta(hours=1)))

    assert "2 earlier due times passed" in run.reply.markdown
    assert asks.asked_as[-1].sent_at == DUE + 3 * DAY
    assert "earlier" not in posted(setting.at(DUE + 4 * DAY)).reply.markdown


def test_time_spent_paused_is_not_missed(parts: tuple[Setting, ScriptedAnswers]) -> None:
    setting, _ = parts
    created(setting)
    setting.at(DUE)
    setting.told("digest pause d1")
    setting.at(DUE + 3 * DAY + timedelta(hours=1))
    setting.told("digest resume d1")

    assert "earlier" not in posted(setting.at(DUE + 4 * DAY)).reply.markdown


def test_paused_or_deleted_after_it_was_put_it_stays_silent(
    parts: tuple[Setting, ScriptedAnswers],
) -> None:
    setting, _ = parts
    created(setting)
    setting.now = DUE
    setting.scheduler.look()
    (message,) = setting.taken.values()

    setting.told("digest pause d1")
    assert setting.runs.run(message, no_note) is None
    setting.told("digest delete d1")
    assert setting.runs.run(message, no_note) is None


def test_an_owner_who_lost_the_right_has_it_paused(parts: tuple[Setting, ScriptedAnswers]) -> None:
    setting, asks = parts
    created(setting)
    asked = len(asks.asked_as)
    setting.rights.without.add("ada")

    run = posted(setting.at(DUE))

    assert "paused: its owner" in run.reply.markdown
    assert len(asks.asked_as) == asked
    assert not setting.at(DUE + DAY)


def test_unchanged_it_stays_silent_and_changed_it_says_what(
    parts: tuple[Setting, ScriptedAnswers],
) -> None:
    setting, asks = parts
    created(setting, "only when changed by 5 %")
    columns = ("rack", "average (W)")
    series = [100.0, 100.0, 103.0, 106.0, 106.0, 100.0]
    asks.script["power"] = [asks.table(columns, ("7", value)) for value in series]

    runs = [setting.at(DUE + n * DAY)[0] for n in range(6)]

    assert [run is not None for run in runs] == [True, False, False, True, False, True]
    assert runs[3] is not None
    told = runs[3].reply.markdown
    # Compared with what was read last, not with the silent run before: it crept up.
    assert "Changed since Saturday 11 June 2022, 08:00 Europe/Rome (06:00 UTC):" in told
    assert "power, 7 average (W): 100 before, 106 now (+6.0 %)." in told
    assert "last run: posted" in setting.told("digest list")


def test_other_things_in_the_rows_are_a_change(parts: tuple[Setting, ScriptedAnswers]) -> None:
    setting, asks = parts
    created(setting, "only when changed")
    columns = ("node", "maximum")
    first, second = asks.table(columns, ("38", 43.0)), asks.table(columns, ("38", 40.0))
    asks.script["power"] = [first, second, asks.table(columns, ("12", 40.0))]

    runs = [setting.at(DUE + n * DAY)[0] for n in range(3)]

    assert [run is not None for run in runs] == [True, False, True]
    assert runs[2] is not None
    assert "- power: new 12." in runs[2].reply.markdown
    assert "- power: no longer 38." in runs[2].reply.markdown


def test_taken_up_again_after_it_compared_it_comes_to_the_same(
    parts: tuple[Setting, ScriptedAnswers],
) -> None:
    setting, asks = parts
    created(setting, "only when changed by 5 %")
    columns = ("rack", "average (W)")
    asks.script["power"] = [asks.table(columns, ("7", 100.0)), asks.table(columns, ("7", 200.0))]
    setting.at(DUE)
    setting.now = DUE + DAY
    setting.scheduler.look()
    message = list(setting.taken.values())[-1]

    first = setting.runs.run(message, no_note)
    again = setting.runs.run(message, no_note)

    assert first is not None
    assert first == again
    assert setting.at(DUE + 2 * DAY) == [None]


def test_run_now_is_posted_even_if_nothing_changed(
    parts: tuple[Setting, ScriptedAnswers],
) -> None:
    setting, _ = parts
    created(setting, "only when changed by 5 %")
    setting.at(DUE)
    setting.now = DUE + timedelta(hours=1)
    setting.told("digest run-now d1")

    run = setting.runs.run(list(setting.taken.values())[-1], no_note)

    assert run is not None
    assert "run now" in run.reply.markdown
    assert setting.at(DUE + DAY) == [None]


def test_without_data_it_is_quiet_where_asked_to_be(
    parts: tuple[Setting, ScriptedAnswers],
) -> None:
    setting, asks = parts
    created(setting, "quiet on no data")
    created(setting)
    asks.script["power"] = [Declined(DeclineReason.NO_DATA, "There are no data of power.")]

    runs = setting.at(DUE)

    assert [run is not None for run in runs] == [False, True]
    assert runs[1] is not None
    assert "There are no data of power." in runs[1].reply.markdown


def test_a_failure_is_told_once_as_long_as_it_lasts(
    parts: tuple[Setting, ScriptedAnswers],
) -> None:
    setting, asks = parts
    created(setting, "only when changed by 5 %")
    good, broken = asks.script["power"][0], Failed("Sorry, something broke.")
    asks.script["power"] = [good, broken, broken, good, good]

    runs = [setting.at(DUE + n * DAY)[0] for n in range(5)]

    assert [run is not None for run in runs] == [True, True, False, True, False]


def test_what_cannot_be_handed_in_is_handed_in_later(
    parts: tuple[Setting, ScriptedAnswers],
) -> None:
    setting, _ = parts
    created(setting)
    created(setting)
    calls: list[str] = []

    class Broken(Setting):
        def receive(self, message: IncomingMessage) -> None:
            calls.append(message.message_id)
            if message.message_id.startswith("digest:d1"):
                raise TurnStoreError("no")

    broken = Broken(setting.asks, setting.store, DUE)
    broken.scheduler.look()

    assert len(calls) == 2
    due = setting.store.due_times()
    assert due["d1"] == DUE
    assert due["d2"] == DUE + DAY
    assert len(setting.at(DUE)) == 1


def test_a_message_of_that_kind_with_another_name_is_nothing(
    parts: tuple[Setting, ScriptedAnswers],
) -> None:
    setting, _ = parts
    message = IncomingMessage(
        Thread("test", "T1/ops", ""), "digest:d9", "ada", "power", NOW, True, Way.DIGEST
    )

    assert setting.runs.run(message, no_note) is None
