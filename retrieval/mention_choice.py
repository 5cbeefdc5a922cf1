"""Which of the quantities that a phrase may mean is meant: by owner, plugin and index."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from retrieval.phrase_lexicon import KIND_WORDS, Entry
from retrieval.phrase_words import AND, BREAK, OF, Word
from retrieval.quantity import Quantity
from retrieval.quantity_catalog import QuantityCatalog
from retrieval.request import EntityKind

_PLUGIN_WORDS = frozenset(
    {"ipmi", "ganglia", "vertiv", "schneider", "logics", "weather", "slurm", "nagios", "scheduler"}
)
_NODE_LIKE = frozenset(
    {EntityKind.NODE, EntityKind.RACK, EntityKind.JOB, EntityKind.USER, EntityKind.SYSTEM}
)
_FACILITY = frozenset({EntityKind.DATA_CENTER, EntityKind.ROOM, EntityKind.METER, EntityKind.CRAC})
_ABOVE_ATTACHED = 3


@dataclass(frozen=True, slots=True)
class Context:
    """What the rest of the text says about a mention."""

    owners: frozenset[EntityKind]
    """The kinds named anywhere."""
    attached: EntityKind | None
    """The kind that the mention itself is said to be of: "power of node 3"."""
    plugins: frozenset[str]

    @property
    def admitting(self) -> frozenset[EntityKind]:
        """The kinds that count for the mention."""
        return frozenset({self.attached}) if self.attached else self.owners


def kinds_in(words: Sequence[Word]) -> frozenset[EntityKind]:
    """The kinds of thing that the words name."""
    return frozenset(KIND_WORDS[word.text] for word in words if word.text in KIND_WORDS)


def plugins_in(words: Sequence[Word]) -> frozenset[str]:
    """The plugins that the words name, as partition names."""
    named = {word.text for word in words if word.text in _PLUGIN_WORDS}
    return frozenset(f"{'slurm' if name == 'scheduler' else name}_pub" for name in named)


def attached_kind(words: Sequence[Word], first: int, last: int) -> EntityKind | None:
    """The kind that stands right before or, after a preposition, right behind a mention."""
    place = first - 1
    if place >= 0 and words[place].text.isdigit():
        place -= 1
    if place >= 0 and words[place].text in KIND_WORDS:
        return KIND_WORDS[words[place].text]
    place = last + 1
    if place < len(words) and words[place].text in (OF, "per"):
        for word in words[place + 1 : place + 1 + _ABOVE_ATTACHED]:
            if word.text in (AND, BREAK, OF):
                return None
            if word.text in KIND_WORDS:
                return KIND_WORDS[word.text]
    return None


def chosen(entry: Entry, context: Context, known: QuantityCatalog) -> tuple[Quantity, ...]:
    """The quantities that an entry means in its context, best first; none if it has none there."""
    if entry.by_owner is not None:
        ids = _plain_word(entry, context, known)
    else:
        ids = _phrase(entry, context, known)
    return tuple(known[name] for name in dict.fromkeys(ids))


def _plain_word(entry: Entry, context: Context, known: QuantityCatalog) -> Sequence[str]:
    assert entry.by_owner is not None
    listed: list[str] = []
    for kind in EntityKind:
        if kind in context.admitting:
            listed += entry.by_owner.get(_list_kind(kind, entry.by_owner), ())
    wider = listed if context.attached and listed else [*listed, *entry.first]
    for ids in entry.by_owner.values():
        wider = wider if context.attached and listed else [*wider, *ids]
    by_plugin = [name for name in wider if known[name].plugin in context.plugins]
    return by_plugin or listed or entry.first


def _list_kind(kind: EntityKind, lists: Mapping[EntityKind, tuple[str, ...]]) -> EntityKind:
    if kind in lists:
        return kind
    if kind in _NODE_LIKE or (kind is EntityKind.PARTITION):
        return EntityKind.NODE
    return EntityKind.PANEL if kind is EntityKind.PUMP else kind


def _phrase(entry: Entry, context: Context, known: QuantityCatalog) -> Sequence[str]:
    if entry.first and len(entry.first) + len(entry.also) < 2:
        return entry.first
    everything = [*entry.first, *entry.also]
    by_plugin = [name for name in everything if known[name].plugin in context.plugins]
    if by_plugin:
        return by_plugin
    kinds = context.admitting
    if not kinds:
        return entry.first
    first = [name for name in entry.first if _has(known[name], kinds)]
    also = [name for name in entry.also if _has(known[name], kinds)]
    if first:
        return first
    if also and EntityKind.PARTITION in kinds:
        return [*also, *entry.first]  # nodes of the partition, or what the scheduler says of it
    return also or entry.first


def admitted(quantity: Quantity, kinds: frozenset[EntityKind]) -> bool:
    """Whether things of these kinds have the quantity; every thing where no kind is named."""
    return not kinds or _has(quantity, kinds)


def _has(quantity: Quantity, kinds: frozenset[EntityKind]) -> bool:
    return any(quantity.owners & _meant(kind) for kind in kinds)


def _meant(kind: EntityKind) -> frozenset[EntityKind]:
    """The kinds whose quantities are meant when a thing of ``kind`` is named."""
    if kind in _NODE_LIKE:
        return frozenset({EntityKind.NODE, kind})
    if kind in (EntityKind.DATA_CENTER, EntityKind.ROOM):
        return _FACILITY
    if kind is EntityKind.PUMP:
        return frozenset({EntityKind.PANEL, EntityKind.PUMP})
    return frozenset({kind})
