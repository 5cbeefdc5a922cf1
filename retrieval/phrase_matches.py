"""Phrases of the lexicon in a run of words, the longest first."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from retrieval.phrase_lexicon import Entry, PhraseLexicon
from retrieval.phrase_words import AND, BREAK, OF, Word
from retrieval.word_lists import MEASURE_WORDS


@dataclass(frozen=True, slots=True)
class Match:
    """A phrase at its place."""

    first: int
    last: int
    words: tuple[Word, ...]
    """The words of the phrase, those shared with a neighbour included."""
    entry: Entry
    shared: tuple[Word, ...] = ()
    """Words that belong to the neighbour."""

    @property
    def span(self) -> tuple[int, int]:
        """Its own place in the text, without shared words."""
        own = [word for word in self.words if word not in self.shared]
        return own[0].start, own[-1].end

    def said(self, text: str) -> str:
        """What was said, with shared words added."""
        start, end = self.span
        before = [text[w.start : w.end] for w in self.words if w.start < start]
        after = [text[w.start : w.end] for w in self.words if w.start >= end]
        return " ".join([*before, text[start:end], *after])


def matches_in(
    words: Sequence[Word], lexicon: PhraseLexicon, taken: Iterable[tuple[int, int]]
) -> tuple[list[Match], list[bool]]:
    """The matches in order, longer ones first where they overlap, and which words are left."""
    spans = list(taken)
    free = [not any(a < w.end and w.start < b for a, b in spans) for w in words]
    chosen: list[Match] = []
    for match in sorted(_all_matches(words, lexicon), key=lambda m: (m.first - m.last, m.first)):
        if all(free[match.first : match.last + 1]):
            free[match.first : match.last + 1] = [False] * (match.last + 1 - match.first)
            chosen.append(match)
    return sorted(chosen, key=lambda match: match.first), free


def entry_of(part: tuple[Word, ...], lexicon: PhraseLexicon) -> Entry | None:
    """The meaning of the words, if need be without "mean" and the like among them."""
    key = tuple(word.text for word in part)
    found = lexicon.find(key)
    if found is not None or len(key) < 3:
        return found
    bare = (key[0], *(text for text in key[1:-1] if text not in MEASURE_WORDS), key[-1])
    return lexicon.find(bare) if len(bare) < len(key) else None


def _all_matches(words: Sequence[Word], lexicon: PhraseLexicon) -> Iterator[Match]:
    for first in range(len(words)):
        for length in range(1, min(lexicon.longest + 2, len(words) - first) + 1):
            part = tuple(words[first : first + length])
            if part[-1].text == BREAK or part[0].text in (OF, AND):
                break
            if part[-1].text == AND or (part[-1].text == OF and not _ends(words, first + length)):
                continue
            entry = entry_of(part, lexicon)
            if entry is not None:
                yield Match(first, first + length - 1, part, entry)


def _ends(words: Sequence[Word], place: int) -> bool:
    """True where nothing follows that "in" could be the preposition of: "packets in"."""
    return place >= len(words) or words[place].text in (AND, BREAK, "out")
