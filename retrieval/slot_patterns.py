"""Patterns for what a question asks: whose, how many, when, how long, without what."""

import re

from retrieval.measure_words import OWNER_NOUN
from retrieval.units import UNIT_WORDS

ASK_OWNERS = re.compile(
    rf"\b(?:which|what|list|show(?:\s+me)?|give(?:\s+me)?|get|find|identify|name|are\s+there|any"
    rf"|on\s+which|on\s+what|of\s+which|were\s+there|did|do|does|return)\s+(?:me\s+)?(?:the\s+"
    rf"|all\s+|any\s+|those\s+|compute\s+)*(?P<noun>{OWNER_NOUN}|gpus?)\b"
    rf"|\b(?P<noun2>{OWNER_NOUN})(?=\s+(?:with|that|which|whose|where|having|over|above|below"
    rf"|exceeding|showing|reporting|faster|hotter|warmer|under|logged)\b)"
    rf"|\b(?P<noun5>jobs)\b(?=[^.?]*\bwhose\s+nodes?\b)"
    rf"|\b(?P<noun3>node|rack|user|job)\s+list\b"
    rf"|^\s*(?P<noun4>nodes|racks|jobs(?=[^?]*\b(?:with|had|whose)\s)|job(?=\s+ids?\b))\b"
    rf"|\bwho\s+(?:are|is|were|was)\b|\bshow\s+those\b"
)
HOW_MANY_OWNERS = re.compile(
    rf"\b(?:how\s+many|(?<!node\s)(?<!gpu\s)(?<!core\s)count(?:\s+up)?(?:\s+the)?"
    rf"|(?:the\s+)?(?:number|(?<!node\s)(?<!gpu\s)(?<!core\s)count)\s+of)\s+"
    rf"(?:the\s+|different\s+|distinct\s+|compute\s+)*(?P<noun>{OWNER_NOUN})\b"
)
WHEN = re.compile(
    r"\b(?:(?:and\s+)?(?:from\s+when\s+(?:to|until|till?)\s+when|since\s+when|until\s+when|when)"
    r"|(?:and\s+)?at\s+what\s+times?|what\s+times?|over\s+(?:which|what)\s+periods?"
    r"|in\s+which\s+periods?|during\s+which\s+periods?|between\s+which\s+times"
    r"|(?:the\s+)?times?\s+(?:of|when|at\s+which))\b"
)
WHICH_DAYS = re.compile(r"\b(?:on\s+)?(?:which|what)\s+(?:days?|dates?)\b")
HOW_LONG = re.compile(
    r"\b(?:for\s+)?how\s+(?:many\s+(?:minutes|hours|seconds)|long)\b(?:\s*,?\s*in\s+(?:minutes"
    r"|hours|seconds)\s*,?)?|(?<!\d\s)\b(?:total\s+)?(?:time|duration|minutes|hours)\s+(?=(?:spent\s+)?"
    r"(?:above|below|over|under|at))|\btime\s+spent\b"
)
SILENT = re.compile(
    r"\b(?:did\s+not|didn't|not)\s+(?:report|deliver|send|have)\s+(?:any|a)\b"
    r"(?=\s+(?:[a-z]+\s+){0,3}(?:readings?|data|samples?|telemetry|values?|measurements?)\b)"
    r"|\b(?:no|without(?:\s+any)?|missing|lack(?:ed|ing|s)?)\b"
    r"(?=\s+(?:[a-z]+\s+){0,3}(?:readings?|data|samples?|telemetry|values?|measurements?)\b)"
    r"|\b(?:went|were|was|is|are|been|have\s+gone|gone)\s+silent\b|\bsilent(?=\s+nodes\b)"
    r"|\b(?:have|has|had|did|do|does)(?:\s+not|n't)\s+(?:been\s+)?(?:report(?:ed|ing)?|sen[dt]"
    r"|deliver(?:ed)?)\b|\bnot\s+report(?:ed|ing)\b|\bstopped\s+(?:reporting|sending)\b"
    r"|\b(?:reported|report|sent)\s+nothing\b"
)
CORRELATION = re.compile(
    r"\b(?:how\s+strongly\s+(?:is|are|was|were)\b|correlat(?:ed?|ion|ions|es)\b(?:\s+(?:matrix"
    r"|coefficients?|between|with))?|pearson(?:'s)?(?:\s+r)?\b|\bgive\s+pearson\s+r\b)"
)
FOLLOW_UP = re.compile(
    r"^\s*(?:and|what\s+about|how\s+about|same(?:\s+(?:for|thing|question|again))?|now|also|then"
    r"|ok(?:ay)?,?\s+(?:and|now)|but|instead)\b[\s,:]*(?:the\s+same\s+)?"
    rf"(?:for|of|on|in(?!\s+(?:{UNIT_WORDS}))|with)?\b"
)
HOURLY_MEANS = re.compile(
    r"\b(?:use\s+|using\s+|from\s+|of\s+|with\s+)?(?:hourly|daily)\s+(?:means?|averages?)"
    r"(?:\s+values?)?(?:\s+of)?\b"
)
SERIES_VERBS = re.compile(
    r"\b(?:retrieve|fetch|get|time\s+series|trend|raw|extract|download|over\s+time)\b"
    r"|\b(?:as|in|to|into)\s+(?:a\s+)?csv(?:[- ](?:file|format|table))?\b"
)
LAST_VALUE = re.compile(
    r"\b(?:current(?:ly)?|latest|right\s+now|now|at\s+the\s+moment|last\s+value)\b"
)
ANY_INDEX = re.compile(
    r"\b(?:on|of|in|for|at|all|any|the|its|their|his|four|two|both|\s)+\s*"
    r"(?:gpus?|sockets?|fans?|psus?|cpu\s+sockets?)\b"
)
DURING = re.compile(
    r"\b(?:while|during|when|over|for|of|in)\s+(?:it\s+was\s+|they\s+were\s+|each\s+of\s+|their\s+"
    r"|its\s+|the\s+)*(?:in\s+use(?:\s+by\s+(?:a|any)\s+job)?|whole\s+duration|entire\s+duration"
    r"|full\s+duration|(?:whole\s+|entire\s+)?run|them|it(?!\s+(?:was|happened)\b)|lifetime|used\s+by\s+(?:a|any)\s+job)\b"
    r"|\bon\s+that\s+day\b|\bwhile\s+(?:the\s+)?job\s+ran\b"
)
WHILE_USED = re.compile(r"\bwhile\b(?=\s+(?:\w+\s+){0,4}?(?:in\s+use|ran|running|used)\b)")
EACH_OF_THEM = re.compile(r"\b(?:during|for|of)\s+each(?:\s+of\s+(?:them|these|the\s+jobs))?\b")
MEASURED = re.compile(
    r"\b(?:average|mean|max|min|maximum|minimum|power|temperature|utili[sz]ation|load\w*|energy"
    r"|memory|clocks?|speed|frequency|violations?|errors?|traffic|bytes\w*|fans?|voltage|cpu_\w+"
    r"|highest|lowest|hottest|coldest|warmest|coolest)\b"
)
HOW = re.compile(
    r"\bhow\s+(?:much|many|high|hot|large|low|big)\b(?!\s+(?:[\w-]+\s+){0,4}(?:samples|readings"
    r"|measurements|data\s+points)\b)(?!\s+(?:[a-z_-]+\s+){0,3}jobs?\b)(?!\s+did\b[^?.]*\b(?:get|rise|go|become|fall)\b)(?:\s+(?:was|were)\s+(?:it|they))?"
)
ONE_SUPPLY = re.compile(r"\bthat\s+run\s+on\s+(?:a\s+single|one)\s+power\s+suppl(?:y|ies)\b")
COMPLEMENT = re.compile(r"\(?\s*100\s*%?\s*-\s*(?:cpu[_\s]?)?idle\s*\)?")
EVENT_STATE = re.compile(r"\b(?:active|raised|triggered|signalled|present)\b")
CATALOGUE = re.compile(
    r"\b(?:list|show|which|what|how\s+many|give|name|describe|unit\s+of|how\s+often)\b.{0,40}"
    r"\b(?:sensors|metrics|plug-?ins?|data\s+sources?|collectors)\b"
    r"|\bwhat\s+can\s+(?:i|you)\b"
)
COUNT_CATALOGUE = re.compile(r"\bhow\s+many\b")
UNIT_WISH = re.compile(
    rf"\(\s*(?:in\s+)?(?P<unit>{UNIT_WORDS})\s*\)"
    rf"|\bin\s+(?P<unit2>{UNIT_WORDS})(?=\W|$)"
    rf"|,\s*(?P<unit3>(?!(?:hour|minute|day)s?\b){UNIT_WORDS})\s*[?.!]?\s*$"
)

