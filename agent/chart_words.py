"""The words by which people ask for a chart, as patterns."""

import re

from agent.chart import ChartKind

_I = re.IGNORECASE
CHART = r"(?:plots?|charts?|graphs?|diagrams?)"
"""What a picture is called; ``graph`` as data is excluded in ``NOT_A_CHART``."""

KINDS: tuple[tuple[ChartKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])", _I))
    for kind, pattern in (
        (
            ChartKind.HEATMAP,
            rf"(?:correlation[\s-]+)?heat[\s-]?maps?(?:[\s-]+(?:of[\s]+the[\s]+)?"
            rf"(?:correlation(?:[\s-]+(?:matrix|coefficients?))?|{CHART}))?"
            rf"|correlation[\s-]+(?:matrix|matrices|{CHART})",
        ),
        (
            ChartKind.DUAL_AXIS,
            rf"(?:dual|double|twin|two|2)[\s-](?:y[\s-]?)?ax[ei]s(?:[\s-]+(?:line[\s-]+)?{CHART})?"
            rf"|(?:two|2|dual|separate)[\s-](?:y[\s-]?|vertical[\s-])axes"
            rf"|{CHART}[\s]+with[\s]+(?:two|2|dual|double|separate|a[\s]+secondary)[\s]+"
            r"(?:y[\s-]?|vertical[\s]+)?ax[ei]s|secondary[\s]+(?:y[\s-]?)?axis",
        ),
        (
            ChartKind.GROUPED_BAR,
            r"(?:side[\s-]by[\s-]side|grouped|clustered|stacked|multi)[\s-]+(?:vertical[\s]+)?"
            rf"(?:bar[\s-]?(?:{CHART})?|bars|columns?(?:[\s-]+{CHART})?)"
            rf"|bar[\s-]?{CHART}[\s]+(?:side[\s-]by[\s-]side|with[\s]+(?:side[\s-]by[\s-]side|"
            r"grouped)[\s]+bars)",
        ),
        (
            ChartKind.BAR,
            rf"(?:horizontal|vertical)?[\s-]*\bbar[\s-]?{CHART}|column[\s-]{CHART}"
            r"|(?<=\bas )(?:bars|columns)|(?<=\bin )bars",
        ),
        (ChartKind.PIE, rf"(?:pie|donut|doughnut)[\s-]?{CHART}|(?<=\ba )pie|(?<=\bas )pie"),
        (
            ChartKind.BOX,
            rf"box[\s-]?(?:and[\s-]whiskers?[\s-])?{CHART}|violin[\s-]?{CHART}"
            r"|(?<=\bas )boxes|box[\s-]and[\s-]whiskers?",
        ),
        (
            ChartKind.HISTOGRAM,
            rf"histograms?(?:[\s-]+{CHART})?|(?:distribution|density|frequency)[\s-]+{CHART}",
        ),
        (
            ChartKind.SCATTER,
            rf"scatter[\s-]?{CHART}|scatter(?:gram)?s?|x[\s-]?y[\s-]{CHART}",
        ),
        (
            ChartKind.LINE,
            rf"(?:(?:multi[\s-]?)?line|curve|area|trend|time[\s-]?series|time[\s-]?line)[\s-]?{CHART}"
            rf"|{CHART}[\s]+of[\s]+the[\s]+time[\s-]series|(?<=\bas )(?:a )?(?:lines?|curves?)",
        ),
    )
)

NOT_A_CHART = re.compile(
    r"\b(?:knowledge|rdf|named|dependency|task|virtual knowledge)[\s-]+graphs?\b"
    r"|\bgraph[\s-]?(?:db|database|store|ics?|pattern|query|cache|neural|iri|analytics)\w*"
    r"|\bin[\s]+the[\s]+(?:previous|last|above|earlier|same)[\s]+(?:plot|chart|graph|figure)\b"
    r"|\b(?:what|why)[\s]+(?:does|do|is|are)[\s]+(?:the|this|that)[\s]+(?:plot|chart|graph)\b"
    r"|\b(?:charting|flow|org|helm)[\s-]?charts?\b",
    _I,
)
REFUSED = re.compile(
    rf"\b(?:no|without(?:[\s]+(?:a|any))?|not[\s]+(?:a|any)|don'?t[\s]+need[\s]+(?:a|any)|"
    rf"do[\s]+not[\s]+(?:need[\s]+)?(?:a|any))[\s]+(?:need[\s]+for[\s]+(?:a[\s]+)?)?{CHART}"
    r"(?:[\s]+(?:is[\s]+)?(?:needed|necessary|required|please))?"
    rf"|\b(?:don'?t|do[\s]+not|never)[\s]+(?:plot|draw|chart|graph|visuali[sz]e)"
    r"(?:[\s]+(?:it|them|this|that|anything))?",
    _I,
)

VERB = re.compile(
    r"(?<![\w-])(?:(?:re-?)?plot(?:ting|ted)?|graph|chart|visuali[sz]e|visuali[sz]ing|"
    r"draw(?=[\s]+(?:it|them|this|that|these|those|me|us)\b)|(?<![\s\S])draw(?=[\s]))(?![\w-])",
    _I,
)
"""Words that ask for some picture; as verbs they may have any object."""
NOUN = re.compile(
    rf"(?<![\w-])(?:sub)?(?:{CHART}|visuali[sz]ations?|pictures?(?=[\s]+of\b))(?![\w-])", _I
)

WEAK: tuple[tuple[ChartKind, re.Pattern[str]], ...] = (
    (ChartKind.LINE, re.compile(r"(?<![\w-])time[\s-]?series(?![\w-])", _I)),
    (
        ChartKind.LINE,
        re.compile(
            r"(?<![\w-])(?<!any )(?<!a )(?:trends?|trend[\s]?lines?)"
            r"(?=[\s]+(?:of|for|in|over|on|during|this|across|from)\b|[\s]*[?.!]?$)",
            _I,
        ),
    ),
    (
        ChartKind.HISTOGRAM,
        re.compile(
            r"(?<![\w-])(?<!power )(?<!job )(?<!linux )(?<!air )distributions?(?![\w-])"
            r"(?![\s]+(?:unit|board|panel|network|system|by|per|among)\b)"
            r"(?![\s]+of[\s]+(?:the[\s]+)?(?:jobs|nodes|users|racks)\b)",
            _I,
        ),
    ),
)
"""Words for a shape of data that is best seen; alone they ask for a picture unless for a file."""

WANTS_FILE = re.compile(
    r"\b(?:csv|table|tabular|download|export|raw (?:data|values)|spreadsheet|excel|file)\b", _I
)
OVER_TIME = re.compile(
    r"\bover (?:time|the (?:day|week|month|hour|year|period|window|whole)|the \d+ )"
    r"|\btime[\s-]?series\b|\btrends?\b|\bevolution\b|\b(?:against|versus|vs\.?) time\b",
    _I,
)
AGAINST = re.compile(r"\b(?:against|versus|vs\.?)[\s]+(?!time\b)", _I)
CORRELATION_OF_TWO = re.compile(r"\bcorrelations?[\s]+(?:between|of)\b", _I)
CORRELATION = re.compile(r"\bcorrelat", _I)
