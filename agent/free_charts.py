"""Finds the words for charts and fits that no program of ours draws, so that one may be written."""

import re
from dataclasses import dataclass

from agent.chart import ChartKind
from agent.chart_edges import BEFORE

_I = re.IGNORECASE
_A = r"(?:(?:an?|the|its|their)[\s]+)?"
_CHART = r"(?:[\s-]?(?:plots?|charts?|graphs?|diagrams?))"
_FORM = r"(?:linear|quadratic|cubic|exponential|polynomial|least[\s-]squares|robust|simple|fitted)"
_SPAN = (
    r"(?:[\s]+(?:of|over|with|in)[\s]+(?:an?[\s]+)?(?:window[\s]+of[\s]+|degree[\s]+|order[\s]+)?\d+"
    r"(?:[\s-]?(?:minutes?|min|hours?|h|days?|points|samples))?(?:[\s]+windows?)?)?"
)
_LINE = r"(?:trend[\s-]?lines?|regressions?(?:[\s-]+(?:lines?|curves?|models?))?|trends?|fits?)"
_FIT = (
    rf"(?:fit(?:ting|ted)?[\s]+{_A}(?:{_FORM}[\s]+)*(?:{_LINE}|lines?|curves?|models?)"
    rf"(?:[\s]+(?:to|through|for|of|on)(?![\w-]))?)"
)
_NUMBERS = (
    r"(?:slopes?|intercepts?|r[\s-]?squared|r2|p[\s-]?values?"
    r"|coefficients?[\s]+of[\s]+determination)"
)
_GIVE = r"(?:(?:give|report|tell|state|show|print|compute|calculate|estimate)(?:[\s]+(?:me|us))?)"
_TIMES = r"(?:\d[\s]?(?:x|by|×)[\s]?\d)"  # noqa: RUF001
_PANELS = r"(?:panels?|sub[\s-]?plots?|plots?|charts?|figures?)"
_EACH = r"(?:[\s]+(?:for|per)[\s]+each(?=[\s]+(?:node|rack|metric|one|of)\b))?"


@dataclass(frozen=True, slots=True)
class FreeWish:
    """What a question asks for beyond our own charts."""

    words: str
    """The words themselves, as they stand."""
    spans: tuple[tuple[int, int], ...]
    """Where they stand, with the small words that lead up to them."""
    kind: ChartKind
    """The kind of ours that is drawn from the same data."""
    firm: bool = False
    """Whether that kind counts even where another one is named beside it."""
    stands_in: bool = False
    """Whether that kind of ours is drawn where no program can be had."""
    wants_picture: bool = True
    """A picture is asked for: words for fits alone ask for none."""
    wants_numbers: bool = False
    """Numbers are asked for, and not only a picture."""


@dataclass(frozen=True, slots=True)
class _Form:
    kind: ChartKind
    pattern: str
    firm: bool = False
    stands_in: bool = False
    numbers: bool = False


