"""Patterns of the words around a chart that belong to the wish for it."""

import re

_I = re.IGNORECASE
_OBJECT = (
    r"(?:it|them|this|that|these|those|both|everything|all[\s]+of[\s]+(?:it|them)|"
    r"the[\s]+(?:results?|data|values|numbers|readings|output|comparison|two|same|"
    r"(?:two|three|four)[\s]+(?:series|curves|lines)))"
)
_MADE = (
    r"(?:creat(?:e|ing)|mak(?:e|ing)|generat(?:e|ing)|produc(?:e|ing)|draw(?:ing)?|show(?:ing)?|"
    r"giv(?:e|ing)|provid(?:e|ing)|display(?:ing)?|render|build(?:ing)?|prepare|return|present|"
    r"visuali[sz](?:e|ing)|plot(?:ting)?|do|get|see|have|add|include|send|post|turn|put|fetch|"
    r"retrieve|graph|chart|need|want|compare[\s]+(?:it|them|these|those|both))"
)
BEFORE = re.compile(
    r"(?:(?:^|(?<=[\s,;.(:–-]))(?:"  # noqa: RUF001
    r"and|then|also|finally|please|pls|plus|now|instead|just|kindly|next|afterwards|"
    r"can[\s]+(?:you|i|we)|could[\s]+(?:you|i|we)|would[\s]+you|"
    r"i(?:'d|[\s]+would)[\s]+like(?:[\s]+to)?|"
    r"i[\s]+(?:want|need)(?:[\s]+to)?|let(?:'s|[\s]+me|[\s]+us)|to|me|us|"
    rf"{_MADE}(?:[\s]+{_OBJECT})?(?=[\s])|{_OBJECT}(?=[\s]+(?:as|in|into|with|using|on)\b)|"
    r"as|using|with|in|into|on|onto|through|via|by[\s]+means[\s]+of|in[\s]+(?:the[\s]+)?form[\s]+of|"
    r"a|an|the|one|another|some|single|simple|nice|clear|separate|combined|common|joint|"
    r"comparative|comparison|comparing|corresponding|resulting|appropriate|suitable|small|"
    r"side[\s-]by[\s-]side|colou?red|annotated|labell?ed|normal|basic|standard|proper|"
    r"multi[\s-]?line|two|overlaid|quick|detailed|new|same|time[\s-]?series"
    r")[\s]+|[,;–-][\s]*)+$",  # noqa: RUF001
    _I,
)
_END = r"(?=[\s]*(?:[.,;!?)]|$|(?:and|then|but)\b))"
_THINGS = (
    r"(?:(?!(?:from|on|for|at|between|during|with|in|and|by|per|over|since)\b)[a-z-]+[\s]+){0,3}"
)
AFTER = re.compile(
    rf"(?:[\s]*\([^)\d]*\)(?=[\s]*(?:[.,;!?]|$)))|"
    rf"[\s]+(?:"
    rf"{_OBJECT}{_END}|{_OBJECT}(?=[\s]+(?:over|as|in|on|together|side|against|with|using|too)\b)|"
    r"over[\s]+time\b|over[\s]+the[\s]+(?:same[\s]+|whole[\s]+|full[\s]+|entire[\s]+)?"
    rf"(?:day|week|month|hour|period|window|range|interval|duration|time)s?{_END}|"
    r"(?:against|versus|vs\.?)[\s]+time\b|"
    r"(?:to[\s]+compare|(?:that|which)[\s]+compares?|comparing|for[\s]+comparison|comparison)"
    rf"(?:[\s]+(?:the|both|all|these|those|them|it)(?:[\s]+[a-z-]+){{0,3}}{_END})?|"
    r"showing|that[\s]+shows?|which[\s]+shows?|displaying|to[\s]+(?:show|visuali[sz]e)|"
    rf"(?:of|for)[\s]+(?:{_OBJECT}|the[\s]+(?:breakdown|comparison|above|shares?|split)){_END}|"
    r"of(?![\w-])|as[\s]+(?:an?[\s]+)?(?:png|image|picture|figure)\b|"
    r"(?:on|in|with|using)[\s]+(?:the[\s]+same|one|a[\s]+single|a[\s]+common|the|a|single)[\s]+"
    rf"(?:plot|chart|graph|figure|picture|diagram|ax[ei]s|image){_END}|"
    rf"together{_END}|side[\s-]by[\s-]side{_END}|"
    rf"(?:for[\s]+me|too|as[\s]+well|instead|please){_END}"
    r")|[\s]*,[\s]*please(?=[\s]*[.!?]?$)",
    _I,
)
TAIL = re.compile(
    rf"[\s]+of[\s]+the[\s]+{_THINGS}(?:distribution|breakdown|trend|evolution|comparison|values|"
    rf"readings|results?|data|time[\s-]?series){_END}",
    _I,
)
ABOUT = re.compile(
    r"[\s]+(?:the[\s]+|a[\s]+)?(?:(?:time[\s-]?series|distributions?|histogram|trends?|evolution|"
    r"correlation[\s]+matrix|breakdown)(?![\w-])(?:[\s]+data\b)?)",
    _I,
)
DAYS = re.compile(
    r"[\s]+over[\s]+(?:the|all|these|those)[\s]+(?:(?!last|past|next)\w+[\s]+)?"
    r"(?:days|weeks|hours|months)\b" + _END,
    _I,
)
