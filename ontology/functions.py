"""Declares the functions a query may call: our analytic ones, casts and SPARQL's own."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ontology.vocabulary import FUNCTION, XSD


class ValueKind(StrEnum):
    """Kinds of values that expressions have; what operators and functions tell apart."""

    NUMBER = "number"
    STRING = "string"
    BOOLEAN = "boolean"
    DATE_TIME = "dateTime"
    DATE = "date"
    TIME = "time"
    DURATION = "duration"
    SAMPLE = "sample"
    NUMBER_PAIR = "numberPair"
    MARKED_SAMPLE = "markedSample"
    EPISODES = "episodes"
    RESOURCE = "resource"
    """Anything that has an IRI."""


class Fixed(StrEnum):
    """Arguments that must be written out, since they fix what the function does."""

    BUCKET = "bucket"
    """One of BUCKETS."""
    TIME_ZONE = "time zone"
    """A name of the IANA time zone database."""


Argument = ValueKind | Fixed

BUCKETS: Final = (
    *("PT1M", "PT2M", "PT5M", "PT10M", "PT15M", "PT20M", "PT30M"),
    *("PT1H", "PT2H", "PT3H", "PT4H", "PT6H", "PT8H", "PT12H", "P1D", "P1W", "P1M"),
)
"""Bucket widths that divide a day, or are a day, a week or a month."""

SAMPLE_TYPE: Final = FUNCTION + "sample"
NUMBER_PAIR_TYPE: Final = FUNCTION + "numberPair"
EPISODES_TYPE: Final = FUNCTION + "episodes"
MARKED_SAMPLE_TYPE: Final = FUNCTION + "markedSample"


@dataclass(frozen=True, slots=True)
class AnalyticFunction:
    """One function of our own: what it takes and what it gives."""

    iri: str
    is_aggregate: bool
    arguments: tuple[Argument, ...]
    result: str
    """Datatype IRI of the result."""
    comment: str

    @property
    def name(self) -> str:
        """The local name, as written behind ``odaf:``."""
        return self.iri.removeprefix(FUNCTION)


def _scalar(
    name: str, arguments: tuple[Argument, ...], result: str, comment: str
) -> tuple[str, AnalyticFunction]:
    iri = FUNCTION + name
    return iri, AnalyticFunction(iri, False, arguments, result, comment)


def _aggregate(
    name: str, argument: Argument, result: str, comment: str
) -> tuple[str, AnalyticFunction]:
    iri = FUNCTION + name
    return iri, AnalyticFunction(iri, True, (argument,), result, comment)


_NUMBER = ValueKind.NUMBER
_DOUBLE = XSD + "double"

ANALYTIC: Final[dict[str, AnalyticFunction]] = dict(
    (
        _scalar(
            "floorTime",
            (ValueKind.DATE_TIME, Fixed.BUCKET, Fixed.TIME_ZONE),
            XSD + "dateTime",
            "start of the bucket that an instant falls into, cut in a time zone",
        ),
        _scalar("at", (_NUMBER, ValueKind.DATE_TIME), SAMPLE_TYPE, "a number with its instant"),
        _scalar("pair", (_NUMBER, _NUMBER), NUMBER_PAIR_TYPE, "two numbers of one observation"),
        _scalar(
            "secondsBetween",
            (ValueKind.DATE_TIME, ValueKind.DATE_TIME),
            _DOUBLE,
            "seconds from the first instant to the second; negative where it is earlier",
        ),
        _scalar(
            "marked",
            (ValueKind.BOOLEAN, _NUMBER, ValueKind.DATE_TIME),
            MARKED_SAMPLE_TYPE,
            "a number with its instant, and whether it is one of those looked for",
        ),
        _scalar("episodeCount", (ValueKind.EPISODES,), XSD + "integer", "how many episodes"),
        _scalar("longestEpisode", (ValueKind.EPISODES,), _DOUBLE, "longest episode, in seconds"),
        _aggregate("stddev", _NUMBER, _DOUBLE, "population standard deviation"),
        _aggregate("median", _NUMBER, _DOUBLE, "median"),
        _aggregate(
            "quantile",
            ValueKind.NUMBER_PAIR,
            _DOUBLE,
            "quantile of odaf:pair(?v, 0.95), linearly interpolated",
        ),
        _aggregate(
            "pearson", ValueKind.NUMBER_PAIR, _DOUBLE, "correlation of odaf:pair(?a, ?b), -1 to 1"
        ),
        _aggregate(
            "integral",
            ValueKind.SAMPLE,
            _DOUBLE,
            "sum of odaf:at(?v, ?t) over time, in unit x seconds; gaps are not filled",
        ),
        _aggregate(
            "episodes",
            ValueKind.SAMPLE,
            EPISODES_TYPE,
            "runs of non-zero samples of odaf:at(IF(condition, 1, 0), ?t)",
        ),
        _aggregate(
            "runs",
            ValueKind.MARKED_SAMPLE,
            EPISODES_TYPE,
            "runs of odaf:marked(condition, ?v, ?t) whose condition is true, with their number of"
            " samples, lowest and highest value",
        ),
        _aggregate(
            "gaps",
            ValueKind.SAMPLE,
            EPISODES_TYPE,
            "times between successive samples of odaf:at(60, ?t) that are longer than 60 seconds",
        ),
        _aggregate("latest", ValueKind.SAMPLE, _DOUBLE, "the number of the last odaf:at(?v, ?t)"),
        _aggregate(
            "earliest", ValueKind.SAMPLE, _DOUBLE, "the number of the first odaf:at(?v, ?t)"
        ),
        _aggregate(
            "largestRise",
            ValueKind.SAMPLE,
            _DOUBLE,
            "largest difference of a sample from the one before, not across gaps",
        ),
        _aggregate(
            "largestFall",
            ValueKind.SAMPLE,
            _DOUBLE,
            "lowest difference of a sample from the one before, not across gaps",
        ),
        _aggregate(
            "timeOfRise", ValueKind.SAMPLE, XSD + "dateTime", "the later sample of the largest rise"
        ),
        _aggregate(
            "timeOfFall", ValueKind.SAMPLE, XSD + "dateTime", "the later sample of the largest fall"
        ),
        _aggregate(
            "timeOfChange",
            ValueKind.SAMPLE,
            XSD + "dateTime",
            "first sample of the second part, where samples are parted in two so that their squared"
            " distances from the means of the parts are least",
        ),
        _aggregate(
            "slope", ValueKind.SAMPLE, _DOUBLE, "slope of the fitted line, in unit per second"
        ),
        _aggregate(
            "timeOfMax", ValueKind.SAMPLE, XSD + "dateTime", "when odaf:at(?v, ?t) was highest"
        ),
        _aggregate(
            "timeOfMin", ValueKind.SAMPLE, XSD + "dateTime", "when odaf:at(?v, ?t) was lowest"
        ),
    )
)
"""Our functions by IRI."""

CASTS: Final[dict[str, frozenset[ValueKind]]] = {
    XSD + "string": frozenset(ValueKind),
    XSD + "boolean": frozenset({ValueKind.STRING, ValueKind.NUMBER, ValueKind.BOOLEAN}),
    XSD + "integer": frozenset({ValueKind.STRING, ValueKind.NUMBER, ValueKind.BOOLEAN}),
    XSD + "decimal": frozenset({ValueKind.STRING, ValueKind.NUMBER, ValueKind.BOOLEAN}),
    XSD + "double": frozenset({ValueKind.STRING, ValueKind.NUMBER, ValueKind.BOOLEAN}),
    XSD + "float": frozenset({ValueKind.STRING, ValueKind.NUMBER, ValueKind.BOOLEAN}),
    XSD + "dateTime": frozenset({ValueKind.STRING, ValueKind.DATE_TIME}),
}
"""Casts by target datatype, with the kinds they take."""

_ANY: Final = frozenset(ValueKind)
_STRING: Final = frozenset({ValueKind.STRING})
_NUMERIC: Final = frozenset({ValueKind.NUMBER})
_INSTANT: Final = frozenset({ValueKind.DATE_TIME})
_STRING_RESULT: Final = XSD + "string"
_INTEGER: Final = XSD + "integer"


@dataclass(frozen=True, slots=True)
class Builtin:
    """One of SPARQL's own functions: kinds taken by each argument, and the result."""

    takes: tuple[frozenset[ValueKind], ...]
    result: str | None
    """Datatype IRI; None where the result is of the first argument's kind."""
    least: int | None = None
    """How few arguments will do; None: all of them."""
    repeats: bool = False
    """The last argument may be repeated."""


