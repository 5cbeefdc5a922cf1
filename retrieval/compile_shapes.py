"""The shapes of queries over readings: series, measures, owners, silences, correlation."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from retrieval.compile_readings import (
    Pattern,
    expression,
    having,
    measure_column,
    owner_lines,
    pattern,
    reading_lines,
    sensor_lines,
)
from retrieval.compile_sums import TOLD_MOMENTS, enough, latest, slot, summed
from retrieval.data_request import ReadingsRequest
from retrieval.measures import Applies, Group, Measure, Owners, Ranking, Selected
from retrieval.query_text import (
    HEADER,
    Column,
    Role,
    braced,
    holds,
    is_lower_bound,
    select,
    text,
    within,
)
from retrieval.request import TimeWindow

PER_SENSOR = (Measure.ENERGY, Measure.DURATION)
"""Measures that must be taken of each sensor before sensors are added up."""
_FLAGGED = frozenset({Measure.DURATION, Measure.SHARE})
"""Measures of whether the bound holds, which take the samples that break it too."""
_LINEAR = frozenset({Measure.AVERAGE, Measure.SUM, Measure.COUNT, Measure.ENERGY})
"""Measures of which that of a sum is the sum of each sensor's."""


def series(
    request: ReadingsRequest, part: Pattern, quantity: Selected
) -> tuple[str, tuple[Column, ...]]:
    """Every sample with its keys and time, or means of intervals where a bucket is asked."""
    keys = part.keys
    value = Column("v", quantity.label, Role.VALUE, quantity.unit)
    time = Column("t", "time", Role.TIME)
    order = ["ORDER BY " + " ".join(["?t", *(f"?{k.variable}" for k in keys)])]
    body = (*part.lines, *_sample_filter(request))
    if not request.combined and not request.bucket:
        projection = [*(f"?{k.variable}" for k in keys), "?t", "?v"]
        return _whole(select(projection, body, tail=order)), (*keys, time, value)
    names = [f"?{k.variable}" for k in keys]
    order = ["ORDER BY " + " ".join(["?slot", *names])]
    time = Column("slot", "time", Role.TIME)
    value = Column("x", quantity.label, Role.VALUE, quantity.unit)
    inner_names = [*names, "?slot"]
    if not request.combined:
        query = select(
            [*inner_names, "(AVG(?v) AS ?x)"], (*body, slot(request)), inner_names, order
        )
        return _whole(query), (*keys, time, value)
    each = [*inner_names, "?s"]
    inner = select([*each, "(AVG(?v) AS ?mean)"], (*body, slot(request)), each)
    tail = [*enough("COUNT(?mean)", part), *order]
    query = select([*inner_names, "(SUM(?mean) AS ?x)"], [braced(inner)], inner_names, tail)
    return _whole(query), (*keys, time, value)


def measures(
    request: ReadingsRequest, part: Pattern, quantity: Selected, wanted: Sequence[Measure]
) -> tuple[str, tuple[Column, ...]]:
    """One row a group with ``wanted`` measures over its samples."""
    names = [f"?{k.variable}" for k in part.keys]
    columns = (*part.keys, *(measure_column(m, quantity) for m in wanted))
    if request.combined and not request.instant and not sums_of_measures(wanted, request):
        part = summed(request, part)
    elif request.combined or wanted[0] in PER_SENSOR or request.instant:
        return _whole(_two_levels(request, part, quantity, wanted, names)), columns
    terms = _terms(wanted, lambda m: expression(m, request.condition, quantity.unit))
    bodies = [*part.lines]
    if not set(wanted) & _FLAGGED:
        bodies += _sample_filter(request)
    if request.condition is not None and not set(wanted) & {*_FLAGGED, Measure.COUNT}:
        terms.append("(COUNT(?v) AS ?samples)")
        columns = (*columns, Column("samples", "samples", Role.COUNT))
    if request.combined:
        terms.append(TOLD_MOMENTS)
    query = select([*names, *terms], bodies, names, _tail(request, wanted, names))
    return _whole(query), columns


def sums_of_measures(wanted: Sequence[Measure], request: ReadingsRequest) -> bool:
    """Whether each sensor is measured before they are added up, and not their sums."""
    return request.condition is None and set(wanted) <= _LINEAR


