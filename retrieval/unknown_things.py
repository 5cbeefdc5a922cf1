"""Names of things that nothing at the site has: the question is refused, and told what there is."""

from retrieval.request import Entity, EntityKind
from retrieval.site import Site
from retrieval.slots import Slots
from retrieval.understanding import Why, stop


def require_known(slots: Slots, site: Site) -> None:
    """Raises ReadingStops where the question names what the site does not have."""
    named = Entity(EntityKind.NODE, slots.event.node)
    if named.name and not site.exists(named):
        raise stop(Why.UNKNOWN_ENTITY, _unknown(f"node {named.name}", EntityKind.NODE, site))
    if slots.entities.unknown:
        raise stop(Why.UNKNOWN_ENTITY, _told(slots, site))


def _told(slots: Slots, site: Site) -> str:
    told = []
    for entity in slots.entities.unknown[:5]:
        site.must_know_all(entity.kind)
        name = "CRAC" if entity.kind is EntityKind.CRAC else entity.kind.value
        told.append(_unknown(f"{name} {entity.name}", entity.kind, site))
    return " ".join(told)


def _unknown(thing: str, kind: EntityKind, site: Site) -> str:
    """That there is no such thing; where others may exist that are not shown, no more than that."""
    there = site.listing(kind)
    return f"You may see no {thing}: {there}." if site.in_part else f"There is no {thing}: {there}."
