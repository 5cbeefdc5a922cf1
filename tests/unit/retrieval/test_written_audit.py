"""Queries that somebody else wrote: which are let in, and what is told of the others."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from ontology.conformance import CheckedQuery, Rejection
from ontology.schema_loader import load_schema
from retrieval.metric_catalog import MetricCatalog
from retrieval.query_text import Role
from retrieval.request import Entity, EntityKind, Metric, TimeWindow
from retrieval.written_audit import admitted
from retrieval.written_columns import columns_of
from retrieval.written_request import WrittenRequest, reaching_back

CATALOG = MetricCatalog.load()
DAY = TimeWindow(datetime(2022, 6, 1, tzinfo=UTC), datetime(2022, 6, 2, tzinfo=UTC))
NEXT = TimeWindow(datetime(2022, 6, 2, tzinfo=UTC), datetime(2022, 6, 3, tzinfo=UTC))
HOUR = TimeWindow(datetime(2022, 6, 1, 8, tzinfo=UTC), datetime(2022, 6, 1, 9, tzinfo=UTC), True)
NODE_5, NODE_6 = Entity(EntityKind.NODE, "5"), Entity(EntityKind.NODE, "6")


def metric(name: str) -> Metric:
    found = CATALOG.by_name(name)
    assert found is not None
    return found


POWER = (metric("total_power"),)
INLET = (metric("ambient"),)
GPUS = CATALOG.members("gpu_utilization")

NODE = "?n a oda:ComputeNode ; oda:hasSensor ?s ; oda:nodeId ?node ."
FIVE = 'VALUES ?node { "5" }'
SENSOR = '?s oda:pluginName "ipmi_pub" ; oda:metricName "total_power" ; oda:hasReading ?r .'
READING = "?r oda:value ?v ; oda:timestamp ?t ."
FIRST, LAST = '"2022-06-01T00:00:00Z"^^xsd:dateTime', '"2022-06-02T00:00:00Z"^^xsd:dateTime'
WHEN = f"FILTER(?t >= {FIRST} && ?t < {LAST})"
BODY = f"{NODE} {FIVE} {SENSOR} {READING} {WHEN}"
MEAN = f"SELECT (AVG(?v) AS ?x) WHERE {{ {BODY} }}"
JOBS = "?j a oda:Job ; oda:jobId ?job ; oda:startTime ?start ; oda:endTime ?end ."
RAN = (
    'FILTER(?start < "2022-06-02T00:00:00Z"^^xsd:dateTime'
    ' && ?end > "2022-06-01T00:00:00Z"^^xsd:dateTime)'
)


def request(query: str, asked: str = "average power of node 5", **more: Any) -> WrittenRequest:
    return replace(WrittenRequest(query, asked, (POWER,), (DAY,), (NODE_5,)), **more)


def jobs(query: str, asked: str = "how many jobs ran?", **more: Any) -> WrittenRequest:
    return replace(WrittenRequest(query, asked, (), (DAY,), (), True), **more)


def complaints(asked: WrittenRequest) -> list[tuple[str, str]]:
    """The place and the message of each violation."""
    found = admitted(asked, load_schema())
    if isinstance(found, CheckedQuery):
        return []
    return [(violation.where, violation.message) for violation in found.violations]


def rejected(asked: WrittenRequest) -> Rejection:
    found = admitted(asked, load_schema())
    assert isinstance(found, Rejection)
    return found


def mean_over(body: str) -> str:
    return f"SELECT (AVG(?v) AS ?x) WHERE {{ {body} }}"


TWO_DAYS = f"""SELECT ?day (AVG(?v) AS ?x) WHERE {{ {NODE} {FIVE} {SENSOR} {READING}
  FILTER((?t >= "2022-06-01T00:00:00Z"^^xsd:dateTime && ?t < "2022-06-02T00:00:00Z"^^xsd:dateTime)
    || (?t >= "2022-06-02T00:00:00Z"^^xsd:dateTime && ?t < "2022-06-03T00:00:00Z"^^xsd:dateTime))
  BIND(odaf:floorTime(?t, "P1D", "UTC") AS ?day)
}} GROUP BY ?day"""
BOTH = [
    f"{{ SELECT ?slot (AVG(?v) AS ?{name}) WHERE {{ {NODE} {FIVE} {sensor} {READING} {WHEN}"
    ' BIND(odaf:floorTime(?t, "PT5M", "UTC") AS ?slot) } GROUP BY ?slot }'
    for name, sensor in (("a", SENSOR), ("b", SENSOR.replace("total_power", "ambient")))
]
CORRELATED = f"SELECT (odaf:pearson(odaf:pair(?a, ?b)) AS ?r) WHERE {{ {' '.join(BOTH)} }}"


@pytest.mark.parametrize(
    "asked",
    [
        request(MEAN),
        request(mean_over(f"{NODE} {FIVE} {SENSOR} {READING}")),
        request(MEAN.replace(FIVE, 'FILTER(?node = "5")')),
        request(MEAN.replace(FIVE, "").replace("?node .", '"5" .')),
        request(MEAN.replace('{ "5" }', '{ "5" "6" }'), entities=(NODE_5, NODE_6)),
        request(MEAN.replace(FIVE, 'FILTER(?node IN ("6", "5"))'), entities=(NODE_5, NODE_6)),
        request(TWO_DAYS, windows=(DAY, NEXT)),
        request(CORRELATED, quantities=(POWER, INLET)),
        request(
            f"SELECT ?node (MAX(?v) AS ?x) WHERE {{ {NODE} {SENSOR} {READING} FILTER(?v > 800) }}"
            " GROUP BY ?node ORDER BY DESC(?x) LIMIT 3",
            "the three nodes with the highest power, above 800 W",
            entities=(),
        ),
        jobs(f"SELECT (COUNT(DISTINCT ?j) AS ?n) WHERE {{ {JOBS} {RAN} }}"),
        jobs(
            f'SELECT ?job WHERE {{ {JOBS} {RAN} ?j oda:jobState ?s . FILTER(?s = "COMPLETED") }}',
            "which completed jobs ran?",
        ),
        jobs(
            f"SELECT ?start WHERE {{ {JOBS} VALUES ?job {{ 42 }} }}",
            "when did job 42 start?",
            windows=(),
            entities=(Entity(EntityKind.JOB, "42"),),
        ),
        request(
            "SELECT ?rack WHERE { ?rk a oda:Rack ; oda:rackId ?rack ; oda:contains ?n ."
            ' ?n oda:nodeId "5" }',
            "rack of node 5",
            quantities=(),
            windows=(),
        ),
    ],
)
def test_a_query_that_asks_what_was_asked_is_let_in(asked: WrittenRequest) -> None:
    assert complaints(asked) == []


OTHER_DAY = WHEN.replace("06-01", "05-01")
ANY_OTHER = "nobody asked about the node 6"
NOT_HELD = "the query is not held to node 5"
NOT_THE_TIME = "this is not the time that is asked about"


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (request(MEAN.replace('"5"', '"6"')), ANY_OTHER),
        (request(MEAN.replace('"5"', '"5" "6"')), ANY_OTHER),
        (request(MEAN.replace(FIVE, "")), NOT_HELD),
        (request(MEAN.replace(FIVE, 'FILTER(?node != "5")')), NOT_HELD),
        (request(MEAN.replace(FIVE, 'OPTIONAL { VALUES ?node { "5" } }')), NOT_HELD),
        (request(MEAN.replace(FIVE, 'FILTER(?node = "5" || ?v > 5)')), NOT_HELD),
        (
            request(
                MEAN.replace(
                    "oda:nodeId ?node .", 'oda:isContainedIn ?k . ?k oda:rackId "5" .'
                ).replace(FIVE, "")
            ),
            "nobody asked about the rack 5",
        ),
        (
            request(
                mean_over(
                    f"?n a oda:ComputeNode ; oda:hasSensor ?s . {SENSOR} {READING}"
                    ' ?k oda:contains ?n ; oda:contains ?m . ?m oda:nodeId "5" .'
                )
            ),
            "its owner is not held to the things that are asked about",
        ),
        (request(MEAN.replace(WHEN, OTHER_DAY)), NOT_THE_TIME),
        (request(MEAN.replace("?t >= ", "?t > ")), NOT_THE_TIME),
        (request(MEAN.replace("?t < ", "?t <= ")), NOT_THE_TIME),
        (request(MEAN.replace(" && ?t <", ") FILTER(?v > 5 || ?t <")), NOT_THE_TIME),
        (request(MEAN, windows=(HOUR,)), NOT_THE_TIME),
        (request(MEAN, windows=()), NOT_THE_TIME),
        (
            request(MEAN.replace(WHEN, f"FILTER(!({WHEN[7:-1]}))")),
            "a time may only be compared with a timestamp, by < or >= in a FILTER",
        ),
        (
            request(MEAN, windows=(DAY, NEXT)),
            "the query is not held to the time that is asked about",
        ),
        (
            request(mean_over(f"{NODE} {FIVE} {SENSOR} {READING}"), windows=(DAY, NEXT)),
            "readings of all times that are asked about are taken together",
        ),
        (
            request(MEAN.replace("total_power", "ambient")),
            "?s must be of one quantity that is asked about, and whole",
        ),
        (
            request(MEAN.replace("total_power", "ambient"), quantities=(POWER, INLET)),
            "nothing is read of total_power",
        ),
        (
            request(MEAN.replace(' ; oda:metricName "total_power"', ""), quantities=(POWER, INLET)),
            "?s must be of one quantity that is asked about, and whole",
        ),
        (
            request(
                MEAN.replace("ipmi_pub", "ganglia_pub").replace(
                    "total_power", "Gpu0_gpu_utilization"
                ),
                quantities=(GPUS,),
            ),
            "?s must be of one quantity that is asked about, and whole",
        ),
        (
            request(
                MEAN.replace(
                    "oda:hasReading ?r . ?r oda:value ?v",
                    "oda:hasReading/oda:value ?v . ?s oda:hasReading ?r . ?r oda:value ?w",
                )
            ),
            "write each step of the path as a pattern of its own",
        ),
        (
            request(MEAN.replace(FIVE, "").replace("a oda:ComputeNode ;", ""), entities=()),
            "it is not said which nodes' sensors are read",
        ),
        (request(MEAN.replace(WHEN, "FILTER(?v > 700)")), "the number 700 is not in the request"),
        (request(MEAN + " LIMIT 10"), "which rows there are depends on ORDER BY"),
        (
            request(f"SELECT ?v WHERE {{ {BODY} }} ORDER BY ?v LIMIT 10"),
            "nobody asked for 10 rows alone",
        ),
        (
            request(MEAN.replace("AVG(?v)", "AVG(?v) * 2")),
            "what it computes is none of the measures that are known",
        ),
        (request(MEAN.replace("AVG(?v)", "SAMPLE(?v)")), "any value will not do"),
        (request(f"SELECT * WHERE {{ {BODY} }}"), "write a SELECT that names its columns"),
        (request(f"ASK {{ {BODY} }}"), "write a SELECT that names its columns"),
        (
            request(mean_over(f"{BODY} FILTER(HOURS(?t) = 5)")),
            "a time zone belongs to hours and days",
        ),
        (
            request(mean_over(f'{BODY} ?n oda:hostName "r205n01"')),
            '"r205n01" is not in the request',
        ),
        (
            request(
                mean_over(
                    f"{BODY} ?j a oda:Job ; oda:runsOn ?n ; oda:startTime ?a . FILTER(?a < ?t)"
                )
            ),
            "nobody asked about jobs",
        ),
        (request(MEAN, quantities=()), "nobody asked about a metric"),
        (
            jobs(f"SELECT (COUNT(?j) AS ?n) WHERE {{ {JOBS} }}"),
            "the query is not held to the time that is asked about",
        ),
        (
            jobs(f"SELECT (COUNT(?j) AS ?n) WHERE {{ {JOBS} {RAN.replace('?end >', '?end <')} }}"),
            NOT_THE_TIME,
        ),
        (
            jobs(
                f"SELECT (COUNT(?j) AS ?n) WHERE {{ {JOBS} {RAN}"
                ' ?j oda:jobState ?s . FILTER(?s != "FAILED") }'
            ),
            '"FAILED" is not in the request',
        ),
    ],
)
def test_a_query_that_asks_something_else_is_sent_back(asked: WrittenRequest, message: str) -> None:
    assert message in [told for _, told in complaints(asked)]


ON_NODE = "?j oda:runsOn ?n ; oda:waitSeconds ?w ."
RACK = Entity(EntityKind.RACK, "3")
ONE_JOB = "?j a oda:Job ; oda:jobId 42 ; oda:runsOn ?n ; oda:startTime ?a ; oda:endTime ?b ."
WHILE_IT_RAN = f"{ONE_JOB} FILTER(?t >= ?a && ?t <= ?b)"
WHILE_ANY_RAN = WHILE_IT_RAN.replace("oda:jobId 42 ;", "")


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            jobs(f"SELECT (COUNT(?j) AS ?n) WHERE {{ {JOBS} {RAN} }}"),
            "what is counted may stand in several rows",
        ),
        (
            jobs(f"SELECT (AVG(?w) AS ?x) WHERE {{ {JOBS} {RAN} {ON_NODE} }}"),
            "a job of several nodes counts several times",
        ),
        (
            request(mean_over(f"{NODE} {FIVE} {SENSOR} {READING} {WHILE_ANY_RAN}"), jobs=True),
            "a sample counts once for each job that ran",
        ),
        (
            request(MEAN.replace("AVG", "SUM"), "total power of node 5"),
            "samples of different times cannot be added up: average each sensor first",
        ),
        (
            request(
                f"SELECT ?k (AVG(?v) AS ?x) WHERE {{ {BODY.replace(FIVE, '')}"
                " ?k a oda:Rack ; oda:contains ?n } GROUP BY ?k",
                "average power of each rack",
                entities=(),
            ),
            "a rack's power is that of its nodes together, not of one: add their means up",
        ),
        (
            request(mean_over(f"{BODY} ?k oda:contains ?n .")),
            "rack, room and data centre each hold it, which gives a row for each",
        ),
        (
            request(mean_over(f"{BODY} ?n a ?kind .")),
            "a thing has several classes, and a row for each: name one",
        ),
        (
            request(mean_over(f"{BODY} ?n oda:hasSensor ?s2 .")),
            "a sensor that is not read gives a row for each reading of others",
        ),
        (
            request(mean_over(f"{BODY} ?s oda:hasReading ?r2 . ?r2 oda:timestamp ?t2 .")),
            "each reading of one sensor is paired with all of the other: join their times",
        ),
    ],
)
def test_a_query_that_counts_a_thing_twice_is_sent_back(
    asked: WrittenRequest, message: str
) -> None:
    assert message in [told for _, told in complaints(asked)]


LAST = (
    f"SELECT (AVG(?x) AS ?value) WHERE {{ {{ SELECT ?s (odaf:latest(odaf:at(?v, ?t)) AS ?x)"
    f" WHERE {{ {NODE} {FIVE} {SENSOR} {READING} }} GROUP BY ?s }} }}"
)


def test_of_a_moment_the_last_sample_alone_is_taken() -> None:
    moment = TimeWindow(DAY.start, DAY.start, True)
    [window] = reaching_back((moment,), POWER)
    plain = f"{NODE} {FIVE} {SENSOR} {READING}"

    assert (window.seconds, window.end, window.includes_end) == (60, DAY.start, True)
    assert complaints(request(LAST, windows=(window,), instant=True)) == []
    for query in (mean_over(plain), f"SELECT ?v WHERE {{ {plain} }}"):
        told = complaints(request(query, windows=(window,), instant=True))
        assert told == [("SELECT", "only the last sample of each sensor speaks for that moment")]


@pytest.mark.parametrize(
    "asked",
    [
        jobs(
            f"SELECT (AVG(?w) AS ?x) WHERE {{ {JOBS} {RAN} ?j oda:waitSeconds ?w ."
            ' FILTER EXISTS { ?j oda:runsOn ?n . ?n oda:isContainedIn ?k . ?k oda:rackId "3" } }',
            "average waiting time of the jobs on rack 3",
            entities=(RACK,),
        ),
        jobs(
            f"SELECT ?node (AVG(?w) AS ?x) WHERE {{ {JOBS} {RAN} {ON_NODE} ?n oda:nodeId ?node }}"
            " GROUP BY ?node",
            "average waiting time of the jobs on each node",
        ),
        request(
            mean_over(f"{NODE} {FIVE} {SENSOR} {READING} {WHILE_IT_RAN}"),
            "average power of node 5 while job 42 ran",
            jobs=True,
            entities=(NODE_5, Entity(EntityKind.JOB, "42")),
        ),
        request(
            f"SELECT (SUM(?x) AS ?y) WHERE {{ {{ SELECT ?s (AVG(?v) AS ?x) WHERE {{ {BODY} }}"
            " GROUP BY ?s } }",
            "total power of node 5",
        ),
    ],
)
def test_where_nothing_counts_twice_a_query_is_let_in(asked: WrittenRequest) -> None:
    assert complaints(asked) == []


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        (mean_over(f"{BODY} FILTER(?v < 800)"), "how often was the power of node 5 above 800 W?"),
        (mean_over(f"{BODY} FILTER(?v > 0.8)"), "average power of node 5 while above 0.8 kW"),
        (MEAN, "average power of node 5 while above 800 W"),
        (MEAN + " HAVING (AVG(?v) > 5)", "average power of node 5"),
        (
            f"SELECT (100 * AVG(IF(?v > 700, 1, 0)) AS ?x) WHERE {{ {BODY} }}",
            "share of the samples of node 5 above 800 W",
        ),
        (
            f"SELECT (odaf:quantile(odaf:pair(?v, 0.9)) AS ?x) WHERE {{ {BODY} }}",
            "95th percentile of the power of node 5",
        ),
    ],
)
def test_a_bound_that_nobody_set_is_sent_back(query: str, asked: str) -> None:
    assert complaints(request(query, asked))


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        (mean_over(f"{BODY} FILTER(?v > 800)"), "average power of node 5 while above 0.8 kW"),
        (mean_over(f"{BODY} FILTER(800 <= ?v)"), "power of node 5 while at least 800 W"),
        (
            f"SELECT (100 * AVG(IF(?v > 800, 1, 0)) AS ?x) WHERE {{ {BODY} }}",
            "share of the samples of node 5 above 800 W",
        ),
        (
            f"SELECT (odaf:quantile(odaf:pair(?v, 0.95)) AS ?x) WHERE {{ {BODY} }}",
            "95th percentile of the power of node 5",
        ),
    ],
)
def test_a_bound_that_the_words_set_is_kept(query: str, asked: str) -> None:
    assert complaints(request(query, asked)) == []


def test_what_is_sent_back_says_what_may_stand_there() -> None:
    found = rejected(request(MEAN.replace(WHEN, OTHER_DAY).replace('"5"', '"6"')))

    hints = [hint for violation in found.violations for hint in violation.suggestions]
    assert WHEN in hints
    assert '?n oda:nodeId "5" .' in hints


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?x WHERE { SERVICE <https://evil.example/> { ?x ?y ?z } }",
        "DELETE WHERE { ?s ?p ?o }",
        "SELECT ?s FROM <https://odabot.example/data/graph/x> WHERE { ?s a oda:Sensor }",
        MEAN.replace("oda:value", "oda:wattage"),
        MEAN.replace("oda:ComputeNode", "oda:Blade"),
        "I am sorry, but I cannot help with that.",
        "",
    ],
)
def test_what_does_not_conform_never_gets_as_far(query: str) -> None:
    rules = {violation.rule.value for violation in rejected(request(query)).violations}

    assert rules
    assert "not-asked" not in rules


def test_columns_are_called_what_they_are_whatever_the_query_calls_them() -> None:
    query = f"""SELECT ?when (MIN(?v) AS ?maximum) (COUNT(?r) AS ?average) WHERE {{ {BODY}
      BIND(odaf:floorTime(?t, "PT1H", "UTC") AS ?when) }} GROUP BY ?when"""
    checked = admitted(request(query), load_schema())
    assert isinstance(checked, CheckedQuery)

    told = [(c.heading, c.unit, c.role) for c in columns_of(checked, request(query))]

    assert told == [
        ("hour", "", Role.TIME),
        ("minimum", "W", Role.VALUE),
        ("number of samples", "", Role.COUNT),
    ]


def test_energy_has_its_unit_only_where_it_was_divided_for_it() -> None:
    joules = MEAN.replace("AVG(?v)", "odaf:integral(odaf:at(?v, ?t)) / 3600000")
    checked = admitted(request(joules), load_schema())
    assert isinstance(checked, CheckedQuery)

    assert columns_of(checked, request(joules))[0].unit == "kWh"
    assert "what it computes is none of the measures that are known" in [
        message for _, message in complaints(request(joules.replace("3600000", "1000")))
    ]
