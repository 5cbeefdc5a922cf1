"""Shortest chains of properties between classes."""

from ontology.paths import chains_between
from ontology.schema_loader import load_schema
from ontology.vocabulary import HAS_READING, ODA, RUNS_ON

HAS_SENSOR = ODA + "hasSensor"


def chains(start: str, end: str) -> tuple[tuple[str, ...], ...]:
    """The chains between two classes of our namespace."""
    return chains_between(load_schema(), ODA + start, ODA + end)


def test_a_node_leads_to_readings_through_its_sensors() -> None:
    assert chains("ComputeNode", "Reading") == ((HAS_SENSOR, HAS_READING),)


def test_a_job_leads_to_readings_through_its_nodes() -> None:
    assert chains("Job", "Reading") == ((RUNS_ON, HAS_SENSOR, HAS_READING),)


def test_containment_is_followed_the_right_way_only() -> None:
    assert chains("Rack", "ComputeNode") == ((ODA + "contains",),)
    assert chains("ComputeNode", "Rack") == ((ODA + "isContainedIn",),)


def test_a_class_meets_its_superclass_without_a_step() -> None:
    assert chains("CRAC", "Equipment") == ((),)


def test_there_is_no_chain_to_what_nothing_leads_to() -> None:
    assert chains("Reading", "Job") == ()
