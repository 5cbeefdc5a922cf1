"""The marks that a picture must show, by the words that ask for a kind of chart."""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from agent.chart import ChartKind
from agent.chart_words import CHART, KINDS, NOT_A_CHART, REFUSED

_I = re.IGNORECASE
_CHARTS = rf"(?:[\s-]?{CHART})"


@dataclass(frozen=True, slots=True)
class WantedMarks:
    """Words that ask for a kind of chart, and the marks of which it must show one."""

    words: str
    any_of: frozenset[str]
    """Marks by the names that ``analysis-programs/run_analysis.py`` reports."""


_SPECIFIC: tuple[tuple[str, frozenset[str]], ...] = (
    (rf"violins?{_CHARTS}?", frozenset({"areas"})),
    (rf"scatter(?:[\s-]?plot)?[\s-]+matri(?:x|ces)|pair[\s-]?{CHART}", frozenset({"points"})),
    (rf"(?:lag|bubble|dot|strip|swarm|bee[\s-]?swarm){_CHARTS}", frozenset({"points"})),
    (rf"hex[\s-]?bins?{_CHARTS}?", frozenset({"areas"})),
    (r"(?:2[\s-]?d|two[\s-]dimensional)[\s-]+histograms?|spectrograms?", frozenset({"cells"})),
    (rf"correlation[\s-]+{CHART}", frozenset({"cells", "points"})),
    (rf"x[\s-]?y[\s-]{CHART}", frozenset({"points", "lines"})),
    (rf"contours?{_CHARTS}", frozenset({"contours"})),
    (rf"(?:stacked[\s-]+)?area{_CHARTS}", frozenset({"areas"})),
    (rf"(?:polar|radar|spider|nightingale){_CHARTS}", frozenset({"polar axes"})),
    (rf"(?:3|three)[\s-]?d(?:imensional)?(?:[\s-]+\w+)?{_CHARTS}", frozenset({"axes in depth"})),
    (r"error[\s-]+bars?", frozenset({"error bars"})),
    (
        r"(?:regression|trend|best[\s-]fit|fitted)[\s-]?lines?|lines?[\s]+of[\s]+best[\s]+fit",
        frozenset({"lines"}),
    ),
    # Drawn in more ways than one: the words are taken, and ask for no mark.
    (rf"(?:distribution|density|frequency|trend|joint|step|horizon){_CHARTS}", frozenset()),
)
"""Kinds beyond our own; before those, since their names hold the names of some of them."""
_OURS = {
    ChartKind.HISTOGRAM: frozenset({"bins"}),
    ChartKind.BAR: frozenset({"bars"}),
    ChartKind.GROUPED_BAR: frozenset({"bars"}),
    ChartKind.PIE: frozenset({"slices"}),
    ChartKind.BOX: frozenset({"boxes"}),
    ChartKind.HEATMAP: frozenset({"cells"}),
    ChartKind.SCATTER: frozenset({"points"}),
    ChartKind.LINE: frozenset({"lines"}),
}
_PATTERNS = (
    *((re.compile(rf"(?<![\w-])(?:{p})(?![\w-])", _I), marks) for p, marks in _SPECIFIC),
    *((pattern, _OURS[kind]) for kind, pattern in KINDS if kind in _OURS),
)
_NOT_WANTED = re.compile(
    r"(?:\bnot|\bno|\bwithout|\binstead[\s]+of|\brather[\s]+than|\bnever|n't)"
    r"(?:[\s]+(?:use|draw|make))?(?:[\s]+(?:an?|the|any))?[\s]+$",
    _I,
)
_OR = re.compile(r"[\s,]*\bor[\s]+(?:an?[\s]+|as[\s]+)*", _I)


def wanted_marks(text: str) -> tuple[WantedMarks, ...]:
    """What ``text`` asks for, in its order; kinds with "or" between them are one wish."""
    taken = [match.span() for rule in (REFUSED, NOT_A_CHART) for match in rule.finditer(text)]
    found: list[tuple[int, int, frozenset[str]]] = []
    for pattern, marks in _PATTERNS:
        for match in pattern.finditer(text):
            start, end = match.span()
            if not any(start < stop and begin < end for begin, stop in taken):
                taken.append((start, end))
                if not _NOT_WANTED.search(text[:start]):
                    found.append((start, end, marks))
    wanted: list[WantedMarks] = []
    last = 0
    for start, end, marks in sorted(found, key=lambda each: each[:2]):
        one = WantedMarks(text[start:end].strip(), marks)
        if wanted and _OR.fullmatch(text[last:start]):
            one = _either(wanted.pop(), one)
        wanted.append(one)
        last = end
    return tuple(one for one in wanted if one.any_of)


def kind_problems(text: str, marks: Collection[str]) -> tuple[str, ...]:
    """Which kinds of chart ``text`` asks for that a picture of ``marks`` is none of."""
    shown = ", ".join(sorted(marks)) or "nothing that is known"
    return tuple(
        f"the task asks for {one.words!r}, which shows {' or '.join(sorted(one.any_of))};"
        f" the figure shows {shown}: draw the kind of chart that the task names"
        for one in wanted_marks(text)
        if not one.any_of & set(marks)
    )


def kinds_left_out(text: str, told: str) -> tuple[str, ...]:
    """The words for kinds of chart in ``text`` that ``told``, which is to be drawn, has no mark of.

    Whoever draws what is told is held to that alone.
    """
    marks: frozenset[str] = frozenset().union(*(one.any_of for one in wanted_marks(told)))
    return tuple(one.words for one in wanted_marks(text) if not one.any_of & marks)


def _either(first: WantedMarks, second: WantedMarks) -> WantedMarks:
    # A kind that asks for no mark is always there.
    both = first.any_of | second.any_of if first.any_of and second.any_of else frozenset()
    return replace(first, words=f"{first.words} or {second.words}", any_of=both)
