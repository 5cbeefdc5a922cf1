"""What two queries may differ in and still be kin."""

import pytest

from ontology.conformance import CheckedQuery, check_query
from ontology.schema_loader import load_schema
from retrieval.query_kin import kin_of
from retrieval.query_text import HEADER

SCHEMA = load_schema()
MEAN = """
SELECT (AVG(?v) AS ?average) WHERE {
  ?n a oda:ComputeNode ; oda:hasSensor ?s ; oda:nodeId ?node .
  VALUES ?node { "5" }
  ?s oda:pluginName "ipmi_pub" ; oda:metricName "total_power" ; oda:hasReading ?r .
  ?r oda:value ?v ; oda:timestamp ?t .
  FILTER(?t >= "2022-06-01T00:00:00Z"^^xsd:dateTime && ?t < "2022-06-02T00:00:00Z"^^xsd:dateTime)
  FILTER(?v > 100)
}"""
RANKED = """
SELECT ?node ?hour (MAX(?v) AS ?maximum) WHERE {
  ?n a oda:ComputeNode ; oda:hasSensor ?s ; oda:nodeId ?node .
  VALUES ?node { "5" }
  ?s oda:pluginName "ipmi_pub" ; oda:metricName "total_power" ; oda:hasReading ?r .
  ?r oda:value ?v ; oda:timestamp ?t .
  BIND(odaf:floorTime(?t, "PT1H", "UTC") AS ?hour)
}
GROUP BY ?node ?hour
ORDER BY DESC(?maximum)
LIMIT 5"""
JOBS = """
SELECT ?state (COUNT(?j) AS ?jobs) WHERE {
  ?j a oda:Job ; oda:startTime ?start ; oda:endTime ?end ; oda:jobState ?state ; oda:userId ?user .
  VALUES ?user { "7" "8" }
  VALUES ?state { "FAILED" "TIMEOUT" }
  FILTER(?start < "2022-06-02T00:00:00Z"^^xsd:dateTime)
  BIND(IF(?end < "2022-06-02T00:00:00Z"^^xsd:dateTime, ?end, ?start) AS ?to)
}
GROUP BY ?state"""
OTHERS = """
SELECT DISTINCT ?node WHERE {
  ?one a oda:ComputeNode ; oda:nodeId "5" .
  ?rk a oda:Rack ; oda:contains ?one ; oda:contains ?n .
  ?n a oda:ComputeNode ; oda:nodeId ?node .
  FILTER(?node != "5")
}"""
METER = """
SELECT (AVG(?v) AS ?average) WHERE {
  ?n a oda:PowerMeter ; oda:hasSensor ?s ; oda:deviceName ?device .
  VALUES ?device { "pue" }
  ?s oda:hasReading ?r .
  ?r oda:value ?v .
}"""
CRAC = METER.replace("oda:PowerMeter", "oda:CRAC")
GAPS = """
SELECT ?s (odaf:gaps(odaf:at(60, ?t)) AS ?spans) WHERE {
  ?n a oda:ComputeNode ; oda:hasSensor ?s .
  ?s oda:hasReading ?r .
  ?r oda:timestamp ?t .
}
GROUP BY ?s"""


def kin(query: str) -> str:
    checked = check_query(HEADER + query, SCHEMA)
    assert isinstance(checked, CheckedQuery), checked
    return kin_of(checked)


def changed(query: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert old in query
        query = query.replace(old, new)
    return query


@pytest.mark.parametrize(
    ("query", "changes"),
    [
        (MEAN, [("2022-06-01", "2022-05-30"), ('?t < "2022-06-02', '?t <= "2022-06-07')]),
        (MEAN, [('"5"', '"77"')]),
        (MEAN, [("> 100", "> 2.5")]),
        (MEAN, [("?v", "?w"), ("?average", "?mean")]),
        (RANKED, [('"5"', '"5" "6" "7"')]),
        (RANKED, [("LIMIT 5", "LIMIT 20"), ('"PT1H", "UTC"', '"P1D", "Europe/Rome"')]),
        (JOBS, [('"7" "8"', '"1" "2" "3"')]),
        (JOBS, [('"FAILED" "TIMEOUT"', '"TIMEOUT" "FAILED"')]),
        (JOBS, [("2022-06-02", "2022-06-04")]),
        (OTHERS, [('"5"', '"9"')]),
        (CRAC, [('"pue"', '"cdz1"')]),
        (GAPS, [("60", "90.5")]),
    ],
)
def test_constants_that_a_person_varies_leave_a_query_kin(
    query: str, changes: list[tuple[str, str]]
) -> None:
    assert kin(changed(query, *changes)) == kin(query)


@pytest.mark.parametrize(
    ("query", "changes"),
    [
        (MEAN, [("AVG", "MAX")]),
        (MEAN, [("total_power", "ambient")]),
        (MEAN, [("> 100", ">= 100")]),
        (MEAN, [("> 100", "< 100")]),
        (MEAN, [("  FILTER(?v > 100)\n", "")]),
        (MEAN, [("AVG(?v)", "AVG(100 - ?v)")]),
        # One node's mean is its own; that of several is one over all of them.
        (MEAN, [('"5"', '"5" "6"')]),
        (MEAN, [('"5"', '"5" UNDEF')]),
        (RANKED, [("DESC", "ASC")]),
        (RANKED, [("LIMIT 5", "")]),
        (RANKED, [("?node ?hour", "?node"), ("  BIND", "  #BIND")]),
        (JOBS, [('"FAILED" "TIMEOUT"', '"FAILED"')]),
        (JOBS, [("?start <", "?end <")]),
        # The same constant in two places is one, and may not become two.
        (JOBS, [('?start < "2022-06-02', '?start < "2022-06-03')]),
        (OTHERS, [('!= "5"', '!= "6"')]),
        # The name of a meter says what it measures.
        (METER, [('"pue"', '"total"')]),
    ],
)
def test_anything_else_makes_another_query(query: str, changes: list[tuple[str, str]]) -> None:
    assert kin(changed(query, *changes)) != kin(query)
