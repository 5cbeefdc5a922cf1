"""ReadingsRequest to SPARQL: one query for each quantity and window."""

from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from retrieval.compile_job_filter import job_filters
from retrieval.data_request import Quorum, ReadingsRequest
from retrieval.job_request import JobFilter, JobTime
from retrieval.measures import Applies, Condition, Group, Measure, Owners, Selected, While
from retrieval.query_text import Column, Role, holds, text, values, within
from retrieval.request import EntityKind, TimeWindow

OWNER_CLASS = {
    EntityKind.NODE: ("oda:ComputeNode", "oda:nodeId", "node"),
    EntityKind.CRAC: ("oda:CRAC", "oda:deviceName", "crac"),
    EntityKind.PANEL: ("oda:CoolingPanel", "oda:panelName", "panel"),
    EntityKind.PARTITION: ("oda:Partition", "oda:partitionId", "partition"),
    EntityKind.WEATHER: ("oda:Weather", "", ""),
    EntityKind.SYSTEM: ("oda:HPCSystem", "", ""),
    EntityKind.METER: ("oda:PowerMeter", "oda:deviceName", "device"),
}
TIME_BUCKETS = {
    Group.HOUR: ("hour", "PT1H"),
    Group.DAY: ("day", "P1D"),
    Group.WEEK: ("week", "P1W"),
    Group.MONTH: ("month", "P1M"),
}
"""What each group of times is called, and how long one is."""


JOB_KEYS = {
    Group.JOB: (Column("job", "job", Role.KEY), "oda:jobId"),
    Group.USER: (Column("user", "user", Role.KEY), "oda:userId"),
    Group.PARTITION: (Column("partition", "partition", Role.KEY), "oda:partitionId"),
    Group.QOS: (Column("qos", "qos", Role.KEY), "oda:qosId"),
    Group.STATE: (Column("state", "state", Role.KEY), "oda:jobState"),
    Group.NODE_COUNT: (Column("node_count", "node count", Role.KEY), "oda:nodeCount"),
    Group.GPUS: (Column("gpus", "GPUs", Role.KEY), "oda:gpuCount"),
    Group.CORES: (Column("cores", "CPU cores", Role.KEY), "oda:coreCount"),
}
"""What of the job that ran may tell readings apart, with the property that says it."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """The body of a query over one quantity, and the variables it may be grouped by."""

    lines: tuple[str, ...]
    keys: tuple[Column, ...]
    quorum: Quorum | None = None
    """How many sensors a sum over them must have."""


def pattern(
    request: ReadingsRequest,
    quantity: Selected,
    owners: Owners,
    window: TimeWindow | None,
    zone: str,
) -> Pattern:
    """Graph pattern that binds ``?s``, ``?r``, ``?t``, ``?v`` and every wanted key."""
    lines, keys = owner_lines(owners, request.groups)
    by_index = Group.INDEX in request.groups and quantity.metrics[0].index is not None
    lines += sensor_lines(quantity, by_index)
    if by_index:
        keys.append(Column("index", quantity.index_noun or "index", Role.KEY))
    lines += reading_lines(quantity)
    if request.meanwhile is not None:
        lines += _meanwhile(request.meanwhile)
    if window is not None:
        window = _without_last_edge(window, request.groups, zone)
        lines.append(f"FILTER({within('t', window)})")
    if request.inside:
        lines.append(f"FILTER({_in_one_of(request.inside)})")
    if request.during is not None:
        lines += _during(request.during, request.groups)
        keys += [JOB_KEYS[group][0] for group in JOB_KEYS if group in request.groups]
    for group, (name, length) in TIME_BUCKETS.items():
        if group in request.groups:
            lines.append(f"BIND(odaf:floorTime(?t, {text(length)}, {text(zone)}) AS ?{name})")
            keys.append(Column(name, name, Role.TIME))
    return Pattern(tuple(lines), tuple(keys))


def _meanwhile(other: While) -> list[str]:
    metric = other.quantity.metrics[0]
    return [
        "?n oda:hasSensor ?s2 .",
        f"?s2 oda:pluginName {text(metric.plugin)} ; oda:metricName {text(metric.name)} .",
        "?s2 oda:hasReading ?r2 . ?r2 oda:value ?w ; oda:timestamp ?t .",
        f"FILTER({holds('?w', other.condition)})",
    ]


def _in_one_of(times: tuple[TimeWindow, ...]) -> str:
    return " || ".join(f"({within('t', time)})" for time in times)


def _without_last_edge(window: TimeWindow, groups: tuple[Group, ...], zone: str) -> TimeWindow:
    """``window`` without an included end that would open a further hour or day of its own."""
    end = window.end.astimezone(ZoneInfo(zone))
    on_hour = not (end.minute or end.second)
    opens = (Group.HOUR in groups and on_hour) or (
        bool({Group.DAY, Group.WEEK, Group.MONTH} & set(groups)) and on_hour and not end.hour
    )
    return replace(window, includes_end=False) if opens else window


def owner_lines(owners: Owners, groups: tuple[Group, ...]) -> tuple[list[str], list[Column]]:
    """Patterns for the owners of sensors ``?s``, with the keys that are grouped by."""
    kind, naming, variable = OWNER_CLASS[owners.kind]
    lines = [f"?n a {kind} ; oda:hasSensor ?s ."]
    keys = []
    wanted = Group.OWNER in groups
    if variable and (wanted or owners.names):
        lines.append(f"?n {naming} ?{variable} .")
    if owners.names:
        lines.append(values(variable, owners.names))
    if owners.kind is EntityKind.METER:
        lines.extend(f"?n {prop} {text(value)} ." for prop, value in owners.where)
    if wanted and variable:
        keys.append(Column(variable, variable, Role.KEY))
    if owners.kind is EntityKind.NODE and (owners.racks or Group.RACK in groups):
        lines.append("?rk a oda:Rack ; oda:contains ?n ; oda:rackId ?rack .")
        if owners.racks:
            lines.append(values("rack", owners.racks))
        if Group.RACK in groups:
            keys.append(Column("rack", "rack", Role.KEY))
    return lines, keys


def sensor_lines(quantity: Selected, with_index: bool) -> list[str]:
    """Patterns that keep ``?s`` to the sensors of ``quantity``."""
    plugins = sorted({m.plugin for m in quantity.metrics})
    names = [m.name for m in quantity.metrics]
    lines = [f"?s oda:pluginName {text(plugin)} ." for plugin in plugins[:1]]
    if len(names) == 1:
        lines.append(f"?s oda:metricName {text(names[0])} .")
    else:
        lines += ["?s oda:metricName ?metric .", values("metric", names)]
    if with_index:
        lines.append("?s oda:componentIndex ?index .")
    return lines


def reading_lines(quantity: Selected, value: str = "v") -> list[str]:
    """Patterns that bind ``?t`` and the quantity's value for each reading of ``?s``."""
    prop = "oda:textValue" if quantity.metrics[0].dtype == "string" else "oda:value"
    lines = ["?s oda:hasReading ?r ."]
    if quantity.complement:
        lines += [
            f"?r {prop} ?stored ; oda:timestamp ?t .",
            f"BIND(100 - ?stored AS ?{value})",
        ]
    else:
        lines.append(f"?r {prop} ?{value} ; oda:timestamp ?t .")
    return lines


