from datetime import UTC, datetime, timedelta

import polars as pl
import pytest

from ontology.functions import BUCKETS
from retrieval.time_buckets import floor_time, floored

CHANGES = (datetime(2022, 3, 27, tzinfo=UTC), datetime(2022, 10, 30, tzinfo=UTC))
AROUND = [change + timedelta(minutes=17 * step) for change in CHANGES for step in range(-120, 120)]
ZONES = ("UTC", "Europe/Rome", "America/New_York", "Asia/Kolkata", "Atlantic/Azores")


def _start(moment: datetime, bucket: str, zone: str) -> datetime:
    """In UTC, since Python calls times within a repeated hour equal to none of another zone."""
    start = floor_time(moment, bucket, zone)
    assert start is not None
    return start.astimezone(UTC)


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("bucket", BUCKETS)
def test_cuts_a_column_like_single_instants(bucket: str, zone: str) -> None:
    column = pl.DataFrame({"t": pl.Series(AROUND).cast(pl.Datetime("ms", "UTC"))})
    expression = floored(pl.col("t"), bucket, zone)
    assert expression is not None

    starts = column.select(expression.dt.convert_time_zone("UTC"))["t"].to_list()

    assert starts == [_start(moment, bucket, zone) for moment in AROUND]


def test_keeps_the_two_passes_of_a_repeated_hour_apart() -> None:
    first, second = (datetime(2022, 10, 30, hour, 30, tzinfo=UTC) for hour in (0, 1))

    starts = [_start(moment, "PT1H", "Europe/Rome") for moment in (first, second)]

    assert starts == [first.replace(minute=0), second.replace(minute=0)]


def test_makes_a_short_day_of_the_day_that_loses_an_hour() -> None:
    starts = {floor_time(moment, "P1D", "Europe/Rome") for moment in AROUND[:240]}

    assert datetime(2022, 3, 26, 23, tzinfo=UTC) in starts
    assert datetime(2022, 3, 27, 22, tzinfo=UTC) in starts


def test_begins_weeks_on_monday() -> None:
    start = floor_time(datetime(2022, 6, 2, tzinfo=UTC), "P1W", "Europe/Rome")

    assert start == datetime(2022, 5, 29, 22, tzinfo=UTC)


def test_keeps_unbound_times_unbound() -> None:
    column = pl.DataFrame({"t": [None]}, schema={"t": pl.Datetime("ms", "UTC")})
    expression = floored(pl.col("t"), "PT1H", "Europe/Rome")
    assert expression is not None

    assert column.select(expression)["t"].to_list() == [None]
