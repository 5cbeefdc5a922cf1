"""Where a text names metrics, and which quantity each of the places means."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from retrieval.exact_names import ExactNames
from retrieval.mention_choice import Context, attached_kind, chosen, kinds_in, plugins_in
from retrieval.mention_indices import (
    asked_indices,
    missing_indices,
    stray_groups,
    stray_parts,
)
from retrieval.phrase_lexicon import Entry, Meaning, PhraseLexicon
from retrieval.phrase_matches import Match, entry_of, matches_in
from retrieval.phrase_words import Word, words_of
from retrieval.quantity import Quantity
from retrieval.quantity_catalog import QuantityCatalog
from retrieval.request import EntityKind
from retrieval.shared_words import SharedWords


@dataclass(frozen=True, slots=True)
class Mention:
    """A place in a text that names something measured."""

    span: tuple[int, int]
    words: str
    """What it names, as written; a word shared with a neighbour is added."""
    candidates: tuple[Quantity, ...]
    """One: grounded. Several: ambiguous, best first. None: known not to be measured."""
    indices: tuple[str, ...]
    """The numbered parts that are asked for ("GPU-0"); none means all."""
    missing: tuple[str, ...]
    """Those of them that do not exist for the first candidate."""
    exact: bool
    """True for the very name of a metric or family."""
    energy: bool = False
    """True where the words ask for the energy, the integral of this power."""


class MetricReader:
    """Finds the metrics that a text names, without a model."""

    def __init__(self, quantities: QuantityCatalog) -> None:
        self._known = quantities
        self._lexicon = PhraseLexicon(quantities)
        self._names = ExactNames(quantities)
        self._patterns = tuple(
            (re.compile(pattern, re.IGNORECASE), words.quantity.id)
            for words in quantities.words
            for pattern in words.patterns
        )

    def quantity(self, quantity_id: str) -> Quantity:
        """The quantity of the curated file with that id."""
        return self._known[quantity_id]

    def mentions(self, text: str, owners: frozenset[EntityKind]) -> tuple[Mention, ...]:
        """Every place of ``text`` that names a metric, in order, none overlapping another.

        ``owners`` are the kinds of the entities that the question names; they decide between
        the meanings of a word ("fan speed" of a node and of a CRAC).
        """
        words = words_of(text)
        seen = owners | kinds_in(words)
        plugins = plugins_in(words)
        exact = list(self._exact(text, seen))
        taken = [mention.span for mention in exact]
        matches = SharedWords(words, self._lexicon, *matches_in(words, self._lexicon, taken))
        found = [m for m in matches.matches() if self._is_meant(m, words, seen, plugins)]
        taken += [m.span for m in found if m.entry.meaning is not Meaning.PLAIN_WORD]
        patterned = list(self._patterned(text, taken))
        found = [m for m in found if not any(_meet(m.span, span) for span, _ in patterned)]
        mentions = [*exact, *self._of_patterns(text, patterned, words)]
        spare = stray_groups(words, found, mentions)
        context = Context(seen, None, plugins)
        parts = stray_parts(words, [*found, *mentions]) if len(found) == 1 else ()
        for match in found:
            mention = self._of_match(match, text, words, (*spare, *parts), context)
            if mention is not None:
                mentions.append(mention)
        mentions.sort(key=lambda mention: mention.span)
        return tuple(_joined(_repeats_settled(mentions, self._is_bare(found), text), text))

    def _exact(self, text: str, owners: frozenset[EntityKind]) -> Iterator[Mention]:
        for span, quantity, indices in self._names.found_in(text, owners):
            yield Mention(
                span=span,
                words=text[slice(*span)],
                candidates=(quantity,),
                indices=indices,
                missing=missing_indices(quantity, indices),
                exact=True,
            )

    def _patterned(
        self, text: str, taken: Sequence[tuple[int, int]]
    ) -> Iterator[tuple[tuple[int, int], str]]:
        spans = list(taken)
        for pattern, quantity_id in self._patterns:
            for found in pattern.finditer(text):
                if not any(_meet(found.span(), span) for span in spans):
                    spans.append(found.span())
                    yield found.span(), quantity_id

    def _of_patterns(
        self,
        text: str,
        patterned: Sequence[tuple[tuple[int, int], str]],
        words: Sequence[Word],
    ) -> Iterator[Mention]:
        for span, quantity_id in patterned:
            quantity = self._known[quantity_id]
            inside = [w for w in words if w.start < span[1] and span[0] < w.end]
            indices = asked_indices(quantity, inside)
            end = max([span[1], *(w.end for w in inside if w.indices)])
            yield Mention(
                span=(span[0], end),
                words=text[span[0] : end],
                candidates=(quantity,),
                indices=indices,
                missing=missing_indices(quantity, indices),
                exact=False,
                energy=text[slice(*span)].lower().startswith("energy"),
            )

    def _is_meant(
        self,
        match: Match,
        words: Sequence[Word],
        owners: frozenset[EntityKind],
        plugins: frozenset[str],
    ) -> bool:
        if match.entry.meaning is Meaning.IGNORED:
            return False
        if match.entry.counted:
            return (
                EntityKind.PARTITION in owners
                or "slurm_pub" in plugins
                or _is_counted(words, match.first)
            )
        if match.entry.guard == "load":
            return _is_noun(words, match.first)
        return True

    def _of_match(
        self,
        match: Match,
        text: str,
        words: Sequence[Word],
        spare: Sequence[Word],
        context: Context,
    ) -> Mention | None:
        if match.entry.meaning is Meaning.UNMEASURED:
            return Mention(match.span, match.said(text), (), (), (), exact=False)
        attached = attached_kind(words, match.first, match.last)
        entry = match.entry
        if attached is None or entry.meaning is Meaning.QUANTITY:
            entry = self._of_spare_part(match, spare) or entry
        candidates = chosen(entry, replace(context, attached=attached), self._known)
        if not candidates:
            return Mention(match.span, match.said(text), (), (), (), exact=False)
        candidates = _with_these(candidates, match.words, spare, entry, self._known)
        indices = _indices(candidates[0], match.words, spare)
        return Mention(
            span=match.span,
            words=match.said(text),
            candidates=candidates,
            indices=indices,
            missing=missing_indices(candidates[0], indices),
            exact=False,
            energy=entry.energy,
        )

    def _of_spare_part(self, match: Match, spare: Sequence[Word]) -> Entry | None:
        """The reading with a part named elsewhere: "for GPU 2, what was the power"."""
        for part in spare:
            entry = entry_of((part, *match.words), self._lexicon)
            if entry is not None and entry.meaning is Meaning.QUANTITY:
                return entry
        return None

    def _is_bare(self, matches: Sequence[Match]) -> frozenset[tuple[int, int]]:
        """Spans of plain words that stand alone, such as "temperature"."""
        return frozenset(
            m.span for m in matches if m.entry.meaning is Meaning.PLAIN_WORD and len(m.words) == 1
        )


def _meet(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _indices(quantity: Quantity, words: Sequence[Word], spare: Sequence[Word]) -> tuple[str, ...]:
    """The indices named in the phrase itself, else those that stand alone elsewhere."""
    if quantity.outer_noun:
        return asked_indices(quantity, [*words, *spare])
    return asked_indices(quantity, words) or asked_indices(quantity, spare)


def _with_these(
    candidates: tuple[Quantity, ...],
    words: Sequence[Word],
    spare: Sequence[Word],
    entry: Entry,
    known: QuantityCatalog,
) -> tuple[Quantity, ...]:
    """Those meanings of the phrase that have the indices asked for, if any has."""
    others = (known[name] for name in entry.also) if len(candidates) == 1 else ()
    asked = [(q, _indices(q, words, spare)) for q in (*candidates, *others)]
    if not any(indices for _, indices in asked):
        return candidates
    having = tuple(q for q, indices in asked if indices and not missing_indices(q, indices))
    if candidates[0] in having and len(candidates) == 1:
        return candidates
    return having or candidates


def _is_counted(words: Sequence[Word], first: int) -> bool:
    before = {word.text for word in words[max(0, first - 3) : first]}
    return bool(before & {"many", "number", "count", "fraction", "share", "percentage", "ratio"})


def _is_noun(words: Sequence[Word], first: int) -> bool:
    """False for "load" as a verb: "load the data", "please load"."""
    before = words[first - 1].text if first else "|"
    after = words[first + 1].text if first + 1 < len(words) else ""
    if before in ("|", "to", "please", "can", "you", "i", "then", "must", "and"):
        return after in ("of", "above", "over", "below", "per", "average")
    return after not in ("data", "file", "module", "table", "csv", "it", "them", "balancer")


def _repeats_settled(
    mentions: Sequence[Mention], bare: frozenset[tuple[int, int]], text: str
) -> Iterator[Mention]:
    """A bare word after the full name means the same: "the temperature distribution"."""
    for place, mention in enumerate(mentions):
        if mention.span in bare and len(mention.candidates) != 1:
            earlier = [
                m.candidates[0]
                for m in mentions[:place]
                if len(m.candidates) == 1 and _names_same(m, mention)
            ]
            if earlier:
                yield replace(mention, candidates=(earlier[-1],))
                continue
        if mention.span in bare and _is_difference(text, mention, mentions[place + 1 :]):
            continue
        yield mention


def _is_difference(text: str, mention: Mention, later: Sequence[Mention]) -> bool:
    """True for "temperature difference between ...": what follows says whose."""
    follows = text[mention.span[1] :].lstrip().lower()
    full = [m for m in later if len(m.candidates) == 1 and _shares_unit(m, mention)]
    return follows.startswith(("difference", "delta", "gap")) and len(full) > 1


def _shares_unit(full: Mention, bare: Mention) -> bool:
    return full.candidates[0].unit in {quantity.unit for quantity in bare.candidates}


def _names_same(full: Mention, bare: Mention) -> bool:
    head = bare.words.lower().rstrip("s")
    named = f"{full.words} {full.candidates[0].label}".lower()
    return _shares_unit(full, bare) and (full.exact or head[:4] in named)


def _joined(mentions: Iterator[Mention], text: str) -> Iterator[Mention]:
    """Neighbours that say the same twice become one: "PUE (power usage effectiveness)"."""
    last: Mention | None = None
    for mention in mentions:
        if last is None:
            last = mention
            continue
        between = text[last.span[1] : mention.span[0]]
        if between.strip(" ()[]`'\"") == "" and _agree(last, mention):
            fuller = mention if mention.exact and not last.exact else last
            span = (last.span[0], mention.span[1])
            last = replace(fuller, span=span, words=text[slice(*span)])
        else:
            yield last
            last = mention
    if last is not None:
        yield last


def _agree(one: Mention, other: Mention) -> bool:
    if one.exact and other.exact:
        return False
    if one.exact or other.exact:
        exact, plain = (one, other) if one.exact else (other, one)
        return exact.candidates[0] in plain.candidates or _same_metrics(exact, plain)
    return one.candidates == other.candidates and one.indices == other.indices


def _same_metrics(one: Mention, other: Mention) -> bool:
    return any(set(q.members) == set(one.candidates[0].members) for q in other.candidates)
