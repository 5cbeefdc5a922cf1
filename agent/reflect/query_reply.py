"""The query in what a model replied: bare, in a fence or in JSON, with or without prefixes."""

import json
import re

from ontology.query_text import MAX_CHARACTERS

_FENCE = re.compile(r"```[a-z]*\s*\n?(.*?)(?:```|\Z)", re.DOTALL | re.IGNORECASE)
_PREFIX = re.compile(r"^\s*PREFIX\s+\S*:\s*<[^>\s]*>", re.IGNORECASE)
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
    return text.strip()


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
