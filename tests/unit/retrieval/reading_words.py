"""What a reading of a question amounts to, as short words that a table of cases can hold."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from retrieval.data_request import (
    Asked,
    EventThenJobs,
    EventThenReadings,
    ExtremeThen,
    JobsThenReadings,
    PeriodsThenReadings,
    ReadingsRequest,
    UsersThenReadings,
)
from retrieval.job_request import JobFilter, JobsRequest
from retrieval.measures import Applies, Condition, Course, Owners, Ranking, Selected
from retrieval.request import TimeWindow
from retrieval.site_request import ChecksRequest, SiteRequest
from retrieval.understanding import NotUnderstood, Unclear, Understanding

Told = dict[str, str]


def told(understanding: Understanding) -> Told:
    """``understanding`` in words; what is empty or left at its default is left out."""
    match understanding:
        case NotUnderstood(why):
            return {"is": "refused", "why": why.value}
        case Unclear(about, _, choices):
            return {"is": "unclear", "about": about, "choices": _listed(key for key, _ in choices)}
        case _:
            return {key: words for key, words in _asked(understanding.asked).items() if words}


def _asked(asked: Asked) -> Told:
    match asked:
        case ReadingsRequest():
            return {"is": asked.wanted.value} | _readings(asked)
        case JobsRequest():
            return {"is": "jobs"} | _jobs(asked)
        case ChecksRequest():
            return {"is": "checks"} | _checks(asked)
        case SiteRequest():
            return {"is": "site"} | _site(asked)
        case EventThenReadings():
            return {"is": "event then readings"} | _event(asked)
        case JobsThenReadings(jobs, readings):
            return {"is": "jobs then readings"} | _jobs(jobs) | _of_chain(readings)
        case EventThenJobs():
            of = _checks(asked.event)["of"]
            around = f"{asked.before:g} s before, {asked.after:g} s after"
            kind = "drained" if asked.event.drained else "down"
            more = {"event": f"{'end of ' if asked.at_end else ''}{kind}", "around": around}
            return {"is": "event then jobs"} | _jobs(asked.jobs) | more | {"of": of}
        case ExtremeThen(first_, then):
            extreme = {
                "extreme": f"{_quantity(first_.quantities[0])} of {_owners(first_.owners[0])}"
            }
            kind = "hour" if first_.groups else "moment"
            words = _jobs(then) if isinstance(then, JobsRequest) else _readings(then)
            told_of = {
                "is": f"{kind} then {'jobs' if isinstance(then, JobsRequest) else 'readings'}"
            }
            return told_of | words | extreme
        case PeriodsThenReadings(periods, readings):
            first = _readings(periods)
            while_ = {"while": f"{first['metrics']} of {first['of']} {first['bound']}"}
            return {"is": "periods then readings"} | _readings(readings) | while_
        case UsersThenReadings(users, readings):
            return {"is": "users then readings"} | _jobs(users) | _of_chain(readings)


def _event(chain: EventThenReadings) -> Told:
    first = chain.event
    jobs = isinstance(first, JobsRequest)
    kind = "job" if jobs else "drained" if first.drained else "down"  # type: ignore[union-attr]
    return _readings(chain.readings) | {
        "event": f"{'end of ' if chain.at_end else ''}{kind}",
        "which": _jobs_words(first.which)
        if isinstance(first, JobsRequest)
        else _checks(first)["of"],
        "around": "whole" if chain.whole else f"{chain.before:g} s before, {chain.after:g} s after",
        "window": _window(chain.begins_in) if chain.begins_in is not None else "",
    }


def _of_chain(readings: ReadingsRequest) -> Told:
    described = _readings(readings)
    return {"then": described["measures"], "metrics": described["metrics"]}


def _readings(request: ReadingsRequest) -> Told:
    return {
        "metrics": ", ".join(_quantity(q) for q in request.quantities),
        "of": " / ".join(dict.fromkeys(_owners(o) for o in request.owners)),
        "measures": _listed(m.value for m in request.measures),
        "by": _listed(sorted(g.value for g in request.groups)),
        "bound": _bound(request.condition),
        "asks": request.course.value if request.course is not None else "",
        "longer": f"{request.longer:g} s" if request.longer else "",
        "often": _bound(request.often),
        "rank": _ranking(request.ranking),
        "window": _listed(_window(w, at=request.instant) for w in request.windows),
        "during": "" if request.during is None else _jobs_words(request.during) or "any job",
        "change": "yes" if request.change else "",
        "combined": "yes" if request.combined else "",
        "peers": _peers(request),
        "outer": request.outer.value if request.outer is not None else "",
        "unit": request.unit,
        "bucket": request.bucket,
        "share": "of all" if request.share else _ratio(request),
    }


def _peers(request: ReadingsRequest) -> str:
    peers = request.peers
    if peers is None:
        return ""
    far = "far" if peers.percent is None else f"{peers.percent:g} %"
    middle = "median" if peers.median else "mean"
    of = "others" if peers.of_others else "all"
    within = " of the rack" if peers.of_rack else " of the node" if peers.of_node else ""
    return f"{far} {peers.side.value} {middle if peers.percent else 'median'} of {of}{within}"


def _ratio(request: ReadingsRequest) -> str:
    if request.ratio is None:
        return ""
    part, whole = (_quantity(request.quantities[i]) for i in request.ratio.order)
    return f"{part} / {whole}{' in %' if request.ratio.percent else ''}"


def _quantity(quantity: Selected) -> str:
    names = [metric.name for metric in quantity.metrics]
    if quantity.complement:
        return f"100 - {names[0]}"
    return (" + " if quantity.summed else ", ").join(names)


def _owners(owners: Owners) -> str:
    named = [f"{owners.kind.value} {name}" for name in owners.names]
    named += [f"rack {name}" for name in owners.racks]
    return _listed(named) or f"every {owners.kind.value}"


def _jobs(request: JobsRequest) -> Told:
    which = request.which
    return {
        "which": _jobs_words(which),
        "window": f"{which.time.value} {_window(which.window)}" if which.window else "",
        "measures": _listed(m.value for m in request.measures),
        "columns": _listed(c.value for c in request.columns),
        "by": _listed(sorted(g.value for g in request.groups)),
        "having": _listed(f"{m.value} {_bound(c)}" for m, c in request.having),
        "rank": _ranking(request.ranking),
        "order": request.order_by.value if request.order_by is not None else "",
        "clipped": "yes" if request.clipped else "",
        "share": "" if request.share_of is None else _listed(request.share_of) or "each",
    }


def _jobs_words(which: JobFilter) -> str:
    named = [f"job {number}" for number in which.ids]
    for names, noun in (
        (which.users, "user"),
        (which.states, "state"),
        (which.partitions, "partition"),
        (which.nodes, "node"),
        (which.racks, "rack"),
    ):
        named += [f"{noun} {name}" for name in names]
    for condition, noun in (
        (which.node_count, "nodes"),
        (which.run_seconds, "run"),
        (which.wait_seconds, "wait"),
        (which.gpu_count, "gpus"),
    ):
        named += [f"{noun} {_bound(condition)}"] if condition is not None else []
    return _listed(named)


def _checks(request: ChecksRequest) -> Told:
    hard = {True: "hard", False: "soft", None: ""}[request.hard]
    return {
        "lists": request.kind.value,
        "checks": _listed(request.checks),
        "states": _listed(str(state) for state in request.states),
        "hard": hard,
        "drained": {True: "yes", False: "no", None: ""}[request.drained],
        "of": _listed(
            [*(f"node {n}" for n in request.nodes), *(f"rack {r}" for r in request.racks)]
        ),
        "window": _window(request.window, at=request.instant),
        "asks": request.course.value if request.course is not Course.PERIODS else "",
        "often": _bound(request.often),
        "longer": f"{request.longer:g} s" if request.longer else "",
        "share": "of all" if request.share else "",
    }


def _site(request: SiteRequest) -> Told:
    return {
        "lists": request.subject.value,
        "count": "yes" if request.count else "",
        "by": "rack" if request.by_rack else "",
        "of": _listed(f"{e.kind.value} {e.name}" for e in request.entities),
        "x": "" if request.x is None else str(request.x),
        "y": "" if request.y is None else str(request.y),
        "plugin": request.plugin,
        "word": request.word,
        "held": "yes" if request.held else "",
    }


def _bound(condition: Condition | None) -> str:
    if condition is None:
        return ""
    words = f"{condition.comparison.value} {condition.bound:g}"
    if condition.upper is not None:
        words = f"{condition.bound:g} to {condition.upper:g}"
    if condition.applies is Applies.ALL_SAMPLES:
        return f"{words} always"
    measure = condition.measure.value if condition.measure is not None else ""
    return f"{words} for the {measure}" if condition.applies is Applies.MEASURE else words


def _ranking(ranking: Ranking | None) -> str:
    if ranking is None:
        return ""
    return f"{'highest' if ranking.descending else 'lowest'} {ranking.limit}"


def _window(window: TimeWindow, *, at: bool = False) -> str:
    start, end = window.start.astimezone(UTC), window.end.astimezone(UTC)
    if at or start == end:
        return f"at {_moment(end)}"
    if window.includes_end:
        return f"{_moment(start)} through {_moment(end)}"
    if _is_day(start) and _is_day(end):
        last = end - timedelta(days=1)
        return f"{start:%Y-%m-%d}" + (f" to {last:%Y-%m-%d}" if last > start else "")
    return f"{_moment(start)} to {_moment(end)}"


def _is_day(moment: datetime) -> bool:
    return (moment.hour, moment.minute, moment.second) == (0, 0, 0)


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}".removesuffix(":00")


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)
