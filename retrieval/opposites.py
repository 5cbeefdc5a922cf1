"""Words that exclude each other, such as "supply" and "return", however alike their vectors."""

from collections.abc import Iterator

from retrieval.phrase_lexicon import alternatives
from retrieval.phrase_words import phrase_key
from retrieval.quantity import Quantity
from retrieval.quantity_catalog import QuantityCatalog


class Opposites:
    """Tells when a phrase says the opposite of what names a quantity."""

    def __init__(self, quantities: QuantityCatalog) -> None:
        self._groups = quantities.opposed
        self._known: dict[str, frozenset[str]] = {}
        self._phrases = {words.quantity.id: words.phrases for words in quantities.words}

    def exclude(self, phrase: str, quantity: Quantity) -> bool:
        """True where each has a word of a group and they have none in common."""
        said = frozenset(phrase_key(phrase))
        named = self._vocabulary(quantity)
        for sides in self._groups:
            ours = {place for place, side in enumerate(sides) if side & said}
            theirs = {place for place, side in enumerate(sides) if side & named}
            if ours and theirs and not ours & theirs:
                return True
        return False

    def _vocabulary(self, quantity: Quantity) -> frozenset[str]:
        if quantity.id not in self._known:
            self._known[quantity.id] = frozenset(self._words(quantity))
        return self._known[quantity.id]

    def _words(self, quantity: Quantity) -> Iterator[str]:
        written = [
            quantity.label,
            *(one for phrase in self._phrases.get(quantity.id, ()) for one in alternatives(phrase)),
        ]
        for one in written:
            yield from phrase_key(one)
