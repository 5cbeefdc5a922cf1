"""What a question in other words may change, and what it must not."""

from datetime import UTC, datetime

import pytest

from retrieval.asking import Asking
from tests.unit.retrieval.reader_cases import READER

NOW = datetime(2022, 6, 15, 10, tzinfo=UTC)


def asking(text: str) -> Asking:
    return Asking(text, NOW, {})


@pytest.mark.parametrize(
    ("question", "restated", "changed"),
    [
        (
            "what did node 900 gobble up on average on 1 June 2022",
            "average total power of node 900 on 1 June 2022",
            (),
        ),
        (
            "what did node 900 gobble up on average on 1 June 2022",
            "average total power of node 901 on 1 June 2022",
            ("the things", "the numbers"),
        ),
        (
            "what did node 900 gobble up on average on 1 June 2022",
            "average total power of node 900 on 2 June 2022",
            ("the times", "the numbers"),
        ),
        (
            "what did node 900 gobble up on average on 1 June 2022",
            "maximum total power of node 900 on 1 June 2022",
            ("the measures",),
        ),
        (
            "which hosts ran a fever above 28 °C at the inlet yesterday",
            "which nodes were below 28 °C at the inlet yesterday",
            ("the bounds",),
        ),
        (
            "how rosy was the average PUE per day last week",
            "average PUE last week",
            ("the groups",),
        ),
        (
            "how toasty was the inlet temperature of node 3 yesterday",
            "average total power of node 3 yesterday",
            ("the quantities",),
        ),
    ],
)
def test_what_was_read_must_stay(question: str, restated: str, changed: tuple[str, ...]) -> None:
    assert READER.restatements.changed_in(asking(question), asking(restated)) == changed


def test_the_words_for_times_are_told_apart_from_the_rest() -> None:
    question = "on 1 June 2022, what did node 900 gobble up between 08:00 and 12:00?"

    bare, times = READER.restatements.without_times(asking(question))

    assert bare == "what did node 900 gobble up ?"
    assert times == "on 1 June 2022 between 08:00 and 12:00"


@pytest.mark.parametrize(
    ("restated", "more"),
    [
        ("average total power of node 900 yesterday", True),
        ("average inlet temperature of node 900 yesterday", False),
    ],
)
def test_a_quantity_that_was_not_named_is_told(restated: str, more: bool) -> None:
    question = asking("mean and squishy inlet temperature of node 900 yesterday")

    assert READER.restatements.names_more(question, asking(restated)) is more
