"""By what the samples of a request are put together, and how the groups are ranked."""

from collections.abc import Sequence

from retrieval.job_request import JobColumn, JobFilter
from retrieval.measures import Group, Measure, Owners, Ranking, Wanted
from retrieval.metric_choice import Chosen
from retrieval.request import EntityKind
from retrieval.slots import Slots

_KEYED = {
    EntityKind.RACK: Group.RACK,
    EntityKind.JOB: Group.JOB,
    EntityKind.USER: Group.USER,
}
_SEVERAL = 10
"""How many are named where a plural is ranked without a number."""
TOTAL_POWER = "total_power"
"""The metric whose values of a rack, or of the machine, are those of its nodes together."""
"""The power of a whole node; that of a rack or the machine is the sum over its nodes."""


def groups_of(
    slots: Slots,
    chosen: Sequence[Chosen],
    wanted: Wanted,
    measures: Sequence[Measure],
    during: JobFilter | None,
) -> tuple[Group, ...]:
    """The keys of the result's rows, in the order in which they are shown."""
    of_jobs = (Group.STATE, Group.QOS, Group.NODE_COUNT, Group.GPUS, Group.CORES)
    groups: list[Group] = [g for g in slots.groups if during is not None or g not in of_jobs]
    if Group.PARTITION in groups and during is None:
        groups[groups.index(Group.PARTITION)] = Group.OWNER
    if any(one.by_index for one in chosen):
        groups.append(Group.INDEX)
    if during is not None and (slots.each_of_them or len(during.ids) > 1):
        groups.append(Group.JOB)
    groups += _named(slots, wanted)
    if Group.JOB in groups and len(slots.entities.of(EntityKind.USER)) != 1:
        groups += [Group.USER] if JobColumn.USER in slots.jobs.columns else []
    groups += _several(slots, chosen[0].owners)
    if slots.compared and len(slots.times.windows) < 2 and not (groups or slots.added_up):
        groups += [] if len(chosen[0].owners.names) == 1 else [Group.OWNER]
    if slots.asks_index:
        groups += [] if len(chosen[0].owners.names) == 1 else [Group.OWNER]
        groups.append(Group.INDEX)
    if slots.asks_days and wanted is not Wanted.SILENT_DAYS:
        groups.append(Group.DAY)
    groups += _of_series(slots, chosen, wanted, groups)
    groups += _at_a_moment(slots, chosen[0], measures, groups)
    if wanted is Wanted.SILENT_DAYS and len(chosen[0].owners.names) != 1:
        groups.append(Group.OWNER)
    summed = all(one.quantity.summed for one in chosen)
    if not _has_index(chosen) or summed or (slots.added_up and not slots.bounds):
        # "the power of each GPU summed up": each is averaged, then all are added.
        groups = [g for g in groups if g is not Group.INDEX]
    return tuple(dict.fromkeys(groups))


def _named(slots: Slots, wanted: Wanted) -> list[Group]:
    """The keys that "which ...", "how many ..." or a ranking asks to be named."""
    groups = []
    listed = slots.asks_owners or next(iter(slots.counts_owners), None)
    by_extreme = slots.superlatives and not slots.bounds
    if listed is not None and (wanted in (Wanted.OWNERS, Wanted.OWNER_COUNT) or by_extreme):
        both = {EntityKind.JOB, EntityKind.USER} <= set(slots.all_asked)
        groups += [Group.JOB, Group.USER] if both else [_KEYED.get(listed, Group.OWNER)]
    if slots.ranked is not None:
        groups.append(_KEYED.get(slots.ranked.noun, Group.OWNER))
    elif _orders_jobs(slots):
        groups.append(Group.JOB)
    if slots.counted_owners is not None:
        groups.append(_KEYED.get(slots.counted_owners[1], Group.OWNER))
    return groups


def _orders_jobs(slots: Slots) -> bool:
    """Whether single jobs are put in order: not where something else is told apart."""
    others = {Group.USER, Group.STATE, Group.PARTITION, Group.QOS, Group.OWNER, Group.RACK}
    named = slots.order.noun is EntityKind.JOB and slots.jobs.mentioned
    return named and not others & set(slots.groups)


def _several(slots: Slots, owners: Owners) -> list[Group]:
    """The key that tells several named things apart, unless they are to be added up."""
    if slots.added_up or slots.together:
        return []
    if len(owners.names) > 1:
        return [Group.OWNER]
    if len(owners.racks) > 1 and Group.OWNER not in slots.groups:
        return [Group.RACK]
    return []


def _of_series(
    slots: Slots, chosen: Sequence[Chosen], wanted: Wanted, groups: Sequence[Group]
) -> list[Group]:
    """A series has one line a thing, unless a mean or a sum over things is asked for."""
    if wanted not in (Wanted.SERIES, Wanted.DISTRIBUTION):
        return []
    one = chosen[0]
    many = any(len(each.quantity.metrics) > 1 and not each.quantity.summed for each in chosen)
    parts = [Group.INDEX] if many else []
    added = slots.added_up or slots.as_a_whole or Measure.AVERAGE in slots.measures
    if Group.RACK in groups or (added and not one.owners.names):
        return []
    if speaks_of_sum(slots, one):
        return []
    return [Group.OWNER, *parts]


def _at_a_moment(
    slots: Slots, one: Chosen, measures: Sequence[Measure], groups: Sequence[Group]
) -> list[Group]:
    """A value at a moment is that of one sensor: several are told one by one."""
    together = slots.added_up or slots.together or slots.as_a_whole
    if not slots.at_instant or measures or groups or together:
        return []
    if one.quantity.summed or speaks_of_sum(slots, one):
        return []
    if slots.whole_machine and not slots.names_nodes and one.owners.kind is EntityKind.NODE:
        return []
    single = len(one.owners.names) == 1
    many = len(one.quantity.metrics) > 1
    return [*([] if single else [Group.OWNER]), *([Group.INDEX] if many else [])]


def speaks_of_sum(slots: Slots, one: Chosen) -> bool:
    """Whether a rack or the machine is spoken of as one thing, whose power is that of its nodes."""
    counted = slots.counted_owners is not None and slots.counted_owners[1] is EntityKind.RACK
    place = one.owners.racks or slots.names_rack_or_machine or counted
    whole = one.quantity.metrics[0].name == TOTAL_POWER and not slots.names_nodes
    return bool(place and whole)


def _has_index(chosen: Sequence[Chosen]) -> bool:
    return any(one.quantity.index_noun for one in chosen)


def ranking_of(slots: Slots) -> Ranking | None:
    """How the groups are ranked, where the question ranks them."""
    highest_first = slots.superlatives[0] if slots.superlatives else None
    if slots.ranked is not None:
        descending = slots.ranked.descending if highest_first is None else highest_first
        return Ranking(descending, slots.order.limit or slots.ranked.limit)
    if slots.order.said:
        downwards = bool(slots.order.descending) if highest_first is None else highest_first
        return Ranking(downwards, slots.order.limit)
    if highest_first is None:
        return None
    if slots.counted_owners is not None:
        return Ranking(highest_first, slots.counted_owners[0])
    asked = slots.asks_owners is not None or slots.asks_index or slots.groups_ranked
    if asked and not slots.bounds:
        # "racks with the lowest utilisation" asks for more than one.
        return Ranking(highest_first, _SEVERAL if slots.ranks_several else 1)
    return None
