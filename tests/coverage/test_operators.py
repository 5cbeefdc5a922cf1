"""Whether what people on call ask is answered, asked back about or refused, as it should be.

A question that is not answered yet is an expected failure, and strictly so: whoever makes it work
takes ``not_yet`` away from its entry. It must never be answered as another question.
"""

from collections import Counter
from typing import Any

import pytest

from retrieval.demo_lake import make_demo_lake
from tests.coverage.operator_questions import (
    Entry,
    Operators,
    Verdict,
    differing,
    entries,
    is_as_wanted,
    operators_profile,
    words_of,
)


@pytest.fixture(scope="module")
def operators(tmp_path_factory: pytest.TempPathFactory) -> Operators:
    lake = tmp_path_factory.mktemp("lake") / "operators"
    make_demo_lake(lake, profile=operators_profile())
    return Operators(lake, tmp_path_factory.mktemp("operators"))


def _held() -> list[Any]:
    """Every entry; one that is not right yet is expected to fail."""
    return [
        pytest.param(
            entry,
            id=entry.id,
            marks=[pytest.mark.xfail(reason=entry.not_yet, strict=True)] if entry.not_yet else [],
        )
        for entry in entries()
        if not entry.misread
    ]


def _not_yet() -> list[Any]:
    """The entries that no answer is expected to yet; a misread one is expected to fail."""
    return [
        pytest.param(
            entry,
            id=entry.id,
            marks=[pytest.mark.xfail(reason=entry.not_yet, strict=True)] if entry.misread else [],
        )
        for entry in entries()
        if entry.not_yet
    ]


@pytest.mark.parametrize("entry", _held())
def test_comes_out_as_it_should(entry: Entry, operators: Operators) -> None:
    outcome = operators.outcome(entry)

    assert is_as_wanted(entry, outcome), (
        f"{entry.asks}: {outcome.verdict}, {outcome.text} {differing(entry, outcome.reading)}"
    )


@pytest.mark.parametrize("entry", _not_yet())
def test_is_not_read_as_another_question(entry: Entry, operators: Operators) -> None:
    outcome = operators.outcome(entry)

    assert outcome.verdict is not Verdict.ANSWER, f"{entry.asks}: {outcome.reading}"


def test_the_list_is_large_and_no_question_stands_twice() -> None:
    ids = Counter(entry.id for entry in entries())
    asked = Counter(words_of(entry.asks) for entry in entries())

    assert len(ids) >= 560
    assert max(ids.values()) == 1
    assert max(asked.values()) == 1


def test_every_entry_is_whole() -> None:
    for entry in entries():
        answered = entry.verdict is Verdict.ANSWER and not entry.not_yet

        assert bool(entry.reason) == (entry.verdict is Verdict.REFUSE), entry.id
        assert bool(entry.expects) == answered, entry.id
        assert entry.not_yet or not entry.misread, entry.id
