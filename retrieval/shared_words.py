"""Words that two phrases share: "supply and return air temperature", "wind speed and direction"."""

from collections.abc import Sequence

from retrieval.phrase_lexicon import Entry, Meaning, PhraseLexicon
from retrieval.phrase_matches import Match, entry_of
from retrieval.phrase_words import AND, BREAK, OF, Word

_LONGEST_OWN = 3


class SharedWords:
    """Adds to the matches of a text those that lack a word which a neighbour has."""

    def __init__(
        self,
        words: Sequence[Word],
        lexicon: PhraseLexicon,
        matches: Sequence[Match],
        free: Sequence[bool],
    ) -> None:
        self._words = words
        self._lexicon = lexicon
        self._kept = list(matches)
        self._free = list(free)

    def matches(self) -> list[Match]:
        """All matches in order, the added ones included."""
        for match in list(self._kept):
            if match.entry.meaning is not Meaning.IGNORED and match in self._kept:
                self._share_behind(match)
        for match in sorted(self._kept, key=lambda m: m.first):
            if match.entry.meaning is Meaning.QUANTITY and match in self._kept:
                self._share_before(match)
        return sorted(self._kept, key=lambda match: match.first)

    def _share_behind(self, match: Match) -> None:
        """Words before "and" that take the end of the match behind it: "supply and ..."."""
        mark = match.first - 1
        while mark > 0 and self._words[mark].text == AND:
            found = self._before(match, mark - 1)
            if found is None:
                return
            self._put(found)
            mark = found.first - 1

    def _before(self, match: Match, end: int) -> Match | None:
        held = self._at(end)
        if held is not None and not _is_open(held):
            return None
        for start in range(max(0, end + 1 - _LONGEST_OWN), end + 1):
            own = tuple(self._words[start : end + 1])
            if not self._is_usable(own, start, held):
                continue
            for cut in range(1, len(match.words)):
                tail = match.words[cut:]
                entry = self._meaning((*own, *tail))
                if entry is not None:
                    return Match(start, end, (*own, *tail), entry, shared=tail)
        return None

    def _share_before(self, match: Match) -> None:
        """Words after "and" that take the beginning of the match: "... and direction"."""
        mark = match.last + 1
        while mark + 1 < len(self._words) and self._words[mark].text == AND:
            found = self._after(match, mark + 1)
            if found is None:
                return
            self._put(found)
            mark = found.last + 1

    def _after(self, match: Match, start: int) -> Match | None:
        held = self._at(start)
        if held is not None and (not _is_open(held) or self._is_qualified(held)):
            return None
        lengths = [len(held.words)] if held is not None else [3, 2, 1]
        for length in lengths:
            own = tuple(self._words[start : start + length])
            if len(own) < length or not self._is_usable(own, start, held):
                continue
            for cut in range(len(match.words) - 1, 0, -1):
                lead = match.words[:cut]
                if lead[-1].text == OF and held is not None:
                    continue
                entry = self._meaning((*lead, *own))
                if entry is not None and entry.meaning is Meaning.QUANTITY:
                    entry = _either(held, entry)
                    return Match(start, start + length - 1, (*lead, *own), entry, shared=lead)
        return None

    def _is_usable(self, own: tuple[Word, ...], start: int, held: Match | None) -> bool:
        if any(word.text in (AND, BREAK, OF) for word in own):
            return False
        if held is None:
            return all(self._free[start : start + len(own)])
        return start <= held.first

    def _meaning(self, words: tuple[Word, ...]) -> Entry | None:
        entry = entry_of(words, self._lexicon)
        return None if entry is None or entry.meaning is Meaning.IGNORED else entry

    def _at(self, place: int) -> Match | None:
        return next((m for m in self._kept if m.first <= place <= m.last), None)

    def _put(self, match: Match) -> None:
        self._kept = [m for m in self._kept if m.last < match.first or match.last < m.first]
        self._kept.append(match)
        self._free[match.first : match.last + 1] = [False] * (match.last + 1 - match.first)

    def _is_qualified(self, match: Match) -> bool:
        """True for "temperature of ...": the word has a qualifier of its own."""
        place = match.last + 1
        return place < len(self._words) and self._words[place].text == OF and len(match.words) > 1


def _is_open(match: Match) -> bool:
    return match.entry.meaning is Meaning.PLAIN_WORD and not match.shared


def _either(held: Match | None, entry: Entry) -> Entry:
    """Where the word has one clear meaning of its own, either may be meant."""
    if held is None or held.entry.by_owner is None or len(held.entry.first) != 1:
        return entry
    return Entry(Meaning.QUANTITY, (*entry.first, *held.entry.first), energy=entry.energy)
