"""Slots to a ReadingsRequest: what is computed from the samples of which quantities."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from retrieval.asking import ChartHint
from retrieval.boot_rules import reboots
from retrieval.bound_rules import bound_of, meanwhile_of
from retrieval.course_rules import (
    asks_change,
    course_of,
    course_request,
    implied_note,
    without_lengths,
)
from retrieval.data_request import ReadingsRequest
from retrieval.group_rules import groups_of, ranking_of, speaks_of_sum
from retrieval.job_request import JobFilter
from retrieval.measures import TIMES, Applies, Condition, Group, Measure, Ranking, Wanted
from retrieval.metric_choice import Chosen, chosen_quantities
from retrieval.outer_rules import with_outer
from retrieval.request import EntityKind, TimeWindow
from retrieval.share_rules import POWER, of_unlike, ratio_of
from retrieval.share_words import ShareOf
from retrieval.slots import Slots
from retrieval.understanding import Why, stop
from retrieval.units import measure_same, unit_named

SUMMARY = (Measure.AVERAGE, Measure.MINIMUM, Measure.MAXIMUM)
_BUCKETS = {"hourly": "PT1H", "daily": "P1D"}
_FLAGGED = frozenset({Measure.DURATION, Measure.SHARE})
_NOT_ADDITIVE = frozenset({"°C", "%", "RPM", "V", "bar", "Hz", "MHz"})


def readings_request(
    slots: Slots,
    settled: Mapping[str, str],
    windows: tuple[TimeWindow, ...],
    chart: ChartHint,
    during: JobFilter | None = None,
) -> tuple[ReadingsRequest, tuple[str, ...]]:
    """The request over readings that ``slots`` amount to, with what must be said about it."""
    chosen = chosen_quantities(slots, settled)
    notes = (*implied_note(slots), *(note for one in chosen for note in one.notes))
    if chosen[0].quantity.metrics[0].name == "boottime" and windows and not slots.bounds:
        return reboots(slots, chosen[0], windows, notes)
    chosen, meanwhile = meanwhile_of(slots, chosen)
    slots, longer = without_lengths(slots, chosen)
    plain = not chart.kind and not slots.at_instant
    condition = bound_of(slots, chosen, plain) if meanwhile is None else None
    course = course_of(slots, condition, longer) if meanwhile is None else None
    if course is not None:
        asked = course_request(slots, chosen, windows, course, condition, longer, during)
        return replace(asked, unit=_unit(slots, asked)), notes
    changed = asks_change(slots, windows, condition is not None)
    measures = _measures(slots, chosen, condition) or ((Measure.AVERAGE,) if changed else ())
    wanted = _wanted(slots, chart, measures, condition, chosen)
    groups = groups_of(slots, chosen, wanted, measures, during)
    if chart.kind == "heatmap" and wanted is Wanted.MEASURES:
        groups = _two_ways(slots, groups)
    ranking = ranking_of(slots)
    condition = _applied(condition, measures, wanted) if condition is not None else None
    if wanted is Wanted.MEASURES and not measures:
        measures = _default_measures(slots, groups, chart, ranking)
    request = ReadingsRequest(
        wanted=wanted,
        quantities=tuple(one.quantity for one in chosen),
        owners=tuple(one.owners for one in chosen),
        windows=windows,
        instant=slots.at_instant,
        measures=measures,
        groups=groups,
        condition=condition,
        meanwhile=meanwhile,
        ranking=ranking,
        during=during,
        combined=_combined(slots, chosen, measures, groups, chart),
        bucket=_bucket(slots, wanted, groups, measures),
        change=changed,
        difference=slots.difference and Measure.RANGE not in measures,
        share=slots.share.of is ShareOf.OWNERS and wanted is Wanted.OWNER_COUNT,
        ratio=ratio_of(slots, chosen),
    )
    return _whole(slots, request), notes


def _whole(slots: Slots, request: ReadingsRequest) -> ReadingsRequest:
    """``request`` with what is computed over its rows, in which unit, and its interval."""
    request = with_outer(slots, request)
    asked = bool(slots.resolution or slots.bucket_words)
    return replace(request, unit=_unit(slots, request), bucket_asked=asked)


def _two_ways(slots: Slots, groups: tuple[Group, ...]) -> tuple[Group, ...]:
    """``groups`` with both a thing and a time among them, as a heatmap needs."""
    keys = (Group.OWNER, Group.RACK, Group.INDEX)
    key = Group.RACK if "rack" in slots.text.lower() and not slots.names_nodes else Group.OWNER
    groups = groups if set(groups) & set(keys) else (key, *groups)
    return groups if set(groups) & TIMES else (*groups, Group.HOUR)


def _unit(slots: Slots, request: ReadingsRequest) -> str:
    """The unit that values are wanted in; raises ReadingStops where it measures other things."""
    wanted = unit_named(slots.unit_wish) if slots.unit_wish else None
    if wanted is None:
        return ""
    own = {q.unit for q in request.quantities}
    own |= {"kWh"} if Measure.ENERGY in request.measures else set()
    own |= {"min"} if Measure.DURATION in request.measures else set()
    own |= {"%"} if Measure.SHARE in request.measures or request.ratio is not None else set()
    if not any(measure_same(unit, wanted) for unit in own):
        told = " and ".join(sorted(unit or "plain numbers" for unit in own))
        raise stop(Why.NOT_UNDERSTOOD, f"That is measured in {told}; I cannot give it in {wanted}.")
    return wanted


def _measures(
    slots: Slots, chosen: Sequence[Chosen], condition: Condition | None
) -> tuple[Measure, ...]:
    measures: list[Measure] = [m for m in slots.measures if m is not Measure.ENERGY]
    if Measure.ENERGY in slots.measures or any(mention.energy for mention in slots.mentions):
        others = [one.quantity.label for one in chosen if one.quantity.unit not in POWER]
        if others:
            raise stop(
                Why.NOT_UNDERSTOOD,
                f"An energy is the integral of a power, and {others[0]} is none."
                " Please ask for one at a time.",
            )
        if slots.at_instant:
            raise stop(
                Why.NOT_UNDERSTOOD,
                "An energy is used over a time, and a moment has none. From when to when?",
            )
        measures.append(Measure.ENERGY)
    if slots.share.of is ShareOf.TIME and condition is not None:
        return (Measure.SHARE,)
    if slots.asks_how_long and condition is not None:
        return (Measure.DURATION,)
    named = slots.asks_owners or slots.asks_index
    ranks = slots.ranked or slots.counted_owners or (named and not slots.bounds)
    if not ranks and not slots.groups_ranked:
        measures += [Measure.MAXIMUM if high else Measure.MINIMUM for high in slots.superlatives]
    if condition is not None and slots.while_bound and measures:
        return tuple(dict.fromkeys(measures))
    if slots.asks_when:
        measures += _times_of(measures)
    return tuple(dict.fromkeys(measures))


def _times_of(measures: Sequence[Measure]) -> list[Measure]:
    """The moments of the extremes that are asked for; raises ReadingStops where there are none."""
    moments = {
        Measure.MAXIMUM: Measure.TIME_OF_MAXIMUM,
        Measure.MINIMUM: Measure.TIME_OF_MINIMUM,
    }
    found = [moments[m] for m in measures if m in moments]
    if not found:
        raise stop(
            Why.NOT_UNDERSTOOD,
            "I can say when a value was highest or lowest, or when it kept a bound"
            " ('when was it above 30 °C'). Which one do you want?",
        )
    return found


def _wanted(
    slots: Slots,
    chart: ChartHint,
    measures: Sequence[Measure],
    condition: Condition | None,
    chosen: Sequence[Chosen],
) -> Wanted:
    many = sum(len(one.quantity.metrics) for one in chosen) > 1
    several = many and not set(slots.groups) - TIMES
    if slots.correlation or (chart.kind in ("heatmap", "scatter") and several):
        return Wanted.CORRELATION
    if slots.silent:
        return Wanted.SILENT_DAYS if slots.asks_days else Wanted.SILENT_OWNERS
    if condition is not None and not set(measures) & _FLAGGED and not slots.ranked:
        return _of_bound(slots, measures)
    if slots.at_instant:
        return Wanted.MEASURES
    if chart.of_samples and (not slots.groups or (_of_things(slots) and not measures)):
        return Wanted.DISTRIBUTION
    if slots.resolution and not set(measures) - {Measure.AVERAGE} and not slots.groups:
        return Wanted.SERIES
    if chart.of_series and not set(slots.groups) & TIMES and not slots.ranked:
        plain = not measures or tuple(measures) == (Measure.AVERAGE,)
        if plain and not slots.superlatives:
            return Wanted.SERIES
    if measures or slots.groups or slots.ranked or slots.counted_owners or slots.asks_owners:
        return Wanted.MEASURES
    if slots.wants_series and not chart.kind and not slots.difference:
        return Wanted.SERIES
    return Wanted.MEASURES


def _of_things(slots: Slots) -> bool:
    return set(slots.groups) <= {Group.OWNER, Group.RACK, Group.INDEX}


def _of_bound(slots: Slots, measures: Sequence[Measure]) -> Wanted:
    """What a bound picks: things, or the samples that are measured; nothing else is guessed."""
    if slots.counts_owners:
        return Wanted.OWNER_COUNT
    counted = tuple(measures) == (Measure.COUNT,)
    index = slots.asks_index and not counted
    if slots.asks_owners or index or slots.asks_days or slots.groups_ranked:
        return Wanted.OWNERS
    if counted or (slots.while_bound and measures):
        return Wanted.MEASURES
    raise stop(
        Why.NOT_UNDERSTOOD,
        f"What should be told of '{slots.bounds[0].condition.words if slots.bounds else ''}':"
        " which nodes, how long, when, or an average 'while' it held?",
    )


def _default_measures(
    slots: Slots, groups: Sequence[Group], chart: ChartHint, ranking: Ranking | None
) -> tuple[Measure, ...]:
    if slots.at_instant:
        return (Measure.LATEST,)
    if ranking is not None:
        by_mean = _is_of_means(slots)
        if slots.counted_owners is not None or by_mean:
            return (Measure.AVERAGE,)
        return (Measure.MAXIMUM if ranking.descending else Measure.MINIMUM,)
    if chart.kind or set(groups) & TIMES or slots.difference or slots.share.divides:
        return (Measure.AVERAGE,)
    return SUMMARY


def _is_of_means(slots: Slots) -> bool:
    """Whether a ranking without a measure is by means: "busiest", but not "highest"."""
    if slots.ranked is not None:
        return slots.ranked.by_mean
    return not slots.by_extreme


def _applied(condition: Condition, measures: Sequence[Measure], wanted: Wanted) -> Condition:
    """Whether the bound is one of single samples or of the measure of a group."""
    always = condition.applies is Applies.ALL_SAMPLES and Measure.AVERAGE not in measures
    if always or wanted not in (Wanted.OWNERS, Wanted.OWNER_COUNT):
        return condition
    aggregates = [m for m in measures if m is not Measure.COUNT]
    if aggregates:
        return replace(condition, applies=Applies.MEASURE, measure=aggregates[0])
    return condition


def _combined(
    slots: Slots,
    chosen: Sequence[Chosen],
    measures: Sequence[Measure],
    groups: Sequence[Group],
    chart: ChartHint,
) -> bool:
    """Whether sensors are added up: the question says so, or speaks of a rack as one thing."""
    if any(one.quantity.summed for one in chosen):
        return True
    one = chosen[0]
    if set(measures) & {Measure.ENERGY, *_FLAGGED}:
        return Measure.ENERGY not in measures and speaks_of_sum(slots, one)
    if one.quantity.unit in _NOT_ADDITIVE:
        if slots.added_up:
            raise stop(
                Why.NOT_UNDERSTOOD,
                f"A sum of {one.quantity.label} in {one.quantity.unit} means nothing."
                " Please ask for the average or the maximum.",
            )
        return False
    if slots.share.divides and of_unlike(chosen) and Group.OWNER not in groups:
        return True
    if slots.added_up or slots.as_a_whole or (slots.together and not chart.kind):
        return len(chosen) == 1 or slots.added_up
    if one.quantity.metrics[0].plugin == "slurm_pub" and not one.quantity.unit:
        counted = Group.OWNER not in slots.groups and Group.PARTITION not in slots.groups
        return counted and len(one.owners.names) != 1 and one.owners.kind is EntityKind.PARTITION
    return speaks_of_sum(slots, one)


def _bucket(
    slots: Slots, wanted: Wanted, groups: Sequence[Group], measures: Sequence[Measure]
) -> str:
    """The averaging interval: the one asked for, or a first guess that the data may widen."""
    if slots.resolution:
        return slots.resolution if wanted in (Wanted.SERIES, Wanted.CORRELATION) else ""
    if slots.bucket_words:
        return _BUCKETS[next(w for w in _BUCKETS if w in slots.bucket_words)]
    if wanted is Wanted.CORRELATION:
        return {Group.HOUR: "PT1H", Group.DAY: "P1D"}.get(next(iter(slots.groups), Group.JOB), "")
    averaged = Measure.AVERAGE in measures or Group.RACK in groups
    return "PT5M" if wanted is Wanted.SERIES and averaged else ""
