"""Requests to SPARQL: what the compiler writes passes the gate and projects its own columns."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.conformance import CheckedQuery, check_query
from ontology.schema_loader import load_schema
from retrieval.compiler import Compiler
from retrieval.data_request import (
    CompiledRequest,
    EventThenJobs,
    EventThenReadings,
    ExtremeThen,
    JobsThenReadings,
    PeriodsThenReadings,
    ReadingsRequest,
    UsersThenReadings,
)
from retrieval.job_request import JobColumn, JobFilter, JobMeasure, JobsRequest, JobTime
from retrieval.measures import (
    Applies,
    Comparison,
    Condition,
    Course,
    Group,
    Measure,
    Owners,
    Ranking,
    Selected,
    Wanted,
)
from retrieval.metric_catalog import MetricCatalog
from retrieval.query_text import HEADER, Compiled, instant, number, text
from retrieval.request import Entity, EntityKind, TimeWindow
from retrieval.site_request import CheckResultKind, ChecksRequest, SiteRequest, Subject
from retrieval.understanding import Understood
from tests.unit.retrieval.reader_cases import Case, one_case_a_shape, reading_of

CATALOG = MetricCatalog.load()
COMPILER = Compiler(CATALOG, "Europe/Rome")
DAY = TimeWindow(datetime(2022, 6, 1, tzinfo=UTC), datetime(2022, 6, 2, tzinfo=UTC))
HOUR = TimeWindow(datetime(2022, 6, 1, 8, tzinfo=UTC), datetime(2022, 6, 1, 9, tzinfo=UTC), True)
NODES = Owners(EntityKind.NODE)
NODE_5 = Owners(EntityKind.NODE, ("5",))
ABOVE_28 = Condition(Comparison.ABOVE, 28)


def _selected(plugin: str, *names: str, label: str = "", **more: Any) -> Selected:
    metrics = []
    for name in names:
        metric = CATALOG.find(plugin, name)
        assert metric is not None, name
        metrics.append(metric)
    return Selected(label or names[0], tuple(metrics), **more)


POWER = _selected("ipmi_pub", "total_power", label="total node power")
INLET = _selected("ipmi_pub", "ambient", label="inlet temperature")
IDLE = _selected("ganglia_pub", "cpu_idle", label="CPU utilisation", complement=True)
GPUS = _selected("ganglia_pub", *(f"Gpu{i}_gpu_utilization" for i in range(4)), index_noun="GPU")
SUPPLIES = _selected(
    "ipmi_pub", "ps0_input_power", "ps1_input_power", summed=True, index_noun="PSU"
)
TEXTS = _selected("ganglia_pub", "os_release")
PANEL_WATER = _selected("schneider_pub", "PLC_PLC_Q101.Temp_mandata")
BY_OWNER = {
    "nodes": (POWER, NODES),
    "a node": (POWER, NODE_5),
    "two racks": (INLET, Owners(EntityKind.NODE, racks=("3", "4"))),
    "a node of a rack": (INLET, Owners(EntityKind.NODE, ("5",), ("0",))),
    "a complement": (IDLE, NODE_5),
    "several metrics": (GPUS, NODE_5),
    "a sum": (SUPPLIES, NODE_5),
    "CRACs": (_selected("vertiv_pub", "Fan_Speed"), Owners(EntityKind.CRAC)),
    "a CRAC": (_selected("vertiv_pub", "Fan_Speed"), Owners(EntityKind.CRAC, ("cdz1",))),
    "a panel": (PANEL_WATER, Owners(EntityKind.PANEL, ("Q101",))),
    "partitions": (_selected("slurm_pub", "s21.totals.total_nodes_idle"),
                   Owners(EntityKind.PARTITION)),
    "a meter": (_selected("logics_pub", "Tot"), Owners(EntityKind.METER)),
    "a device": (_selected("logics_pub", "Potenza"),
                 Owners(EntityKind.METER, where=(("oda:deviceName", "cdz1"),))),
    "the weather": (_selected("weather_pub", "temp"), Owners(EntityKind.WEATHER)),
    "the machine": (_selected("slurm_pub", "total_nodes_alloc"), Owners(EntityKind.SYSTEM)),
}  # fmt: skip


def _readings(
    wanted: Wanted = Wanted.MEASURES,
    quantity: Selected = POWER,
    owners: Owners = NODES,
    **more: Any,
) -> ReadingsRequest:
    if wanted is Wanted.MEASURES:
        more.setdefault("measures", (Measure.AVERAGE,))
    more.setdefault("windows", (DAY,))
    return ReadingsRequest(wanted, (quantity,), (owners,), **more)


def _checked(compiled: Compiled) -> CheckedQuery:
    result = check_query(compiled.query, load_schema())
    assert isinstance(result, CheckedQuery), f"{result.violations}\n{compiled.query}"
    return result


def _pass(request: CompiledRequest) -> tuple[Compiled, ...]:
    """The queries of ``request``, each let through and projecting just its columns.

    A query over sums tells also at how many moments there is one.
    """
    compiled = COMPILER.compile(request)
    assert compiled
    for one in compiled:
        projected = _checked(one).projected
        if isinstance(request, ReadingsRequest) and request.combined:
            projected = projected[:-1] if projected[-1] == "moments" else projected
        assert projected == tuple(c.variable for c in one.columns)
    return compiled


def _body(compiled: Compiled) -> str:
    return compiled.query.removeprefix(HEADER).strip()


@pytest.mark.parametrize(("quantity", "owners"), BY_OWNER.values(), ids=BY_OWNER.keys())
@pytest.mark.parametrize("wanted", [Wanted.SERIES, Wanted.MEASURES], ids=lambda w: w.value)
def test_the_readings_of_every_kind_of_owner_pass(
    wanted: Wanted, quantity: Selected, owners: Owners
) -> None:
    (compiled,) = _pass(_readings(wanted, quantity, owners, groups=(Group.OWNER,)))

    assert compiled.scope.metrics == quantity.metrics
    assert (compiled.scope.windows[0].start, compiled.scope.windows[0].end) == (DAY.start, DAY.end)


@pytest.mark.parametrize("measure", Measure, ids=lambda m: m.value)
def test_every_measure_passes(measure: Measure) -> None:
    condition = ABOVE_28 if measure is Measure.DURATION else None
    groups = (Group.OWNER, Group.RACK, Group.HOUR)

    _pass(_readings(measures=(measure,), groups=groups, condition=condition))


@pytest.mark.parametrize("course", sorted(set(Course) - {Course.NEIGHBOURS}), ids=lambda c: c.value)
@pytest.mark.parametrize(("quantity", "owners"), BY_OWNER.values(), ids=BY_OWNER.keys())
def test_every_course_passes(course: Course, quantity: Selected, owners: Owners) -> None:
    groups = (Group.OWNER, Group.INDEX)

    _pass(_readings(Wanted.COURSE, quantity, owners, groups=groups, condition=ABOVE_28,
                    course=course))  # fmt: skip


def test_the_neighbours_of_a_node_pass() -> None:
    _pass(_readings(Wanted.COURSE, POWER, NODE_5, groups=(Group.OWNER,), condition=ABOVE_28,
                    course=Course.NEIGHBOURS))  # fmt: skip


def test_measures_of_sensors_and_of_samples_are_asked_apart() -> None:
    wanted = (Measure.AVERAGE, Measure.ENERGY, Measure.MAXIMUM, Measure.MEDIAN)

    compiled = _pass(_readings(measures=wanted))

    variables = [[c.variable for c in one.columns] for one in compiled]
    assert variables == [["average", "maximum", "median"], ["energy"]]


@pytest.mark.parametrize(
    "measure",
    [Measure.AVERAGE, Measure.MAXIMUM, Measure.MINIMUM, Measure.TIME_OF_MAXIMUM],
    ids=lambda m: m.value,
)
def test_sensors_that_are_added_up_pass(measure: Measure) -> None:
    _pass(_readings(quantity=SUPPLIES, measures=(measure,), groups=(Group.RACK,), combined=True))


@pytest.mark.parametrize(
    "group", [Group.HOUR, Group.DAY, Group.WEEK, Group.MONTH, Group.RACK, Group.INDEX],
    ids=lambda g: g.value,
)  # fmt: skip
def test_every_group_is_a_column(group: Group) -> None:
    (compiled,) = _pass(_readings(quantity=GPUS, groups=(group,)))

    assert [c.variable for c in compiled.columns] == [group.value, "average"]


@pytest.mark.parametrize("comparison", Comparison, ids=lambda c: c.name)
@pytest.mark.parametrize("applies", Applies, ids=lambda a: a.name)
def test_every_bound_on_owners_passes(comparison: Comparison, applies: Applies) -> None:
    measure = Measure.AVERAGE if applies is Applies.MEASURE else None
    condition = Condition(comparison, 28.5, applies, measure)

    (compiled,) = _pass(
        _readings(Wanted.OWNERS, INLET, groups=(Group.RACK,), condition=condition, windows=(HOUR,))
    )

    assert compiled.query.count("28.5") == 1


def test_a_bound_from_both_sides_passes() -> None:
    condition = Condition(Comparison.AT_LEAST, 26, upper=28)

    (compiled,) = _pass(
        _readings(Wanted.OWNER_COUNT, INLET, groups=(Group.OWNER,), condition=condition)
    )

    assert "FILTER((?v >= 26 && ?v <= 28))" in compiled.query


@pytest.mark.parametrize(
    "during",
    [
        JobFilter(),
        JobFilter(ids=(1000882,)),
        JobFilter(ids=(1000882, 7), users=("17",)),
        JobFilter(users=("17",), states=("FAILED",), partitions=("1",)),
        JobFilter(node_count=Condition(Comparison.EQUAL, 1), window=DAY),
        JobFilter(window=DAY, time=JobTime.STARTED),
        JobFilter(window=DAY, time=JobTime.ENDED),
        pytest.param(
            JobFilter(window=DAY, time=JobTime.SUBMITTED),
        ),
    ],
    ids=[
        "any job", "a job", "two jobs", "jobs of a user", "single-node jobs", "started jobs",
        "ended jobs", "submitted jobs",
    ],
)  # fmt: skip
@pytest.mark.parametrize("groups", [(), (Group.USER, Group.JOB)], ids=["all", "by user and job"])
def test_readings_while_jobs_ran_pass(during: JobFilter, groups: tuple[Group, ...]) -> None:
    (compiled,) = _pass(_readings(during=during, groups=groups))

    assert compiled.scope.jobs
    assert [c.variable for c in compiled.columns] == [*(g.value for g in groups[::-1]), "average"]


@pytest.mark.parametrize("group", [Group.JOB, Group.USER], ids=lambda g: g.value)
def test_readings_by_one_key_of_jobs_pass(group: Group) -> None:
    (compiled,) = _pass(_readings(during=JobFilter(), groups=(group,)))

    assert [c.variable for c in compiled.columns] == [group.value, "average"]


@pytest.mark.parametrize("wanted", [Wanted.SILENT_DAYS, Wanted.SILENT_OWNERS], ids=lambda w: w.name)
@pytest.mark.parametrize("owners", [NODES, NODE_5, Owners(EntityKind.NODE, racks=("3",))],
                         ids=["nodes", "a node", "a rack"])  # fmt: skip
def test_questions_about_missing_data_pass(wanted: Wanted, owners: Owners) -> None:
    _pass(_readings(wanted, owners=owners))


def test_a_correlation_compiles_to_the_coefficients_and_each_series() -> None:
    request = ReadingsRequest(
        Wanted.CORRELATION,
        (POWER, INLET, GPUS),
        (NODE_5, NODE_5, NODE_5),
        (DAY,),
        bucket="PT2M",
    )

    compiled = _pass(request)

    assert [one.name for one in compiled][:3] == ["correlation", POWER.label, INLET.label]
    assert len(compiled) == 1 + 6
    assert len(compiled[0].columns) == 6 * 5 / 2 + 1


@pytest.mark.parametrize(
    "measure",
    [
        Measure.LATEST,
        Measure.AVERAGE,
        Measure.MAXIMUM,
        Measure.COUNT,
        pytest.param(
            Measure.ENERGY, marks=pytest.mark.xfail(reason="a moment has no energy", strict=True)
        ),
    ],
    ids=lambda m: m.value,
)
def test_the_value_at_a_moment_passes(measure: Measure) -> None:
    moment = TimeWindow(HOUR.end, HOUR.end, True)

    (compiled,) = _pass(
        _readings(measures=(measure,), groups=(Group.OWNER,), windows=(moment,), instant=True)
    )

    assert compiled.scope.windows[0].end == HOUR.end
    assert compiled.scope.windows[0].seconds >= 3600


def test_a_ranking_orders_and_limits() -> None:
    ranking = Ranking(descending=True, limit=5)

    (compiled,) = _pass(
        _readings(measures=(Measure.MAXIMUM,), groups=(Group.OWNER,), ranking=ranking)
    )

    assert _body(compiled).endswith("ORDER BY DESC(?maximum)\nLIMIT 5")


def test_windows_that_are_compared_are_asked_apart() -> None:
    compiled = _pass(_readings(windows=(DAY, HOUR)))

    assert [one.scope.windows[0].start for one in compiled] == [DAY.start, HOUR.start]


@pytest.mark.parametrize("measure", JobMeasure, ids=lambda m: m.name)
def test_every_measure_of_jobs_passes(measure: JobMeasure) -> None:
    which = JobFilter(window=DAY, time=JobTime.STARTED)

    _pass(JobsRequest(which, (measure,)))


@pytest.mark.parametrize(
    "groups", [(Group.USER,), (Group.STATE, Group.WEEK), (Group.OWNER,), (Group.RACK,),
               (Group.PARTITION,), (Group.QOS,)],
    ids=["by user", "by state and week", "by node", "by rack", "by partition", "by QOS"],
)  # fmt: skip
def test_every_grouping_of_jobs_passes(groups: tuple[Group, ...]) -> None:
    measures = (JobMeasure.COUNT, JobMeasure.WAIT_MEDIAN, JobMeasure.NODE_HOURS)

    _pass(JobsRequest(JobFilter(window=DAY), measures, groups=groups))


@pytest.mark.parametrize("time", JobTime, ids=lambda t: t.name)
@pytest.mark.parametrize("group", [Group.HOUR, Group.DAY], ids=lambda g: g.value)
def test_jobs_of_every_relation_to_a_window_pass(time: JobTime, group: Group) -> None:
    (compiled,) = _pass(
        JobsRequest(JobFilter(window=HOUR, time=time), (JobMeasure.COUNT,), groups=(group,))
    )

    assert "2022-06-01T09:00:00Z" in compiled.query


def test_hours_are_clipped_to_the_window() -> None:
    measures = (JobMeasure.CORE_HOURS, JobMeasure.GPU_HOURS)

    (compiled,) = _pass(JobsRequest(JobFilter(window=DAY), measures, clipped=True))

    assert compiled.query.count("AS ?from)") == 1
    assert "odaf:secondsBetween(?from, ?to)" in compiled.query


def test_nodes_are_counted_apart_from_what_they_would_multiply() -> None:
    measures = (JobMeasure.NODE_HOURS, JobMeasure.NODES)

    compiled = _pass(JobsRequest(JobFilter(window=DAY), measures))

    assert [[c.variable for c in one.columns] for one in compiled] == [["node_hours"], ["nodes"]]


@pytest.mark.parametrize(
    "which",
    [
        JobFilter(window=DAY),
        JobFilter(ids=(1000882,)),
        JobFilter(users=("17",), partitions=("1",), states=("FAILED",)),
        JobFilter(nodes=("5",), racks=("3",), wait_seconds=Condition(Comparison.ABOVE, 60)),
        JobFilter(
            run_seconds=Condition(Comparison.BELOW, 60), gpu_count=Condition(Comparison.EQUAL, 4)
        ),
        JobFilter(window=DAY, time=JobTime.SUBMITTED),
    ],
    ids=["of a day", "by id", "of a user", "on a node", "by length", "submitted"],
)
def test_every_column_of_jobs_passes(which: JobFilter) -> None:
    columns = tuple(column for column in JobColumn if column is not JobColumn.NODES)

    _pass(JobsRequest(which, columns=columns))
    _pass(JobsRequest(which, columns=(*columns, JobColumn.NODES)))
    _pass(JobsRequest(which, columns=(JobColumn.NODES,)))


@pytest.mark.parametrize("kind", [k for k in CheckResultKind if k is not CheckResultKind.PERIODS],
                         ids=lambda k: k.name)  # fmt: skip
@pytest.mark.parametrize("at_once", [True, False], ids=["at a moment", "over a day"])
def test_every_question_about_checks_passes(kind: CheckResultKind, at_once: bool) -> None:
    window = TimeWindow(HOUR.end, HOUR.end, True) if at_once else DAY

    (compiled,) = _pass(ChecksRequest(kind, window, at_once, ("ssh::daemon",), (1, 2)))

    assert {m.name for m in compiled.scope.metrics} == {"state"}


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"hard": True, "drained": True},
        {"hard": False, "drained": False},
        {"nodes": ("5",), "racks": ("0",)},
        {"compute_only": False},
    ],
    ids=["any", "hard", "soft", "a node", "all hosts"],
)
def test_every_narrowing_of_checks_passes(more: dict[str, Any]) -> None:
    _pass(ChecksRequest(CheckResultKind.BY_NODE, DAY, **more))


_NODE, _RACK = Entity(EntityKind.NODE, "5"), Entity(EntityKind.RACK, "3")
_LISTED = (
    Subject.NODES,
    Subject.RACKS,
    Subject.ROOMS,
    Subject.CRACS,
    Subject.PANELS,
    Subject.PUMPS,
    Subject.PARTITIONS,
    Subject.PLUGINS,
    Subject.METRICS,
)


@pytest.mark.parametrize(
    "request_",
    [
        *(SiteRequest(subject) for subject in _LISTED),
        *(SiteRequest(subject, count=True) for subject in _LISTED),
        SiteRequest(Subject.NODES, entities=(_RACK,)),
        SiteRequest(Subject.NODES, count=True, entities=(_RACK,)),
        SiteRequest(Subject.RACKS, x=3, y=10),
        SiteRequest(Subject.RACK_OF, entities=(_NODE,)),
        SiteRequest(Subject.POSITION, entities=(_NODE,)),
        SiteRequest(Subject.POSITION, entities=(_RACK,)),
        SiteRequest(Subject.METRICS, plugin="ipmi_pub", word="power"),
        SiteRequest(Subject.METRIC_FACTS, metrics=POWER.metrics, unit="W"),
    ],
    ids=str,
)
def test_every_question_about_the_site_passes(request_: SiteRequest) -> None:
    (compiled,) = _pass(request_)

    assert not compiled.scope.jobs


@pytest.mark.parametrize("case", one_case_a_shape())
def test_what_the_reader_understands_compiles_and_passes(case: Case) -> None:
    understanding = reading_of(case)
    assert isinstance(understanding, Understood)

    match understanding.asked:
        case JobsThenReadings(jobs, readings):
            requests: tuple[CompiledRequest, ...] = (jobs, readings)
        case UsersThenReadings(users, readings):
            requests = (users, readings)
        case EventThenJobs():
            requests = (understanding.asked.event, understanding.asked.jobs)
        case ExtremeThen(first, then):
            requests = (first, then)
        case PeriodsThenReadings(periods, readings):
            requests = (periods, replace(readings, inside=(HOUR, HOUR)))
        case EventThenReadings():
            requests = (understanding.asked.event, understanding.asked.readings)
        case request:
            requests = (request,)

    for request in requests:
        if isinstance(request, ReadingsRequest) and request.wanted is Wanted.CORRELATION:
            # How long its intervals are only the data tell, where the question does not.
            request = replace(request, bucket=request.bucket or "PT2M")
        _pass(request)


def test_the_mean_of_a_node_reads_as_it_should() -> None:
    (compiled,) = COMPILER.compile(_readings(owners=NODE_5, windows=(HOUR,)))

    assert (
        _body(compiled)
        == """SELECT (AVG(?v) AS ?average) WHERE {
  ?n a oda:ComputeNode ; oda:hasSensor ?s .
  ?n oda:nodeId ?node .
  VALUES ?node { "5" }
  ?s oda:pluginName "ipmi_pub" .
  ?s oda:metricName "total_power" .
  ?s oda:hasReading ?r .
  ?r oda:value ?v ; oda:timestamp ?t .
  FILTER(?t >= "2022-06-01T08:00:00Z"^^xsd:dateTime && ?t <= "2022-06-01T09:00:00Z"^^xsd:dateTime)
}"""
    )


def test_the_daily_complement_of_a_rack_reads_as_it_should() -> None:
    owners = Owners(EntityKind.NODE, racks=("3",))

    (compiled,) = COMPILER.compile(_readings(quantity=IDLE, owners=owners, groups=(Group.DAY,)))

    assert (
        _body(compiled)
        == """SELECT ?day (AVG(?v) AS ?average) WHERE {
  ?n a oda:ComputeNode ; oda:hasSensor ?s .
  ?rk a oda:Rack ; oda:contains ?n ; oda:rackId ?rack .
  VALUES ?rack { "3" }
  ?s oda:pluginName "ganglia_pub" .
  ?s oda:metricName "cpu_idle" .
  ?s oda:hasReading ?r .
  ?r oda:value ?stored ; oda:timestamp ?t .
  BIND(100 - ?stored AS ?v)
  FILTER(?t >= "2022-06-01T00:00:00Z"^^xsd:dateTime && ?t < "2022-06-02T00:00:00Z"^^xsd:dateTime)
  BIND(odaf:floorTime(?t, "P1D", "Europe/Rome") AS ?day)
}
GROUP BY ?day
ORDER BY ?day"""
    )


def test_a_count_of_jobs_reads_as_it_should() -> None:
    which = JobFilter(ids=(1000882,), states=("FAILED",))

    (compiled,) = COMPILER.compile(JobsRequest(which, (JobMeasure.COUNT,)))

    assert (
        _body(compiled)
        == """SELECT (COUNT(DISTINCT ?job) AS ?count) WHERE {
  ?j a oda:Job ; oda:startTime ?start ; oda:endTime ?end .
  ?j oda:jobId ?job .
  VALUES ?job { 1000882 }
  ?j oda:jobState ?state .
  VALUES ?state { "FAILED" }
}"""
    )


def test_the_same_request_gives_the_same_text() -> None:
    request = _readings(quantity=GPUS, groups=(Group.OWNER, Group.INDEX))

    assert COMPILER.compile(request) == COMPILER.compile(replace(request))


NASTY = '5" } } ; DROP ALL #\n\\'


@pytest.mark.parametrize(
    "request_",
    [
        _readings(owners=Owners(EntityKind.NODE, (NASTY,))),
        _readings(owners=Owners(EntityKind.NODE, racks=(NASTY,))),
        _readings(during=JobFilter(users=(NASTY,), states=(NASTY,), partitions=(NASTY,))),
        JobsRequest(JobFilter(nodes=(NASTY,), racks=(NASTY,), users=(NASTY,))),
        ChecksRequest(CheckResultKind.NODES, DAY, checks=(NASTY,), nodes=(NASTY,)),
        SiteRequest(Subject.METRICS, plugin=NASTY, word=NASTY, unit=NASTY),
        SiteRequest(Subject.NODES, entities=(Entity(EntityKind.RACK, NASTY),)),
    ],
    ids=["node", "rack", "jobs of readings", "jobs", "checks", "metrics", "site"],
)
def test_no_name_breaks_out_of_its_literal(request_: CompiledRequest) -> None:
    (compiled,) = _pass(request_)

    without_strings = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', compiled.query)
    assert "DROP" in compiled.query.upper()
    assert "DROP" not in without_strings.upper()


@given(st.text(max_size=40))
def test_a_literal_means_what_it_was_made_of(value: str) -> None:
    solutions = pyoxigraph.Store().query(f"SELECT ({text(value)} AS ?x) {{}}")

    assert isinstance(solutions, pyoxigraph.QuerySolutions)
    literal = next(solutions)["x"]
    assert isinstance(literal, pyoxigraph.Literal)
    assert literal.value == value


@given(st.floats(-1e12, 1e12).map(lambda x: round(x, 6)))
def test_a_number_means_what_it_was_made_of(value: float) -> None:
    solutions = pyoxigraph.Store().query(f"SELECT ({number(value)} AS ?x) {{}}")

    assert isinstance(solutions, pyoxigraph.QuerySolutions)
    literal = next(solutions)["x"]
    assert isinstance(literal, pyoxigraph.Literal)
    assert float(literal.value) == pytest.approx(value, abs=1e-6)


def test_a_very_small_number_is_still_a_number() -> None:
    pyoxigraph.Store().query(f"SELECT ({number(1e-12)} AS ?x) {{}}")


def test_a_moment_is_written_in_utc() -> None:
    summer = datetime(2022, 6, 1, 10, 0, 0, 250_000, tzinfo=UTC) + timedelta(hours=1)

    assert instant(summer) == '"2022-06-01T11:00:00.250Z"^^xsd:dateTime'
