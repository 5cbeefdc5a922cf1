"""Times that a first result gives: in which a bound was kept, or of an extreme."""

from datetime import datetime, timedelta

from retrieval.data_request import ReadingsRequest
from retrieval.outcome import Retrieved
from retrieval.query_text import Role
from retrieval.request import TimeWindow
from retrieval.understanding import NotUnderstood, Why

MOST_PERIODS = 100
"""More make a query that nobody can read, and a bound that values only flicker around."""

STANDS = (
    "Values are taken in the periods that are told: from the first sample of each to one spacing"
    " behind its last, for a value stands until the next sample."
)


def times_of(found: Retrieved) -> tuple[TimeWindow, ...] | NotUnderstood:
    """Each period up to the sample behind its last one: a value stands until the next.

    Refused where several sensors kept the bound, each in its own time, or too many periods.
    """
    table, coverage = found.tables[0], found.coverage
    request = found.request
    sums = isinstance(request, ReadingsRequest) and request.combined and not request.groups
    if coverage is None or not (sums or coverage.sensors_expected == 1):
        return NotUnderstood(
            Why.NOT_UNDERSTOOD,
            "The bound behind 'while' must be on one sensor: please name the thing that is meant.",
        )
    if table.row_count > min(MOST_PERIODS, len(table.rows)):
        return NotUnderstood(
            Why.NOT_UNDERSTOOD,
            f"That was so in {table.row_count} separate periods, more than I can take readings in"
            f" ({MOST_PERIODS}). Please name a shorter time, or another bound.",
        )
    names = [column.variable for column in table.columns]
    stands = timedelta(seconds=coverage.period or 0.0)
    last = found.windows[0].end if found.windows else None
    times = []
    for row in table.rows:
        since, till = row[names.index("since")], row[names.index("till")]
        assert isinstance(since, datetime)
        assert isinstance(till, datetime)
        end = till + stands
        times.append(TimeWindow(since, min(end, last) if last is not None else end, not stands))
    return tuple(times)


def extreme_time(found: Retrieved) -> TimeWindow | None:
    """The hour, or the moment, that the first row tells; None where there is none."""
    table = found.tables[0]
    at = next((i for i, c in enumerate(table.columns) if c.role is Role.TIME), None)
    moment = table.rows[0][at] if at is not None and table.rows else None
    if not isinstance(moment, datetime):
        return None
    hourly = table.columns[at or 0].variable == "hour"
    return (
        TimeWindow(moment, moment + timedelta(hours=1))
        if hourly
        else TimeWindow(moment, moment, True)
    )
