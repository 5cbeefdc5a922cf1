"""Every way to name a quantity, as a table from words to what they may mean."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from retrieval.phrase_words import OF, phrase_key
from retrieval.quantity_catalog import PlainWord, QuantityCatalog, QuantityWords
from retrieval.request import EntityKind

Key = tuple[str, ...]
KIND_WORDS: Mapping[str, EntityKind] = MappingProxyType(
    {
        "node": EntityKind.NODE,
        "server": EntityKind.NODE,
        "rack": EntityKind.RACK,
        "crac": EntityKind.CRAC,
        "panel": EntityKind.PANEL,
        "rdhx": EntityKind.PANEL,
        "pump": EntityKind.PUMP,
        "partition": EntityKind.PARTITION,
        "queue": EntityKind.PARTITION,
        "weather": EntityKind.WEATHER,
        "outdoor": EntityKind.WEATHER,
        "outside": EntityKind.WEATHER,
        "job": EntityKind.JOB,
        "facility": EntityKind.DATA_CENTER,
        "datacenter": EntityKind.DATA_CENTER,
        "meter": EntityKind.METER,
        "cluster": EntityKind.SYSTEM,
        "room": EntityKind.ROOM,
    }
)
"""Words for the things that have quantities."""
_NEVER_QUALIFY = frozenset(KIND_WORDS) - {"pump", "meter", "outside", "outdoor", "weather"}
BY_NAME_ONLY = frozenset({"slurm_pub", "nagios_pub", "job_table"})
"""Plugins whose unlisted metrics are older copies, or read in another way: no words for them."""
_CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")


class Meaning(StrEnum):
    """What kind of thing a phrase is."""

    QUANTITY = "quantity"
    PLAIN_WORD = "plain word"
    UNMEASURED = "unmeasured"
    IGNORED = "ignored"


@dataclass(frozen=True, slots=True)
class Entry:
    """What one phrase may mean; quantities by id."""

    meaning: Meaning
    first: tuple[str, ...] = ()
    """What it means; several are equally likely, or in order for a plain word."""
    also: tuple[str, ...] = ()
    """What it means where owner, plugin or index say so."""
    by_owner: Mapping[EntityKind, tuple[str, ...]] | None = None
    energy: bool = False
    counted: bool = False
    guard: str = ""


class PhraseLexicon:
    """Looks up the meaning of a run of words."""

    def __init__(self, quantities: QuantityCatalog) -> None:
        self._entries: dict[Key, Entry] = {}
        self._derived: dict[Key, Entry] = {}
        for plain in quantities.plain_words:
            self._add_plain_word(plain)
        for words in quantities.words:
            self._add_quantity(words)
        for words in quantities.words:
            if words.energy:
                self._add_energy(words)
        for words in quantities.words:
            if words.energy:
                self._add_energy_also(words)
        for quantity in quantities.unnamed:
            key = phrase_key(quantity.label)
            if len(key) > 1 and quantity.plugin not in BY_NAME_ONLY:
                self._entries.setdefault(key, Entry(Meaning.QUANTITY, (quantity.id,)))
        for phrase in quantities.unmeasured:
            self._entries.setdefault(phrase_key(phrase), Entry(Meaning.UNMEASURED))
        for phrase in quantities.ignored:
            self._entries.setdefault(phrase_key(phrase), Entry(Meaning.IGNORED))
        self._derived = {k: e for k, e in self._derived.items() if k not in self._entries}
        self.longest = max(map(len, [*self._entries, *self._derived]))
        """The number of words of the longest phrase."""

    def find(self, key: Key) -> Entry | None:
        """What these words mean, if they are a phrase."""
        return self._entries.get(key) or self._derived.get(key)

    def phrases(self) -> Iterator[tuple[Key, Entry]]:
        """Every listed phrase with its meaning, derived word orders left out."""
        return iter(self._entries.items())

    def _add_plain_word(self, plain: PlainWord) -> None:
        entry = Entry(
            Meaning.PLAIN_WORD,
            plain.any,
            by_owner=plain.by_owner,
            energy=plain.energy and "energy" in plain.phrases,
            guard=plain.guard,
        )
        for phrase in plain.phrases:
            for written in alternatives(phrase):
                key = phrase_key(written)
                self._entries.setdefault(key, entry)
                for turned in _turned(key):
                    self._derived.setdefault(turned, entry)

    def _add_quantity(self, words: QuantityWords) -> None:
        known = words.quantity.id
        for phrase in words.phrases:
            for written in alternatives(phrase):
                self._put(phrase_key(written), words, energy=False)
        for phrase in words.also:
            for written in alternatives(phrase):
                self._put_also(phrase_key(written), known)

    def _put_also(self, key: Key, known: str) -> None:
        for name in (key, *_turned(key)):
            table = self._entries if name == key else self._derived
            old = table.get(name) or Entry(Meaning.QUANTITY)
            if known not in old.also and old.by_owner is None:
                table[name] = replace(old, also=(*old.also, known))

    def _add_energy(self, words: QuantityWords) -> None:
        for phrase in words.phrases:
            for spent in _spent(phrase):
                self._put(spent, words, energy=True)

    def _add_energy_also(self, words: QuantityWords) -> None:
        for phrase in words.also:
            for spent in _spent(phrase):
                if spent in self._entries:
                    self._put_also(spent, words.quantity.id)

    def _put(self, key: Key, words: QuantityWords, *, energy: bool) -> None:
        known = words.quantity.id
        old = self._entries.get(key)
        if old is not None and (old.by_owner is not None or energy):
            return
        first = old.first if old is not None else ()
        also = old.also if old is not None else ()
        entry = Entry(
            Meaning.QUANTITY,
            first if known in first else (*first, known),
            also,
            energy=energy,
            counted=words.counted,
        )
        self._entries[key] = entry
        for turned in _turned(key):
            held = self._derived.get(turned)
            if held is None or set(held.first) < set(entry.first):
                self._derived[turned] = entry
            elif known not in held.first and held.by_owner is None and held.energy == energy:
                self._derived[turned] = Entry(
                    Meaning.QUANTITY, (*held.first, known), held.also, energy=energy
                )


def _spent(phrase: str) -> Iterator[Key]:
    """The phrases of the energy that a phrase of a power stands for."""
    for written in alternatives(phrase):
        key = phrase_key(written)
        if "power" in key:
            yield tuple("energy" if word == "power" else word for word in key)


def alternatives(phrase: str) -> Iterator[str]:
    """The phrases that ``(a|b)`` stands for."""
    found = _CHOICE.search(phrase)
    if found is None:
        yield " ".join(phrase.split())
        return
    for choice in found[1].split("|"):
        yield from alternatives(phrase[: found.start()] + choice + phrase[found.end() :])


def _turned(key: Key) -> Iterator[Key]:
    """The same with the qualifying words behind: "temperature of inlet"."""
    if OF not in key:
        for cut in range(2 if key[0] in _NEVER_QUALIFY else 1, len(key)):
            yield (*key[cut:], OF, *key[:cut])
