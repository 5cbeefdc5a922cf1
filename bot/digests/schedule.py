"""When a digest is due: a cron expression read by the clocks of one time zone.

Where clocks are put forward, a time that they leave out comes at the moment at which they jump;
where they are put back, a time that they show twice counts the first time. A schedule of every
hour is due at each hour that passes, so once less on the one day and once more on the other.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import islice, pairwise, takewhile
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

_FIELDS = 5
_LONGEST_JUMP = timedelta(hours=25)
"""No clock was ever moved by more."""
_LOOKED_AT = 400
_SOME_MONDAY = datetime(2024, 1, 1)  # noqa: DTZ001 - what a clock on a wall shows


@dataclass(frozen=True, slots=True)
class Schedule:
    """Five fields of cron, and the time zone whose clocks they speak of."""

    cron: str
    zone: str

    def __post_init__(self) -> None:
        """Raises ValueError, in words for whoever wrote it, for an expression that is none."""
        if len(self.cron.split()) != _FIELDS:
            raise ValueError(f'"{self.cron}" has not five fields')
        try:
            next(CronSim(self.cron, _SOME_MONDAY))
        except CronSimError as error:
            raise ValueError(f'"{self.cron}": {str(error).lower()}') from error
        except StopIteration as error:
            raise ValueError(f'"{self.cron}" never comes') from error

    def after(self, moment: datetime) -> datetime:
        """The first due time later than ``moment``, in UTC."""
        found: datetime | None = None
        for shown in CronSim(self.cron, self._clock(moment) - _LONGEST_JUMP):
            if found is not None and shown > self._clock(found) + _LONGEST_JUMP:
                break
            later = [due for due in self._moments(shown) if due > moment]
            found = min([*later, *([found] if found else [])], default=None)
        assert found is not None
        return found

    def latest(self, moment: datetime) -> datetime:
        """The last due time that is not later than ``moment``, in UTC."""
        found: datetime | None = None
        start = self._clock(moment) + _LONGEST_JUMP
        for shown in CronSim(self.cron, start, reverse=True):
            if found is not None and shown < self._clock(found) - _LONGEST_JUMP:
                break
            earlier = [due for due in self._moments(shown) if due <= moment]
            found = max([*earlier, *([found] if found else [])], default=None)
        assert found is not None
        return found

    def from_to(self, after: datetime, until: datetime) -> tuple[datetime, ...]:
        """The due times later than ``after`` and not later than ``until``, in UTC."""
        last = self._clock(until) + _LONGEST_JUMP
        start = self._clock(after) - _LONGEST_JUMP
        shown = takewhile(lambda clock: clock <= last, CronSim(self.cron, start))
        due = {moment for clock in shown for moment in self._moments(clock)}
        return tuple(sorted(moment for moment in due if after < moment <= until))

    def shortest_wait(self) -> timedelta:
        """The shortest time between two of its due times, clocks running evenly."""
        times = list(islice(CronSim(self.cron, _SOME_MONDAY), _LOOKED_AT))
        return min(later - earlier for earlier, later in pairwise(times))

    def local(self, due: datetime) -> str:
        """``due`` by the clocks of the zone: no other due time of the schedule has this name."""
        return due.astimezone(ZoneInfo(self.zone)).isoformat(timespec="minutes")

    def _clock(self, moment: datetime) -> datetime:
        """What the zone's clocks show at ``moment``."""
        return moment.astimezone(ZoneInfo(self.zone)).replace(tzinfo=None)

    def _moments(self, shown: datetime) -> tuple[datetime, ...]:
        """When what is due as clocks show ``shown`` is due, in UTC."""
        zone, every_hour = ZoneInfo(self.zone), self._is_every_hour()
        first = shown.replace(tzinfo=zone).astimezone(UTC)
        second = shown.replace(tzinfo=zone, fold=1).astimezone(UTC)
        if first == second:
            return (first,)
        if self._clock(first) != shown:
            return () if every_hour else (_jump(second, first, zone),)
        return (first, second) if every_hour else (first,)

    def _is_every_hour(self) -> bool:
        return _covers_the_day(self.cron)


@lru_cache(1024)
def _covers_the_day(cron: str) -> bool:
    return len(CronSim(cron, _SOME_MONDAY).hours) == 24


def _jump(before: datetime, after: datetime, zone: ZoneInfo) -> datetime:
    """The second between the two, in UTC, from which on the clocks are another offset ahead."""
    offset = before.astimezone(zone).utcoffset()
    low, high = int(before.timestamp()), int(after.timestamp())
    while high - low > 1:
        middle = (low + high) // 2
        if datetime.fromtimestamp(middle, zone).utcoffset() == offset:
            low = middle
        else:
            high = middle
    return datetime.fromtimestamp(high, UTC)
