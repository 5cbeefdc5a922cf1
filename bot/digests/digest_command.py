"""What a person writes about digests, as a command: ``digest create "…" daily 08:00 in #ops``."""

import re
from dataclasses import dataclass, field, replace
from zoneinfo import ZoneInfo

from bot.digests.digest import Posting, When
from bot.digests.schedule_words import (
    EXAMPLES,
    Spoken,
    Unusable,
    as_when,
    read_schedule,
    read_zone,
)

EXAMPLE = (
    'digest create "PUE and the five hottest nodes of yesterday" daily 08:00 Europe/Rome in #ops'
)
_LONGEST_QUESTION = 500


@dataclass(frozen=True, slots=True)
class Create:
    """Put ``question`` whenever it is due."""

    question: str
    when: When
    place: str = ""
    """The channel as it was written; empty for the one that the command was written in."""
    posting: Posting = field(default_factory=Posting)


@dataclass(frozen=True, slots=True)
class ListDigests:
    """Show the digests of whoever asks, or all of them."""

    everybody: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """Do something with one digest: show, pause, resume, run-now or delete."""

    verb: str
    digest: str


@dataclass(frozen=True, slots=True)
class Preview:
    """Show what a digest, or a question, says now."""

    what: str
    is_question: bool


@dataclass(frozen=True, slots=True)
class Help:
    """Say what can be done."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a command, and what is expected."""

    text: str


DigestCommand = Create | ListDigests | Change | Preview | Help | Problem

_VERBS = {
    "show": "show",
    "pause": "pause",
    "stop": "pause",
    "resume": "resume",
    "run-now": "run-now",
    "run": "run-now",
    "delete": "delete",
    "remove": "delete",
}
_START = re.compile(r"digests?\b[\s:]*", re.IGNORECASE)
_QUOTES = str.maketrans(
    dict.fromkeys(
        "\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}"
        "\N{DOUBLE LOW-9 QUOTATION MARK}\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}"
        "\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}",
        '"',
    )
)
_PLACE = re.compile(
    r"(?:in(?:to)?|to)\s+(?:(?P<here>here|this\s+(?:channel|thread))\b|(?P<name><#[^>\s]+>|[#~][^\s,;]+))",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"(?:but\s+)?only\s+(?:when|if)\s+(?:it\s+(?:has\s+)?|something\s+(?:has\s+)?)?change[sd]?\b"
    r"(?P<by>\s+by\s+(?:more\s+than\s+|at\s+least\s+)?(?:(?P<number>\d+(?:[.,]\d+)?)\s*(?:%|percent\b))?)?",
    re.IGNORECASE,
)
_QUIET = re.compile(
    r"(?:quiet|silent|stay\s+(?:quiet|silent))\s+(?:on|without|when\s+there\s+(?:is|are)|if\s+there\s+(?:is|are))"
    r"\s+(?:no\s+)?data\b|(?:unless|except\s+when)\s+there\s+(?:is|are)\s+no\s+data\b",
    re.IGNORECASE,
)


def read_command(text: str, zone: ZoneInfo) -> DigestCommand | None:
    """The command in ``text``; None where it is not about digests.

    ``zone`` is that of times for which none is named.
    """
    text = text.strip().translate(_QUOTES)
    start = _START.match(text)
    if start is None:
        return None
    rest = text[start.end() :]
    verb, _, after = rest.partition(" ")
    verb, after = verb.lower().rstrip(".!?"), after.strip()
    if verb in ("", "help"):
        plural = text.lower().startswith("digests") and not verb
        return ListDigests() if plural else Help()
    if verb in ("create", "new", "add"):
        return _create(after, zone)
    if verb == "list":
        return _list(after)
    if verb == "preview":
        return _preview(after)
    if verb in _VERBS:
        return _change(_VERBS[verb], after)
    return Problem(
        f"I know no 'digest {verb}'. There are create, list, show, pause, resume, run-now, preview"
        f" and delete. As in: {EXAMPLE}"
    )


def _list(after: str) -> DigestCommand:
    if after.lower() in ("", "mine"):
        return ListDigests()
    if after.lower() in ("all", "everybody", "everything"):
        return ListDigests(everybody=True)
    return Problem(f"'digest list' takes nothing or the word all, not '{after}'.")


