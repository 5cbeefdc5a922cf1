"""rdflib's algebra with our aggregates in it, and when two queries share their body."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib.plugins.sparql.parserutils import CompValue

from ontology.errors import NotAQuery
from ontology.sparql import algebra, same_body
from ontology.vocabulary import FUNCTION, PREFIXES

DECLARED = "".join(f"PREFIX {prefix}: <{iri}>\n" for prefix, iri in PREFIXES.items())
BODY = "{ ?n oda:nodeId ?id ; oda:slot ?s . FILTER(?s > 1) }"
VARIABLES = ("n", "id", "s")


def aggregates_in(query: str) -> list[CompValue]:
    """The aggregates of the first AggregateJoin in the algebra of ``query``."""
    waiting: list[Any] = [algebra(DECLARED + query).algebra]
    while waiting:
        node = waiting.pop()
        if isinstance(node, CompValue):
            if node.name == "AggregateJoin":
                return list(node.A)
            waiting.extend(node.values())
    return []


def test_our_aggregates_come_out_like_those_of_sparql() -> None:
    found = aggregates_in("SELECT (odaf:stddev(?v) / AVG(?v) AS ?cv) WHERE { ?r oda:value ?v }")

    assert [node.name for node in found] == ["Aggregate_Custom", "Aggregate_Avg"]
    assert str(found[0].iri) == FUNCTION + "stddev"
    assert str(found[0].vars) == "v"
    assert found[0].distinct == ""


@pytest.mark.parametrize(
    "clause",
    [
        "HAVING(odaf:median(?v) > 1)",
        "ORDER BY odaf:median(?v)",
        "ORDER BY DESC(odaf:median(?v))",
    ],
)
def test_our_aggregates_are_found_wherever_they_may_stand(clause: str) -> None:
    found = aggregates_in(f"SELECT ?r WHERE {{ ?r oda:value ?v }} GROUP BY ?r {clause}")

    assert "Aggregate_Custom" in [node.name for node in found]


def test_a_pair_is_the_argument_of_its_aggregate() -> None:
    (found,) = aggregates_in(
        "SELECT (odaf:pearson(odaf:pair(?a, ?b)) AS ?r) WHERE { ?x oda:value ?a ; oda:value ?b }"
    )

    assert found.vars.name == "Function"
    assert str(found.vars.iri) == FUNCTION + "pair"


def test_asking_twice_gives_the_same_algebra() -> None:
    query = DECLARED + "SELECT (odaf:stddev(?v) AS ?d) WHERE { ?r oda:value ?v }"

    assert str(algebra(query).algebra) == str(algebra(query).algebra)


@pytest.mark.parametrize("text", ["", "SELECT", "SELECT ?x WHERE { ?x ex:p ?y }"])
def test_a_text_that_is_no_query_has_no_algebra(text: str) -> None:
    with pytest.raises(NotAQuery):
        algebra(text)


def test_a_negative_decimal_that_the_parser_does_not_read_is_told() -> None:
    with pytest.raises(NotAQuery, match=r"write -1\.5 as -1\.5e0"):
        algebra(f"{DECLARED}SELECT ?r WHERE {{ ?r oda:value -1.5 }}")
    with pytest.raises(NotAQuery, match=r"write -1\.5 as -1\.5e0"):
        algebra(f"{DECLARED}SELECT ?r WHERE {{ ?r oda:value ?v . VALUES ?v {{ -1.5 }} }}")


def test_a_negative_number_is_read_everywhere_else() -> None:
    algebra(f"{DECLARED}SELECT ?r WHERE {{ ?r oda:value -1, -1.5e0 }}")
    algebra(f"{DECLARED}SELECT ?r WHERE {{ ?r oda:value ?v FILTER(?v > -1.5) }}")


def columns() -> st.SearchStrategy[str]:
    """Some SELECT clause over the variables of BODY."""
    named = st.lists(st.sampled_from(VARIABLES), min_size=1, max_size=3, unique=True)
    plain = named.map(lambda names: "SELECT " + " ".join(f"?{name}" for name in names))
    counted = named.map(lambda names: f"SELECT ?{names[0]} (COUNT(?n) AS ?count)")
    return st.one_of(plain, counted, st.just("SELECT *"), st.just("SELECT DISTINCT ?id"))


def groupings() -> st.SearchStrategy[str]:
    """Some GROUP BY clause, or none."""
    named = st.lists(st.sampled_from(VARIABLES), min_size=1, max_size=3, unique=True)
    return st.one_of(
        st.just(""), named.map(lambda names: "GROUP BY " + " ".join(f"?{n}" for n in names))
    )


@settings(deadline=None, max_examples=40)
@given(columns(), groupings(), columns(), groupings())
def test_columns_and_groups_do_not_make_another_body(
    one: str, by: str, other: str, other_by: str
) -> None:
    first = f"{DECLARED}{one} WHERE {BODY} {by} LIMIT 5"
    second = f"{DECLARED}{other} {BODY} # the same\n {other_by} LIMIT 5"

    assert same_body(first, second)


@settings(deadline=None, max_examples=40)
@given(
    columns(),
    st.sampled_from(
        [
            ("?s > 1", "?s > 2"),
            ("oda:slot", "oda:positionX"),
            ("?n oda:nodeId ?id ;", "?n oda:nodeId ?id ; oda:positionY ?y ;"),
            ("FILTER(?s > 1)", ""),
            ("FILTER(?s > 1)", "FILTER(?s > 1) MINUS { ?j oda:runsOn ?n }"),
            ("LIMIT 5", "LIMIT 6"),
            ("LIMIT 5", "ORDER BY ?id LIMIT 5"),
            ("WHERE", "FROM <https://odabot.example/graph/1> WHERE"),
        ]
    ),
)
def test_any_other_change_makes_another_body(select: str, change: tuple[str, str]) -> None:
    before = f"{DECLARED}{select} WHERE {BODY} LIMIT 5"
    after = before.replace(change[0], change[1])

    assert before != after
    assert not same_body(before, after)


def test_prefixes_and_blank_nodes_may_be_called_otherwise() -> None:
    one = "PREFIX a: <http://x/> SELECT ?v WHERE { [ a:p ?v ] }"
    other = "PREFIX b: <http://x/> SELECT (?v AS ?w) WHERE { _:z b:p ?v }"

    assert same_body(one, other)


def test_what_is_no_select_query_shares_no_body() -> None:
    assert not same_body("nonsense", "nonsense")
    assert not same_body("ASK { ?s ?p ?o }", "ASK { ?s ?p ?o }")
