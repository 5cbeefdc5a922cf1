"""What a written query gives, told part by part; what cannot be told is not."""

import pytest

from ontology.conformance import CheckedQuery
from ontology.schema_loader import load_schema
from retrieval.measures import Comparison
from retrieval.outline_parts import OutlinedBound, OutlinedRows, OutlinedText, WrittenOutline
from retrieval.query_text import text
from retrieval.request import Entity, EntityKind
from retrieval.written_audit import admitted
from retrieval.written_outline import outline_of
from retrieval.written_request import WrittenRequest
from tests.unit.retrieval.test_written_audit import (
    BODY,
    CORRELATED,
    FIVE,
    GPUS,
    INLET,
    JOBS,
    MEAN,
    NODE,
    POWER,
    RAN,
    READING,
    SENSOR,
    WHEN,
    jobs,
    mean_over,
    request,
)

ENDED = RAN.replace("?start <", "?end <").replace("?end >", "?end >=")
COUNTED = "SELECT (COUNT(DISTINCT ?j) AS ?n) WHERE"


def outline(asked: WrittenRequest) -> WrittenOutline | None:
    checked = admitted(asked, load_schema())
    assert isinstance(checked, CheckedQuery)
    return outline_of(checked, asked)


def told(asked: WrittenRequest) -> WrittenOutline:
    found = outline(asked)
    assert found is not None
    return found


def test_a_mean_of_everything_together() -> None:
    assert told(request(MEAN)) == WrittenOutline(
        OutlinedRows(("average of total_power (W)",), (), True), kinds=("compute node",)
    )


def test_groups_bounds_order_and_limit() -> None:
    asked = request(
        f"SELECT ?node (MAX(?v) AS ?x) WHERE {{ {NODE} {SENSOR} {READING} {WHEN}"
        " FILTER(?v > 800) } GROUP BY ?node HAVING(AVG(?v) > 800) ORDER BY DESC(?x) LIMIT 3",
        "the three nodes with the highest power, above 800 W",
        entities=(),
    )

    assert told(asked) == WrittenOutline(
        OutlinedRows(("node", "maximum of total_power (W)"), ("node",), True),
        conditions=(
            OutlinedBound("total_power", Comparison.ABOVE, 800, "W"),
            OutlinedBound("average of total_power", Comparison.ABOVE, 800, "W"),
        ),
        kinds=("compute node",),
        order=(("maximum of total_power (W)", True),),
        limit=3,
    )


def test_what_is_computed_first_for_each_sensor() -> None:
    asked = request(
        f"SELECT (SUM(?x) AS ?y) WHERE {{ {{ SELECT ?s (AVG(?v) AS ?x) WHERE {{ {BODY} }}"
        " GROUP BY ?s } }",
        "total power of node 5",
    )

    found = told(asked)

    assert found.rows.columns == ("sum of the average of total_power (W)",)
    assert found.first == (
        OutlinedRows(("sensor", "average of total_power (W)"), ("sensor",), True),
    )


def test_a_bound_within_what_is_computed() -> None:
    asked = request(
        f"SELECT (100 * AVG(IF(?v > 800, 1, 0)) AS ?x) WHERE {{ {BODY} }}",
        "share of the samples of node 5 above 800 W",
    )

    assert told(asked).conditions == (OutlinedBound("total_power", Comparison.ABOVE, 800, "W"),)


def test_a_bound_that_stands_behind_the_number_is_told_the_right_way_round() -> None:
    asked = request(mean_over(f"{BODY} FILTER(800 <= ?v)"), "power of node 5 while at least 800 W")

    assert told(asked).conditions == (OutlinedBound("total_power", Comparison.AT_LEAST, 800, "W"),)


def test_samples_and_things_are_counted() -> None:
    samples = request(f"SELECT (COUNT(?v) AS ?x) WHERE {{ {BODY} }}", "number of samples of node 5")

    assert told(samples).rows.columns == ("number of samples",)
    assert told(jobs(f"{COUNTED} {{ {JOBS} {RAN} }}")).rows.columns == ("number of jobs",)


def test_single_samples_and_a_family() -> None:
    names = " ".join(text(one.name) for one in GPUS)
    sensor = (
        '?s oda:pluginName "ganglia_pub" ; oda:metricName ?metric ; oda:hasReading ?r .'
        f" VALUES ?metric {{ {names} }}"
    )
    asked = request(
        f"SELECT ?metric ?t ?v WHERE {{ {NODE} {FIVE} {sensor} {READING} {WHEN} }}",
        "GPU utilisation of node 5",
        quantities=(GPUS,),
    )

    found = told(asked)

    assert not found.rows.is_grouped
    assert found.rows.columns[1] == "time"
    assert found.conditions == ()


