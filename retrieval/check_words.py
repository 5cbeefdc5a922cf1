"""Rules for questions about monitoring checks and drained nodes."""

import re
from dataclasses import dataclass

from retrieval.question_text import QuestionText

_DRAINED = re.compile(r"\b(?:in\s+)?(?:the\s+)?drain(?:ed|ing)?\b(?:\s+state)?")
_NAGIOS = re.compile(
    r"\b(?:according\s+to\s+|in\s+|from\s+)?nagios(?:\s+(?:checks?|alarms?|alerts?|states?))?\b"
)
_CHECK = re.compile(r"\b(?:health\s+|monitoring\s+)?checks?\b|\b(?:alarms?|alerts?)\b")
_NAMED = re.compile(r"\b(?:the\s+)?(?P<name>[a-z]+(?:::[a-z0-9_]+)+)(?:\s+check)?\b")
_PING = re.compile(
    r"\b(?:were\s+|was\s+|are\s+|is\s+)?(?:not\s+|un)reachable(?:\s+(?:by|via|over)\s+ping)?\b"
    r"|\b(?:did\s+)?not\s+(?:answer|respond(?:ing)?|answering)(?:\s+to)?(?:\s+(?:a\s+)?pings?)?\b"
    r"|\bfailed\s+(?:the\s+)?pings?\b|\bping\s+(?:down|failed|failures?)\b"
    r"|\b(?:were|was|are|is|went|be|been)\s+(?:down|offline)\b|\bdown\s+nodes\b"
    r"|\b(?:ping\s+)?(?:outages?|downtimes?)\b"
    r"|(?<!break\s)(?<!broken\s)(?<!shut\s)\b(?:down|offline)\b(?=\s*(?:[?.,]|$|on\b|in\b|during\b"
    r"|yesterday|today|since\b|between\b|from\b|last\b|at\b|and\s+(?:when|up|back|for)\b"
    r"|\d{1,2}\s+(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)))"
)
_BACK = re.compile(
    r"\b(?:and\s+)?(?:when\s+)?(?:(?:did|was|were)\s+)?(?:(?:it|they|the\s+nodes?)\s+)?"
    r"(?:(?:c[oa]me|got)\s+)?back(?:\s+(?:up|online|again))*\b"
)
"""A period ends where a node came back."""
_TOPICS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"\bgpfs\b", ("sys::gpfs::status",)),
    (r"\bfile\s?systems?\b", ("filesys::",)),
    (r"\bssh\b", ("ssh::daemon",)),
    (r"\b(?:infiniband|ib\s+(?:status|link|network))\b", ("net::ib::status",)),
    (r"\bbmc\b(?:\s+events?)?", ("bmc::events",)),
    (r"\bbatch\s+(?:client|system|daemon)\b", ("batchs::client",)),
    (r"\bpings?\b", ("alive::ping",)),
    (r"\b(?:gpu|nvidia)\s+memory\s+(?:checks?|replacements?|retirements?)\b", ("nvidia::memory",)),
    (r"\bnvidia\s+configuration\b", ("nvidia::configuration",)),
    (r"\bphysical\s+memory\b", ("memory::phys::total",)),
)
_TOPIC_PATTERNS = tuple((re.compile(pattern), names) for pattern, names in _TOPICS)
_STATES: tuple[tuple[str, tuple[int, ...]], ...] = (
    (
        r"\b(?:were\s+|was\s+|are\s+|is\s+)?not\s+ok\b|\bnon-ok\b|\bnot\s+fine\b|\bunhealthy\b"
        r"|\bfailing\b",
        (1, 2, 3),
    ),
    (r"\b(?:trouble|problems?|issues?)\b", (1, 2, 3)),
    (r"\bwarnings?\s+or\s+(?:worse|higher|above)\b|\bat\s+least\s+(?:a\s+)?warnings?\b", (1, 2, 3)),
    (r"\bcriticals?\b", (2,)),
    (r"\bwarnings?\b", (1,)),
    (r"\bunknown\s+(?:states?|checks?)\b|\bstates?\s+unknown\b", (3,)),
)
_STATE_PATTERNS = tuple((re.compile(pattern), states) for pattern, states in _STATES)
_HARD = re.compile(r"\bhard\b(?:\s+states?)?")
_SOFT = re.compile(r"\bsoft\b(?:\s+states?)?")
_BY_CHECK = re.compile(
    r"\b(?:for\s+each|per|by|each|for\s+every)\s+(?:nagios\s+)?check(?:\s+name)?\b"
    r"|\bwhich\s+(?:nagios\s+)?checks\b"
)
_LISTED = re.compile(
    r"\b(?:which|what)\s+(?:nagios\s+|monitoring\s+|health\s+)*checks\s+(?:exist|are\s+there"
    r"|(?:are|is)\s+(?:available|run|done|made|defined|configured)|do\s+you\s+(?:have|know)"
    r"|does\s+(?:nagios|the\s+monitoring)\s+(?:run|have|do|make))\b"
    r"|\blist\s+(?:of\s+)?(?:all\s+|the\s+)*(?:nagios\s+|monitoring\s+)*checks\b(?=\s*[?.]?\s*$)"
    r"|\b(?:the\s+)?names\s+of\s+(?:all\s+|the\s+)*(?:nagios\s+|monitoring\s+)*checks\b"
)
"""What asks for the checks themselves, whatever state they are in."""
_IN_STATE = re.compile(
    r"\b(?:in|had|have|has|with|was|were|is|are)\s+(?:an?\s+|the\s+|state\s+)*"
    r"(?:critical|warning)(?:\s+(?:states?|status))?(?=\s*(?:$|[?.,]|(?:at|on|in|during|between"
    r"|from|since|yesterday|today|now|last)\b))"
)
"""A state of checks where no check is named: "nodes in WARNING"."""
_CAUSES = re.compile(
    r"\b(?:and\s+)?(?:by|with|because\s+of|due\s+to|for)\s+(?:which|what)\s+"
    r"(?:critical\s+|failed\s+|failing\s+)?checks?\b|\band\s+why\b"
)
_LEAVE_OUT_FINE = re.compile(
    r"\b(?:leave|leaving)\s+out\s+(?:the\s+)?(?:checks?|ones?)\s+that\s+are\s+(?:fine|ok)"
    r"(?:\s+everywhere)?\b|\bonly\s+(?:the\s+)?checks?\s+with\s+(?:problems|failures)\b"
)
_WERE_NODES = re.compile(
    r"(?<=were\s)(?:the\s+|any\s+|all\s+)*(?:compute\s+)?nodes\b"
    r"|(?<=drained\s)(?:compute\s+)?nodes\b(?!\s+\d)"
)
_STATE_WORD = re.compile(r"\bstates?\b")
_REBOOT = re.compile(r"\bre-?boot")


