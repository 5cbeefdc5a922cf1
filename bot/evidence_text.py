"""Evidence as headings and lines: the same for a terminal, a page and a chat."""

from collections.abc import Iterator
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from agent import Certified, Evidence, TimeRange, Usage
from bot.cell_text import visible
from bot.messages import Fact, FactKind

_EXECUTIONS = {
    "virtual": "virtual: the query was answered from the lake's files without building a graph",
    "materialised": "materialised: a graph of the request's part of the lake was queried",
    "graph": "graph: the query needed the site's topology alone",
}


def facts_of(evidence: Evidence, usage: Usage, site_zone: str) -> tuple[Fact, ...]:
    """``evidence`` in the order in which people check it; headings without content are left out."""
    return tuple(fact for fact in _facts(evidence, usage, site_zone) if fact.lines)


def _facts(evidence: Evidence, usage: Usage, site_zone: str) -> Iterator[Fact]:
    zones = tuple(dict.fromkeys(("UTC", evidence.zone, site_zone)))
    yield Fact("Time", tuple(range_text(r, z) for r in evidence.time_ranges for z in zones))
    yield Fact(
        "Metrics",
        tuple(
            f"{visible(m.metric)} ({visible(m.plugin)})" + (f" in {visible(m.unit)}" * bool(m.unit))
            for m in evidence.metrics
        ),
    )
    yield Fact("Entities", tuple(visible(entity) for entity in evidence.entities))
    yield Fact("Samples", _samples(evidence.samples_got, evidence.samples_expected))
    yield Fact("Certified", _certified(evidence.certified))
    yield Fact("Notes", tuple(visible(note) for note in evidence.notes))
    ways = [way.strip() for way in evidence.execution.split(",") if way.strip()]
    ran = [_EXECUTIONS.get(way, visible(way)) for way in ways]
    yield Fact("How it ran", (*ran, *_age(evidence.graph_age)))
    yield Fact("Language model", (_usage(usage),))
    yield Fact("Query", tuple(visible(query) for query in evidence.queries), FactKind.SPARQL)
    yield Fact("Program", tuple(visible(code) for code in evidence.code), FactKind.PYTHON)


def range_text(window: TimeRange, zone: str) -> str:
    """``window`` in ``zone``: ``2022-06-01 00:00 to 02:00 UTC``; the date again where it changes.

    >>> from datetime import datetime, UTC
    >>> range_text(TimeRange(datetime(2022, 6, 1, tzinfo=UTC), datetime(2022, 6, 2, tzinfo=UTC)),
    ...            "Europe/Rome")
    '2022-06-01 02:00 to 2022-06-02 02:00 CEST (Europe/Rome)'
    """
    start, end = _in_zone(window.start, zone), _in_zone(window.end, zone)
    if zone == "UTC":
        name = " UTC"
        names = ("", name)
    else:
        # The offset changes inside a window that crosses a change of clocks: say it at both ends.
        same = start.tzname() == end.tzname()
        names = ("" if same else f" {start.tzname()}", f" {end.tzname()} ({zone})")
    last = _clock(end) if start.date() == end.date() else f"{end.date()} {_clock(end)}"
    return f"{start.date()} {_clock(start)}{names[0]} to {last}{names[1]}"


def _in_zone(moment: datetime, zone: str) -> datetime:
    return moment.astimezone(UTC if zone == "UTC" else ZoneInfo(zone))


def _clock(moment: datetime) -> str:
    return moment.strftime("%H:%M:%S" if moment.second else "%H:%M")


def _samples(got: int | None, expected: int | None) -> tuple[str, ...]:
    if got is None:
        return ()
    if not expected:
        return (f"{got:,}",)
    return (f"{got:,} of {expected:,} expected ({min(got / expected, 1):.1%})",)


def _certified(certified: Certified | None) -> tuple[str, ...]:
    if certified is None:
        return ()
    return (
        f"{visible(certified.pair)}, reviewed {certified.reviewed} by {visible(certified.owner)}",
        visible(certified.answers),
    )


def _age(seconds: float | None) -> tuple[str, ...]:
    """Since when a kept graph has stood, in the coarsest unit that says it well."""
    if seconds is None:
        return ()
    for length, unit in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * length:
            return (
                f"that graph was built for an earlier query, {seconds / length:.0f} {unit} ago",
            )
    return (f"that graph was built for an earlier query, {seconds:.0f} seconds ago",)


def _usage(usage: Usage) -> str:
    if not usage.llm_calls:
        return "not asked"
    tokens = f"{usage.prompt_tokens:,} + {usage.completion_tokens:,} tokens"
    return f"{usage.llm_calls:,} calls, {tokens} (prompts + replies)"
