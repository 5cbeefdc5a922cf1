"""What is to be named or counted: "how many nodes", "which users", "the five nodes with"."""

from dataclasses import replace

from retrieval.job_words import job_columns
from retrieval.measure_words import COUNTED_OWNERS, kind_of_noun
from retrieval.question_text import QuestionText, number_of
from retrieval.request import EntityKind
from retrieval.slot_patterns import (
    ASK_OWNERS,
    DIFFERENCE,
    HOW,
    HOW_MANY_OWNERS,
    MEASURED,
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


def _counted(words: dict[str, str | None]) -> tuple[int, EntityKind]:
    number, noun = words["n"] or words["n2"] or "1", words["noun"] or words["noun2"] or ""
    return int(number_of(number)), kind_of_noun(noun) or EntityKind.NODE


def _asked_kind(noun: str | None, asks: bool, question: str) -> EntityKind | None:
    if not asks:
        return None
    if noun is None or noun.startswith("gpu"):
        return EntityKind.USER if "who " in question.lower() else EntityKind.NODE
    return kind_of_noun(noun)
