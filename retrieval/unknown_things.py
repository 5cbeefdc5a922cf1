"""Names of things that nothing at the site has: the question is refused, and told what there is."""

from retrieval.request import Entity, EntityKind
from retrieval.site import Site
from retrieval.slots import Slots
from retrieval.understanding import Why, stop


def require_known(slots: Slots, site: Site) -> None:
    """Raises ReadingStops where the question names what the site does not have."""
    named = Entity(EntityKind.NODE, slots.event.node)
    if named.name and not site.exists(named):
        there = site.listing(EntityKind.NODE)
        raise stop(Why.UNKNOWN_ENTITY, f"There is no node {named.name}: {there}.")
    if slots.entities.unknown:
        raise stop(Why.UNKNOWN_ENTITY, _told(slots, site))


def _told(slots: Slots, site: Site) -> str:
    told = []
    for entity in slots.entities.unknown[:5]:
        site.must_know_all(entity.kind)
        name = "CRAC" if entity.kind is EntityKind.CRAC else entity.kind.value
        told.append(f"There is no {name} {entity.name}: {site.listing(entity.kind)}.")
    return " ".join(told)
