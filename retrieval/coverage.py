"""How many samples a request rests on, and how many there should have been."""

from collections.abc import Sequence

import polars as pl

from retrieval.compile_readings import owner_lines, pattern, sensor_lines
from retrieval.data_request import ReadingsRequest
from retrieval.measures import Owners, Selected
from retrieval.outcome import Coverage
from retrieval.query_text import HEADER, Column, Compiled, Role, select
from retrieval.request import TimeWindow
from retrieval.scope import GraphScope

PARTIAL_BELOW = 0.9
"""Below this share of the expected samples an answer is marked as partial."""


def coverage_query(
    request: ReadingsRequest, quantity: Selected, who: Owners, window: TimeWindow | None, zone: str
) -> Compiled:
    """The query that counts the samples of each sensor that a request reads."""
    bare = ReadingsRequest(
        request.wanted,
        (quantity,),
        (who,),
        request.windows,
        during=request.during,
        meanwhile=request.meanwhile,
        inside=request.inside,
    )
    part = pattern(bare, quantity, who, window, zone)
    terms = ["?s", "(COUNT(?t) AS ?samples)", "(MIN(?t) AS ?first)", "(MAX(?t) AS ?last)"]
    query = f"{HEADER}\n{select(terms, part.lines, ['?s'])}"
    columns = (
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
    return float(median) if isinstance(median, int | float) and median > 0 else None


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
