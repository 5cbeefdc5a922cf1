import json

import pytest

from ontology.vocabulary import XSD
from retrieval.errors import GraphStoreError
from retrieval.store_results import result_of, solutions_in

ROWS = {
    "head": {"vars": ["n", "t"]},
    "results": {
        "bindings": [
            {
                "n": {"type": "literal", "value": "3", "datatype": f"{XSD}integer"},
                "t": {"type": "literal", "value": "a"},
            },
            {"t": {"type": "literal", "value": "é"}},
        ]
    },
}


def body_of(value: object) -> bytes:
    return json.dumps(value).encode()


def test_reads_rows() -> None:
    result = result_of(*solutions_in(body_of(ROWS), "http://db"))

    assert (result.frame.rows(), result.kinds["n"]) == ([(3, "a"), (None, "é")], "integer")


def test_reads_a_truth_value() -> None:
    result = result_of(*solutions_in(body_of({"head": {}, "boolean": True}), "http://db"))

    assert result.frame.rows() == [(True,)]


@pytest.mark.parametrize("length", range(len(body_of(ROWS))))
def test_no_beginning_of_a_result_is_taken_for_the_whole(length: int) -> None:
    with pytest.raises(GraphStoreError, match="http://db"):
        solutions_in(body_of(ROWS)[:length], "http://db")


@pytest.mark.parametrize("body", [b"", b"null", b"[]", b"{}", b"<html>", b"\xff", b'{"head":{}}'])
def test_refuses_what_is_no_result(body: bytes) -> None:
    with pytest.raises(GraphStoreError):
        solutions_in(body, "http://db")
