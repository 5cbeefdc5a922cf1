"""Rules for questions about what exists: topology, plugins, metrics; and what is not ours to do."""

import re
from dataclasses import dataclass

from retrieval.question_text import QuestionText
from retrieval.site_request import Subject

_SUBJECTS: tuple[tuple[str, Subject], ...] = (
    (r"\b(?:compute\s+)?nodes\b", Subject.NODES),
    (r"\bracks\b", Subject.RACKS),
    (r"\brooms\b", Subject.ROOMS),
    (r"\bcracs?(?:\s+units?)?\b|\bair[- ]condition(?:ers|ing\s+units)\b", Subject.CRACS),
    (r"\b(?:rdhx\s+|cooling\s+|water\s+)?panels\b", Subject.PANELS),
    (r"\bpumps\b", Subject.PUMPS),
    (r"\bpartitions\b", Subject.PARTITIONS),
    (r"\b(?:plug-?ins?|data\s+sources?|collectors?)\b", Subject.PLUGINS),
    (r"\b(?:metrics|sensors|measurements|quantities)\b", Subject.METRICS),
)
SUBJECTS = tuple((re.compile(pattern), subject) for pattern, subject in _SUBJECTS)
_RACK_OF = re.compile(
    r"\b(?:which|what|in\s+which|in\s+what)\s+(?:racks?|cabinets?)\s+(?:does\s+|do\s+|is\s+|are\s+|has\s+"
    r"|holds?\s+|contains?\s+|houses?\s+)?|\brack\s+(?:number\s+)?of\b|\bwhich\s+rack\b"
)
SAME_RACK = re.compile(
    r"\b(?:(?:are\s+|stand\s+|sit\s+)?in\s+the\s+same\s+rack(?=\s+(?:as|with)\b)"
    r"|shar(?:e|es|ing)\s+(?:an?|the|its|their|one)\s+rack(?=\s+with\b)"
    r"|(?:are\s+|stand\s+|sit\s+)?in\s+the\s+rack(?=\s+of\b))"
)
"""What asks for the nodes of another node's rack."""
_POSITION = re.compile(
    r"\b(?:positions?|slots?|coordinates?|locations?|located|where\s+(?:is|are)|where\s+does)\b"
)
_ROW = re.compile(r"\b(?:in\s+|at\s+|with\s+)?(?:row\s+)?(?P<axis>[xy])\s*=\s*(?P<n>\d+)\b")
_IN_ROW = re.compile(r"\b(?:that\s+)?stand(?:s|ing)?\b|\bof\s+the\s+room\b|\bin\s+row\b|\brow\b")
_BELONGS = re.compile(
    r"\b(?:belongs?|belonging)\s+to\b|\b(?:contained|housed|mounted|installed|located)\s+in\b"
    r"|\bcontains?\b|\bholds?\b|\bhouses?\b|\bare\s+there\b|\bexists?\b|\bdoes\b.{0,20}\bhave\b"
    r"|\bin\s+total\b|\bmake\s+up\b|\bsit\b|\bsits\b|\blives?\b"
)
_CATALOGUE = re.compile(
    r"\bcan\s+i\s+ask(?:\s+(?:you\s+)?about)?\b|\b(?:are|is)\s+available\b|\bavailable\b"
    r"|\bdo\s+you\s+(?:know|have|offer|support)\b|\bexist\b"
    r"|\b(?:offers?|provides?|delivers?|publish(?:es)?|collects?|contains?)\b"
)
_MEASURING = re.compile(
    r"\b(?:that\s+|which\s+)?(?:measur(?:e|es|ing)|of\s+type|about|related\s+to|concerning"
    r"|with\s+[\"']?)\s*[\"']?(?P<word>power|temperatures?|fans?|voltages?|currents?|humidity"
    r"|memory|gpus?|cpus?|flow|pumps?|alarms?|energy|load|network|speeds?|errors?)[\"']?\b"
    r"|\b(?P<word2>power|temperature|fan|voltage|current|humidity|memory|gpu|cpu|flow|pump|alarm"
    r"|energy|load|network)\s+(?=(?:sensors|metrics)\b)"
)
_PLUGIN = re.compile(
    r"\b(?:the\s+|from\s+the\s+|of\s+the\s+|by\s+the\s+|in\s+the\s+|from\s+|of\s+|by\s+|in\s+)?"
    r"(?P<name>ipmi|ganglia|vertiv|schneider|logics|weather|nagios|slurm|job[_ ]table)(?:_pub)?"
    r"(?:\s+(?:plug-?in|sensors?|data|readings?|metrics?))?\b"
)
_DATA = r"(?:data|telemetry|readings|samples)"
HOLDINGS = re.compile(
    rf"\b(?:what|which)\s+(?:kinds?\s+of\s+|sorts?\s+of\s+)?{_DATA}\s+(?:do\s+you\s+have|have\s+you"
    r"(?:\s+got)?|(?:is|are)\s+(?:there|available|in\s+the\s+lake)|does\s+the\s+lake\s+(?:have|hold))\b"
    r"|\b(?:from\s+when\s+(?:(?:un)?til(?:l)?|to)\s+when|(?:for|of)\s+(?:which|what)\s+(?:months?"
    rf"|times?|dates?|periods?))\s+(?:do\s+you\s+have|(?:is|are)\s+there)\s+{_DATA}\b"
    r"|\b(?:what\s+(?:is|are)\s+)?the\s+(?:time\s+(?:range|span)|period|months|coverage)\s+"
    rf"(?:of|covered\s+by)\s+(?:the|your)\s+(?:{_DATA}|lake)\b"
)
"""What asks what there is at all, of which plugins and of which months."""
_HAVE_DATA = re.compile(
    rf"\b(?:(?:that|which)\s+)?(?:ha(?:ve|s)|with)\s+(?:any\s+|some\s+)?{_DATA}\b(?:\s+in\s+the\s+lake)?"
)
_FACTS = re.compile(
    r"\b(?:unit\s+of|what\s+unit|in\s+what\s+unit|how\s+often\s+is(?:\s+it\s+(?:sampled|measured))?"
    r"|how\s+often\s+(?:is|are)\s+(?=[^?.]*\b(?:sampled|measured)\b)|sampled(?=\s*[?.]?\s*$)|sampling\s+(?:period|rate|"
    r"interval)|what\s+does\b.{0,60}\b(?:mean|measure)|meaning\s+of|describe|description\s+of)\b"
)
_CLAIMED = (*(_MEASURING, _RACK_OF, _POSITION, _BELONGS, _CATALOGUE, _FACTS, _IN_ROW, _HAVE_DATA),)

