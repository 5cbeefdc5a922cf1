"""Each shape of query runs the expected way, and gives what it gives over a graph."""

import re
from dataclasses import dataclass
from pathlib import Path
from string import Template

import pytest

from tests.both_ways import BothWays, assert_same, checked
from tests.lakes import tiny_lake, tiny_profile
from tests.odd_lake import odd_lake

PARTS = {
    "SENSORS": "?n a oda:ComputeNode ; oda:nodeId ?id ; oda:hasSensor ?s .",
    "POWER": '?s oda:metricName "total_power" .',
    "AMBIENT": '?s oda:metricName "ambient" .',
    "READINGS": "?s oda:hasReading ?r . ?r oda:value ?v ; oda:timestamp ?t .",
    "TEN_MINUTES": 'FILTER(?t >= "2022-06-01T10:05:00Z"^^xsd:dateTime'
    ' && ?t < "2022-06-01T10:15:00Z"^^xsd:dateTime)',
    "JOBS": "?j a oda:Job ; oda:runsOn ?n ; oda:startTime ?b ; oda:endTime ?e .",
    "WHILE_RUNNING": "FILTER(?t >= ?b && ?t <= ?e)",
    "NEVER": 'FILTER(?t > "2030-01-01T00:00:00Z"^^xsd:dateTime)',
}
HEADING = re.compile(
    r"^## (?P<name>\w+)(?P<ordered>, in order)?(?:: (?P<way>\w+)(?:, (?P<reason>.+))?)?$",
    re.MULTILINE,
)


ON_BOTH_LAKES = ("jobs", "paths", "results", "times")
"""Files of shapes that are also asked of a lake that is as large and orderly as a real one."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A query, with the way it must run and why it may not run virtually."""

    file: str
    text: str
    ordered: bool
    way: str
    reason: str


def _shapes() -> dict[str, Shape]:
    found: dict[str, Shape] = {}
    for file in sorted(Path(__file__).with_name("query_shapes").glob("*.rq")):
        text = file.read_text("utf-8")
        headings = list(HEADING.finditer(text))
        ends = [*(heading.start() for heading in headings[1:]), len(text)]
        for heading, end in zip(headings, ends, strict=True):
            assert heading["name"] not in found, heading["name"]
            query = Template(text[heading.end() : end]).substitute(PARTS)
            way, reason = heading["way"] or "virtual", heading["reason"] or ""
            found[heading["name"]] = Shape(file.stem, query, bool(heading["ordered"]), way, reason)
    return found


SHAPES = _shapes()


ON_TINY = sorted(name for name, shape in SHAPES.items() if shape.file in ON_BOTH_LAKES)


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> BothWays:
    return BothWays(odd_lake(tmp_path_factory.mktemp("lake") / "data"), 40)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> BothWays:
    path = tmp_path_factory.mktemp("lake") / "data"
    return BothWays(tiny_lake(path, profile=tiny_profile(jobs_a_day=30)), 13)


def _assert_alike(shape: Shape, both: BothWays) -> None:
    query = checked(shape.text)
    result = both.chosen(query)
    assert (result.how, result.reason) == (shape.way, shape.reason)
    # What was materialised has nothing else to be compared with.
    if shape.way != "materialised":
        assert_same(result, both.materialised(query), ordered=shape.ordered)


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_gives_the_same_rows_either_way_over_an_odd_lake(name: str, odd: BothWays) -> None:
    _assert_alike(SHAPES[name], odd)


@pytest.mark.parametrize("name", ON_TINY)
def test_gives_the_same_rows_either_way_over_an_orderly_lake(name: str, tiny: BothWays) -> None:
    _assert_alike(SHAPES[name], tiny)


def test_what_operators_ask_is_mostly_virtual() -> None:
    ways = [shape.way for shape in SHAPES.values()]

    assert len(ways) > 300
    assert ways.count("virtual") > 5 * ways.count("materialised")
