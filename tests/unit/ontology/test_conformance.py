"""The gate, held to a table of queries: each says which rules it breaks, and no others."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.conformance import CheckedQuery, Rejection, check_query
from ontology.query_text import MAX_CHARACTERS
from ontology.schema_loader import load_schema
from ontology.violations import Rule
from ontology.vocabulary import ODA, PREFIXES

CASES: list[dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("conformance_cases.yaml").read_text(encoding="utf-8")
)
GRANTED = frozenset({"https://odabot.example/graph/1"})
DECLARED = "".join(f"PREFIX {prefix}: <{iri}>\n" for prefix, iri in PREFIXES.items())


def checked(query: str) -> CheckedQuery | Rejection:
    """What the gate says of ``query`` behind the usual prefixes."""
    return check_query(DECLARED + query, load_schema(), GRANTED)


def rules_of(result: CheckedQuery | Rejection) -> list[str]:
    """Names of the rules that a result reports."""
    found = result.warnings if isinstance(result, CheckedQuery) else result.violations
    return [violation.rule.value for violation in found]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_says_of_each_query_what_the_table_says(case: dict[str, Any]) -> None:
    declared = "" if case.get("bare") else DECLARED

    result = check_query(declared + case["query"], load_schema(), GRANTED)

    assert isinstance(result, Rejection) == (case["verdict"] == "reject"), result
    assert sorted(rules_of(result)) == sorted(case.get("rules", [])), result


def test_the_table_names_each_query_once_and_covers_every_rule() -> None:
    ids = [case["id"] for case in CASES]
    covered = {rule for case in CASES for rule in case.get("rules", [])}

    assert len(set(ids)) == len(ids) >= 57 + 45
    # A query that is too long would not read well in a table; it has a test of its own.
    assert {rule.value for rule in Rule} - covered == {Rule.TOO_LONG.value, Rule.NOT_ASKED.value}


def test_a_checked_query_says_what_it_hands_out() -> None:
    result = checked("SELECT ?id (COUNT(?s) AS ?n) WHERE { ?x oda:nodeId ?id ; oda:hasSensor ?s } "
                     "GROUP BY ?id LIMIT 7")  # fmt: skip

    assert isinstance(result, CheckedQuery)
    assert result.kind == "select"
    assert result.projected == ("id", "n")
    assert result.limit == 7
    assert result.properties == {ODA + "nodeId", ODA + "hasSensor"}


def test_a_question_of_yes_or_no_hands_out_no_columns() -> None:
    result = checked("ASK { ?x oda:nodeId '900' }")

    assert isinstance(result, CheckedQuery)
    assert (result.kind, result.projected) == ("ask", ())


def test_a_rejection_names_the_term_and_the_closest_known_ones() -> None:
    result = checked("SELECT ?x WHERE { ?x a oda:Computenode }")

    assert isinstance(result, Rejection)
    assert result.violations[0].where == "oda:Computenode"
    assert result.violations[0].suggestions[0] == "oda:ComputeNode"


def test_a_property_of_the_wrong_thing_is_answered_with_the_way_to_the_right_one() -> None:
    result = checked("SELECT ?v WHERE { ?n a oda:ComputeNode ; oda:value ?v }")

    assert isinstance(result, Rejection)
    suggestions = result.violations[0].suggestions
    assert suggestions[0] == "oda:hasSensor/oda:hasReading/oda:value"
    assert "oda:nodeId" in suggestions


def test_a_date_without_a_zone_is_answered_with_one() -> None:
    result = checked(
        'SELECT ?r WHERE { ?r oda:timestamp ?t FILTER(?t > "2022-03-05T00:30:00"^^xsd:dateTime) }'
    )

    assert isinstance(result, Rejection)
    assert result.violations[0].suggestions == ('"2022-03-05T00:30:00Z"^^xsd:dateTime',)


def test_a_text_compared_with_an_instant_is_answered_with_the_instant() -> None:
    result = checked('SELECT ?r WHERE { ?r oda:timestamp ?t FILTER(?t > "2022-03-05") }')

    assert isinstance(result, Rejection)
    assert result.violations[0].suggestions == ('"2022-03-05T00:00:00Z"^^xsd:dateTime',)


def test_the_text_to_run_has_no_escapes_and_no_comments() -> None:
    result = checked("SELECT ?x WHERE { ?x <https://odabot.example/oda\\u0023slot> 1 # one\n}")

    assert isinstance(result, CheckedQuery)
    assert "<https://odabot.example/oda#slot> 1" in result.text
    assert "# one" not in result.text


def test_rejects_a_query_longer_than_allowed() -> None:
    result = checked("SELECT ?x WHERE { ?x oda:slot 1 }" + " " * MAX_CHARACTERS)

    assert rules_of(result) == ["too-long"]


def test_rejects_lists_that_multiply_without_end() -> None:
    numbers = " ".join(str(n) for n in range(200))
    lists = "".join(f"VALUES ?v{at} {{ {numbers} }} " for at in range(4))

    result = checked(f"SELECT ?v0 WHERE {{ {lists} FILTER(?v0 + ?v1 + ?v2 + ?v3 < 0) }}")

    assert rules_of(result) == ["too-long"]


def test_accepts_a_long_list_of_nodes() -> None:
    nodes = " ".join(f'"{n}"' for n in range(980))

    result = checked(f"SELECT ?x WHERE {{ VALUES ?id {{ {nodes} }} ?x oda:nodeId ?id }}")

    assert isinstance(result, CheckedQuery)


@pytest.mark.parametrize("opening", ["(", "{", "[ oda:contains ", "!(", "IF(", "{ SELECT * {"])
def test_rejects_deep_nesting_of_any_kind(opening: str) -> None:
    result = checked("SELECT ?x WHERE { ?x oda:slot 1 " + opening * 500)

    assert rules_of(result) == ["too-deep"]


@settings(deadline=None, max_examples=40)
@given(st.from_regex(r"[A-Za-z][A-Za-z0-9_]{2,20}", fullmatch=True))
def test_an_unknown_local_name_is_always_rejected(name: str) -> None:
    schema = load_schema()
    known = {*schema.classes, *schema.properties, *schema.individuals}
    if ODA + name in known:
        return

    for query in (
        f"SELECT ?x WHERE {{ ?x a oda:{name} }}",
        f"SELECT ?x WHERE {{ ?x oda:{name} ?y }}",
        f"SELECT ?x WHERE {{ ?x oda:hasSensor/oda:{name} ?y }}",
        f"SELECT ?c WHERE {{ VALUES ?c {{ oda:{name} }} ?x a ?c }}",
    ):
        assert isinstance(checked(query), Rejection)


@settings(deadline=None, max_examples=40)
@given(st.text(max_size=200))
def test_any_text_gets_a_verdict(text: str) -> None:
    result = check_query(text, load_schema())

    assert isinstance(result, Rejection)


def test_only_the_gate_makes_checked_queries() -> None:
    root = Path(__file__).parents[3]
    packages = ("ontology", "retrieval", "agent", "sandbox", "bot")
    makers = [
        path.relative_to(root).as_posix()
        for package in packages
        for path in (root / package).rglob("*.py")
        if "CheckedQuery(" in path.read_text(encoding="utf-8")
    ]

    assert makers == ["ontology/conformance.py"]
