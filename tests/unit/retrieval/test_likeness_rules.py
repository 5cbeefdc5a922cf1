"""Words that no rule knows, tried as the name of a metric by likeness."""

import pytest

from retrieval.asking import Asking
from retrieval.data_request import ReadingsRequest
from retrieval.metric_matcher import MetricMatcher
from retrieval.question_reader import QuestionReader
from retrieval.understanding import NotUnderstood, Unclear, Understanding, Understood, Why
from tests.fakes.canned_likeness import CannedLikeness
from tests.reflecting import METRICS, NOW, QUANTITIES, SITE, ZONE

BREEZE = "average breeze of node 5 on 1 June 2022"


def read(likeness: float, settled: dict[str, str] | None = None) -> Understanding:
    index = CannedLikeness(breeze=(("fan_speed", likeness), ("inlet_temperature", 0.3)))
    matcher = MetricMatcher(METRICS, QUANTITIES, index)
    reader = QuestionReader(SITE, (), METRICS, matcher, ZONE)
    return reader.read(Asking(BREEZE, NOW, settled or {}))


def labels(read: Understanding) -> list[str]:
    assert isinstance(read, Understood)
    assert isinstance(read.asked, ReadingsRequest)
    return [quantity.label for quantity in read.asked.quantities]


def test_the_only_metric_that_is_alike_is_taken_and_that_is_said() -> None:
    found = read(0.7)

    assert labels(found) == ["node fan speed"]
    assert isinstance(found, Understood)
    assert "'breeze' is taken as node fan speed" in found.notes[0]


@pytest.mark.parametrize("likeness", [0.5, 0.69])
def test_the_only_metric_that_is_somewhat_alike_must_be_confirmed(likeness: float) -> None:
    back = read(likeness)

    assert isinstance(back, Unclear)
    assert back.choices == (("fan_speed", "node fan speed"),)
    assert labels(read(likeness, {back.about: "fan_speed"})) == ["node fan speed"]


def test_what_is_not_alike_is_unknown() -> None:
    found = read(0.49)

    assert isinstance(found, NotUnderstood)
    assert found.why is Why.UNKNOWN_METRIC
