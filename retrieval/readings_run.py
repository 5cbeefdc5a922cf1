"""Runs a request over readings: coverage first, then its queries, then its tables."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import polars as pl

from retrieval.boot_rules import BOOT_TIME, boots_tables, with_boot_times
from retrieval.change_tables import METHODS, between_times, change_shape
from retrieval.course_tables import course_notes, course_tables
from retrieval.coverage import Counted, coverage_of, coverage_query, sensors_query, spacing_of
from retrieval.data_request import ReadingsRequest
from retrieval.dead_sensors import dead_notes
from retrieval.difference import as_named, ranked_by_difference, with_difference
from retrieval.gap_tables import gap_tables, usual_gap
from retrieval.measures import (
    OF_BOOTS,
    OF_CHANGE,
    OF_MISSING,
    Course,
    Group,
    Measure,
    Ranking,
    Wanted,
)
from retrieval.outcome import Coverage, Retrieval
from retrieval.outer_rules import outer_table
from retrieval.peer_rules import apart
from retrieval.request import TimeWindow
from retrieval.request_run import RequestRun
from retrieval.sensors import owner_of
from retrieval.shares import share_of_owners, with_ratio
from retrieval.silent_sensors import energy_notes, silent_notes
from retrieval.sum_ways import interval
from retrieval.tables import Part, Shaped, shaped, stacked
from retrieval.whole_sums import Sums, confirmed, no_sum, whole_sums
from retrieval.window_words import window_label

_LOOK_BACK = timedelta(hours=6)
"""How far back the spacing of samples before a moment is looked at."""
_STILL_SPEAKS = 2.0
"""Spacings within which the last sample before a moment still speaks for it."""
_SILENT = (Wanted.SILENT_DAYS, Wanted.SILENT_OWNERS)
_LISTED = 20


def run_readings(run: RequestRun, request: ReadingsRequest) -> Retrieval:
    """The tables of ``request``, or that there are no data for a part of it."""
    metrics = tuple(m for q in request.quantities for m in q.metrics)
    ranking = request.ranking if request.difference else None
    if ranking is not None:
        request = replace(request, ranking=None)
    missing = run.metric_missing(metrics)
    if missing is not None:
        return missing
    counted = _counted(run, request)
    empty = next((one for one in counted if not one.frame.height), None)
    if empty is not None and request.wanted not in _SILENT:
        if request.meanwhile is not None:
            return run.no_data(_never_meanwhile(run, request))
        if request.inside:
            return run.no_data("In these times there is no sample of " + empty.quantity.label + ".")
        return run.no_data(_no_readings(run, empty))
    read = _read(run, _fitted(run, request, counted), counted)
    if read is None:
        return run.no_data(no_sum(counted))
    run.request = request = read[0]
    coverage = _coverage(request, counted)
    run.notes += silent_notes(run, request, counted) + energy_notes(request, coverage)
    by_window = []
    for window, parts in zip(request.windows or (None,), read[1], strict=True):
        one = _in_window(request, window)
        if _never_held(request, [p.frame for p in parts]):
            return run.no_data(_never(run, request))
        if request.wanted is Wanted.COURSE:
            by_window.append(_course(run, one, parts, window))
            continue
        by_window.append(shaped(one, parts, window, run.source.zone))
    tables = by_window[0]
    if len(by_window) > 1:
        labels = [window_label(w, run.source.zone) for w in request.windows]
        tables = [
            stacked(list(zip(labels, same, strict=True))) for same in zip(*by_window, strict=True)
        ]
        if request.change:
            tables = [*tables, between_times(tables[0], labels)]
    if request.wanted is Wanted.OWNERS and metrics[0].name == BOOT_TIME:
        tables = [with_boot_times(table) for table in tables]
    if request.difference:
        tables = _with_differences(run, tables, ranking)
    tables = _derived(run, request, tables)
    run.notes += dead_notes(run, request, tables)
    if request.share:
        tables = [_share(request, counted[0], tables[0]), *tables]
    return run.retrieved(tables, metrics, request.windows, coverage)


def _with_differences(
    run: RequestRun, tables: list[Shaped], ranking: Ranking | None
) -> list[Shaped]:
    assert isinstance(run.request, ReadingsRequest)
    owners = run.request.owners[0]
    tables = [*with_difference(as_named(tables[0], owners.names or owners.racks)), *tables[1:]]
    if run.request.measures == (Measure.AVERAGE,):
        run.notes.append("Differences are of the averages.")
    if ranking is None:
        return tables
    run.notes.append("Ranked by the size of the difference, whatever its sign.")
    return ranked_by_difference(tables, ranking)


def _in_window(request: ReadingsRequest, window: TimeWindow | None) -> ReadingsRequest:
    return replace(request, windows=(window,) if window is not None else ())


def _read(
    run: RequestRun, request: ReadingsRequest, counted: Sequence[Counted]
) -> tuple[ReadingsRequest, list[list[Part]]] | None:
    """What was asked in the end, and the results; None where a sum is hardly ever whole."""
    sums = whole_sums(run, request, counted)
    if sums is None:
        return None
    found = _parts(run, sums)
    if not confirmed(run, sums, [part.frame for parts in found for part in parts]):
        sums = whole_sums(run, request, counted, told=False)
        if sums is None:
            return None
        found = _parts(run, sums)
    return sums.request, found


def _parts(run: RequestRun, sums: Sums) -> list[list[Part]]:
    """The results of the queries, window by window."""
    windows: Sequence[TimeWindow | None] = sums.request.windows or (None,)
    return [
        run.parts(
            replace(_in_window(sums.request, window), quorums=sums.in_window(number, len(windows)))
        )
        for number, window in enumerate(windows)
    ]


def _derived(run: RequestRun, request: ReadingsRequest, tables: list[Shaped]) -> list[Shaped]:
    """``tables`` with what is computed from their rows."""
    if request.peers is not None:
        found, note = apart(tables[0], request.peers, request.quantities[0].label)
        tables = [found]
        run.notes.append(note)
    if request.outer is not None:
        tables = [outer_table(tables[0], request.outer, request.groups[0]), *tables]
    if request.ratio is not None:
        part, whole = (request.quantities[i].label for i in request.ratio.order)
        of, to = ("share", "in") if request.ratio.percent else ("ratio", "to")
        divided = with_ratio(tables[0], request.ratio)
        tables = [replace(divided, name=f"{of} of {part} {to} {whole}")]
        run.notes.append(
            f"Divided is {part} by {whole}, as each stands in the table: ratios are not averaged."
        )
    return tables


def _course(
    run: RequestRun, request: ReadingsRequest, parts: list[Part], window: TimeWindow | None
) -> list[Shaped]:
    """The tables of one window of a request for the course of values."""
    if request.course in OF_MISSING:
        return gap_tables(request, parts, window)
    if request.course in OF_BOOTS:
        return boots_tables(request, parts[0])
    if request.course is Course.NEIGHBOURS:
        run.notes.append("Two nodes did so at the same time where both did within one minute.")
        return [Shaped(p.compiled.name, p.compiled.columns, p.frame) for p in parts]
    if request.course in OF_CHANGE:
        run.notes.append(METHODS[request.course])
        return [change_shape(request, parts[0])]
    run.notes += course_notes(request, parts[0])
    return course_tables(request, parts[0])


def _counted(run: RequestRun, request: ReadingsRequest) -> list[Counted]:
    found = []
    zone = str(run.source.zone)
    windows: Sequence[TimeWindow | None] = request.windows or (None,)
    for quantity, who in zip(request.quantities, request.owners, strict=True):
        sensors = int(run.part(sensors_query(quantity, who)).frame.item() or 0)
        for window in windows:
            span = window
            if request.instant and window is not None:
                span = TimeWindow(window.end - _LOOK_BACK, window.end, True)
            frame = run.part(coverage_query(request, quantity, who, span, zone)).frame
            if request.instant and window is not None:
                frame = _speaking(frame, window)
            found.append(Counted(quantity, who, span, frame, sensors))
    return found


def _reach_of(frame: pl.DataFrame) -> timedelta:
    spacing = spacing_of(frame)
    return timedelta(seconds=max(60.0, _STILL_SPEAKS * spacing)) if spacing else _LOOK_BACK


def _speaking(frame: pl.DataFrame, window: TimeWindow) -> pl.DataFrame:
    """The sensors whose last sample is recent enough to speak for the end of ``window``."""
    return frame.filter(pl.col("last") >= window.end - _reach_of(frame))


def _fitted(
    run: RequestRun, request: ReadingsRequest, counted: Sequence[Counted]
) -> ReadingsRequest:
    """``request`` with an averaging interval and a reach that fit the spacing of the samples."""
    spacings = [s for one in counted if (s := spacing_of(one.frame)) is not None]
    widest = max(spacings, default=60.0)
    if request.instant:
        reach = max(_reach_of(one.frame) for one in counted)
        request = replace(request, reach=reach.total_seconds())
    if request.course in OF_MISSING and not request.longer:
        request = replace(request, longer=usual_gap(widest).total_seconds())
        if request.course is not Course.LAST_SAMPLE:
            run.notes.append("A gap is what is longer than three times the usual spacing.")
    correlated = request.wanted is Wanted.CORRELATION
    guessed = request.bucket == "PT5M" or (correlated and not request.bucket)
    if request.combined or request.bucket_asked or not guessed:
        return request
    bucket, words, _ = interval(max(widest, 120.0 if correlated else 60.0))
    run.notes.append(f"Values are means of {words}.")
    return replace(request, bucket=bucket)


def _coverage(request: ReadingsRequest, counted: Sequence[Counted]) -> Coverage:
    total = Coverage(0, 0, 0, 0, None)
    partly = bool(request.during or request.meanwhile or request.inside or request.instant)
    for one in counted:
        windows = [one.window] if one.window is not None else []
        part = coverage_of(one.frame, one.sensors, windows, partly)
        total = Coverage(
            total.got + part.got,
            total.expected + part.expected,
            total.sensors + part.sensors,
            total.sensors_expected + part.sensors_expected,
            part.period,
        )
    return total


def _share(request: ReadingsRequest, counted: Counted, table: Shaped) -> Shaped:
    """Which share of the nodes, or of the racks, ``table`` names."""
    racks = Group.RACK in request.groups and request.combined
    seen = counted.frame["rack"].n_unique() if racks else len(_owners_seen(counted.frame))
    return share_of_owners(table, "rack" if racks else counted.owners.kind.value, seen)


def _owners_seen(frame: pl.DataFrame) -> set[str]:
    """Those whose sensors sent samples: one thing may have several sensors."""
    return {owner_of(iri) for iri in frame["s"]}


def _never_held(request: ReadingsRequest, frames: Sequence[pl.DataFrame]) -> bool:
    """Whether a bound let no sample through, so that there is nothing to average."""
    if request.condition is None or request.wanted is not Wanted.MEASURES:
        return False
    counts = [f["samples"].sum() for f in frames if "samples" in f.columns]
    return bool(counts) and not any(counts)


def _never(run: RequestRun, request: ReadingsRequest) -> str:
    assert request.condition is not None
    label = request.quantities[0].label
    when = window_label(request.windows[0], run.source.zone) if request.windows else ""
    return f"{label[:1].upper()}{label[1:]} was never {request.condition.words} {when}.".strip()


def _never_meanwhile(run: RequestRun, request: ReadingsRequest) -> str:
    assert request.meanwhile is not None
    other = request.meanwhile
    when = window_label(request.windows[0], run.source.zone) if request.windows else ""
    return (
        f"There is no sample of {request.quantities[0].label} {when} at whose time"
        f" {other.quantity.label} was {other.condition.words}."
    )


def _no_readings(run: RequestRun, empty: Counted) -> str:
    """That there are no data, with the last sample before the window where there is one."""
    label = empty.quantity.label
    who = ""
    if empty.owners.names and len(empty.owners.names) <= _LISTED:
        who = f" of {empty.owners.kind.value} {', '.join(empty.owners.names)}"
    if empty.window is None:
        return f"There are no data of {label}{who} for what you asked about."
    when = window_label(empty.window, run.source.zone)
    metric = empty.quantity.metrics[0]
    months = ", ".join(f"20{m}" for m in run.source.lake.months(metric.plugin, metric.name))
    return f"There are no data of {label}{who} {when}. The lake has this metric in {months}."