@dataclass
class CheckWords:
    """What a question says of monitoring checks."""

    mentioned: bool = False
    checks: tuple[str, ...] = ()
    """Names of checks, or their beginnings where they end in ``::``."""
    unknown_check: str = ""
    states: tuple[int, ...] = ()
    hard: bool | None = None
    drained: bool | None = None
    by_check: bool = False
    listed: bool = False
    """The checks themselves are asked for."""
    causes: bool = False
    """Which checks failed while nodes were so: "drained, and by which check"."""


def check_words(text: QuestionText, known: tuple[str, ...]) -> CheckWords:
    """What ``text`` says of checks, claimed; empty where it does not speak of them.

    ``known`` are the names of all checks of the site.
    """
    found = CheckWords()
    listed = bool(text.take_all(_LISTED))
    by_check = bool(text.take_all(_BY_CHECK)) if text.has(_NAGIOS) or text.has(_CHECK) else False
    named = [match["name"] for match in text.take_all(_NAMED)]
    ping = bool(text.take_all(_PING)) if not text.has(_REBOOT) else False
    drained = bool(text.take_all(_DRAINED))
    causes = bool(text.take_all(_CAUSES)) if drained or ping else False
    nagios = bool(text.take_all(_NAGIOS))
    about_states = any(text.has(pattern) for pattern, _ in _STATE_PATTERNS)
    topics = [names for pattern, names in _TOPIC_PATTERNS if text.has(pattern)]
    in_state = text.has(_IN_STATE) or (about_states and bool(topics or text.has(_CHECK)))
    if not (listed or named or ping or drained or nagios or in_state):
        return found
    found.mentioned, found.listed = True, listed
    found.by_check = by_check or listed
    found.causes = causes
    text.take_all(_LEAVE_OUT_FINE)
    states: list[int] = []
    for pattern, given in _STATE_PATTERNS:
        if text.take_all(pattern):
            states += given
    checks = [*named]
    for pattern, names in _TOPIC_PATTERNS:
        if text.take_all(pattern):
            checks += names
    if ping or drained:
        text.take_all(_BACK)
    if ping:
        checks.append("alive::ping")
        states = states or [1, 2, 3]
    found.hard = True if text.take(_HARD) else (False if text.take(_SOFT) else None)
    text.take_all(_CHECK)
    text.take_all(_STATE_WORD)
    text.take_all(_WERE_NODES)
    found.drained = True if drained else None
    found.unknown_check = next((name for name in named if name not in known), "")
    found.checks = tuple(dict.fromkeys(full for part in checks for full in _full(part, known)))
    found.states = tuple(dict.fromkeys(states))
    return found


def _full(part: str, known: tuple[str, ...]) -> list[str]:
    if part in known:
        return [part]
    return [name for name in known if name.startswith(part)]
