"""The schema as text for a prompt."""

from ontology.describe import describe, describe_functions
from ontology.functions import ANALYTIC
from ontology.schema_loader import load_schema
from ontology.vocabulary import ODA


def test_describes_the_properties_of_a_class_and_those_it_inherits() -> None:
    text = describe(load_schema(), frozenset({ODA + "ComputeNode"}))

    assert "oda:ComputeNode (a oda:Node): A server that runs jobs." in text
    assert "oda:nodeId xsd:string" in text
    assert "oda:hasSensor oda:Sensor" in text


def test_leaves_out_what_no_source_records() -> None:
    text = describe(load_schema(), frozenset({ODA + "ComputeNode", ODA + "Job"}))

    assert "oda:nodeModel" not in text
    assert "oda:inPartition" not in text


def test_shows_how_classes_are_joined() -> None:
    text = describe(load_schema(), frozenset({ODA + "Job", ODA + "Reading"}))

    assert "oda:Job to oda:Reading: oda:runsOn/oda:hasSensor/oda:hasReading" in text


def test_names_every_function() -> None:
    text = describe_functions()

    assert all(f"odaf:{function.name}(" in text for function in ANALYTIC.values())
