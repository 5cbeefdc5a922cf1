"""Texts are made to read alike to every parser, or refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.query_text import read_text
from ontology.violations import Rule

PLAIN = "SELECT ?x WHERE { ?x ?p 'a # b' }"


def test_a_plain_text_stays_as_it_is() -> None:
    read = read_text(PLAIN)

    assert (read.text, read.violations) == (PLAIN, ())


def test_comments_give_way_to_a_blank() -> None:
    assert read_text("SELECT ?x#c }\n{ ?x ?p ?o }").text == "SELECT ?x \n{ ?x ?p ?o }"


def test_line_ends_are_plain() -> None:
    assert read_text("ASK\r\n{ ?x ?p\r?o }").text == "ASK\n{ ?x ?p\n?o }"


def test_a_hash_within_a_name_or_a_text_is_no_comment() -> None:
    text = "SELECT ?x WHERE { ?x <http://a#b> \"c#d\" , '''e#\"f\n#g''' }"

    assert read_text(text).text == text


def test_an_ask_is_planned_as_a_select() -> None:
    assert read_text("ASK { ?x ?p 'ASK' }").planned == "SELECT * { ?x ?p 'ASK' }"
    assert read_text("SELECT ?ask { ?ask ?p ?o }").planned == "SELECT ?ask { ?ask ?p ?o }"


@pytest.mark.parametrize(
    "text", ["SELECT\x00", "ASK { ?x ?p \\U00110000 }", "ASK { \\uD800 }", "ASK { ?x ?p 'open }"]
)
def test_refuses_what_parsers_read_differently(text: str) -> None:
    assert [violation.rule for violation in read_text(text).violations] == [Rule.SYNTAX]


@given(st.text(alphabet="SERVICE service{}<>?x:#'\"\\\n\ru0053 ", max_size=60))
def test_reading_the_read_text_again_changes_nothing(text: str) -> None:
    once = read_text(text)

    if not once.violations:
        assert read_text(once.text).text == once.text
