"""What is embedded of a quantity: its label, its description, its names, some of its phrases."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from retrieval.phrase_lexicon import BY_NAME_ONLY, alternatives
from retrieval.quantity import Quantity
from retrieval.quantity_catalog import QuantityCatalog

_PHRASES = 4
_NUMBERED = re.compile(r"\b(?:[A-Z]{0,2}\d+(?:_\d+)?|[ABC](?= of\b)|L\d)\b")


@dataclass(frozen=True, slots=True)
class Document:
    """One wording of a quantity."""

    plugin: str
    quantity: str
    text: str


def documents_of(quantities: QuantityCatalog) -> tuple[Document, ...]:
    """Several wordings of every quantity, none twice for the same one; copies left out."""
    phrases = {words.quantity.id: words.phrases for words in quantities.words}
    copies = {words.quantity.id for words in quantities.words if words.copy}
    copies |= {quantity.id for quantity in quantities.unnamed if quantity.plugin in BY_NAME_ONLY}
    return tuple(
        Document(quantity.plugin, quantity.id, text)
        for quantity in quantities.quantities.values()
        if quantity.id not in copies
        for text in dict.fromkeys(_wordings(quantity, phrases.get(quantity.id, ())))
        if text
    )


def _wordings(quantity: Quantity, phrases: tuple[str, ...]) -> Iterator[str]:
    yield quantity.label
    described = _NUMBERED.sub("", quantity.members[0].description)
    if len(quantity.members) == 1 or len({m.family for m in quantity.members}) == 1:
        yield " ".join(described.split())
        yield re.sub(r"[_.]+", " ", quantity.members[0].family).strip()
    yield from phrases_apart(phrases)


def phrases_apart(phrases: tuple[str, ...]) -> Iterator[str]:
    """A few phrases, one from each listed line first."""
    written = [list(alternatives(phrase)) for phrase in phrases]
    given = 0
    for turn in range(max(map(len, written), default=0)):
        for line in written:
            if turn < len(line) and given < _PHRASES:
                given += 1
                yield line[turn]