def _two_levels(
    request: ReadingsRequest,
    part: Pattern,
    quantity: Selected,
    wanted: Sequence[Measure],
    names: list[str],
) -> str:
    inner_terms: list[str] = []
    outer_terms: list[str] = []
    for measure in wanted:
        variable = measure.name.lower()
        if request.instant:
            inner = "odaf:latest(odaf:at(?v, ?t))"
            outer = "SUM(?each)" if request.combined else _over(measure, "?each")
        else:
            inner = expression(measure, request.condition, quantity.unit)
            outer = "SUM(?each)"
        inner_terms.append(f"({inner} AS ?each{len(inner_terms) or ''})")
        outer = outer.replace("?each", f"?each{len(outer_terms) or ''}")
        outer_terms.append(f"({outer} AS ?{variable})")
    body = [*part.lines]
    if Measure.DURATION not in wanted and not request.instant:
        body += _sample_filter(request)
    inner_query = select([*names, "?s", *inner_terms], body, [*names, "?s"])
    outer_body = [braced(inner_query)]
    if request.instant and request.condition:
        outer_body.append(f"FILTER({holds('?each', request.condition)})")
    if request.during is not None and wanted == [Measure.ENERGY]:
        # a node with a single sample during a job has no energy, and would take away all others'
        outer_body.append("FILTER(BOUND(?each))")
    tail = [] if request.instant else enough("COUNT(?each)", part)
    tail += _ranked(request.ranking, wanted) or ([f"ORDER BY {' '.join(names)}"] if names else [])
    return select([*names, *outer_terms], outer_body, names, tail)


def owners(
    request: ReadingsRequest, part: Pattern, quantity: Selected
) -> tuple[str, tuple[Column, ...]]:
    """The owners whose samples, or whose measure, keep the request's condition."""
    condition = request.condition
    if request.instant:
        part = latest(request, part)
    elif request.combined:
        part = summed(request, part)
    names = [f"?{k.variable}" for k in part.keys]
    wanted = list(request.measures)
    if condition is not None and condition.measure and condition.measure not in wanted:
        wanted.append(condition.measure)
    if not wanted:
        lower = condition is None or is_lower_bound(condition.comparison)
        wanted = [Measure.MAXIMUM if lower else Measure.MINIMUM]
    body = [*part.lines]
    if condition is not None and condition.applies is Applies.SAMPLE:
        body.append(f"FILTER({holds('?v', condition)})")
    terms = _terms(wanted, lambda m: expression(m, condition, quantity.unit))
    terms += ["(COUNT(?v) AS ?samples)", "(MIN(?t) AS ?first)", "(MAX(?t) AS ?last)"]
    tail = [clause for clause in (having(condition),) if clause]
    tail += _ranked(request.ranking, wanted) or [f"ORDER BY {' '.join(names)}"]
    columns = (
        *part.keys,
        *(measure_column(m, quantity) for m in wanted),
        Column("samples", "samples", Role.COUNT),
        Column("first", "first", Role.TIME),
        Column("last", "last", Role.TIME),
    )
    return _whole(select([*names, *terms], body, names, tail)), columns


def days_with_data(part: Pattern, zone: str) -> tuple[str, tuple[Column, ...]]:
    """The days on which there is a sample, with their number."""
    names = [f"?{k.variable}" for k in part.keys]
    body = [*part.lines, f'BIND(odaf:floorTime(?t, "P1D", {text(zone)}) AS ?day)']
    query = select([*names, "?day", "(COUNT(?r) AS ?samples)"], body, [*names, "?day"])
    columns = (
        *part.keys,
        Column("day", "day", Role.TIME),
        Column("samples", "samples", Role.COUNT),
    )
    return _whole(query), columns


