"""Runs every rule over one question."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from retrieval.check_words import check_words
from retrieval.condition_words import bounds_in
from retrieval.course_words import course_words
from retrieval.entity_rules import entities_in
from retrieval.event_words import event_words
from retrieval.extreme_words import extreme_words
from retrieval.incident_words import incident_in
from retrieval.job_words import job_columns, job_words
from retrieval.measure_words import (
    ADDED_UP,
    AS_A_WHOLE,
    COUNTED_SAMPLES,
    OVER_ALL,
    TOGETHER,
    groups_in,
    index_group_in,
    measures_in,
)
from retrieval.measures import Group, Measure
from retrieval.mention_slots import claim_label, mentions_in
from retrieval.metric_mentions import Mention, MetricReader
from retrieval.neighbour_words import neighbour_words
from retrieval.order_words import order_words
from retrieval.owner_slots import with_counted_parts, with_owners, without_own_difference
from retrieval.peer_words import peer_words
from retrieval.question_text import QuestionText, Span
from retrieval.ranking_words import ranked_in
from retrieval.request import EntityKind, TimeWindow
from retrieval.seen_metrics import with_seen_metrics
from retrieval.sensors import owner_kind
from retrieval.share_words import share_words
from retrieval.sight import Sight
from retrieval.site import Site
from retrieval.site_words import HOLDINGS, SAME_RACK, claim_site_words, site_words
from retrieval.size_words import sizes_in
from retrieval.slot_patterns import (
    ALL_TIME,
    ALSO,
    ANY_INDEX,
    ASK_OWNERS,
    BREAKS,
    CATALOGUE,
    COMPARED,
    COMPLEMENT,
    CORRELATION,
    COUNT_CATALOGUE,
    DRAWN,
    DURING,
    EACH_OF_THEM,
    EACH_PART,
    ENERGY_UNIT,
    EVENT_STATE,
    FOLLOW_UP,
    HOURLY_MEANS,
    HOURS_WITH,
    HOW_LONG,
    LAST_VALUE,
    NODE_WORD,
    NOUN_BEFORE_DATE,
    OF_NODES,
    RATE,
    RESOLUTION,
    SERIES_VERBS,
    SILENT,
    UNIT_BETWEEN,
    UNIT_WISH,
    WHEN,
    WHICH_DAYS,
    WHILE_BOUND,
    WHILE_USED,
    WITH_TIME,
    interval_of,
)
from retrieval.slots import Slots
from retrieval.stop_words import ignored_words
from retrieval.subject_parts import (
    counted_for,
    is_whole_machine,
    kinds_named,
    of_width,
    ordered,
    start_of,
    words_of,
)
from retrieval.superlative_words import ranked_times, with_ranked_times, with_superlatives
from retrieval.time_reader import read_times


class SlotFiller:
    """Knows what the site and its catalogue have; keeps nothing of a question."""

    def __init__(
        self,
        zone: ZoneInfo,
        site: Site,
        checks: tuple[str, ...],
        metrics: MetricReader,
        sight: Sight | None = None,
    ) -> None:
        """Through a ``sight``, words stand for metrics that are seen, or for none."""
        self._zone = zone
        self._site = site
        self._checks = checks
        self._metrics = metrics
        self._sight = sight

    def fill(
        self,
        question: str,
        now: datetime,
        taken: Sequence[Span] = (),
        previous: TimeWindow | None = None,
        about_jobs: bool = False,
    ) -> Slots:
        """What the rules find in ``question``; the spans ``taken`` are already understood.

        ``previous`` is the window of the thread's earlier question, ``about_jobs`` whether that
        was about jobs.
        """
        text = QuestionText(question)
        for span in taken:
            text.claim(span)
        follow_up = text.take(FOLLOW_UP) is not None
        # Before the times are read: "at the same time" is none of its own.
        event, beside = event_words(text), neighbour_words(text)
        beside_node = text.take(SAME_RACK) is not None
        entities = entities_in(text, self._site)
        named = _without_nouns(text.without(text.claims))
        times = read_times(named, now, self._zone, previous)
        for span in times.spans:
            text.claim(span)
        slots = Slots(question, entities, times, event=event, course=beside, follow_up=follow_up)
        slots = replace(slots, peers=peer_words(text), same_rack=beside_node)
        slots = replace(slots, extreme=extreme_words(text))
        if (text.has(CATALOGUE) or text.has(HOLDINGS)) and not times.windows:
            return _of_catalogue(text, slots)
        slots = self._with_subject(text, slots, about_jobs)
        slots = _with_leftovers(text, _with_shape(text, slots))
        return slots if self._sight is None else with_seen_metrics(slots, self._sight)

    def _with_subject(self, text: QuestionText, slots: Slots, about_jobs: bool) -> Slots:
        """Whose what is asked: checks, rankings, groups, bounds, metrics and jobs."""
        share, checks = share_words(text), check_words(text, self._checks)
        correlation = bool(text.take_all(CORRELATION))
        hourly = text.take(HOURLY_MEANS) if correlation else None
        resolution = text.take(RESOLUTION)
        course = slots.course if slots.course.asked else course_words(text, checks.mentioned)
        while_bound = text.take(WHILE_BOUND)
        how_long = bool(text.take_all(HOW_LONG)) or bool(text.take_all(HOURS_WITH))
        ranked = ranked_in(text)
        slots = replace(slots, jobs=sizes_in(text, ranked))
        order = order_words(text)
        groups, owner = ordered(*groups_in(text), order)
        everywhere = text.take_all(OVER_ALL)
        # A metric may share words with a bound ("28 °C at the inlet"), with a count ("how many
        # nodes were idle") or with what is asked for, so it is looked for below them as well.
        before = tuple(text.claims)
        slots = with_owners(text, slots)
        measures = measures_in(text)
        bounds = bounds_in(text)
        slots = with_counted_parts(text, slots) if bounds else slots
        incident, bounds = incident_in(text, self._metrics, bounds)
        slots = replace(slots, silent=bool(text.take_all(SILENT)))
        named = kinds_named(slots.entities, everywhere, [owner, ranked.noun if ranked else None])
        mentions = incident or mentions_in(text, self._metrics, named, before, share)
        slots = without_own_difference(slots, text, mentions)
        jobs = job_words(text, bounds, about_jobs or share.of_jobs)
        slots, jobs = counted_for(share, slots, of_width(jobs, ranked))
        return replace(
            slots,
            checks=checks,
            course=course,
            correlation=correlation,
            bucket_words=words_of(hourly),
            asks_how_long=how_long,
            while_at=start_of(while_bound),
            resolution=interval_of(resolution),
            measures=measures,
            ranked=ranked,
            order=order,
            share=share,
            groups=groups,
            group_owner=owner,
            over_all=bool(everywhere),
            whole_machine=is_whole_machine(everywhere),
            mentions=mentions,
            jobs=jobs,
            bounds=jobs.bounds if jobs.mentioned else bounds,
        )


def _without_nouns(text: str) -> str:
    """``text`` with the nouns before a date blanked: in "jobs 1-3 June" no job is numbered."""
    return NOUN_BEFORE_DATE.sub(lambda match: " " * len(match.group()), text)


def _of_catalogue(text: QuestionText, slots: Slots) -> Slots:
    """The slots of a question about which sensors, metrics or plugins there are."""
    counting = text.take(COUNT_CATALOGUE) is not None
    site = site_words(text)
    claim_site_words(text, site)
    text.take_all(ASK_OWNERS)
    text.take_all(OVER_ALL)
    leftovers = text.leftovers(ignored_words())
    return replace(slots, site=replace(site, counted=counting), leftovers=leftovers)


def _with_shape(text: QuestionText, slots: Slots) -> Slots:
    """What is computed: measures, superlatives, when, over which parts."""
    times = ranked_times(text, slots)
    slots = replace(
        slots,
        asks_days=bool(text.take_all(WHICH_DAYS)),
        each_of_them=bool(text.take_all(EACH_OF_THEM)),
        during=bool(text.take_all(DURING)) | bool(text.take_all(WHILE_USED)),
        asks_when=bool(text.take_all(WITH_TIME)) | bool(text.take_all(WHEN)),
        site=site_words(text),
        wants_series=bool(text.take_all(SERIES_VERBS)),
        wants_latest=bool(text.take_all(LAST_VALUE)),
        added_up=bool(text.take_all(ADDED_UP)),
        together=bool(text.take_all(TOGETHER)),
        as_a_whole=bool(text.take_all(AS_A_WHOLE)),
        compared=bool(text.take_all(COMPARED)),
        also=text.has(ALSO),
        names_nodes=text.has(NODE_WORD),
        names_rack_or_machine=bool(
            slots.entities.of(EntityKind.RACK)
            or slots.over_all
            or slots.group_owner is EntityKind.RACK
            or (slots.ranked is not None and slots.ranked.noun is EntityKind.RACK)
            or slots.asks_owners is EntityKind.RACK
            or EntityKind.RACK in slots.counts_owners
        ),
    )
    slots = with_superlatives(text, slots)
    text.take_all(BREAKS)
    if slots.follow_up:
        text.take_all(ALSO)
    if Measure.COUNT in slots.measures:
        text.take_all(COUNTED_SAMPLES)
    if slots.bounds:
        text.take_all(ALL_TIME)
    slots = with_ranked_times(text, slots, times)
    # The name of a metric may reach around its unit: "temperature in °F at the inlet".
    units = [*text.take_all(UNIT_WISH), *UNIT_BETWEEN.finditer(text.lower)]
    groups = [*slots.groups, *slots.jobs.groups]
    if slots.mentions:
        groups += [Group.INDEX] if index_group_in(text) else []
        for pattern in (ANY_INDEX, COMPLEMENT, EVENT_STATE, EACH_PART):
            text.take_all(pattern)
    return replace(
        slots,
        groups=tuple(dict.fromkeys(groups)),
        unit_wish=_unit_wish(text, units),
    )


def _unit_wish(text: QuestionText, found: Sequence["re.Match[str]"]) -> str:
    """The unit that values are wanted in; one of energy is claimed as a measure already."""
    energy = ENERGY_UNIT.search(text.lower)
    if energy is not None:
        return energy.group()
    return next((u.strip() for m in found for u in m.groupdict().values() if u), "")


def _is_of_nodes(mention: Mention) -> bool:
    return bool(mention.candidates) and all(
        owner_kind(candidate.members[0]) is EntityKind.NODE for candidate in mention.candidates
    )


def _with_leftovers(text: QuestionText, slots: Slots) -> Slots:
    jobs = slots.jobs
    if jobs.mentioned and not jobs.columns:
        jobs = replace(jobs, columns=job_columns(text))
    if not (slots.mentions or jobs.mentioned or slots.checks.mentioned):
        claim_site_words(text, slots.site)
    if slots.mentions and slots.site.facts and not slots.times.windows:
        claim_site_words(text, slots.site)
    for mention in slots.mentions:
        claim_label(text, mention)
        if any("/" in candidate.unit for candidate in mention.candidates):
            text.take_all(RATE)
        if any(candidate.unit in ("W", "kW") for candidate in mention.candidates):
            text.take_all(DRAWN)
    if slots.mentions and all(_is_of_nodes(mention) for mention in slots.mentions):
        text.take_all(OF_NODES)
    return replace(slots, jobs=jobs, leftovers=text.leftovers(ignored_words()))