_TEXT_TEST = Builtin((_STRING, _STRING), XSD + "boolean")
_TEXT_CUT = Builtin((_STRING, _STRING), _STRING_RESULT)
_TEXT_MAP = Builtin((_STRING,), _STRING_RESULT)
_ROUNDING = Builtin((_NUMERIC,), None)
_CALENDAR = Builtin((_INSTANT,), _INTEGER)
_TERM_TEST = Builtin((_ANY,), XSD + "boolean")

BUILTINS: Final[dict[str, Builtin]] = {
    **dict.fromkeys(("STRSTARTS", "STRENDS", "CONTAINS", "LANGMATCHES"), _TEXT_TEST),
    **dict.fromkeys(("STRBEFORE", "STRAFTER"), _TEXT_CUT),
    **dict.fromkeys(("LCASE", "UCASE", "ENCODE_FOR_URI"), _TEXT_MAP),
    **dict.fromkeys(("MD5", "SHA1", "SHA256", "SHA384", "SHA512"), _TEXT_MAP),
    **dict.fromkeys(("ABS", "CEIL", "FLOOR", "ROUND"), _ROUNDING),
    **dict.fromkeys(("YEAR", "MONTH", "DAY", "HOURS", "MINUTES"), _CALENDAR),
    **dict.fromkeys(("ISIRI", "ISURI", "ISBLANK", "ISLITERAL", "ISNUMERIC"), _TERM_TEST),
    "SECONDS": Builtin((_INSTANT,), XSD + "decimal"),
    "TZ": Builtin((_INSTANT,), _STRING_RESULT),
    "TIMEZONE": Builtin((_INSTANT,), XSD + "dayTimeDuration"),
    "STR": Builtin((_ANY,), _STRING_RESULT),
    "LANG": Builtin((_ANY,), _STRING_RESULT),
    "DATATYPE": Builtin((_ANY,), ""),
    "BOUND": Builtin((_ANY,), XSD + "boolean"),
    "SAMETERM": Builtin((_ANY, _ANY), XSD + "boolean"),
    "IRI": Builtin((_STRING | {ValueKind.RESOURCE},), ""),
    "URI": Builtin((_STRING | {ValueKind.RESOURCE},), ""),
    "STRLEN": Builtin((_STRING,), _INTEGER),
    "SUBSTR": Builtin((_STRING, _NUMERIC, _NUMERIC), _STRING_RESULT, least=2),
    "CONCAT": Builtin((_STRING,), _STRING_RESULT, least=1, repeats=True),
    "REGEX": Builtin((_STRING, _STRING, _STRING), XSD + "boolean", least=2),
    "REPLACE": Builtin((_STRING, _STRING, _STRING, _STRING), _STRING_RESULT, least=3),
}
"""SPARQL's functions by upper-case name; IF and COALESCE are typed by their branches."""

FORBIDDEN: Final[dict[str, str]] = {
    "NOW": "write the instant out: what is now is the asker's, not the store's",
    "RAND": "an answer must come out the same twice",
    "UUID": "an answer must come out the same twice",
    "STRUUID": "an answer must come out the same twice",
    "BNODE": "a query may not make nodes",
    "STRDT": "cast with xsd:double(...) and its like",
    "STRLANG": "texts here carry no language",
}
"""SPARQL functions that are refused, with what to do instead."""
