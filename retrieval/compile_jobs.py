"""JobsRequest to SPARQL."""

from collections.abc import Sequence

from retrieval.compile_job_filter import TIME_OF, job_filters, run_so_far, run_time
from retrieval.job_request import JobColumn, JobFilter, JobMeasure, JobsRequest, JobTime
from retrieval.measures import Comparison, Condition, Group, Ranking
from retrieval.query_text import HEADER, Column, Role, holds, instant, select, text, values

_COLUMNS: dict[JobColumn, tuple[str, str, Role, str]] = {
    JobColumn.JOB: ("job", "oda:jobId", Role.KEY, ""),
    JobColumn.USER: ("user", "oda:userId", Role.KEY, ""),
    JobColumn.STATE: ("state", "oda:jobState", Role.KEY, ""),
    JobColumn.PARTITION: ("partition", "oda:partitionId", Role.KEY, ""),
    JobColumn.QOS: ("qos", "oda:qosId", Role.KEY, ""),
    JobColumn.NODE_COUNT: ("node_count", "oda:nodeCount", Role.COUNT, ""),
    JobColumn.SUBMIT: ("submitted", "oda:submitTime", Role.TIME, ""),
    JobColumn.START: ("start", "oda:startTime", Role.TIME, ""),
    JobColumn.END: ("end", "oda:endTime", Role.TIME, ""),
    JobColumn.RUN: ("run", "oda:runSeconds", Role.VALUE, "s"),
    JobColumn.WAIT: ("wait", "oda:waitSeconds", Role.VALUE, "s"),
    JobColumn.CORES: ("cores", "oda:coreCount", Role.COUNT, ""),
    JobColumn.GPUS: ("gpus", "oda:gpuCount", Role.COUNT, ""),
    JobColumn.EXIT_CODE: ("exit_code", "oda:exitCode", Role.KEY, ""),
    JobColumn.TIME_LIMIT: ("time_limit", "oda:timeLimitSeconds", Role.VALUE, "s"),
}
_OPTIONAL = (
    JobColumn.TIME_LIMIT,
    JobColumn.EXIT_CODE,
    JobColumn.GPUS,
    JobColumn.CORES,
    JobColumn.WAIT,
    JobColumn.QOS,
)
_PROPERTY_OF_TIME = {
    "start": "oda:startTime",
    "end": "oda:endTime",
    "submitted": "oda:submitTime",
}
_BUCKETS = {Group.HOUR: ("hour", "PT1H"), Group.DAY: ("day", "P1D"), Group.WEEK: ("week", "P1W")}
_HOURS = {
    JobMeasure.NODE_HOURS: "?nodes",
    JobMeasure.CORE_HOURS: "?cores",
    JobMeasure.THREAD_HOURS: "?threads",
    JobMeasure.GPU_HOURS: "?gpus",
}
_COUNTS = frozenset({JobMeasure.COUNT, JobMeasure.NODES, JobMeasure.USERS})
_OF_EACH = {
    "WAIT": ("oda:waitSeconds", "?waiting"),
    "RUN": ("oda:runSeconds", "?running"),
    "SIZE": ("oda:nodeCount", "?size"),
    "GPUS": ("oda:gpuCount", "?gpuCount"),
    "CORES": ("oda:coreCount", "?coreCount"),
}
_FUNCTIONS = {
    "AVERAGE": "AVG",
    "MAXIMUM": "MAX",
    "MINIMUM": "MIN",
    "TOTAL": "SUM",
    "MEDIAN": "odaf:median",
    "STDDEV": "odaf:stddev",
}
_AMOUNT = {
    JobMeasure.NODE_HOURS: "oda:nodeCount ?nodes",
    JobMeasure.CORE_HOURS: "oda:coreCount ?cores",
    JobMeasure.THREAD_HOURS: "oda:threadCount ?threads",
    JobMeasure.GPU_HOURS: "oda:gpuCount ?gpus",
}


def jobs_body(request: JobsRequest) -> list[str]:
    """Patterns that bind ``?j``, ``?job``, ``?start`` and ``?end`` of the wanted jobs."""
    which = request.which
    lines = ["?j a oda:Job ; oda:startTime ?start ; oda:endTime ?end ."]
    if not which.ids:
        lines.append("?j oda:jobId ?job .")
    if which.time is JobTime.SUBMITTED:
        lines.append("?j oda:submitTime ?submitted .")
    return lines + job_filters(which)


