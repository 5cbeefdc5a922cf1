"""What people write about digests, and what is expected where it cannot be taken."""

from zoneinfo import ZoneInfo

import pytest

from bot.digests.digest import Posting
from bot.digests.digest_command import (
    Change,
    Create,
    DigestCommand,
    Help,
    ListDigests,
    Preview,
    Problem,
    read_command,
)

UTC = ZoneInfo("UTC")


def read(text: str) -> DigestCommand | None:
    return read_command(text, UTC)


def created(after: str) -> Create:
    command = read(f'digest create "PUE of yesterday" {after}')
    assert isinstance(command, Create), command
    return command


def problem(text: str) -> str:
    command = read(text)
    assert isinstance(command, Problem), command
    return command.text


def test_the_example_is_read_to_its_end() -> None:
    command = read(
        'digest create "PUE and the five hottest nodes of yesterday" daily 08:00 Europe/Rome'
        " in #ops"
    )

    assert isinstance(command, Create)
    assert command.question == "PUE and the five hottest nodes of yesterday"
    assert (command.when.schedule.cron, command.when.schedule.zone) == ("0 8 * * *", "Europe/Rome")
    assert command.when.said == "daily at 08:00"
    assert command.place == "#ops"
    assert command.posting == Posting()


@pytest.mark.parametrize(
    ("words", "cron", "said"),
    [
        ("daily 08:00", "0 8 * * *", "daily at 08:00"),
        ("every day at 8am", "0 8 * * *", "daily at 08:00"),
        ("daily at 5:30 pm", "30 17 * * *", "daily at 17:30"),
        ("daily at 12 am", "0 0 * * *", "daily at 00:00"),
        ("daily at noon", "0 12 * * *", "daily at 12:00"),
        ("daily at 08:00 and 20:00", "0 8,20 * * *", "daily at 08:00 and 20:00"),
        ("Weekdays 07:45", "45 7 * * 1-5", "weekdays at 07:45"),
        ("on weekdays at 07:45", "45 7 * * 1-5", "weekdays at 07:45"),
        ("every weekday at 07:45", "45 7 * * 1-5", "weekdays at 07:45"),
        ("Monday to Friday at 9:00", "0 9 * * 1-5", "weekdays at 09:00"),
        ("weekends at 10:00", "0 10 * * 6,0", "weekends at 10:00"),
        ("weekly Monday 09:00", "0 9 * * 1", "weekly on Monday at 09:00"),
        (
            "weekly on mon, wed and fri at 9:00",
            "0 9 * * 1,3,5",
            "weekly on Monday, Wednesday and Friday at 09:00",
        ),
        ("every Tuesday at 6pm", "0 18 * * 2", "weekly on Tuesday at 18:00"),
        ("Sundays 06:00", "0 6 * * 0", "weekly on Sunday at 06:00"),
        ("monthly on the 1st at 07:00", "0 7 1 * *", "monthly on day 1 at 07:00"),
        ("monthly on the last day at 07:00", "0 7 L * *", "monthly on the last day at 07:00"),
        ("hourly", "0 * * * *", "hourly at :00"),
        ("every hour at :15", "15 * * * *", "hourly at :15"),
        ("every 2 hours", "0 */2 * * *", "every 2 hours"),
        ("every 30 minutes", "*/30 * * * *", "every 30 minutes"),
        ('cron "0 8 * * 1-5"', "0 8 * * 1-5", 'cron "0 8 * * 1-5"'),
        ("cron 0 8 * * 1-5", "0 8 * * 1-5", 'cron "0 8 * * 1-5"'),
        ("cron “0 8 * * mon-fri”", "0 8 * * mon-fri", 'cron "0 8 * * mon-fri"'),
    ],
)
def test_schedules_are_read_from_plain_words(words: str, cron: str, said: str) -> None:
    when = created(words).when

    assert (when.schedule.cron, when.said) == (cron, said)
    assert created(f"{words} Asia/Tokyo in #ops").when.schedule.zone == "Asia/Tokyo"


@pytest.mark.parametrize(
    ("words", "zone"),
    [
        ("daily 08:00", "UTC"),
        ("daily 08:00 europe/rome", "Europe/Rome"),
        ("daily 08:00 in America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"),
        ("daily 08:00 utc", "UTC"),
        ("Europe/Rome daily 08:00", "Europe/Rome"),
        ("daily 08:00 Europe/Rome time", "Europe/Rome"),
    ],
)
def test_the_zone_is_the_one_that_is_named_or_the_sites(words: str, zone: str) -> None:
    assert created(words).when.schedule.zone == zone


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("daily 08:00 in #ops", "#ops"),
        ("in <#C012AB3CD|ops>, daily 08:00", "<#C012AB3CD|ops>"),
        ("daily 08:00 to <#C012AB3CD>", "<#C012AB3CD>"),
        ("daily 08:00 in ~town-square", "~town-square"),
        ("daily 08:00 in this channel", ""),
        ("daily 08:00", ""),
    ],
)
def test_the_channel_is_taken_as_it_is_written(words: str, place: str) -> None:
    assert created(words).place == place


