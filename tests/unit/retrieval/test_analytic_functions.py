import pytest
from pyoxigraph import Literal, NamedNode

from ontology.functions import ANALYTIC
from ontology.vocabulary import FUNCTION, XSD
from retrieval.analytic_functions import AGGREGATES, SCALARS

ONE = Literal("1", datatype=NamedNode(XSD + "double"))
NOON = Literal("2022-06-01T12:00:00Z", datatype=NamedNode(XSD + "dateTime"))


def _call(name: str, *arguments: Literal) -> object:
    return SCALARS[NamedNode(FUNCTION + name)](*arguments)


def test_implements_exactly_the_functions_that_are_declared() -> None:
    declared = {NamedNode(iri): function.is_aggregate for iri, function in ANALYTIC.items()}

    assert {**dict.fromkeys(SCALARS, False), **dict.fromkeys(AGGREGATES, True)} == declared


def test_cuts_time_in_the_zone_that_is_named() -> None:
    start = _call("floorTime", NOON, Literal("P1D"), Literal("Europe/Rome"))

    assert start == Literal("2022-06-01T00:00:00+02:00", datatype=NamedNode(XSD + "dateTime"))


@pytest.mark.parametrize(("length", "zone"), [("1 hour", "UTC"), ("PT0H", "UTC"), ("PT1H", "Mars")])
def test_gives_nothing_for_a_length_or_zone_that_does_not_exist(length: str, zone: str) -> None:
    assert _call("floorTime", NOON, Literal(length), Literal(zone)) is None


def test_gives_nothing_for_values_of_the_wrong_kind() -> None:
    assert _call("at", NOON, NOON) is None
    assert _call("at", ONE, Literal("noon")) is None
    assert _call("pair", ONE, Literal("1")) is None
    assert _call("marked", ONE, ONE, NOON) is None


def test_an_aggregate_fails_as_a_whole_where_one_value_is_of_the_wrong_kind() -> None:
    accumulator = AGGREGATES[NamedNode(FUNCTION + "median")]()

    accumulator.accumulate(ONE)
    accumulator.accumulate(NOON)

    assert accumulator.finish() is None


def test_an_aggregate_of_nothing_has_no_result() -> None:
    results = {name: make().finish() for name, make in AGGREGATES.items()}

    for name in ("episodes", "runs", "gaps"):
        spans = results.pop(NamedNode(FUNCTION + name))
        assert isinstance(spans, Literal)
        assert spans.value == ""
    assert set(results.values()) == {None}