def job_list(request: JobsRequest) -> tuple[str, tuple[Column, ...]]:
    """The wanted jobs, a row each, with the wanted columns."""
    wanted = list(dict.fromkeys([JobColumn.JOB, *request.columns]))
    lines = jobs_body(request)
    bound = {"job", "start", "end", *_filter_variables(request.which)}
    columns, names = [], []
    for column in wanted:
        if column is JobColumn.NODES:
            continue
        variable, prop, role, unit = _COLUMNS[column]
        if column is JobColumn.RUN and JobColumn.END not in wanted:
            lines += run_time(request.which, variable)
        elif variable not in bound:
            pattern = f"?j {prop} ?{variable} ."
            lines.append(f"OPTIONAL {{ {pattern} }}" if column in _OPTIONAL else pattern)
        columns.append(Column(variable, column.value, role, unit))
        names.append(f"?{variable}")
    tail = _order(request)
    if JobColumn.NODES not in wanted:
        return _whole(select(names, lines, tail=tail)), tuple(columns)
    lines.append("?j oda:runsOn ?n . ?n oda:nodeId ?node .")
    columns.append(Column("nodes_used", "nodes", Role.KEY))
    projection = [*names, '(GROUP_CONCAT(?node; separator=" ") AS ?nodes_used)']
    return _whole(select(projection, lines, names, tail)), tuple(columns)


def nodes_of_jobs(request: JobsRequest) -> tuple[str, tuple[Column, ...]]:
    """The nodes that the wanted jobs ran on."""
    lines = [*jobs_body(request), "?j oda:runsOn ?n . ?n oda:nodeId ?node ."]
    names = ["?job", "?node"] if len(request.which.ids) > 1 else ["?node"]
    columns = tuple(Column(name[1:], name[1:], Role.KEY) for name in names)
    return _whole(
        select(names, lines, tail=["ORDER BY " + " ".join(names)], distinct=True)
    ), columns


def job_measures(
    request: JobsRequest, wanted: Sequence[JobMeasure], zone: str
) -> tuple[str, tuple[Column, ...]]:
    """One row a group of jobs with the ``wanted`` measures."""
    lines = jobs_body(request)
    bound = set(_filter_variables(request.which))
    keys = _group_keys(request, lines, bound, zone)
    terms, columns = [], [*keys]
    if any(m in (JobMeasure.NODES,) for m in wanted):
        lines.append("?j oda:runsOn ?n .")
    for measure in wanted:
        expression, unit = _measure(measure, request, lines)
        variable = measure.name.lower()
        terms.append(f"({expression} AS ?{variable})")
        role = Role.COUNT if measure in _COUNTS else Role.VALUE
        columns.append(Column(variable, measure.value, role, unit))
    names = [f"?{k.variable}" for k in keys]
    tail = _having(request, lines)
    if request.ranking:
        by = request.order_by if isinstance(request.order_by, JobMeasure) else wanted[0]
        tail += _limited(
            request.ranking, f"?{by.name.lower()}", "".join(f" {name}" for name in names)
        )
    elif names:
        tail.append("ORDER BY " + " ".join(names))
    return _whole(select([*names, *terms], lines, names, tail)), tuple(columns)


def _measure(measure: JobMeasure, request: JobsRequest, lines: list[str]) -> tuple[str, str]:
    if measure is JobMeasure.NODE_HOURS and {Group.OWNER, Group.RACK} & set(request.groups):
        # a job has a row for each of its nodes there
        return f"SUM({_seconds(request, lines)}) / 3600", "h"
    if measure in _HOURS:
        _add(lines, f"?j {_AMOUNT[measure]} .")
        return f"SUM({_HOURS[measure]} * {_seconds(request, lines)}) / 3600", "h"
    if measure is JobMeasure.COUNT:
        return "COUNT(DISTINCT ?job)", ""
    if measure is JobMeasure.NODES:
        return "COUNT(DISTINCT ?n)", ""
    if measure is JobMeasure.USERS:
        _add(lines, "?j oda:userId ?someone .")
        return "COUNT(DISTINCT ?someone)", ""
    name, _, which = measure.name.partition("_")
    prop, variable = _OF_EACH[name]
    unit = "s" if name in ("WAIT", "RUN") else ""
    of_run = run_time(request.which, "running") if name == "RUN" else None
    for line in of_run or [f"?j {prop} {variable} ."]:
        _add(lines, line)
    if which in _FUNCTIONS:
        return f"{_FUNCTIONS[which]}({variable})", unit
    share = int(which.removeprefix("P")) / 100
    return f"odaf:quantile(odaf:pair({variable}, {share:g}))", unit


