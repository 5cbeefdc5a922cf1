"""Bounds in words, and their numbers in the unit of what is measured."""

import pytest

from retrieval.condition_words import Bound, bounds_in, number_of_signed
from retrieval.measures import Applies, Comparison
from retrieval.question_text import QuestionText


def _bounds(text: str) -> tuple[Bound, ...]:
    return bounds_in(QuestionText(text))


def _said(bound: Bound) -> str:
    condition = bound.condition
    always = " always" if condition.applies is Applies.ALL_SAMPLES else ""
    upper = "" if condition.upper is None else f" to {condition.upper:g}"
    return f"{condition.comparison.value} {condition.bound:g}{upper} {bound.unit}".strip() + always


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("above 28 °C", "> 28 °c"),
        ("over 1,400 W", "> 1400 w"),
        ("more than 9,000 rpm", "> 9000 rpm"),
        ("greater than 25 degrees", "> 25 degrees"),
        ("hotter than 30 degrees Celsius", "> 30 degrees celsius"),
        ("exceeded 28 °C", "> 28 °c"),
        ("exceeding 1.5 kW", "> 1.5 kw"),
        ("longer than 12 hours", "> 12 hours"),
        ("> 3 %", "> 3 %"),
        (">90%", "> 90 %"),
        ("at least 300", ">= 300"),
        ("no less than two hours", ">= 2 hours"),
        (">= 40 °C", ">= 40 °c"),
        ("≥ 40 °C", ">= 40 °c"),
        ("reached 40 °C", ">= 40 °c"),
        ("below 400 W", "< 400 w"),
        ("less than 2 GB", "< 2 gb"),
        ("fewer than five jobs", "< 5 jobs"),
        ("dropped below -3.5 °C", "< -3.5 °c"),
        ("< 400", "< 400"),
        ("at most 4 nodes", "<= 4 nodes"),
        ("up to 10 minutes", "<= 10 minutes"),
        ("no more than 3 %", "<= 3 %"),
        ("<= 3 percent", "<= 3 percent"),
        ("at 0 RPM", "= 0 rpm"),
        ("at zero", "= 0"),
        ("at 0% load", "= 0 %"),
        ("exactly 4 GPUs", "= 4 gpus"),
        ("between 26 and 28 °C", ">= 26 to 28 °c"),
        ("between 1 and 1.5 kW", ">= 1 to 1.5 kw"),
        ("was standing still", "= 0"),
        ("more than 90 % full", "> 90 %"),
        ("never above 10 W", "<= 10 w always"),
        ("never went above 10 W", "<= 10 w always"),
        ("never below 20 °C", ">= 20 °c always"),
        ("not over 30 °C", "<= 30 °c always"),
        ("always above 20 °C", "> 20 °c always"),
        ("at 0 % for the whole hour", "= 0 % always"),
        ("above 28 °C all day", "> 28 °c always"),
    ],
)
def test_reads_a_bound(text: str, said: str) -> None:
    (bound,) = _bounds(f"the readings {text} on that day")

    assert _said(bound) == said


@pytest.mark.parametrize(
    "text",
    [
        "average power of node 900 on 1 June 2022",
        "the power over the whole machine",
        "at 12:00 on 1 June 2022",
        "during the last 10 hours",
        "over racks 3 and 4",
        "under the floor",
        "more nodes than jobs",
        "",
    ],
)
def test_finds_no_bound_where_there_is_none(text: str) -> None:
    assert _bounds(text) == ()


def test_finds_every_bound_in_the_order_of_the_text() -> None:
    found = _bounds("hotter than 28 °C and below 400 W, at least 3 nodes")

    assert [_said(bound) for bound in found] == ["> 28 °c", "< 400 w", ">= 3 nodes"]


def test_claims_the_words_of_a_bound() -> None:
    text = QuestionText("nodes above 28 °C today")

    bounds_in(text)

    assert text.leftovers(frozenset()) == ("nodes", "today")


def test_keeps_the_words_to_repeat_them() -> None:
    (bound,) = _bounds("which nodes were above 28 °C")

    assert bound.condition.words == "were above 28 °c"


@pytest.mark.parametrize("word", ["above", "at least", "below", "at most"])
def test_never_turns_a_comparison_into_its_opposite(word: str) -> None:
    (plain,) = _bounds(f"{word} 10 W")
    (never,) = _bounds(f"never {word} 10 W")

    opposite = {
        Comparison.ABOVE: Comparison.AT_MOST,
        Comparison.AT_LEAST: Comparison.BELOW,
        Comparison.BELOW: Comparison.AT_LEAST,
        Comparison.AT_MOST: Comparison.ABOVE,
    }
    assert never.condition.comparison is opposite[plain.condition.comparison]


@pytest.mark.parametrize(
    ("words", "value"), [("-3.5", -3.5), ("1,400", 1400), ("zero", 0), ("-two", -2), ("twelve", 12)]
)
def test_reads_a_number_with_its_sign(words: str, value: float) -> None:
    assert number_of_signed(words) == value
