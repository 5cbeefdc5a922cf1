"""How sensors may be added up, and the quorum that a sum needs as text of a query."""

import pytest

from retrieval.compile_readings import Pattern
from retrieval.compile_sums import enough
from retrieval.data_request import Quorum
from retrieval.query_text import Column, Role
from retrieval.sum_ways import interval

RACK, INDEX = Column("rack", "rack", Role.KEY), Column("index", "GPU", Role.KEY)
DAY = Column("day", "day", Role.TIME)


@pytest.mark.parametrize(
    ("seconds", "iso", "words"),
    [
        (20, "PT1M", "1 minute"),
        (60.5, "PT1M", "1 minute"),
        (61, "PT2M", "2 min"),
        (1801, "PT30M", "30 min"),
        (3600, "PT1H", "1 h"),
        (60_000, "P1D", "a day"),
    ],
)
def test_the_interval_holds_a_sample(seconds: float, iso: str, words: str) -> None:
    assert interval(seconds)[:2] == (iso, words)


def test_without_a_quorum_every_sum_counts() -> None:
    assert enough("COUNT(?v)", Pattern((), (RACK,))) == []


def test_each_group_has_a_quorum_of_its_own() -> None:
    quorum = Quorum(20, ((("7",), 19), (("3",), 12), (("9",), 19)))

    (clause,) = enough("COUNT(?v)", Pattern((), (RACK, DAY), quorum))

    assert clause == (
        'HAVING (COUNT(?v) >= IF((?rack = "7") || (?rack = "9"), 19, IF((?rack = "3"), 12, 20)))'
    )


def test_a_group_may_have_several_keys() -> None:
    quorum = Quorum(20, ((("7", 3), 19),))

    (clause,) = enough("COUNT(?v)", Pattern((), (RACK, INDEX), quorum))

    assert clause == 'HAVING (COUNT(?v) >= IF((?rack = "7" && ?index = 3), 19, 20))'
