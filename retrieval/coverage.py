"""How many samples a request rests on, and how many there should have been."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from retrieval.compile_readings import owner_lines, pattern, sensor_lines
from retrieval.data_request import ReadingsRequest
from retrieval.measures import Group, Measure, Owners, Selected
from retrieval.outcome import Coverage
from retrieval.query_text import HEADER, Column, Compiled, Role, select
from retrieval.request import TimeWindow
from retrieval.scope import GraphScope

PARTIAL_BELOW = 0.9
"""Below this share of the expected samples an answer is marked as partial."""
_NEARLY = 0.002


@dataclass(frozen=True, slots=True)
class Counted:
    """The samples of each sensor of one quantity in one window."""

    quantity: Selected
    owners: Owners
    window: TimeWindow | None
    frame: pl.DataFrame
    sensors: int
    """How many there should be."""


def coverage_query(
    request: ReadingsRequest, quantity: Selected, who: Owners, window: TimeWindow | None, zone: str
) -> Compiled:
    """The query that counts the samples of each sensor that a request reads."""
    bare = ReadingsRequest(
        request.wanted,
        (quantity,),
        (who,),
        request.windows,
        groups=_groups(request),
        during=request.during,
        meanwhile=request.meanwhile,
        inside=request.inside,
    )
    part = pattern(bare, quantity, who, window, zone)
    keys = [*(f"?{key.variable}" for key in part.keys), "?s"]
    terms = [*keys, "(COUNT(?t) AS ?samples)", "(MIN(?t) AS ?first)", "(MAX(?t) AS ?last)"]
    query = f"{HEADER}\n{select(terms, part.lines, keys)}"
    columns = (
        *part.keys,
        Column("s", "sensor", Role.KEY),
        Column("samples", "samples", Role.COUNT),
        Column("first", "first", Role.TIME),
        Column("last", "last", Role.TIME),
    )
    windows = (window,) if window is not None else ()
    metrics = quantity.metrics
    if request.meanwhile is not None:
        metrics += request.meanwhile.quantity.metrics
    scope = GraphScope(metrics, windows, request.during is not None)
    return Compiled(f"coverage of {quantity.label}", query, scope, columns)


def adds_up(request: ReadingsRequest) -> bool:
    """Whether a request adds sensors up, so that it matters which of them have no samples."""
    return request.combined or Measure.ENERGY in request.measures


def _groups(request: ReadingsRequest) -> tuple[Group, ...]:
    """What tells sensors apart that are added up; each sensor is in one group alone."""
    if not adds_up(request):
        return ()
    one_job = request.during is not None and len(request.during.ids) == 1
    standing = {Group.RACK, Group.INDEX, *([Group.JOB] if one_job else [])}
    return (Group.OWNER, *(group for group in request.groups if group in standing))


def owners_query(quantity: Selected, who: Owners) -> Compiled:
    """The query that names the owners of the sensors that a request should read."""
    lines, keys = owner_lines(who, (Group.OWNER,))
    body = [*lines, *sensor_lines(quantity, with_index=False)]
    names = [f"?{key.variable}" for key in keys]
    query = f"{HEADER}\n{select(names or ['?n'], body, tail=(), distinct=True)}"
    return Compiled("owners", query, GraphScope(quantity.metrics), tuple(keys))


def sensors_query(quantity: Selected, who: Owners) -> Compiled:
    """The query that counts the sensors that a request should read."""
    lines, _ = owner_lines(who, ())
    body = [*lines, *sensor_lines(quantity, with_index=False)]
    query = f"{HEADER}\n{select(['(COUNT(DISTINCT ?s) AS ?sensors)'], body)}"
    columns = (Column("sensors", "sensors", Role.COUNT),)
    return Compiled("sensors", query, GraphScope(quantity.metrics), columns)


def spacing_of(counted: pl.DataFrame) -> float | None:
    """The usual spacing of samples in seconds: the median over the ``counted`` sensors."""
    several = counted.filter(pl.col("samples") > 1)
    if not several.height:
        return None
    spans = several.select(
        ((pl.col("last") - pl.col("first")).dt.total_milliseconds() / 1000)
        / (pl.col("samples") - 1)
    ).to_series()
    median = spans.median()
    if not isinstance(median, int | float) or median <= 0:
        return None
    # Samples that are missing make the mean spacing a little longer than the usual one.
    whole = round(median)
    return float(whole) if abs(median - whole) <= _NEARLY * median else float(median)


def coverage_of(
    counted: pl.DataFrame, sensors: int, windows: Sequence[TimeWindow], during: bool
) -> Coverage:
    """What the ``counted`` samples of each sensor amount to over ``windows``.

    Expected are the samples of the sensors that sent any; silent sensors are told apart. While
    only parts of a window are read (jobs that ran in it), what was got is what is expected.
    """
    if not counted.height:
        return Coverage(0, 0, 0, sensors, None)
    got = int(counted["samples"].sum())
    period = spacing_of(counted)
    if during or period is None or not windows:
        return Coverage(got, got, counted.height, sensors, period)
    each = sum(_samples_in(window, period) for window in windows)
    return Coverage(got, max(each * counted.height, 1), counted.height, sensors, period)


def _samples_in(window: TimeWindow, period: float) -> int:
    return int(window.seconds // period) + (1 if window.includes_end else 0)