def _change(verb: str, after: str) -> DigestCommand:
    words = after.split()
    if words[:1] == ["now"] and verb == "run-now":
        words = words[1:]
    if len(words) != 1:
        return Problem(f"Which one? As in: digest {verb} d3. 'digest list' shows yours.")
    return Change(verb, _id(words[0]))


def _preview(after: str) -> DigestCommand:
    if after.startswith('"'):
        question, end = _quoted(after)
        if question is None or after[end:].strip():
            return Problem('As in: digest preview "PUE of yesterday", or: digest preview d3')
        return Preview(question, is_question=True)
    if len(after.split()) != 1:
        return Problem('As in: digest preview d3, or: digest preview "PUE of yesterday"')
    return Preview(_id(after), is_question=False)


def _id(word: str) -> str:
    return word.strip("'\"`.,").lower()


def _quoted(text: str) -> tuple[str | None, int]:
    found = re.match(r'"\s*([^"]*?)\s*"', text)
    return (found[1] or None, found.end()) if found else (None, 0)


@dataclass(frozen=True, slots=True)
class _Said:
    """What the words after the question have said so far."""

    spoken: Spoken | None = None
    zone: str = ""
    place: str | None = None
    posting: Posting = field(default_factory=Posting)


def _create(after: str, zone: ZoneInfo) -> DigestCommand:
    question, end = _quoted(after)
    if question is None:
        return Problem(f"The question goes between double quotes. As in: {EXAMPLE}")
    if len(question) > _LONGEST_QUESTION:
        return Problem(f"A question of a digest has at most {_LONGEST_QUESTION} characters.")
    said, rest = _Said(), after[end:].strip(" ,;.\n\t")
    while rest:
        step = _clause(rest, said)
        if isinstance(step, Problem):
            return step
        said, taken = step
        rest = rest[taken:].lstrip(" ,;.\n\t")
    if said.spoken is None:
        return Problem(f"When is it due? {_expected()}")
    when = as_when(said.spoken, ZoneInfo(said.zone) if said.zone else zone)
    if isinstance(when, Unusable):
        return Problem(f"{when.text}.")
    return Create(question, when, said.place or "", said.posting)


def _clause(rest: str, said: _Said) -> tuple[_Said, int] | Problem:
    """``said`` with what ``rest`` begins with, and its length."""
    place = _PLACE.match(rest)
    if place is not None:
        if said.place is not None:
            return _twice("channel", rest)
        return replace(said, place=place["name"] or ""), place.end()
    changed = _CHANGED.match(rest)
    if changed is not None:
        return _changed(changed, said)
    quiet = _QUIET.match(rest)
    if quiet is not None:
        return replace(said, posting=replace(said.posting, quiet_without_data=True)), quiet.end()
    spoken = read_schedule(rest)
    if isinstance(spoken, Unusable):
        return Problem(f"{spoken.text}.")
    if spoken is not None:
        if said.spoken is not None:
            return _twice("schedule", rest)
        return replace(said, spoken=spoken), spoken.length
    zone = read_zone(rest)
    if zone is not None:
        if said.zone:
            return _twice("time zone", rest)
        return replace(said, zone=zone[0]), zone[1]
    return Problem(f"I do not understand '{_shown(rest)}' after the question. {_expected()}")


def _changed(found: re.Match[str], said: _Said) -> tuple[_Said, int] | Problem:
    if said.posting.only_when_changed:
        return _twice("condition", found[0])
    percent = None
    if found["by"]:
        percent = float((found["number"] or "0").replace(",", "."))
        if not 0 < percent <= 1000:
            return Problem("By how much? As in: only when changed by 5 %")
    posting = replace(said.posting, only_when_changed=True, by_percent=percent)
    return replace(said, posting=posting), found.end()


def _twice(what: str, rest: str) -> Problem:
    return Problem(f"A digest has one {what}; '{_shown(rest)}' is a second one.")


def _shown(rest: str) -> str:
    return " ".join(rest.split()[:4])


def _expected() -> str:
    return (
        f"Expected is a time ({', '.join(EXAMPLES)}) and, if you like, a time zone (Europe/Rome),"
        " a channel (in #ops), 'only when changed by 5 %' and 'quiet on no data'."
        f" As in: {EXAMPLE}"
    )