DRAWN = re.compile(r"\b(?:draw(?:s|n)?|drew|burn(?:s|ed|t)?|consum(?:e|es|ed)|need(?:s|ed)?)\b")
"""What is done with a power that is named."""
RATE = re.compile(r"\b(?:data\s+|transfer\s+)?rates?\b(?!\s+of\s+(?:change|rise|fall|increase))")
"""Said of what is a rate in any case: bytes per second."""
UNIT_BETWEEN = re.compile(rf"\bin\s+(?P<unit>{UNIT_WORDS})(?=\s+(?:at|of|on|for)\b)")
"""A unit between a quantity and its place: "temperature in °F at the inlet"."""
RESOLUTION = re.compile(
    r"\b(?:(?:use|using|at|of|with|from|in)\s+(?:a\s+)?)?(?:(?P<n>\d+)[-\s]?(?P<unit>min(?:ute)?s?|hours?|h))"
    r"[-\s]*(?:means?|averages?|resolution|intervals?|bins?|buckets?|steps?|granularity)\b"
    r"|\bevery\s+(?P<n2>\d+)\s+(?P<unit2>min(?:ute)?s?|hours?)\b"
)
DIFFERENCE = re.compile(
    r"\b(?:the\s+|any\s+|a\s+)?(?:differences?|differentials?|delta)\b(?!\s+between\s+(?:the\s+)?(?:warm|hott|cold"
    r"|cool)est\b)(?:\s+(?:between|of|in))?"
    r"|\bhow\s+much\s+(?:more|less|hotter|colder|warmer|cooler|higher|lower)\b"
    r"|\b(?:by\s+)?how\s+much\s+did\b.{0,40}\b(?:differ|change)\b|\bdiffer(?:s|ed)?\b"
    r"|\bminus\b(?!\s*\d)"
)
COMPARED = re.compile(
    r"\b(?:and\s+)?(?:please\s+)?compar(?:e|ed|es|ing|ison|ative)\b(?:\s+(?:it|them|that|this))?"
    r"(?:\s+(?:with|to|of|between|against)(?:\s+(?:each|one)\s+(?:an)?other)?)?"
    r"|\b(?:hotter|warmer|colder|cooler|higher|lower|busier|faster|slower)\s+than\b"
    r"(?=\s+(?:in\s+|on\s+|of\s+|that\s+of\s+)?(?:the\s+)?(?:nodes?|racks?|cracs?|cdz|panels?)\s*\w)"
    r"|\bversus\b|\bvs\.?(?=\s)|\bin\s+contrast\s+to\b|\bagainst\b"
    r"|\bnext\s+to\b(?!\s+(?:the\s+)?(?:nodes?|racks?|cracs?)\b)"
)
ALSO = re.compile(
    r"\b(?:as\s+well(?:\s+as)?|too|also|in\s+addition|compar(?:e|ed)\s+(?:it\s+|that\s+)?(?:with|to)"
    r"|versus|vs\.?(?=\s)|add)\b"
)
WHILE_BOUND = re.compile(
    r"\b(?:while|whenever|when(?!\s+(?:was|were|is|are|did|does|do|has|had|have)\b)|during\s+(?:the\s+)?(?:times?|periods?|hours?)\s+(?:when|in\s+which))\b"
    r"(?=\s+(?:[\w'-]+\s+){0,5}?(?:above|over|below|under|more|less|higher|lower|hotter|colder"
    r"|at\s+(?:least|most)|exceed))"
    r"|\bwhile(?=\s+(?:[\w'-]+\s+){1,6}?(?:(?:was|were|is|are)\s+(?:on|off|running)\b(?!\s+\d)"
    r"|(?:at|equal\s+to)\s+(?:0|zero)\b|stood\s+still|standing\s+still|faulty|raised|active"
    r"|on\s+alarm))"
)
WHETHER = re.compile(r"^\s*(?:did|was|were|is|are|has|have|does|do)\b")
HOURS_WITH = re.compile(
    r"(?<!\d\s)\b(?:total\s+)?(?:hours|minutes|time)\s+(?:with|in\s+which)\b"
    r"|\b(?:total\s+)?(?:hours|minutes)\s+of\b(?=\s+(?:[\w-]+\s+){1,4}(?:above|below|over|under)\b)"
)
WITH_TIME = re.compile(
    r"\b(?:and|with)\s+(?:its|the|their|at\s+what)\s+(?:time|date|hour|moment|timestamp)s?\b"
    r"|\bwhen\s+did\s+(?:it|that|this)\s+happen\b|(?<!since\s)\bwhen\s+(?:that\s+|it\s+)?(?:was|happened)\b"
)
_PART = r"(?:gpus?|cards?|fans?|pumps?|psus?|power\s+supplies|dimms?|sockets?)"
WHICH_PARTS = re.compile(
    rf"\b(?:which|what)\s+(?:of\s+the\s+)?(?:four\s+)?(?P<noun>{_PART})\b"
    rf"|^\W*(?:(?:list|show|find|all|the|any)\s+)*(?P<noun2>{_PART})"
    r"(?=\s+(?:with|that|whose|where|above|below|under|over|faster|slower|hotter|warmer|at)\b)"
    + "".join(
        rf"|(?<=\b{word}\s)(?P<{word}>{_PART}|(?:cpu\s+)?cores?)\b(?!\s+temp)"
        for word in "hottest warmest coldest coolest fastest slowest busiest".split()
    )
)
COUNTED_PARTS = re.compile(
    rf"(?:(?<=how\smany\s)|(?<=number\sof\s)|(?<=many\sof\sthe\s))(?P<noun>{_PART})\b"
    r"(?!\s*-?\s*(?:hours?|nodes?|allocated|idle|configured|down|do|does|did)\b)"
)
ALL_TIME = re.compile(
    r"\b(?:(?:the\s+)?(?:entire|whole|full)\s+(?:day|time|hour|period|week|month))\b"
)
BREAKS = re.compile(
    r"\bwhile(?=\s+(?:(?:the|a|any|its|their|these|those|this|that|it|they|was|were|all)\s+)*"
    r"(?:jobs?|in\s+use|running|ran|used|active|users?)\b)"
    r"|\b(?:at\s+)?(?:some|any)\s+(?:times?|moments?|instants?|points?(?:\s+in\s+time)?)\b|\b(?:whole|entire|full)(?=\s+(?:duration|run|machine|system|racks?))\b"
)
EACH_PART = re.compile(r"\b(?:each|every)(?=\s+(?:gpu|card|socket|cpu|fan|psu|dimm|core)s?\b)")
"""The word before a part whose noun may belong to the name of a metric."""
OF_NODES = re.compile(
    r"\b(?:of|for|in|on|across|over|among|from)\s+(?:the\s+|its\s+|their\s+|those\s+)?"
    r"(?:compute\s+)?nodes\b(?!\s+\d)"
)
NODE_WORD = re.compile(r"\b(?:nodes?|hosts?|servers?)\b")
WHICH_TIMES = re.compile(r"\b(?:which|what)\s+(?:hours?|days?|weeks?|dates?)\b")
NOUN_BEFORE_DATE = re.compile(
    r"\b(?:nodes?|racks?|jobs?|users?|partitions?)(?=\s+\d{1,2}\s*(?:-|to|until)\s*\d{1,2}\s+"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))",
    re.IGNORECASE,
)
ENERGY_UNIT = re.compile(r"\b[km]wh\b")


def interval_of(match: "re.Match[str] | None") -> str:
    """The ISO 8601 length of an asked resolution, or an empty text."""
    if match is None:
        return ""
    number = match["n"] or match["n2"]
    unit = match["unit"] or match["unit2"] or ""
    return f"PT{number}{'H' if unit.startswith('h') else 'M'}"
