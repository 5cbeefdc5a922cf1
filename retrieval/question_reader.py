"""A question in words to an Understanding: the symbolic reader, without a language model."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from retrieval.asking import Asking
from retrieval.chain_rules import chain_of
from retrieval.data_request import Asked
from retrieval.event_rules import event_chain, event_jobs
from retrieval.extreme_rules import extreme_chain
from retrieval.follow_ups import in_thread
from retrieval.job_filters import during_notes, job_filter
from retrieval.job_request import JobFilter
from retrieval.job_rules import jobs_request
from retrieval.likeness_rules import TURNING_WORDS, MatchesMetrics, with_likeliest
from retrieval.measures import Course, Group, Wanted
from retrieval.metric_mentions import MetricReader
from retrieval.peer_rules import peers_request
from retrieval.question_slots import SlotFiller
from retrieval.ranking_words import LAST
from retrieval.reading_rules import readings_request
from retrieval.request import EntityKind, TimeWindow
from retrieval.restatement import Restatements
from retrieval.sensors import owner_kind
from retrieval.sight import Sight
from retrieval.site import Site
from retrieval.site_request import SiteRequest, Subject
from retrieval.site_rules import checks_request, site_request
from retrieval.slot_audit import unused_parts
from retrieval.slots import Slots
from retrieval.time_choice import WHICH_TIME, chosen_windows
from retrieval.time_reader import read_times
from retrieval.time_reading import LOOK_BACK, Granularity, ReadWindow, TimeReading
from retrieval.understanding import (
    ReadingStops,
    Unclear,
    Understanding,
    Understood,
    Why,
    stop,
)
from retrieval.unknown_things import require_known
from retrieval.unreadable import refuse_unanswerable
from retrieval.while_rules import while_chain

_LATEST = frozenset({Course.LAST_SAMPLE, Course.LAST_REBOOT})
"""What is looked for up to a moment, or up to now."""

SHARED_NODES = "A node's readings count in full for each job on it, also where jobs share a node."
_NOTHING_NEW = (
    "That comes to what I answered before, so I missed what is new in it. Name another thing, time"
    " or measure, or ask anew."
)


class QuestionReader:
    """Reads questions by rules, the inventory and the catalogue."""

    def __init__(
        self,
        site: Site,
        checks: Sequence[str],
        metrics: MetricReader,
        matcher: MatchesMetrics,
        zone: ZoneInfo,
        sight: Sight | None = None,
    ) -> None:
        """``site`` and ``matcher`` are as a ``sight`` lets them be seen, where there is one."""
        self._site = site
        self._matcher = matcher
        self._zone = zone
        self._slots = SlotFiller(zone, site, tuple(checks), metrics, sight)
        self.restatements = Restatements(self._slots, matcher)

    def read(self, asking: Asking) -> Understanding:
        """What ``asking`` amounts to; never raises for any text."""
        try:
            return self._read(asking)
        except ReadingStops as stopped:
            return stopped.outcome

    def is_time(self, text: str) -> bool:
        """Whether ``text`` says nothing but a time: "1 June 2022", "yesterday 8 to 10"."""
        slots = self._slots.fill(text, datetime.now(UTC))
        said = slots.mentions or slots.entities.found or slots.leftovers or slots.jobs.mentioned
        return bool((slots.times.windows or slots.times.problems) and not said)

    def _read(self, asking: Asking) -> Understood:
        refuse_unanswerable(asking.text)
        thread = in_thread(asking, self._slots)
        asking = replace(asking, chart=thread.chart, settled=thread.settled)
        understood = self._taken_up(thread.slots, asking)
        if thread.before is not None and not asking.chart.kind:
            self._require_news(thread.before, asking, understood)
        return understood

    def _require_news(self, before: Slots, asking: Asking, found: Understood) -> None:
        """Stops where a follow-up comes to what was answered before: its words did nothing."""
        try:
            earlier = self._taken_up(before, asking)
        except ReadingStops:
            return
        if earlier.asked == found.asked:
            raise stop(Why.NOT_UNDERSTOOD, _NOTHING_NEW)

    def _taken_up(self, slots: Slots, asking: Asking) -> Understood:
        require_known(slots, self._site)
        slots = with_likeliest(slots, self._matcher, asking.settled)
        slots = replace(slots, times=self._times(slots, asking))
        windows, notes = chosen_windows(slots.times, asking.settled)
        if not windows and slots.wants_latest:
            slots, windows = _at_now(slots, asking.now)
        if set(slots.course.asked) & _LATEST and (not windows or _is_moment(slots)):
            slots, windows = _up_to(slots, windows[0].end if windows else asking.now)
            notes = ()
        if not windows and _last_jobs(slots):
            windows, notes = (TimeWindow(asking.now - LOOK_BACK, asking.now, True),), ()
        asked, more = self._known(slots, asking, windows)
        unused = unused_parts(slots, asked)
        if unused:
            raise stop(Why.NOT_UNDERSTOOD, _cannot_combine(unused))
        said = (slots.likeness_note,) if slots.likeness_note else ()
        return Understood(asked, (*said, *notes, *more), str(self._zone), asking.chart)

    def _known(
        self, slots: Slots, asking: Asking, windows: tuple[TimeWindow, ...]
    ) -> tuple[Asked, tuple[str, ...]]:
        """What is asked; nothing is asked back where a word is left over: it would be refused."""
        unknown = None
        if slots.leftovers:
            unknown = stop(Why.NOT_UNDERSTOOD, _not_understood(slots), _open_words(slots))
        try:
            asked, more = self._asked(slots, asking, windows)
        except ReadingStops as stopped:
            if unknown is not None and isinstance(stopped.outcome, Unclear):
                raise unknown from stopped
            raise
        if unknown is not None:
            raise unknown
        return asked, more

    def _times(self, slots: Slots, asking: Asking) -> TimeReading:
        """The times of the question, or those given when it was asked back about them."""
        answer = asking.settled.get(WHICH_TIME.about)
        if slots.times.windows or answer is None:
            return slots.times
        return read_times(answer, asking.now, self._zone)

    def _asked(
        self, slots: Slots, asking: Asking, windows: tuple[TimeWindow, ...]
    ) -> tuple[Asked, tuple[str, ...]]:
        window = windows[0] if windows else None
        if slots.event.kind is not None:
            if not slots.mentions:
                return event_jobs(slots, windows, asking.now)
            return event_chain(slots, asking.settled, windows, asking.chart, asking.now)
        if slots.extreme.at >= 0:
            return extreme_chain(slots, asking.settled, windows, asking.chart, asking.now)
        if slots.checks.mentioned and not slots.mentions and not slots.jobs.mentioned:
            return checks_request(slots, window, asking.now)
        if slots.mentions and slots.site.facts and not windows:
            metrics = tuple(m for one in slots.mentions for c in one.candidates for m in c.members)
            if not metrics:
                raise stop(Why.UNKNOWN_METRIC, f"No metric is called '{slots.mentions[0].words}'.")
            return SiteRequest(Subject.METRIC_FACTS, metrics=metrics), ()
        if slots.mentions:
            return self._readings(slots, asking, windows)
        if slots.jobs.mentioned:
            _need_window_or_name(slots, window)
            return jobs_request(slots, windows, asking.now, asking.chart.kind)
        site = site_request(slots)
        if site is not None:
            return site, ()
        raise stop(Why.NOT_UNDERSTOOD, _not_understood(slots))

    def _readings(
        self, slots: Slots, asking: Asking, windows: tuple[TimeWindow, ...]
    ) -> tuple[Asked, tuple[str, ...]]:
        chain = chain_of(slots, asking.settled, windows, asking.chart) or (
            while_chain(slots, asking.settled, windows, asking.chart) if windows else None
        )
        if chain is not None:
            return chain
        if slots.peers is not None and windows:
            return peers_request(slots, asking.settled, windows, asking.chart)
        during = _during(slots, windows)
        request, notes = readings_request(slots, asking.settled, windows, asking.chart, during)
        if during is not None:
            notes = (*notes, SHARED_NODES, *during_notes(request))
        correlates = request.wanted is Wanted.CORRELATION
        if not windows and (during is None or not during.ids or correlates):
            raise ReadingStops(WHICH_TIME)
        if request.wanted is Wanted.CORRELATION and len(windows) > 1:
            raise stop(Why.NOT_UNDERSTOOD, "I can correlate over one window at a time.")
        return request, notes


def _during(slots: Slots, windows: tuple[TimeWindow, ...]) -> JobFilter | None:
    """The jobs during which readings are wanted: any job, user or the like brings them in."""
    of_nodes = any(
        owner_kind(m.candidates[0].members[0]) is EntityKind.NODE
        for m in slots.mentions
        if m.candidates
    )
    named = any(slots.entities.of(k) for k in (EntityKind.JOB, EntityKind.USER))
    named = named or (of_nodes and bool(slots.entities.of(EntityKind.PARTITION)))
    by_user = Group.USER in slots.groups or slots.asks_owners is EntityKind.USER
    if not of_nodes or not (slots.jobs.mentioned or named or by_user):
        return None
    whole = bool(slots.entities.of(EntityKind.JOB))
    during = job_filter(slots, windows[0] if windows and not whole else None)
    return replace(during, nodes=(), racks=())


def _last_jobs(slots: Slots) -> bool:
    """Whether "last" says when: "the last 5 jobs"."""
    return slots.ranked is not None and slots.ranked.adjective == LAST


def _at_now(slots: Slots, now: datetime) -> tuple[Slots, tuple[TimeWindow, ...]]:
    """The last value at or before now, for "current" and the like without a time of their own."""
    window = TimeWindow(now, now, True)
    read = ReadWindow(window, Granularity.INSTANT, (0, 0), "UTC")
    return replace(slots, times=replace(slots.times, windows=(read,))), (window,)


def _is_moment(slots: Slots) -> bool:
    windows = slots.times.windows
    return len(windows) == 1 and windows[0].granularity is Granularity.INSTANT


def _up_to(slots: Slots, moment: datetime) -> tuple[Slots, tuple[TimeWindow, ...]]:
    """The time up to ``moment`` in which the last sample is looked for."""
    window = TimeWindow(moment - LOOK_BACK, moment, True)
    read = ReadWindow(window, Granularity.RELATIVE, (0, 0), "UTC")
    return replace(slots, times=replace(slots.times, windows=(read,))), (window,)


def _need_window_or_name(slots: Slots, window: TimeWindow | None) -> None:
    if window is None and not slots.entities.of(EntityKind.JOB):
        raise ReadingStops(WHICH_TIME)


def _cannot_combine(unused: tuple[str, ...]) -> str:
    parts = ", ".join(f"'{part}'" for part in unused)
    return (
        f"I read {parts} in the question but cannot combine it"
        " with the rest, and leaving it out would answer another question. Please ask in parts."
    )


def _open_words(slots: Slots) -> tuple[str, ...]:
    """The words that nothing is known for; none where one of them turns the question's meaning."""
    words = tuple(dict.fromkeys(slots.leftovers))
    return () if any(word.lower() in TURNING_WORDS for word in words) else words


def _not_understood(slots: Slots) -> str:
    known = []
    if slots.mentions:
        known.append("metric: " + ", ".join(m.words for m in slots.mentions))
    if slots.entities.found:
        known.append(
            "things: " + ", ".join(f"{e.kind.value} {e.name}" for e in slots.entities.found[:6])
        )
    if slots.times.windows:
        known.append("a time")
    if slots.jobs.mentioned:
        known.append("jobs")
    understood = f" I understood {'; '.join(known)}." if known else ""
    if slots.leftovers:
        words = ", ".join(f"'{word}'" for word in dict.fromkeys(slots.leftovers))
        return (
            f"I did not understand {words}, and leaving words out could make the answer wrong."
            f"{understood} Please put it in other words."
        )
    return (
        "I could not make out what is asked." + understood + " Ask for a metric of nodes, cooling"
        " or facility over a time, for jobs, for monitoring checks, or for what exists."
    )
