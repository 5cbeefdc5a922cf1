"""What is to be named or counted: "how many nodes", "which users", "the five nodes with"."""

from collections.abc import Sequence
from dataclasses import replace

from retrieval.job_words import job_columns
from retrieval.measure_words import COUNTED_OWNERS, kind_of_noun
from retrieval.metric_mentions import Mention
from retrieval.question_text import QuestionText, number_of
from retrieval.request import EntityKind
from retrieval.slot_patterns import (
    ASK_OWNERS,
    COUNTED_PARTS,
    DIFFERENCE,
    HOW,
    HOW_MANY_OWNERS,
    MEASURED,
    ONE_SUPPLY,
    WHETHER,
    WHICH_PARTS,
)
from retrieval.slots import Slots


def with_owners(text: QuestionText, slots: Slots) -> Slots:
    """What is to be named or counted: "how many nodes", "which users", "the five nodes with"."""
    counting = text.take_all(HOW_MANY_OWNERS)
    counted = text.take(COUNTED_OWNERS)
    jobs = slots.jobs
    if slots.entities.of(EntityKind.JOB) and not text.has(MEASURED):
        jobs = replace(jobs, columns=job_columns(text))
    parts = bool(text.take_all(WHICH_PARTS))
    asks = text.take_all(ASK_OWNERS)
    whether = text.has(WHETHER)
    difference = bool(text.take_all(DIFFERENCE))
    text.take_all(HOW)
    nouns = [n for m in asks for n in m.groupdict().values() if n]
    noun = next(iter(nouns), None)
    return replace(
        slots,
        jobs=jobs,
        counted_owners=_counted(counted.groupdict()) if counted else None,
        asks_index=parts or (noun or "").startswith("gpu"),
        asks_whether=whether,
        difference=difference,
        asks_owners=_asked_kind(noun, bool(asks), slots.text),
        all_asked=tuple(k for n in nouns if (k := kind_of_noun(n)) is not None),
        counts_owners=tuple(k for m in counting if (k := kind_of_noun(m["noun"])) is not None),
    )


def with_counted_parts(text: QuestionText, slots: Slots) -> Slots:
    """``slots`` of a question with a bound, where the parts that keep it are counted."""
    text.take_all(ONE_SUPPLY)
    counted = bool(text.take_all(COUNTED_PARTS)) and not slots.counts_owners
    return replace(slots, asks_index=slots.asks_index or counted)


def without_own_difference(slots: Slots, text: QuestionText, mentions: Sequence[Mention]) -> Slots:
    """``slots`` without a difference that is itself what is measured: "temperature delta"."""
    if not slots.difference:
        return slots
    own = [m.span for m in mentions if len(m.candidates) == 1]
    places = [match.span() for match in DIFFERENCE.finditer(text.lower)]
    inside = all(any(a <= start < b for a, b in own) for start, _ in places)
    return replace(slots, difference=not (places and inside))


def _counted(words: dict[str, str | None]) -> tuple[int, EntityKind]:
    number, noun = words["n"] or words["n2"] or "1", words["noun"] or words["noun2"] or ""
    return int(number_of(number)), kind_of_noun(noun) or EntityKind.NODE


def _asked_kind(noun: str | None, asks: bool, question: str) -> EntityKind | None:
    if not asks:
        return None
    if noun is None or noun.startswith("gpu"):
        return EntityKind.USER if "who " in question.lower() else EntityKind.NODE
    return kind_of_noun(noun)