def silent_owners(
    quantity: Selected, who: Owners, window: TimeWindow
) -> tuple[str, tuple[Column, ...]]:
    """The owners whose sensors have no sample in ``window``."""
    lines, keys = owner_lines(who, (Group.OWNER,))
    names = [f"?{k.variable}" for k in keys]
    body = [
        *lines,
        *sensor_lines(quantity, with_index=False),
        "FILTER NOT EXISTS {",
        "  ?s oda:hasReading ?r . ?r oda:timestamp ?t .",
        f"  FILTER({within('t', window)})",
        "}",
    ]
    return _whole(select(names, body, tail=["ORDER BY " + " ".join(names)], distinct=True)), (
        *keys,
    )


def correlation(
    request: ReadingsRequest, zone: str
) -> tuple[str, tuple[Column, ...], tuple[tuple[str, str], ...]]:
    """Pearson's r of every pair of series; also gives the two labels of each column."""
    window = request.windows[0]
    bucket = f"BIND(odaf:floorTime(?t, {text(request.bucket)}, {text(zone)}) AS ?slot)"
    parts: list[str] = []
    labels: list[str] = []
    for quantity, who in zip(request.quantities, request.owners, strict=True):
        plain = replace(request, groups=(), during=None)
        lines, _ = owner_lines(who, plain.groups)
        for one in _single_metrics(quantity):
            body = [
                *lines,
                *sensor_lines(one, with_index=False),
                *reading_lines(one),
                f"FILTER({within('t', window)})",
                bucket,
            ]
            name = f"?m{len(parts)}"
            parts.append(braced(select(["?slot", f"(AVG(?v) AS {name})"], body, ["?slot"])))
            labels.append(one.label)
    terms, columns, pairs = [], [], []
    for i in range(len(parts)):
        for k in range(i + 1, len(parts)):
            terms.append(f"(odaf:pearson(odaf:pair(?m{i}, ?m{k})) AS ?r{i}_{k})")
            columns.append(Column(f"r{i}_{k}", f"{labels[i]} / {labels[k]}", Role.VALUE))
            pairs.append((labels[i], labels[k]))
    terms.append("(COUNT(?slot) AS ?intervals)")
    columns.append(Column("intervals", "intervals", Role.COUNT))
    return _whole(select(terms, parts)), tuple(columns), tuple(pairs)


def correlated_series(
    request: ReadingsRequest, quantity: Selected, who: Owners, zone: str
) -> tuple[str, tuple[Column, ...]]:
    """The interval means of one of the series that are correlated."""
    bare = replace(request, groups=(), combined=False)
    part = pattern(bare, quantity, who, request.windows[0], zone)
    return series(bare, part, quantity)


def _single_metrics(quantity: Selected) -> list[Selected]:
    if len(quantity.metrics) == 1 or quantity.summed:
        # A sum goes with another series as the mean of its parts does.
        return [quantity]
    return [
        replace(quantity, metrics=(m,), label=f"{quantity.index_noun} {m.index} {quantity.label}")
        for m in quantity.metrics
    ]


def _sample_filter(request: ReadingsRequest) -> list[str]:
    condition = request.condition
    if condition is None or condition.applies is not Applies.SAMPLE:
        return []
    return [f"FILTER({holds('?v', condition)})"]


def _terms(wanted: Sequence[Measure], express: Callable[[Measure], str]) -> list[str]:
    return [f"({express(m)} AS ?{m.name.lower()})" for m in wanted]


def _over(measure: Measure, variable: str) -> str:
    if measure is Measure.LATEST:
        return f"AVG({variable})"
    return expression(measure, None, "").replace("?v", variable)


def _tail(request: ReadingsRequest, wanted: Sequence[Measure], names: list[str]) -> list[str]:
    tail = [clause for clause in (having(request.condition),) if clause]
    ranked = _ranked(request.ranking, wanted)
    if ranked:
        return tail + ranked
    return tail + ([f"ORDER BY {' '.join(names)}"] if names else [])


def _ranked(ranking: Ranking | None, wanted: Sequence[Measure]) -> list[str]:
    if ranking is None:
        return []
    measure = ranking.measure or wanted[0]
    direction = "DESC" if ranking.descending else "ASC"
    tail = [f"ORDER BY {direction}(?{measure.name.lower()})"]
    if ranking.limit is not None:
        tail.append(f"LIMIT {ranking.limit}")
    return tail


def _whole(query: str) -> str:
    return f"{HEADER}\n{query}"