@pytest.mark.parametrize(
    ("words", "posting"),
    [
        ("only when changed", Posting(only_when_changed=True)),
        ("only if it changes", Posting(only_when_changed=True)),
        ("only when changed by 5 %", Posting(only_when_changed=True, by_percent=5)),
        ("only when it changed by more than 2.5 percent", Posting(True, 2.5)),
        ("quiet on no data", Posting(quiet_without_data=True)),
        ("unless there is no data", Posting(quiet_without_data=True)),
        ("only when changed by 5%, quiet on no data", Posting(True, 5, True)),
    ],
)
def test_conditions_come_before_or_after_the_schedule(words: str, posting: Posting) -> None:
    assert created(f"daily 08:00, {words}").posting == posting
    assert created(f"{words}, daily 08:00 in #ops").posting == posting


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("digest create PUE of yesterday daily 08:00", "between double quotes"),
        ('digest create "" daily 08:00', "between double quotes"),
        ('digest create "PUE of yesterday"', "When is it due"),
        ('digest create "PUE of yesterday" in #ops', "When is it due"),
        ('digest create "PUE of yesterday" daily', "At what time"),
        ('digest create "PUE of yesterday" weekly 09:00', "At what time"),
        ('digest create "PUE of yesterday" daily 25:00', "no time of day"),
        ('digest create "PUE of yesterday" daily 13 pm', "no time of day"),
        ('digest create "PUE of yesterday" daily 08:00 and 20:30', "same minute"),
        (
            'digest create "PUE of yesterday" daily 08:00 Europe/Roma',
            "do not understand 'Europe/Roma'",
        ),
        ('digest create "PUE of yesterday" daily 08:00 CEST', "do not understand 'CEST'"),
        ('digest create "PUE of yesterday" daily 08:00 please loudly', "do not understand 'please"),
        ('digest create "PUE of yesterday" daily 08:00 weekly Monday 09:00', "second one"),
        ('digest create "PUE of yesterday" daily 08:00 UTC Asia/Tokyo', "second one"),
        ('digest create "PUE of yesterday" daily 08:00 in #a in #b', "second one"),
        ('digest create "PUE of yesterday" daily 08:00 only when changed by lots', "By how much"),
        ('digest create "PUE of yesterday" daily 08:00 only when changed by 0 %', "By how much"),
        ('digest create "PUE of yesterday" cron "0 8 * *"', "five fields"),
        ('digest create "PUE of yesterday" cron "0 0 31 2 *"', "bad day-of-month"),
        ('digest create "PUE of yesterday" every 7 hours', "does not fit"),
        ('digest create "PUE of yesterday" every 0 hours', "does not fit"),
        ('digest create "PUE of yesterday" hourly at :75', "no minute 75"),
        ('digest create "PUE of yesterday" monthly on the 31st at 08:00', "Not every month"),
        (f'digest create "{"PUE " * 200}" daily 08:00', "at most 500"),
        ("digest pause", "Which one"),
        ("digest pause d1 d2", "Which one"),
        ("digest snooze d1", "I know no 'digest snooze'"),
        ("digest list yours", "takes nothing or the word all"),
        ("digest preview", "As in"),
    ],
)
def test_what_cannot_be_taken_is_said_with_what_is_expected(text: str, said: str) -> None:
    assert said in problem(text)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("digest", Help()),
        ("digest help", Help()),
        ("digests", ListDigests()),
        ("digest list", ListDigests()),
        ("Digest list all", ListDigests(everybody=True)),
        ("digest pause d3", Change("pause", "d3")),
        ("digest resume D3", Change("resume", "d3")),
        ("digest run-now d3", Change("run-now", "d3")),
        ("digest run now `d3`", Change("run-now", "d3")),
        ("digest delete d3", Change("delete", "d3")),
        ("digest show d3", Change("show", "d3")),
        ("digest preview d3", Preview("d3", is_question=False)),
        ("digest preview “PUE of yesterday”", Preview("PUE of yesterday", is_question=True)),
    ],
)
def test_other_commands_are_read(text: str, command: DigestCommand) -> None:
    assert read(text) == command


@pytest.mark.parametrize("text", ["PUE of yesterday", "digestion", "create a digest", ""])
def test_other_words_are_no_command(text: str) -> None:
    assert read(text) is None
