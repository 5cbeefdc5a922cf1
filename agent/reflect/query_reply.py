"""The query in what a model replied: bare, in a fence or in JSON, with or without prefixes."""

import json
import re

from ontology.query_text import MAX_CHARACTERS

_FENCE = re.compile(r"```[a-z]*\s*\n?(.*?)(?:```|\Z)", re.DOTALL | re.IGNORECASE)
_PREFIX = re.compile(r"^\s*PREFIX\s+\S*:\s*<[^>\s]*>", re.IGNORECASE)
_SELECTED = re.compile(
    r"(\bSELECT\s+(?:DISTINCT\s+)?)([^{}]{0,600}?)\s*(\bWHERE\b|\{)", re.IGNORECASE
)
_GROUPED_WITHIN = re.compile(
    r"(?<=[{}])(?!\s*(?:GROUP|ORDER|HAVING|LIMIT)\b)(\s*[^{}\s][^{}]{0,3000}?)"
    r"\s*\b((?:GROUP|ORDER)\s+BY\b[^{}]{0,600})\}",
    re.IGNORECASE,
)
"""GROUP BY or ORDER BY as if it were a pattern, before the brace that it belongs behind."""
_NEXT = r"\s*(?:,\s*|(?=[\s?(\w])|$)"
_IN_BRACKETS = r"\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)"
_PLAIN = re.compile(rf"(\?\w++)(?!\s+AS\b|\s*[-+*/]){_NEXT}", re.IGNORECASE)
_BRACKETED = re.compile(rf"({_IN_BRACKETS})(?!\s*(?:AS\b|[-+*/])){_NEXT}", re.IGNORECASE)
_NAMED = re.compile(rf"((?:[^,()]|{_IN_BRACKETS})+?\bAS\s+\?\w++){_NEXT}", re.IGNORECASE)
_NAMES = ("sparql", "query")


def query_in(reply: str) -> str:
    """The text of the query in ``reply``, without prefixes: ours stand before it.

    What is no query comes back as it is, for the gate to refuse; a longer text than the gate
    reads comes back cut, so that nobody works on it.
    """
    text = reply.strip()[: MAX_CHARACTERS + 1]
    text = _from_json(text) or text
    fenced = _FENCE.search(text)
    if fenced is not None:
        text = fenced[1].strip()
        text = _from_json(text) or text
    while (prefix := _PREFIX.match(text)) is not None:
        text = text[prefix.end() :]
    return _SELECTED.sub(_in_brackets, _GROUPED_WITHIN.sub(r"\1\n}\n\2", text.strip())).strip()


def _in_brackets(match: re.Match[str]) -> str:
    """The columns of a SELECT as SPARQL has them: names in brackets, no commas between."""
    found: list[str] = []
    rest = match[2].strip()
    while rest:
        column = _PLAIN.match(rest) or _BRACKETED.match(rest) or _NAMED.match(rest)
        if column is None:
            return match[0]
        bare = column[1].strip()
        found.append(f"({bare})" if column.re is _NAMED else bare)
        rest = rest[column.end() :]
    return f"{match[1]}{' '.join(found)} {match[3]}"


def _from_json(text: str) -> str:
    """The query in a JSON object, or an empty text."""
    if not text.startswith("{"):
        return ""
    try:
        found = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        return ""
    said = next((found[name] for name in _NAMES if name in found), "")
    return said.strip() if isinstance(said, str) else ""
