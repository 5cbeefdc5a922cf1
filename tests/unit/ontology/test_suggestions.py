"""Known names close to an unknown one."""

import pytest

from ontology.schema_loader import load_schema
from ontology.suggestions import closest, edit_distance, properties_for, written
from ontology.vocabulary import DATA, ODA


@pytest.mark.parametrize(
    ("one", "other", "edits"), [("", "", 0), ("abc", "abc", 0), ("abc", "adc", 1), ("ab", "", 2)]
)
def test_counts_edits(one: str, other: str, edits: int) -> None:
    assert edit_distance(one, other) == edits


def test_the_closest_name_comes_first() -> None:
    assert closest("Computenode", load_schema().classes)[0] == "oda:ComputeNode"
    assert closest("startDateTime", load_schema().properties)[0] == "oda:startTime"


def test_a_name_like_no_other_gets_no_suggestion() -> None:
    assert closest("xyzzyq", load_schema().classes) == ()


def test_suggests_only_properties_that_the_class_may_have() -> None:
    found = properties_for(load_schema(), "timestamp", [ODA + "Job"])

    assert "oda:startTime" in found
    assert "oda:timestamp" not in found


def test_writes_a_name_with_a_prefix_where_one_fits() -> None:
    assert written(ODA + "Node") == "oda:Node"
    assert written(DATA + "node/900") == f"<{DATA}node/900>"