def _during(jobs: JobFilter, groups: tuple[Group, ...]) -> list[str]:
    body = [
        "?j a oda:Job ; oda:runsOn ?n ; oda:startTime ?start ; oda:endTime ?end .",
        *job_filters(jobs),
        "FILTER(?t >= ?start && ?t <= ?end)",
    ]
    if jobs.time is JobTime.SUBMITTED:
        body.insert(1, "?j oda:submitTime ?submitted .")
    wanted = [JOB_KEYS[group] for group in JOB_KEYS if group in groups]
    if wanted:
        bound = "\n".join(body)
        more = [f"?j {prop} ?{key.variable} ." for key, prop in wanted]
        return [body[0], *(line for line in more if line not in bound), *body[1:]]
    return ["FILTER EXISTS {", *(f"  {line}" for line in body), "}"]


def expression(measure: Measure, condition: Condition | None, unit: str) -> str:
    """What computes ``measure`` from ``?v`` at ``?t`` over the samples of a group."""
    flag = f"IF({holds('?v', condition)}, 1, 0)" if condition else "1"
    return {
        Measure.AVERAGE: "AVG(?v)",
        Measure.MINIMUM: "MIN(?v)",
        Measure.MAXIMUM: "MAX(?v)",
        Measure.SUM: "SUM(?v)",
        Measure.COUNT: "COUNT(?v)",
        Measure.MEDIAN: "odaf:median(?v)",
        Measure.P5: "odaf:quantile(odaf:pair(?v, 0.05))",
        Measure.P10: "odaf:quantile(odaf:pair(?v, 0.1))",
        Measure.P25: "odaf:quantile(odaf:pair(?v, 0.25))",
        Measure.P75: "odaf:quantile(odaf:pair(?v, 0.75))",
        Measure.RANGE: "(MAX(?v) - MIN(?v))",
        Measure.P90: "odaf:quantile(odaf:pair(?v, 0.9))",
        Measure.P95: "odaf:quantile(odaf:pair(?v, 0.95))",
        Measure.P99: "odaf:quantile(odaf:pair(?v, 0.99))",
        Measure.STDDEV: "odaf:stddev(?v)",
        Measure.VARIATION: "(odaf:stddev(?v) / AVG(?v))",
        Measure.ENERGY: f"(odaf:integral(odaf:at(?v, ?t)) / {_joules(unit)})",
        Measure.DURATION: f"(odaf:integral(odaf:at({flag}, ?t)) / 60)",
        Measure.SHARE: f"(100 * AVG({flag}))",
        Measure.TIME_OF_MAXIMUM: "odaf:timeOfMax(odaf:at(?v, ?t))",
        Measure.TIME_OF_MINIMUM: "odaf:timeOfMin(odaf:at(?v, ?t))",
        Measure.LATEST: "MAX(?v)",
    }[measure]


def measure_column(measure: Measure, quantity: Selected) -> Column:
    """The result column of ``measure``."""
    unit = {
        Measure.ENERGY: "kWh",
        Measure.DURATION: "min",
        Measure.SHARE: "%",
        Measure.VARIATION: "",
        Measure.COUNT: "",
    }.get(measure, quantity.unit)
    role = Role.VALUE
    if measure in (Measure.TIME_OF_MAXIMUM, Measure.TIME_OF_MINIMUM):
        role, unit = Role.TIME, ""
    if measure is Measure.COUNT:
        role = Role.COUNT
    return Column(measure.name.lower(), measure.value, role, unit)


def having(condition: Condition | None) -> str:
    """The HAVING clause for a condition on groups, or an empty text."""
    if condition is None or condition.applies is Applies.SAMPLE:
        return ""
    if condition.applies is Applies.ALL_SAMPLES:
        return f"HAVING (MIN(IF({holds('?v', condition)}, 1, 0)) = 1)"
    measure = expression(condition.measure or Measure.AVERAGE, None, "")
    return f"HAVING ({holds(measure, condition)})"


def _joules(unit: str) -> str:
    """How many watt-seconds (or the like) make a kWh, for a power in ``unit``."""
    return {"W": "3600000", "kW": "3600", "MW": "3.6", "mW": "3600000000"}.get(unit, "3600000")