_FORMS = (
    _Form(ChartKind.BOX, rf"violin{_CHART}|violins", stands_in=True),
    _Form(
        ChartKind.GROUPED_BAR,
        rf"stacked[\s-]+(?:vertical[\s]+|horizontal[\s]+)?(?:bars?(?:{_CHART})?|column{_CHART})",
        stands_in=True,
    ),
    _Form(
        ChartKind.BOX,
        rf"(?:strip|swarm|bee[\s-]?swarm|ridge(?:line)?|joy|rain[\s-]?cloud|boxen|q[\s-]?q){_CHART}"
        rf"|e?cdfs?(?:{_CHART})?|(?:empirical[\s]+)?cumulative[\s]+distributions?"
        rf"(?:[\s]+functions?)?(?:{_CHART})?|kernel[\s-]density(?:[\s-]+estimates?)?(?:{_CHART})?"
        rf"|kde(?:{_CHART})?",
        firm=True,
    ),
    _Form(
        ChartKind.LINE,
        rf"scatter(?:[\s-]?plot)?[\s-]+matri(?:x|ces)|pair[\s-]?{_CHART}|hex[\s-]?bin(?:{_CHART})?"
        rf"|joint{_CHART}|(?:2[\s-]?d|two[\s-]dimensional)[\s-]+histograms?|contour{_CHART}"
        rf"|parallel[\s-]coordinates(?:{_CHART})?|bubble{_CHART}|stacked[\s-]+area(?:{_CHART})?"
        rf"|step{_CHART}|lag{_CHART}|autocorrelation(?:[\s]+functions?)?(?:{_CHART})?"
        rf"|calendar[\s-]+heat[\s-]?maps?|periodograms?|spectrograms?|frequency[\s]+spectr(?:um|a)"
        rf"|seasonal[\s]+decompositions?|polar{_CHART}|horizon{_CHART}",
        firm=True,
    ),
    _Form(
        ChartKind.BAR,
        rf"(?:radar|spider|waterfall|lollipop|pareto|funnel|sunburst|nightingale|dot){_CHART}"
        rf"|tree[\s-]?maps?|(?:nested|double)[\s]+donuts?(?:{_CHART})?",
        firm=True,
    ),
    _Form(
        ChartKind.LINE,
        rf"(?:3|three)[\s-]?d(?:imensional)?(?:[\s-]+(?:surface|scatter|line))?{_CHART}",
    ),
    _Form(
        ChartKind.LINE,
        rf"small[\s]+multiples?|multi[\s-]?panel(?:[\s]+figures?|{_CHART})?|(?:sub[\s-]?plots)"
        rf"|{_TIMES}[\s-]+(?:(?:grid|matrix)(?:[\s]+of)?(?:[\s]+{_PANELS})?|{_PANELS})"
        r"(?:[\s]+of)?"
        rf"|(?:separate|own|different|stacked)[\s]+(?:panels|sub[\s-]?plots){_EACH}",
    ),
    _Form(
        ChartKind.LINE,
        rf"{_FIT}{_SPAN}|(?:linear|polynomial|quadratic)[\s-]+regressions?(?![\s-]+line){_SPAN}"
        rf"|(?:and[\s]+)?{_GIVE}[\s]+{_A}{_NUMBERS}(?:[\s]+(?:and|,)[\s]+{_A}{_NUMBERS})*"
        rf"(?:[\s]+of[\s]+(?:the[\s]+)?(?:fit|trend|line|regression)(?![\w-]))?",
        numbers=True,
    ),
    _Form(
        ChartKind.LINE,
        rf"(?:{_FORM}[\s-]+)*(?:regression|trend|best[\s-]fit|fitted)[\s-]?lines?{_SPAN}"
        rf"|lines?[\s]+of[\s]+best[\s]+fit|{_FORM}[\s-]+(?:fits?|trends?){_SPAN}"
        rf"|(?:moving|rolling|running)[\s-]+(?:averages?|means?|medians?){_SPAN}"
        r"|(?:confidence|error)[\s-]+(?:bands?|bars?|intervals?)|lowess(?:[\s]+(?:curve|smoothing))?",
    ),
)
_PATTERNS = [(f, re.compile(rf"(?<![\w-])(?:{f.pattern})(?![\w-])", _I)) for f in _FORMS]
_REACH = 60
_LED_ON = re.compile(r"^and[\s]+|[\s]+(?:to|through|for|of|on)$", _I)


def free_wish(text: str) -> FreeWish | None:
    """The wish in ``text`` for what only a program that is yet to be written can do."""
    found: list[tuple[int, int, _Form]] = []
    for form, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if not any(match.start() < end and start < match.end() for start, end, _ in found):
                found.append((*match.span(), form))
    if not found:
        return None
    found.sort(key=lambda each: each[:2])
    forms = [form for _, _, form in found]
    main = next((form for form in forms if form.firm), forms[0])
    return FreeWish(
        ", ".join(_LED_ON.sub("", text[start:end]) for start, end, _ in found),
        tuple((_start_of(text, start), end) for start, end, _ in found),
        main.kind,
        main.firm,
        all(form.stands_in for form in forms),
        not all(form.numbers for form in forms),
        any(form.numbers for form in forms),
    )


def _start_of(text: str, start: int) -> int:
    before = BEFORE.search(text, max(0, start - _REACH), start)
    return before.start() if before is not None else start
