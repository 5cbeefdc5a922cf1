"""Runs a request over the job table: one window after another, bucket after bucket."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import polars as pl

from retrieval.job_request import (
    COUNTED_EACH,
    MOST_COUNTED,
    JobColumn,
    JobMeasure,
    JobsRequest,
    JobTime,
)
from retrieval.lake import JOB_METRIC, JOB_PLUGIN
from retrieval.measures import Group
from retrieval.outcome import Retrieval
from retrieval.query_text import Column, Role
from retrieval.request import Metric, TimeWindow
from retrieval.request_run import RequestRun
from retrieval.shares import job_shares
from retrieval.tables import Shaped, joined, stacked
from retrieval.window_words import window_label

_JOB_TABLE = Metric(JOB_PLUGIN, JOB_METRIC, "", "1", 1, None, "string", (), JOB_METRIC, None, "")
_COUNTED = frozenset(
    {
        *(JobMeasure.COUNT, JobMeasure.NODES, JobMeasure.USERS),
        *(JobColumn.NODE_COUNT, JobColumn.GPUS, JobColumn.CORES),
    }
)
"""What many have the same of: a length or a time is hardly ever shared."""
_TIME = pl.Datetime("ms", "UTC")


def run_jobs(run: RequestRun, request: JobsRequest) -> Retrieval:
    """The tables of ``request``, or that there is no job table for it."""
    run.source.lake.must_list(JOB_PLUGIN, JOB_METRIC)
    if not run.source.lake.months(JOB_PLUGIN, JOB_METRIC):
        return run.no_data("The lake has no job table.")
    windows = request.windows or ((request.which.window,) if request.which.window else ())
    outside = _outside(run, windows)
    if outside:
        return run.no_data(outside)
    if len(windows) > 1:
        tables = [
            (window_label(w, run.source.zone), _table(run, _in_window(request, w))) for w in windows
        ]
        table = stacked(tables)
    else:
        table = _table(run, request)
    table = _until_now(table, request.now, counted=request.which.until is not None)
    shown = [table] if request.share_of is None else job_shares(table, request.share_of)
    return run.retrieved(shown, (_JOB_TABLE,), tuple(windows))


def _in_window(request: JobsRequest, window: TimeWindow) -> JobsRequest:
    return replace(request, which=replace(request.which, window=window), windows=())


def _table(run: RequestRun, request: JobsRequest) -> Shaped:
    times = [group for group in request.groups if group in COUNTED_EACH]
    if times and request.which.time is JobTime.OVERLAPS and request.which.window is not None:
        return _by_bucket(run, request, times[0])
    parts = run.parts(_one_more(request))
    if len(parts) > 1:
        return joined(parts, "jobs")
    table = Shaped(parts[0].compiled.name, parts[0].compiled.columns, parts[0].frame)
    return _without_next(run, request, table)


def _one_more(request: JobsRequest) -> JobsRequest:
    """``request`` for one row more than it ranks, which tells whether the last place is shared."""
    ranking = request.ranking
    if ranking is None or ranking.limit is None or request.order_by not in _COUNTED:
        return request
    return replace(request, ranking=replace(ranking, limit=ranking.limit + 1))


def _without_next(run: RequestRun, request: JobsRequest, table: Shaped) -> Shaped:
    """``table`` without the row after the last place; a place that is shared is noted."""
    limit = request.ranking.limit if request.ranking is not None else None
    if limit is None or table.frame.height <= limit:
        return table
    by = next(c.variable for c in table.columns if c.heading == str(request.order_by))
    last, following = table.frame[by][limit - 1], table.frame[by][limit]
    if last == following:
        run.notes.append(
            "The last place is shared: others have the same value and are not shown here."
        )
    return Shaped(table.name, table.columns, table.frame.head(limit))


def _by_bucket(run: RequestRun, request: JobsRequest, group: Group) -> Shaped:
    """Jobs that ran in each hour or day: a job belongs to every one that it touches."""
    window = request.which.window
    assert window is not None
    rest = tuple(g for g in request.groups if g is not group)
    column = Column(group.value, group.value, Role.TIME)
    frames: list[pl.DataFrame] = []
    columns: tuple[Column, ...] = ()
    for bucket in _buckets(window, COUNTED_EACH[group], run.source.zone):
        start, which = bucket.start, replace(request.which, window=bucket)
        part = _table(run, replace(request, which=which, groups=rest, ranking=None))
        columns = part.columns
        frames.append(part.frame.with_columns(pl.lit(start).cast(_TIME).alias(column.variable)))
    order = [column.variable, *(c.variable for c in columns)]
    frame = _in_order(pl.concat(frames, how="vertical_relaxed").select(order), request)
    run.notes.append(f"A job counts in every {group.value} in which it ran.")
    return Shaped("jobs", (column, *columns), frame)


def _in_order(frame: pl.DataFrame, request: JobsRequest) -> pl.DataFrame:
    """The rows of all buckets as they are to be ranked; as they are where they are not."""
    if request.ranking is None or not isinstance(request.order_by, JobMeasure):
        return frame
    by, down = request.order_by.name.lower(), request.ranking.descending
    ordered = frame.sort(by, descending=down, nulls_last=True, maintain_order=True)
    return ordered if request.ranking.limit is None else ordered.head(request.ranking.limit)


def _buckets(window: TimeWindow, length: timedelta, zone: ZoneInfo) -> Iterator[TimeWindow]:
    if window.start == window.end:
        yield window
    start = window.start.astimezone(zone)
    number = 0
    while start < window.end and number < MOST_COUNTED:
        end = start + length
        yield TimeWindow(start, min(end, window.end))
        start, number = end, number + 1


def _ends_at(window: TimeWindow, first: datetime) -> bool:
    return window.end == first and not window.includes_end


def _outside(run: RequestRun, windows: tuple[TimeWindow, ...]) -> str:
    first, last = run.source.lake.span
    for window in windows:
        if window.start >= last or window.end < first or _ends_at(window, first):
            months = run.source.lake.months(JOB_PLUGIN, JOB_METRIC)
            return (
                f"There are no jobs {window_label(window, run.source.zone)} in the lake:"
                f" the job table has {', '.join('20' + m for m in months)}."
            )
    return ""


def _until_now(table: Shaped, now: datetime | None, *, counted: bool) -> Shaped:
    """``table`` as it looked at ``now``: what ended later was still running then.

    ``counted``: the run time of such a job is that until ``now``, and not open.
    """
    names = {c.variable for c in table.columns}
    if now is None or "end" not in names:
        return table
    later = pl.col("end") > pl.lit(now).cast(_TIME)
    none = pl.lit(None)
    so_far = (pl.lit(now).cast(_TIME) - pl.col("start")).dt.total_seconds() if counted else none
    changed = [
        pl.when(later).then(instead).otherwise(pl.col(name)).alias(name)
        for name, instead in (("end", none), ("run", so_far))
        if name in names
    ]
    if "state" in names:
        running = pl.when(later).then(pl.lit("RUNNING")).otherwise(pl.col("state"))
        changed.append(running.alias("state"))
    return Shaped(table.name, table.columns, table.frame.with_columns(changed))
