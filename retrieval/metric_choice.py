"""From the metric mentions of a question to the quantities that are asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from retrieval.measures import Owners, Selected
from retrieval.metric_mentions import Mention
from retrieval.quantity import Quantity, Transform
from retrieval.question_text import unmasked
from retrieval.request import EntityKind
from retrieval.sensors import owner_kind
from retrieval.slots import Slots
from retrieval.understanding import ReadingStops, Unclear, Why, stop
from retrieval.units import unit_named

_IN_PARTS = frozenset({"qos", "job_state"})
"""Tags that part the readings of one sensor at one moment: none of them is the whole."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A quantity with whose readings are wanted, and what must be said about the choice."""

    quantity: Selected
    owners: Owners
    by_index: bool
    notes: tuple[str, ...] = ()


def chosen_quantities(slots: Slots, settled: Mapping[str, str]) -> tuple[Chosen, ...]:
    """One Chosen for each mention of ``slots``; raises ReadingStops for an open choice."""
    chosen = [_chosen(mention, slots, settled) for mention in slots.mentions]
    return _merged(chosen)


def _merged(chosen: Sequence[Chosen]) -> tuple[Chosen, ...]:
    """``chosen`` without repetitions.

    The same quantity may be mentioned twice, and once with an index: "fan speed of fan2_0".
    """
    kept: list[Chosen] = []
    for one in sorted(chosen, key=lambda each: len(each.quantity.metrics)):
        metrics = set(one.quantity.metrics)
        if not any(set(other.quantity.metrics) <= metrics for other in kept):
            kept.append(one)
    return tuple(one for one in chosen if any(one is other for other in kept))


def _chosen(mention: Mention, slots: Slots, settled: Mapping[str, str]) -> Chosen:
    quantity = _one_of(mention, settled, slots.unit_wish)
    metrics = quantity.members
    if _IN_PARTS & set(metrics[0].tags):
        raise stop(
            Why.OUT_OF_SCOPE,
            f"The scheduler counts {quantity.label} apart by QoS and job state, and I cannot put"
            " these together yet. Ask about the jobs themselves, as in 'how many jobs were running"
            " on 1 June 2022 at noon'.",
        )
    by_index = False
    notes: list[str] = []
    if mention.indices:
        wanted = [m for m in metrics if m.index in mention.indices]
        if mention.missing:
            there = ", ".join(m.index or "" for m in metrics)
            words = f"{quantity.index_noun} {', '.join(mention.missing)}"
            if not wanted:
                raise stop(
                    Why.UNKNOWN_ENTITY,
                    f"There is no {words} for {quantity.label}: the ids are {there}.",
                )
            notes.append(
                f"There is no {words}: {quantity.label} has {quantity.index_noun} ids {there}."
            )
        metrics = tuple(wanted)
        by_index = len(wanted) > 1 and quantity.transform is not Transform.SUM
    if quantity.note:
        notes.append(quantity.note)
    selected = Selected(
        label=_label(quantity, metrics, mention),
        metrics=metrics,
        complement=quantity.transform is Transform.COMPLEMENT,
        summed=quantity.transform is Transform.SUM,
        index_noun=quantity.index_noun,
        note=quantity.note,
    )
    return Chosen(selected, _owners(quantity, slots), by_index, tuple(notes))


def _label(quantity: Quantity, metrics: Sequence[object], mention: Mention) -> str:
    if mention.indices and len(metrics) == 1:
        index = mention.indices[0] if len(mention.indices) == 1 else ""
        noun = quantity.index_noun
        if index and noun and noun.lower() not in quantity.label.lower():
            return f"{noun} {index} {quantity.label}"
        if index and noun:
            position = quantity.label.lower().index(noun.lower()) + len(noun)
            return f"{quantity.label[:position]} {index}{quantity.label[position:]}"
    return quantity.label


def _one_of(mention: Mention, settled: Mapping[str, str], wish: str) -> Quantity:
    """The quantity that is meant: the only one, that of the wished unit, or the one chosen."""
    if len(mention.candidates) == 1:
        return mention.candidates[0]
    wanted = unit_named(wish) if wish else None
    in_unit = [c for c in mention.candidates if c.unit == wanted]
    if len(in_unit) == 1:
        return in_unit[0]
    about = f"metric:{mention.words.lower()}"
    choice = settled.get(about)
    for candidate in mention.candidates:
        if candidate.id == choice:
            return candidate
    if not mention.candidates:
        raise stop(Why.UNKNOWN_METRIC, f"No metric is called '{mention.words}'.")
    raise ReadingStops(
        Unclear(
            about,
            f"Which '{unmasked(mention.words)}' do you mean?",
            tuple((c.id, c.label) for c in mention.candidates),
        )
    )


def _owners(quantity: Quantity, slots: Slots) -> Owners:
    """Whose readings: what owns the sensors of the metrics, narrowed by what is named."""
    kind = owner_kind(quantity.members[0])
    racks = slots.entities.of(EntityKind.RACK) if kind is EntityKind.NODE else ()
    return Owners(kind, slots.entities.of(kind), racks)
