"""Our ontology as loaded: large enough, consistent, and with its units as data."""

from itertools import combinations
from pathlib import Path

import pytest

from ontology.errors import OntologyFileError
from ontology.schema_loader import load_schema
from ontology.vocabulary import ODA

HEAD = """
@prefix oda: <https://odabot.example/oda#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""


def written(folder: Path, turtle: str) -> Path:
    """A Turtle file with the usual prefixes."""
    path = folder / "a.ttl"
    path.write_text(HEAD + turtle, encoding="utf-8")
    return path


def oda(*names: str) -> frozenset[str]:
    """Names in our namespace."""
    return frozenset(ODA + name for name in names)


def test_the_ontology_is_as_large_as_promised() -> None:
    schema = load_schema()
    joins = [declared.joins_entities for declared in schema.properties.values()]

    assert len(schema.classes) >= 45
    assert joins.count(True) >= 28
    assert joins.count(False) >= 65
    assert schema.axioms.logical >= 400
    assert schema.axioms.total == schema.axioms.declarations + schema.axioms.logical


def test_every_term_has_a_label_and_a_comment() -> None:
    schema = load_schema()

    said = [(known.iri, known.label, known.comment) for known in schema.classes.values()]
    said += [(known.iri, known.label, known.comment) for known in schema.properties.values()]

    for iri, label, comment in said:
        assert label != iri
        assert len(comment) > 10, iri


def test_the_tops_are_pairwise_disjoint() -> None:
    schema = load_schema()
    tops = oda("PhysicalEntity", "LogicalEntity", "ExternalEntity", "Sensor", "Reading")

    assert all(schema.are_disjoint(one, other) for one, other in combinations(tops, 2))
    assert schema.are_disjoint(ODA + "CRAC", ODA + "Job")
    assert not schema.are_disjoint(ODA + "CRAC", ODA + "Equipment")


def test_every_class_stands_below_one_top() -> None:
    schema = load_schema()
    tops = oda("PhysicalEntity", "LogicalEntity", "ExternalEntity", "Sensor", "Reading")

    assert {len(above & tops) for above in schema.ancestors.values()} == {1}


def test_contains_is_transitive_confined_and_has_an_inverse() -> None:
    contains = load_schema().properties[ODA + "contains"]

    assert contains.is_transitive
    assert contains.inverse == ODA + "isContainedIn"
    assert ODA + "Node" in contains.confined[ODA + "Rack"]
    assert ODA + "Room" not in contains.confined[ODA + "Rack"]


def test_both_properties_of_a_pair_know_each_other() -> None:
    properties = load_schema().properties

    for declared in properties.values():
        if declared.inverse is not None:
            assert properties[declared.inverse].inverse == declared.iri


def test_units_convert() -> None:
    schema = load_schema()
    kilowatt_hour = schema.unit_with_code("kW.h")
    celsius = schema.unit_with_code("Cel")

    assert kilowatt_hour is not None
    assert celsius is not None
    assert (kilowatt_hour.symbol, kilowatt_hour.factor) == ("kWh", 3_600_000.0)
    assert (20 + celsius.offset) * celsius.factor == pytest.approx(293.15)
    assert celsius.qudt == "http://qudt.org/vocab/unit/DEG_C"
    assert schema.unit_with_code("furlong") is None


def test_iri_paths_are_not_shared() -> None:
    paths = [known.iri_path for known in load_schema().classes.values() if known.iri_path]

    assert len(paths) == len(set(paths))


def test_the_packaged_schema_is_loaded_once() -> None:
    assert load_schema() is load_schema()


def test_loads_a_site_s_own_file(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "oda:A a owl:Class . oda:p a owl:DatatypeProperty ; rdfs:domain oda:A ; "
        "rdfs:range xsd:double .",
    )

    schema = load_schema(path)

    assert set(schema.classes) == {ODA + "A"}
    assert load_schema(path) is schema


@pytest.mark.parametrize(
    "turtle",
    [
        "oda:A a owl:Class",
        "oda:A a owl:Class ; rdfs:subClassOf oda:B .",
        "oda:A a owl:Class . oda:p a owl:ObjectProperty ; rdfs:domain oda:A .",
        "oda:p a owl:ObjectProperty ; rdfs:domain oda:A ; rdfs:range oda:A .",
        "oda:A a owl:Class . oda:p a owl:DatatypeProperty ; rdfs:domain oda:A ; "
        "rdfs:range xsd:colour .",
        "oda:A a owl:Class . oda:p a owl:ObjectProperty ; rdfs:domain oda:A ; "
        "rdfs:range oda:A ; owl:inverseOf oda:q .",
    ],
    ids=["syntax", "superclass", "no range", "domain", "datatype", "inverse"],
)
def test_refuses_a_file_that_is_broken_or_contradicts_itself(tmp_path: Path, turtle: str) -> None:
    path = written(tmp_path, turtle)

    with pytest.raises(OntologyFileError):
        load_schema(path)


def test_refuses_a_file_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(OntologyFileError):
        load_schema(tmp_path / "none.ttl")
