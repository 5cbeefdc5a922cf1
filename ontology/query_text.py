"""Reads a query's text token by token, before any parser sees it, and refuses what is policy."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ontology.violations import Rule, Violation
from ontology.vocabulary import PREFIXES

MAX_CHARACTERS: Final = 20_000
MAX_TOKENS: Final = 4_000
MAX_DEPTH: Final = 18
"""Brackets within brackets: keeps the parser's recursion and time bounded."""

_NAME = r"[^\W\d_](?:[\w.·-]*[\w·-])?"
_LOCAL = r"(?:[\w:]|%[0-9A-Fa-f]{2}|\\[_~.\-!$&\"'()*+,;=/?#@%])"
_TOKEN: Final = re.compile(
    r"(?P<space>[ \t\n]+)"
    r"|(?P<comment>#[^\n]*)"
    r"|(?P<iri><[^<>\"{}|^`\\\x00-\x20]*>)"
    r'|(?P<string>"""(?:"{0,2}(?:[^"\\]|\\.))*"""'
    r"|'''(?:'{0,2}(?:[^'\\]|\\.))*'''"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'(?:[^'\\\n]|\\.)*')"
    r"|(?P<variable>[?$]\w+)"
    r"|(?P<blank>_:\w(?:[\w.·-]*[\w·-])?)"
    rf"|(?P<prefixed>(?P<prefix>{_NAME})?:(?:{_LOCAL}(?:(?:{_LOCAL}|[.\-·])*(?:{_LOCAL}|-))?)?)"
    r"|(?P<tag>@[A-Za-z][A-Za-z0-9-]*)"
    r"|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<mark>\^\^|&&|\|\||!=|<=|>=|[.;,(){}\[\]*+/\-^|?!=<>])",
    re.DOTALL,
)
_ESCAPE: Final = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_UPDATES: Final = frozenset(
    ("INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH", "USING")
)
_OPENING: Final = frozenset("({[")
_CLOSING: Final = frozenset(")}]")


@dataclass(frozen=True, slots=True)
class QueryText:
    """A text that every parser reads alike, and what was wrong with it."""

    text: str
    """Escapes resolved, comments blanked, line ends plain; otherwise as given."""
    violations: tuple[Violation, ...]
    planned: str = ""
    """The text with ASK exchanged for SELECT *, which a store plans but does not answer."""


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    prefix: str


def read_text(text: str) -> QueryText:
    """Normalise ``text`` and check size, nesting, query form, SERVICE and prefixes."""
    if len(text) > MAX_CHARACTERS:
        message = f"the query has {len(text)} characters; {MAX_CHARACTERS} are allowed"
        return QueryText(text, (Violation(Rule.TOO_LONG, "query", message),))
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    try:
        plain = _ESCAPE.sub(_unescaped, plain)
    except (ValueError, OverflowError):
        return QueryText(text, (_syntax("an escape names no character"),))
    if _ESCAPE.search(plain) or re.search(r"\\[uU]", plain):
        return QueryText(text, (_syntax("a character escape that makes another escape"),))
    if any((ord(c) < 0x20 and c not in "\n\t") or 0xD800 <= ord(c) <= 0xDFFF for c in plain):
        return QueryText(text, (_syntax("a control character or half a surrogate pair"),))
    tokens: list[_Token] = []
    kept: list[str] = []
    for token in _tokens(plain):
        if token.kind == "unreadable":
            return QueryText(plain, (_syntax(f"cannot read {token.text[:20]!r}"),))
        kept.append(" " if token.kind == "comment" else token.text)
        if token.kind not in ("space", "comment"):
            tokens.append(token)
    whole = "".join(kept)
    return QueryText(whole, _refusals(tokens), _planned(kept))


def _planned(pieces: list[str]) -> str:
    """``pieces`` joined; the first word that is ASK begins the query, so no other is touched."""
    at = next((at for at, piece in enumerate(pieces) if piece.upper() == "ASK"), None)
    if at is None or any(piece.upper() == "SELECT" for piece in pieces[:at]):
        return "".join(pieces)
    return "".join([*pieces[:at], "SELECT *", *pieces[at + 1 :]])


def _unescaped(match: re.Match[str]) -> str:
    return chr(int(match[1] or match[2], 16))


def _tokens(text: str) -> Iterator[_Token]:
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            yield _Token("unreadable", text[at:], "")
            return
        kind = match.lastgroup or "mark"
        if match["prefixed"] is not None:
            kind = "prefixed"
        yield _Token(kind, match[0], match["prefix"] or "")
        at = match.end()


def _refusals(tokens: list[_Token]) -> tuple[Violation, ...]:
    if len(tokens) > MAX_TOKENS:
        message = f"the query has {len(tokens)} tokens; {MAX_TOKENS} are allowed"
        return (Violation(Rule.TOO_LONG, "query", message),)
    if _depth(tokens) > MAX_DEPTH:
        message = f"brackets are nested deeper than {MAX_DEPTH}"
        return (Violation(Rule.TOO_DEEP, "query", message),)
    words = [token.text.upper() for token in tokens if token.kind == "word"]
    if "SERVICE" in words:
        message = "a query may not ask other services"
        return (Violation(Rule.SERVICE, "SERVICE", message),)
    form = next((word for word in words if word not in ("PREFIX", "BASE")), "")
    if form in _UPDATES or any(word in ("INSERT", "DELETE", "LOAD") for word in words):
        message = "a query may only read"
        return (Violation(Rule.UPDATE, form, message, ("SELECT", "ASK")),)
    if form in ("CONSTRUCT", "DESCRIBE"):
        message = f"{form} is not allowed"
        return (Violation(Rule.QUERY_FORM, form, message, ("SELECT", "ASK")),)
    if "BASE" in words:
        return (_syntax("BASE is not allowed: declare prefixes or write IRIs out"),)
    return _undeclared(tokens)


def _depth(tokens: list[_Token]) -> int:
    depth = deepest = 0
    for token in tokens:
        if token.kind == "mark" and token.text in _OPENING:
            depth += 1
            deepest = max(deepest, depth)
        elif token.kind == "mark" and token.text in _CLOSING:
            depth -= 1
    return deepest


def _undeclared(tokens: list[_Token]) -> tuple[Violation, ...]:
    declared: set[str] = set()
    used: dict[str, str] = {}
    previous = ""
    for token in tokens:
        if token.kind == "prefixed":
            if previous == "PREFIX":
                declared.add(token.prefix)
            else:
                used.setdefault(token.prefix, token.text)
        previous = token.text.upper()
    return tuple(
        Violation(
            Rule.UNDECLARED_PREFIX,
            term,
            f"the prefix {prefix}: is not declared",
            (f"PREFIX {prefix}: <{PREFIXES[prefix]}>",) if prefix in PREFIXES else (),
        )
        for prefix, term in used.items()
        if prefix not in declared
    )


def _syntax(message: str) -> Violation:
    return Violation(Rule.SYNTAX, "query", message)
