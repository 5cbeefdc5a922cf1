"""A request as the EXASAGE Query Tool reads it: by fixed patterns, exactly or not at all."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from retrieval.metric_catalog import MetricCatalog
from retrieval.request import Entity, EntityKind, Metric, TimeWindow

PLUGINS = ("ganglia_pub", "ipmi_pub", "job_table", "nagios_pub", "slurm_pub")
"""What the first ontology had terms for: nothing of cooling, power supply or weather."""
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_STRICT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
_NUMBERS = r"((?:\d+)(?:\s*(?:,|and)\s*(?:and\s+)?\d+)*)"
_THINGS = {
    EntityKind.NODE: re.compile(rf"\b(?:compute )?nodes? {_NUMBERS}\b", re.IGNORECASE),
    EntityKind.RACK: re.compile(rf"\bracks? {_NUMBERS}\b", re.IGNORECASE),
    EntityKind.JOB: re.compile(rf"\bjobs? {_NUMBERS}\b", re.IGNORECASE),
}
_JOBS = re.compile(r"\bjobs?\b", re.IGNORECASE)
_CATEGORIES = re.compile(
    r"\b(?:nodes?|racks?|jobs?|metrics?|plugins?|systems?|data ?cent(?:er|re)s?)\b", re.IGNORECASE
)
_PLAIN_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class StrictRequest:
    """What was extracted."""

    metrics: tuple[Metric, ...] = ()
    entities: tuple[Entity, ...] = ()
    window: TimeWindow | None = None
    jobs: bool = False
    """Whether the job table belongs to the graph."""


@dataclass(frozen=True, slots=True)
class Malformed:
    """What of a request does not have the form that is wanted."""

    part: str
    """``time``, ``metric`` or ``request``."""
    text: str


def strict_request(text: str, catalog: MetricCatalog) -> StrictRequest | Malformed:
    """What the patterns find in ``text``; nothing is guessed, corrected or asked back."""
    metrics = _metrics_in(text, catalog)
    beyond = [m for m in metrics if m.plugin not in PLUGINS]
    if beyond:
        return Malformed("metric", f"{beyond[0].name} is of {beyond[0].plugin}, out of reach")
    window = _window_in(text)
    if isinstance(window, Malformed):
        return window
    entities = tuple(
        Entity(kind, name)
        for kind, pattern in _THINGS.items()
        for found in pattern.findall(text)
        for name in re.findall(r"\d+", found)
    )
    jobs = _JOBS.search(text) is not None
    if metrics and window is None and not jobs:
        return Malformed("time", "no start and end as [YYYY-MM-DD HH:MM:SS]")
    if not metrics and not _CATEGORIES.search(text):
        return Malformed("request", "no exact metric name, and no node, rack, job or plugin")
    return StrictRequest(metrics, tuple(dict.fromkeys(entities)), window, jobs)


def _window_in(text: str) -> TimeWindow | Malformed | None:
    """The two strict times of ``text``; None where it has none. Other words for times are lost."""
    moments = []
    for written in _BRACKETS.findall(text):
        if not _STRICT.fullmatch(written):
            return Malformed("time", f"[{written}] is not [YYYY-MM-DD HH:MM:SS]")
        try:
            moments.append(datetime.fromisoformat(written).replace(tzinfo=UTC))
        except ValueError:
            return Malformed("time", f"[{written}] is no moment")
    if not moments:
        return None
    if len(moments) != 2:
        return Malformed("time", f"{len(moments)} times where a start and an end are wanted")
    if moments[0] >= moments[1]:
        return Malformed("time", "the end does not lie behind the start")
    return TimeWindow(moments[0], moments[1], includes_end=True)


def _metrics_in(text: str, catalog: MetricCatalog) -> tuple[Metric, ...]:
    """The metrics whose names stand in ``text`` as they are.

    A name that is a plain word ("state") counts only behind its plugin: nagios_pub/state.
    """
    named = {m.name: m for m in catalog.metrics if m.plugin != "job_table"}
    return tuple(
        metric for name, metric in named.items() if re.search(_pattern(metric, name), text)
    )


def _pattern(metric: Metric, name: str) -> str:
    exact = rf"(?<![\w.]){re.escape(name)}(?![\w]|\.\w)"
    if not _PLAIN_WORD.fullmatch(name):
        return exact
    plugin = re.escape(metric.plugin.removesuffix("_pub"))
    return rf"\b{plugin}(?:_pub)?[/. ]{re.escape(name)}\b"
