"""The questions that the ontology must be able to carry: each query passes the gate."""

from importlib import resources
from typing import Any

import pytest
import yaml

from ontology.conformance import CheckedQuery, check_query
from ontology.schema_loader import load_schema
from ontology.violations import Rule
from ontology.vocabulary import PREFIXES

QUESTIONS: list[dict[str, Any]] = yaml.safe_load(
    resources.files("ontology").joinpath("competency/questions.yaml").read_text(encoding="utf-8")
)
TOPICS = {
    *("topology", "sensors", "readings", "power", "cooling", "jobs", "job and metric"),
    *("checks", "scheduler", "weather", "carbon", "alarms"),
}


@pytest.mark.parametrize("entry", QUESTIONS, ids=lambda entry: str(entry["question"]))
def test_the_query_of_each_question_passes(entry: dict[str, Any]) -> None:
    declared = "".join(f"PREFIX {prefix}: <{iri}>\n" for prefix, iri in PREFIXES.items())

    result = check_query(declared + entry["query"], load_schema())

    assert isinstance(result, CheckedQuery), result
    assert {warning.rule for warning in result.warnings} <= {Rule.NOT_RECORDED}


def test_there_are_questions_of_every_topic() -> None:
    assert len(QUESTIONS) >= 36
    assert {entry["topic"] for entry in QUESTIONS} == TOPICS