def _add(lines: list[str], line: str) -> None:
    if line not in lines:
        lines.append(line)


def _having(request: JobsRequest, lines: list[str]) -> list[str]:
    """The clause for the bounds on the measures of a group; empty where there are none."""
    tests = [
        f"({holds(_measure(measure, request, lines)[0], condition)})"
        for measure, condition in request.having
    ]
    return [f"HAVING ({' && '.join(tests)})"] if tests else []


def _seconds(request: JobsRequest, lines: list[str]) -> str:
    window = request.which.window
    if not request.clipped or window is None:
        for line in run_time(request.which, "running"):
            _add(lines, line)
        return "?running"
    start, end = instant(window.start), instant(window.end)
    if any("AS ?from)" in line for line in lines):
        return "odaf:secondsBetween(?from, ?to)"
    lines.append(f"BIND(IF(?start > {start}, ?start, {start}) AS ?from)")
    lines.append(f"BIND(IF(?end < {end}, ?end, {end}) AS ?to)")
    return "odaf:secondsBetween(?from, ?to)"


def _group_keys(request: JobsRequest, lines: list[str], bound: set[str], zone: str) -> list[Column]:
    keys = []
    for group in request.groups:
        if group in _BUCKETS:
            name, length = _BUCKETS[group]
            time = TIME_OF.get(request.which.time, "start")
            if time == "submitted" and request.which.time is not JobTime.SUBMITTED:
                lines.append(f"?j {_PROPERTY_OF_TIME[time]} ?{time} .")
            lines.append(f"BIND(odaf:floorTime(?{time}, {text(length)}, {text(zone)}) AS ?{name})")
            keys.append(Column(name, name, Role.TIME))
        elif group is Group.OWNER:
            lines.append("?j oda:runsOn ?n . ?n oda:nodeId ?node .")
            keys.append(Column("node", "node", Role.KEY))
        elif group is Group.RACK:
            lines.append("?j oda:runsOn ?n . ?rk a oda:Rack ; oda:contains ?n ; oda:rackId ?rack .")
            keys.append(Column("rack", "rack", Role.KEY))
        else:
            column = JobColumn(group.value)
            variable, prop, _, _ = _COLUMNS[column]
            if variable not in {*bound, "job"}:
                lines.append(f"?j {prop} ?{variable} .")
            keys.append(Column(variable, column.value, Role.KEY))
    if {Group.OWNER, Group.RACK} & set(request.groups):
        lines += _among_named(request.which)
    return keys


def _among_named(which: JobFilter) -> list[str]:
    """Patterns that keep ``?n``, a node of a job, to the nodes and racks that are named."""
    lines = []
    if which.nodes:
        lines += ["?n oda:nodeId ?hereNode .", values("hereNode", which.nodes)]
    if which.racks:
        lines += [
            "?hereRack a oda:Rack ; oda:contains ?n ; oda:rackId ?hereRackId .",
            values("hereRackId", which.racks),
        ]
    return lines


def _filter_variables(which: JobFilter) -> list[str]:
    names = {"job": which.ids, "user": which.users, "state": which.states}
    names["partition"] = which.partitions
    bound = [variable for variable, given in names.items() if given]
    return bound + (["submitted"] if which.time is JobTime.SUBMITTED else [])


def _order(request: JobsRequest) -> list[str]:
    if request.ranking and isinstance(request.order_by, JobColumn):
        # many jobs run to the same time limit: the number of the job decides between them
        by = f"?{_COLUMNS[request.order_by][0]}"
        if request.order_by is JobColumn.RUN and request.which.until is not None:
            by = run_so_far(request.which.until, by)
        return _limited(request.ranking, by, " ?job")
    return ["ORDER BY ?start ?job"] if JobColumn.START in request.columns else ["ORDER BY ?job"]


def _limited(ranking: Ranking, by: str, then: str = "") -> list[str]:
    tail = [f"ORDER BY {'DESC' if ranking.descending else 'ASC'}({by}){then}"]
    return tail + ([f"LIMIT {ranking.limit}"] if ranking.limit is not None else [])


def _whole(query: str) -> str:
    return f"{HEADER}\n{query}"


def single_node() -> Condition:
    """The condition that a job ran on exactly one node."""
    return Condition(Comparison.EQUAL, 1)