_CHANGE = re.compile(
    r"(?:^|[.;!?]\s*|\b(?:please|can\s+you|could\s+you|and|then|to|now|just)\s+)"
    r"(?P<verb>delete|remove|drop|erase|wipe|purge|kill|cancel|abort|terminate|restart|reboot|"
    r"reset|shut\s*down|power\s*(?:off|on|cycle)|turn\s+(?:off|on)|switch\s+(?:off|on)|drain|"
    r"undrain|resume|set|change|update|modify|overwrite|insert|write|increase|decrease|raise|"
    r"stop|start|disable|enable|move|reserve|submit|requeue|execute|run)\s+(?!times?\b)"
    r"(?:the\s+|all\s+|my\s+|these\s+|this\s+|every\s+|a\s+)*"
    r"(?:[a-z]+\s+){0,2}?(?:nodes?|jobs?|racks?|rows?|readings?|data|records?|tables?|entries|"
    r"database|lake|files?|pumps?|cracs?|cdz\d|fans?|chillers?|set\s*points?|sensors?|limits?|"
    r"services?|servers?|alarms?|machine|system|users?|partitions?|reservations?|temperature|"
    r"code|script|command|shell|graphs?|history|everything|drives?|valves?)\b"
)
_INJECTED = re.compile(
    r"\b(?:select|insert|delete|update|drop|construct|describe)\b[^?]{0,80}"
    r"(?:\bfrom\b\s+\w+|\bwhere\b\s*\{|\binto\b\s+\w+|\btable\b|\bgraph\b|\{|;\s*--)"
    r"|\bservice\s*<|<https?://|\bprefix\s+\w*:\s*<|;\s*--|\$\(|`[^`]*\b(?:rm|curl|cat|sh)\b"
    r"|\b(?:rm\s+-rf|curl\s+http|wget\s+http|/etc/passwd|os\.system|__import__|subprocess|eval\()"
    r"|\bunion\s+select\b|\bor\s+1\s*=\s*1\b|[|&]{2}\s*\w+|\bsudo\s"
)
_FORECAST = re.compile(
    r"\b(?:forecast|predict(?:ion|ed|s)?|will|going\s+to|expected\s+to|tomorrow|next\s+"
    r"(?:week|month|day|year|hour|night)|in\s+the\s+future|estimate\s+(?:the\s+)?(?:future|next))\b"
)
_OUT_OF_SCOPE = re.compile(
    r"\b(?:joke|poem|story|recipe|song|stock|football|president|capital\s+of|translate|"
    r"who\s+(?:are|made)\s+you|your\s+(?:name|prompt|instructions)|password|credentials?|"
    r"secret|api\s*keys?|ignore\s+(?:all\s+|your\s+|previous\s+)*instructions|salary|"
    r"e-?mail|phone\s+number|real\s+names?|carbon|co2|emissions?|cost|price|euros?|eur|bill)\b"
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that no reading of data can answer."""

    reason: str
    text: str


@dataclass
class SiteWords:
    """What a question says of the site and of the catalogue."""

    subject: Subject | None = None
    rack_of: bool = False
    position: bool = False
    belongs: bool = False
    catalogue: bool = False
    facts: bool = False
    counted: bool = False
    held: bool = False
    """Only what has data is asked for."""
    plugin: str = ""
    word: str = ""
    x: int | None = None
    y: int | None = None


def refusal_in(text: QuestionText) -> Refusal | None:
    """Why this is no question that data can answer, if so."""
    if text.has(_INJECTED):
        return Refusal(
            "out of scope",
            "I take questions in plain words only, no SQL, SPARQL or commands, and I only read.",
        )
    if text.has(_CHANGE):
        return Refusal(
            "out of scope",
            "I only read telemetry: I cannot change, start, stop or delete anything.",
        )
    if text.has(_FORECAST):
        return Refusal(
            "out of scope",
            "I answer from what was measured and make no forecasts."
            " Ask about a time that has passed.",
        )
    match = _OUT_OF_SCOPE.search(text.lower)
    if match is not None:
        return Refusal(
            "out of scope",
            f"I cannot answer about '{match.group()}': the telemetry that I read has the nodes,"
            " their power, temperatures and load, the cooling, the facility's meters, the weather,"
            " monitoring checks and jobs.",
        )
    return None


def site_words(text: QuestionText) -> SiteWords:
    """What ``text`` says of the site; only what is certain is claimed here."""
    found = SiteWords()
    for match in text.take_all(_ROW):
        if match["axis"] == "x":
            found.x = int(match["n"])
        else:
            found.y = int(match["n"])
    if found.x is not None or found.y is not None:
        text.take_all(_IN_ROW)
    found.rack_of = text.has(_RACK_OF)
    found.position = text.has(_POSITION)
    found.belongs = text.has(_BELONGS)
    found.catalogue = text.has(_CATALOGUE)
    found.facts = text.has(_FACTS)
    found.held = text.has(_HAVE_DATA)
    if text.take(HOLDINGS) is not None:
        found.subject, found.held = Subject.PLUGINS, True
    for match in text.take_all(_PLUGIN):
        found.plugin = match["name"].replace(" ", "_")
    return found


def claim_site_words(text: QuestionText, found: SiteWords) -> None:
    """Claim the words of topology and catalogue, once the question is known to be about them."""
    for pattern in _CLAIMED:
        for match in text.take_all(pattern):
            words = match.groupdict()
            found.word = found.word or words.get("word") or words.get("word2") or ""
    subjects = [
        (match.start(), subject)
        for pattern, subject in SUBJECTS
        for match in text.take_all(pattern)
    ]
    if not subjects:
        # "all CRAC units" is claimed as a whole by then.
        subjects = [(0, subject) for pattern, subject in SUBJECTS if text.has(pattern)][:1]
    if subjects and found.subject is None:
        found.subject = min(subjects)[1]


PLUGIN_FOLDERS = {
    "job_table": "job_table",
    **{
        name: f"{name}_pub"
        for name in (
            "ipmi",
            "ganglia",
            "vertiv",
            "schneider",
            "logics",
            "weather",
            "nagios",
            "slurm",
        )
    },
}
