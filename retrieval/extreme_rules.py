"""Slots to a chain: the time of an extreme is found first, then readings or jobs at that time."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from retrieval.asking import ChartHint
from retrieval.data_request import ExtremeThen, ReadingsRequest
from retrieval.entity_rules import NamedEntities
from retrieval.extreme_words import ExtremeWords
from retrieval.job_request import JobsRequest
from retrieval.job_rules import jobs_request
from retrieval.measures import Group, Measure, Ranking, Wanted
from retrieval.metric_mentions import Mention
from retrieval.reading_rules import readings_request
from retrieval.request import EntityKind, TimeWindow
from retrieval.sensors import owner_kind
from retrieval.slots import Slots
from retrieval.time_reading import Granularity, ReadWindow
from retrieval.understanding import Why, stop

_NAMED = re.compile(r"\b(?:nodes?|racks?|hosts?)\s+\d", re.IGNORECASE)
_ITS = re.compile(r"\A\w+\s+its\b", re.IGNORECASE)
_THERE = re.compile(r"\b(?:on\s+(?:that|the\s+same|this)\s+node|on\s+it|there)\b", re.IGNORECASE)


def extreme_chain(
    slots: Slots,
    settled: Mapping[str, str],
    windows: tuple[TimeWindow, ...],
    chart: ChartHint,
    now: datetime,
) -> tuple[ExtremeThen, tuple[str, ...]]:
    """The chain that ``slots`` with an extreme as their time amount to; may raise ReadingStops."""
    words = slots.extreme
    behind = [m for m in slots.mentions if m.span[0] > words.at]
    if len(windows) != 1 or not behind or slots.bounds or slots.checks.mentioned:
        raise stop(
            Why.NOT_UNDERSTOOD,
            "I can look at the time of one highest or lowest value in one window. Of which"
            " quantity, and when?",
        )
    first = _first(slots, behind[0], settled, windows)
    rest = rest_of(slots)
    if rest.mentions and not words.hour and not rest.jobs.mentioned:
        then, notes = _values_at(rest, settled, windows[0].end, chart)
        return ExtremeThen(first, then), notes
    if words.hour and rest.mentions:
        then, notes = readings_request(rest, settled, windows, chart)
        plain = then.wanted in (Wanted.MEASURES, Wanted.SERIES) and not then.instant
        if not plain:
            raise stop(
                Why.NOT_UNDERSTOOD, "In such an hour I can take values or a series, no more."
            )
        return ExtremeThen(first, then), notes
    if rest.jobs.mentioned and not rest.mentions and not words.hour:
        jobs, notes = jobs_request(rest, windows, now, chart.kind)
        if jobs.measures or jobs.groups or jobs.windows:
            raise stop(
                Why.NOT_UNDERSTOOD, "Of such a moment I can list the jobs that were running."
            )
        return ExtremeThen(first, jobs), notes
    raise stop(
        Why.NOT_UNDERSTOOD,
        "I can take readings in the hour of an extreme, or list the jobs at its moment.",
    )


def _values_at(
    rest: Slots, settled: Mapping[str, str], any_moment: datetime, chart: ChartHint
) -> tuple[ReadingsRequest, tuple[str, ...]]:
    """What ``rest`` asks for at a moment that is found later; ``any_moment`` stands for it."""
    window = TimeWindow(any_moment, any_moment, True)
    read = ReadWindow(window, Granularity.INSTANT, (0, 0), "UTC")
    rest = replace(rest, times=replace(rest.times, windows=(read,)))
    then, notes = readings_request(rest, settled, (window,), chart)
    if then.wanted is not Wanted.MEASURES or not then.instant:
        raise stop(Why.NOT_UNDERSTOOD, "At such a moment I can take values, no more.")
    return then, notes


def rest_of(slots: Slots) -> Slots:
    """``slots`` without what only tells the time: the quantity whose extreme is meant."""
    words = slots.extreme
    tested = next((m for m in slots.mentions if m.span[0] > words.at), None)
    mentions = tuple(m for m in slots.mentions if m is not tested)
    entities = slots.entities
    lead = slots.text[: words.at]
    if not (_NAMED.search(lead) or _THERE.search(slots.text)):
        places = (EntityKind.NODE, EntityKind.RACK)
        entities = NamedEntities(
            tuple(e for e in entities.found if e.kind not in places),
            entities.unknown,
            entities.spans,
        )
    return replace(slots, mentions=mentions, entities=entities, extreme=ExtremeWords())


def _first(
    slots: Slots, tested: Mention, settled: Mapping[str, str], windows: tuple[TimeWindow, ...]
) -> ReadingsRequest:
    """The request for the hour, or the moment, of the extreme of ``tested``."""
    words = slots.extreme
    moment = Measure.TIME_OF_MAXIMUM if words.highest else Measure.TIME_OF_MINIMUM
    lead = slots.text[: words.at]
    of_node = bool(tested.candidates) and (
        owner_kind(tested.candidates[0].members[0]) is EntityKind.NODE
    )
    behind = slots.text[words.at :]
    if of_node and _NAMED.search(lead) and not (_NAMED.search(behind) or _ITS.search(behind)):
        raise stop(
            Why.NOT_UNDERSTOOD,
            "Of which node, rack or machine is the highest or lowest value meant? Please name it"
            " with the quantity.",
        )
    alone = Slots(
        slots.text,
        slots.entities,
        slots.times,
        mentions=(tested,),
        measures=(Measure.AVERAGE,) if words.hour else (moment,),
        groups=(Group.HOUR,) if words.hour else (),
        over_all=slots.over_all,
        whole_machine=slots.whole_machine,
        names_rack_or_machine=slots.names_rack_or_machine,
    )
    request, _ = readings_request(alone, settled, windows, ChartHint())
    if words.hour:
        request = replace(request, ranking=Ranking(words.highest, 1))
    fits = request.groups == ((Group.HOUR,) if words.hour else ())
    if not fits or request.wanted is not Wanted.MEASURES:
        raise stop(Why.NOT_UNDERSTOOD, "I cannot tell the time of that highest or lowest value.")
    return request


def at_time(chain: ExtremeThen, window: TimeWindow) -> ReadingsRequest | JobsRequest:
    """What is wanted at the time ``window`` that was found."""
    match chain.then:
        case ReadingsRequest():
            return replace(chain.then, windows=(window,))
        case JobsRequest():
            return replace(chain.then, which=replace(chain.then.which, window=window))