def test_two_metrics_at_the_same_moments() -> None:
    other = SENSOR.replace("total_power", "ambient").replace("?s ", "?s2 ").replace("?r ", "?r2 ")
    asked = request(
        f"SELECT ?t ?v ?v2 WHERE {{ {NODE} ?n oda:hasSensor ?s2 . {FIVE} {SENSOR} {READING} {other}"
        f" ?r2 oda:value ?v2 ; oda:timestamp ?t . {WHEN} }}",
        "power and inlet temperature of node 5",
        quantities=(POWER, INLET),
    )

    assert told(asked).joins_times
    assert not told(request(MEAN)).joins_times


@pytest.mark.parametrize(
    ("times", "did"),
    [(RAN, ("ran",)), (ENDED, ("ended",)), (ENDED.replace("?end", "?start"), ("started",))],
)
def test_what_jobs_did_in_the_window(times: str, did: tuple[str, ...]) -> None:
    assert told(jobs(f"{COUNTED} {{ {JOBS} {times} }}")).job_times == did


@pytest.mark.parametrize(
    "state",
    [
        '?j oda:jobState ?s . FILTER(?s = "COMPLETED")',
        '?j oda:jobState ?s . VALUES ?s { "COMPLETED" }',
        '?j oda:jobState "COMPLETED" .',
    ],
)
def test_what_a_job_is_called(state: str) -> None:
    asked = jobs(f"SELECT ?job WHERE {{ {JOBS} {RAN} {state} }}", "which completed jobs ran?")

    assert told(asked).conditions == (OutlinedText("job state", ("COMPLETED",)),)


def test_the_things_of_jobs_may_stand_in_exists() -> None:
    asked = jobs(
        f"SELECT (AVG(?w) AS ?x) WHERE {{ {JOBS} {RAN} ?j oda:waitSeconds ?w ."
        ' FILTER EXISTS { ?j oda:runsOn ?n . ?n oda:isContainedIn ?k . ?k oda:rackId "3" } }',
        "average waiting time of the jobs on rack 3",
        entities=(Entity(EntityKind.RACK, "3"),),
    )

    assert told(asked).rows.columns == ("average of waiting time (s)",)
    assert told(asked).conditions == ()


@pytest.mark.parametrize(
    "asked",
    [
        request(mean_over(f"{BODY} OPTIONAL {{ ?n oda:positionX ?p }}")),
        request(mean_over(f"{BODY} FILTER(BOUND(?v))")),
        request(f"SELECT (COUNT(DISTINCT ?v) AS ?x) WHERE {{ {BODY} }}"),
        request(
            f"SELECT (COUNT(?m) AS ?x) WHERE {{ {{ SELECT ?s (AVG(?v) AS ?m) WHERE {{ {BODY} }}"
            " GROUP BY ?s } }"
        ),
        request(mean_over(f"{BODY} ?n oda:positionX ?p ; oda:positionY ?p .")),
        request(mean_over(f"{BODY} FILTER(STRLEN(?node) = STRLEN(?node))")),
        request(
            mean_over(f"{BODY} MINUS {{ ?n oda:positionX ?p }}"), "power of node 5 without position"
        ),
        request(
            mean_over(f"{BODY} FILTER NOT EXISTS {{ ?n oda:positionX ?p }}"),
            "power of node 5 without a position",
        ),
        request(f"SELECT (AVG(?v) AS ?x) WHERE {{ {{ SELECT DISTINCT ?v WHERE {{ {BODY} }} }} }}"),
        request(
            "SELECT (AVG(?v) AS ?x) WHERE { { SELECT ?v WHERE"
            f" {{ {BODY} }} ORDER BY DESC(?v) LIMIT 1 }} }}"
        ),
        request(
            mean_over(f"{BODY} FILTER EXISTS {{ ?j oda:runsOn ?n . ?j oda:jobId 42 }}"),
            "average power of node 5 while job 42 ran",
            jobs=True,
            entities=(Entity(EntityKind.NODE, "5"), Entity(EntityKind.JOB, "42")),
        ),
    ],
)
def test_what_no_words_tell_is_not_told(asked: WrittenRequest) -> None:
    assert outline(asked) is None


def test_a_correlation_is_told_with_what_it_is_over() -> None:
    found = told(request(CORRELATED, quantities=(POWER, INLET)))

    assert found.rows.columns == ("Pearson r",)
    assert found.steps == ("PT5M",)
    assert [step.columns[1] for step in found.first] == [
        "average of total_power (W)",
        "average of ambient (°C)",
    ]
