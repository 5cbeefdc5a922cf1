"""Which numbered parts of a quantity a text asks for, and which of them do not exist."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from retrieval.phrase_words import Word
from retrieval.quantity import Quantity

_WORDS_OF: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "GPU": frozenset({"gpu"}),
        "fan": frozenset({"fan"}),
        "PSU": frozenset({"psu"}),
        "socket": frozenset({"cpu", "socket"}),
        "core": frozenset({"core"}),
        "DIMM": frozenset({"dimm"}),
        "sensor": frozenset({"sensor"}),
        "flow meter": frozenset({"sensor", "meter"}),
        "pump": frozenset({"pump"}),
        "valve": frozenset({"valve"}),
        "phase": frozenset({"phase"}),
    }
)


_PARTS = frozenset({"gpu", "cpu", "socket", "psu", "dimm"})
_QUALIFYING = frozenset({"with", "whose", "which", "having", "that", "where", "using", "per"})
_QUALIFIED = frozenset({"job", "hour", "node", "partition", "user", "count", "allocation"})


class Spanned(Protocol):
    """A stretch of a text."""

    @property
    def span(self) -> tuple[int, int]:
        """First and last place."""
        ...


def asked_indices(quantity: Quantity, words: Iterable[Word]) -> tuple[str, ...]:
    """The indices that the words name for a quantity, also those that do not exist."""
    numbered = [word for word in words if word.indices]
    inner = _named(numbered, quantity.index_noun)
    outer = _named(numbered, quantity.outer_noun)
    held = [metric.index for metric in quantity.members if metric.index is not None]
    if quantity.outer_noun:
        return _of_two(inner, outer, held)
    if quantity.index_noun == "fan":
        return tuple(full for index in inner for full in _fans(index, held))
    return tuple(inner)


def missing_indices(quantity: Quantity, indices: Sequence[str]) -> tuple[str, ...]:
    """Those indices that no metric of the quantity has."""
    held = {metric.index for metric in quantity.members}
    return tuple(index for index in indices if index not in held)


def stray_groups(
    words: Sequence[Word], matches: Iterable[Spanned], mentions: Iterable[Spanned]
) -> tuple[Word, ...]:
    """Numbered parts that stand outside every mention: "on GPU 1", said once for all."""
    spans = [item.span for item in (*matches, *mentions)]
    return tuple(
        word
        for word in words
        if word.indices and not any(a < word.end and word.start < b for a, b in spans)
    )


def stray_parts(words: Sequence[Word], mentions: Iterable[Spanned]) -> tuple[Word, ...]:
    """The one kind of part named without a number outside every mention: "the hottest GPU".

    Nothing where the part only qualifies things ("nodes with idle GPUs", "GPU jobs").
    """
    spans = [item.span for item in mentions]
    found = []
    for place, word in enumerate(words):
        inside = any(a < word.end and word.start < b for a, b in spans)
        if inside or word.indices or word.text not in _PARTS:
            continue
        asked = place > 0 and words[place - 1].text in ("which", "what")
        before = {w.text for w in words[max(0, place - 3) : place]} if not asked else set()
        behind = words[place + 1].text if place + 1 < len(words) else ""
        if before & _QUALIFYING or behind in _QUALIFIED:
            return ()
        found.append(word)
    return tuple(found[:1]) if len({word.text for word in found}) == 1 else ()


def _named(words: Iterable[Word], noun: str) -> list[str]:
    meant = _WORDS_OF.get(noun, frozenset())
    found = [index for word in words if word.text in meant for index in word.indices]
    return list(dict.fromkeys(found))


def _of_two(inner: Sequence[str], outer: Sequence[str], held: Sequence[str]) -> tuple[str, ...]:
    """Double indices: core 5 of socket 0 is ``0_5``; core 5 alone is that of both sockets."""
    if not inner and not outer:
        return ()
    if not inner:
        of_outer = [i for o in outer for i in held if i.startswith(f"{o}_")]
        return tuple(of_outer) or tuple(outer)
    sockets = outer or sorted({i.partition("_")[0] for i in held})
    return tuple(f"{o}_{i}" for o in sockets for i in inner)


def _fans(index: str, held: Sequence[str]) -> Sequence[str]:
    if "_" in index:
        return (index,)
    return [full for full in held if full.startswith(f"{index}_")] or (index,)
