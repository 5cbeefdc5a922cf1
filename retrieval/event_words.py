"""Rules for times that an event gives: an hour before a drain, ten minutes after a job's end."""

import re
from dataclasses import dataclass
from enum import StrEnum

from retrieval.question_text import NUMBER, QuestionText, number_of
from retrieval.units import in_unit


class Event(StrEnum):
    """What happens to a node or a job."""

    DRAIN = "drain"
    DOWN = "not answering to ping"
    JOB = "job"


@dataclass(frozen=True, slots=True)
class EventWords:
    """What a question says of the time around an event."""

    kind: Event | None = None
    before: float = 0.0
    """Seconds before the event that are wanted."""
    after: float = 0.0
    whole: bool = False
    """True for the time that the state lasted: "during the drain"."""
    at_end: bool = False
    """True where the event is the end of the state or job."""
    node: str = ""
    """The node named with the event; empty where it is the one that is asked about."""
    job: int | None = None
    then: bool = False
    """True for what was at the moment of the event itself."""
    open: bool = False
    """True where it is not said how long before or after."""


_NODE = r"(?:(?:node|host)\s+(?P<node{0}>\d+)|it|they|the\s+node|that\s+node)"
_BE = r"(?:was|were|is|got|had\s+been|has\s+been)"
_STARTS: tuple[tuple[str, Event, bool], ...] = (
    (rf"{_NODE.format(1)}\s+{_BE}\s+drained", Event.DRAIN, False),
    (rf"(?:the\s+)?drain(?:ing)?\s+of\s+{_NODE.format(2)}\s+ended", Event.DRAIN, True),
    (rf"the\s+end\s+of\s+the\s+drain(?:ing)?\s+of\s+{_NODE.format(3)}", Event.DRAIN, True),
    (rf"(?:the\s+)?drain(?:ing)?\s+of\s+{_NODE.format(4)}(?:\s+(?:began|started))?",
     Event.DRAIN, False),
    (rf"{_NODE.format(5)}\s+(?:went\s+(?:down|offline)|became\s+unreachable|crashed|failed|died"
     rf"|{_BE}\s+(?:unreachable|not\s+reachable|down)|stopped\s+answering)", Event.DOWN, False),
    (rf"{_NODE.format(6)}\s+(?:came\s+back(?:\s+(?:up|online))?|became\s+reachable(?:\s+again)?"
     rf"|{_BE}\s+(?:back|reachable\s+again))", Event.DOWN, True),
    (rf"(?:the\s+)?outage\s+of\s+{_NODE.format(7)}", Event.DOWN, False),
    (r"job\s+(?P<job1>\d+)\s+(?:started|began)|the\s+(?:start|beginning)\s+of\s+job\s+(?P<job2>\d+)",
     Event.JOB, False),
    (r"job\s+(?P<job3>\d+)\s+(?:ended|finished|failed|terminated|was\s+killed)"
     r"|the\s+end\s+of\s+job\s+(?P<job4>\d+)", Event.JOB, True),
)  # fmt: skip
_UNIT = r"(?P<unit>minutes?|mins?|hours?|hrs?|days?|seconds?|secs?)"
_LENGTH = rf"(?:(?P<half>half\s+an?\s+)|(?P<n>{NUMBER})[\s-]+)?{_UNIT}"
_SIDE = r"(?P<side>(?:directly\s+|right\s+|just\s+)?(?:before\s+and\s+after|before|after))"
_LEAD = r"\b(?:(?:in|for|over|during|within|from)\s+)?(?:the\s+)?(?:last\s+|first\s+)?"
_AROUND = rf"(?:{_LEAD}{_LENGTH}\s+)?\b{_SIDE}\s+"
_WHILE = r"\b(?:while|during|throughout|as\s+long\s+as)\s+"
_ABOUT_JOBS = re.compile(r"\b(?:jobs?|users?|who)\b")
_THEN = tuple(
    (re.compile(rf"\b(?:when|as|at\s+the\s+(?:time|moment)\s+(?:when|that))\s+(?:{event})\b"), kind)
    for event, kind, at_end in _STARTS
    if kind != Event.JOB and not at_end
)
"""Who ran "when it went down": a moment, and it is told by results some minutes apart."""
_RULES = tuple(
    (re.compile(rf"(?P<around>{_AROUND})(?:{event})\b"), kind, at_end)
    for event, kind, at_end in _STARTS
)
_WHOLE: tuple[tuple["re.Pattern[str]", Event], ...] = tuple(
    (re.compile(rf"{_WHILE}(?:{event})\b"), kind)
    for event, kind, at_end in _STARTS
    if kind != Event.JOB and not at_end
)


def event_words(text: QuestionText) -> EventWords:
    """The event by which ``text`` gives its time, claimed; empty where it has none."""
    for pattern, kind in _WHOLE:
        match = text.take(pattern)
        if match is not None:
            return EventWords(kind, whole=True, node=_named(match, "node"))
    for pattern, kind, at_end in _RULES:
        match = text.take(pattern)
        if match is None:
            continue
        job = _named(match, "job")
        seconds = _seconds(match)
        side = match["side"]
        return EventWords(
            kind,
            before=seconds if "before" in side else 0.0,
            after=seconds if "after" in side else 0.0,
            at_end=at_end,
            node=_named(match, "node"),
            job=int(job) if job else None,
            open=not seconds,
        )
    about_jobs = _ABOUT_JOBS.search(text.lower)
    for pattern, kind in _THEN if about_jobs is not None else ():
        match = next(text.search(pattern), None)
        if match is not None and about_jobs is not None and about_jobs.start() < match.start():
            text.claim(match.span())
            return EventWords(kind, node=_named(match, "node"), then=True)
    return EventWords()


def _named(match: "re.Match[str]", what: str) -> str:
    groups = match.groupdict()
    return next((v for k, v in groups.items() if v and re.fullmatch(rf"{what}\d", k)), "")


def _seconds(match: "re.Match[str]") -> float:
    if not match["unit"]:
        return 0.0
    number = 0.5 if match["half"] else number_of(match["n"]) if match["n"] else 1.0
    return in_unit(number, match["unit"], "s") or 0.0
