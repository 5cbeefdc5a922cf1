"""The start of the bucket that an instant falls into, cut in a time zone."""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import polars as pl

_LENGTH = re.compile(r"PT(\d+)([MH])|P(\d+)([DWM])")
_UNITS = {"M": "m", "H": "h", "D": "d", "W": "w", "Mo": "mo"}
_ORIGIN = datetime(1970, 1, 1)  # noqa: DTZ001 - a wall clock time
_MONDAY = datetime(1970, 1, 5)  # noqa: DTZ001


def floor_time(moment: datetime, bucket: str, zone: str) -> datetime | None:
    """The bucket's start with the zone's offset; None for a length or zone that does not exist.

    Buckets of up to an hour keep the two passes of a repeated hour apart.
    """
    length = parsed_length(bucket)
    place = _zone(zone)
    if length is None or place is None:
        return None
    local = moment.astimezone(place)
    wall = local.replace(tzinfo=None)
    count, unit = length
    fold = 0
    if unit == "mo":
        months = wall.year * 12 + wall.month - 1
        months -= (months - 1970 * 12) % count
        start = datetime(months // 12, months % 12 + 1, 1)  # noqa: DTZ001
    else:
        span = _span(count, unit)
        origin = _MONDAY if unit == "w" else _ORIGIN
        start = origin + (wall - origin) // span * span
        fold = local.fold if span <= timedelta(hours=1) else 0
    start_in_zone = start.replace(tzinfo=place, fold=fold)
    # Through UTC, so that a start in a skipped hour becomes the moment of the change.
    return start_in_zone.astimezone(UTC).astimezone(place)


def floored(time: pl.Expr, bucket: str, zone: str) -> pl.Expr | None:
    """The same for a column of instants (ms, any zone): instants in ``zone``, or None."""
    length = parsed_length(bucket)
    if length is None or _zone(zone) is None:
        return None
    if zone in ("UTC", "Etc/UTC"):
        utc = time.dt.convert_time_zone("UTC")
        return utc.dt.truncate(f"{length[0]}{length[1]}").dt.convert_time_zone(zone)

    def by_slot(instants: pl.Series) -> pl.Series:
        return _by_slot(instants, length, zone)

    dtype = pl.Datetime("ms", zone)
    return time.map_batches(by_slot, return_dtype=dtype, is_elementwise=True)


_SLOT = 60_000
_MOST_SLOTS = 3_000_000
"""Some five years of minutes; longer stretches are computed instant by instant."""


def _by_slot(instants: pl.Series, length: tuple[int, str], zone: str) -> pl.Series:
    """Buckets looked up by minute, since offsets are whole minutes and change on a minute."""
    stamps = instants.dt.timestamp("ms")
    first, last = stamps.min(), stamps.max()
    if not isinstance(first, int) or not isinstance(last, int):
        return pl.Series(instants.name, [None] * len(instants), pl.Datetime("ms", zone))
    start = first // _SLOT * _SLOT
    count = (last - start) // _SLOT + 1
    if count > _MOST_SLOTS or count > 4 * len(instants):
        return instants.to_frame().select(_computed(pl.first(), length, zone)).to_series()
    slots = pl.int_range(0, count, eager=True) * _SLOT + start
    minutes = slots.cast(pl.Datetime("ms", "UTC")).alias("minute").to_frame()
    table = minutes.select(_computed(pl.first(), length, zone)).to_series()
    return table.gather((stamps - start) // _SLOT).alias(instants.name)


def _computed(time: pl.Expr, length: tuple[int, str], zone: str) -> pl.Expr:
    count, unit = length
    every = f"{count}{unit}"
    local = time.dt.convert_time_zone(zone)
    if unit in ("m", "h") and _span(count, unit) <= timedelta(hours=1):
        offset = local.dt.base_utc_offset() + local.dt.dst_offset()
        wall = local.dt.replace_time_zone(None).dt.truncate(every)
        start = (wall.dt.replace_time_zone("UTC") - offset).cast(pl.Datetime("ms", "UTC"))
        return start.dt.convert_time_zone(zone)
    wall = local.dt.replace_time_zone(None).dt.truncate(every)
    start = wall.dt.replace_time_zone(zone, ambiguous="earliest", non_existent="null")
    # A start that the clocks skip is reckoned with the offset before the change.
    before = (
        wall.dt.offset_by("-3h")
        .dt.replace_time_zone(zone, ambiguous="earliest", non_existent="null")
        .dt.offset_by("3h")
    )
    return pl.coalesce(start, before)


def parsed_length(bucket: str) -> tuple[int, str] | None:
    """The count and Polars unit of an ISO duration such as ``PT15M``, ``P1D`` or ``P1M``."""
    match = _LENGTH.fullmatch(bucket)
    if match is None:
        return None
    count = int(match[1] or match[3])
    unit = match[2] or match[4]
    if count == 0:
        return None
    return count, _UNITS["Mo" if unit == "M" and match[3] else unit]


def _span(count: int, unit: str) -> timedelta:
    names = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
    return timedelta(**{names[unit]: count})


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return None
