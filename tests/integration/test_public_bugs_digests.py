"""Bugs of other bots that send things at set times, named after what people saw."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.unit.bot.digests.digest_setting import Setting, a_setting

CLOCK_CHANGES = (datetime(2022, 3, 26, 12, tzinfo=UTC), datetime(2022, 10, 29, 12, tzinfo=UTC))
"""The noon before each in Rome."""


def created(setting: Setting, at: datetime, when: str) -> None:
    setting.now = at
    assert "is set" in setting.told(f'digest create "power" {when} Europe/Rome')


def posts(setting: Setting, until: datetime, step: timedelta) -> list[str]:
    """The local time of each due time that is posted as the clock runs on."""
    while setting.now < until:
        setting.at(setting.now + step)
    return [name.removeprefix("digest:d1:") for name in setting.taken]


def test_bug_32_a_digest_came_twice_or_not_at_all_when_clocks_changed(tmp_path: Path) -> None:
    for number, at in enumerate(CLOCK_CHANGES):
        setting, _ = a_setting(tmp_path / str(number))
        created(setting, at, "daily 02:30")

        came = posts(setting, at + timedelta(days=3), timedelta(minutes=7))

        assert len(came) == 3
        assert len({name[:10] for name in came}) == 3


def test_bug_32_a_digest_came_twice_or_not_at_all_when_the_scheduler_was_late(
    tmp_path: Path,
) -> None:
    setting, _ = a_setting(tmp_path)
    at = datetime(2022, 6, 10, 12, tzinfo=UTC)
    created(setting, at, "daily 08:00")

    came = posts(setting, at + timedelta(days=10), timedelta(hours=5, minutes=3))

    assert [name[:10] for name in came] == [f"2022-06-{day}" for day in range(11, 21)]
