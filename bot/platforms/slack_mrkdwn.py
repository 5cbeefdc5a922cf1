"""Plain Markdown as Slack writes it, in pieces that each fit a section."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.platforms.cut_text import cut
from bot.platforms.slack_limits import SECTION

# As much source as one piece is made of; its escapes and marks make it longer.
_SOURCE = 2400
_FENCE = "```"
_FENCE_LINE = re.compile(r"\s*```\s*[\w+-]*\s*")
_CODE = re.compile(r"(`[^`\n]+`)")
_LINK = re.compile(r"\[([^\]\n]+)\]\((https?://[^\s)]+)\)")
_BOLD = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_ITALIC = re.compile(r"(?<![*\w])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![*\w])")
_SLANTED = re.compile(r"(?<!\w)_(?=\S)([^_\n]+?)(?<=\S)_(?!\w)")
_STRUCK = re.compile(r"~~(?=\S)(.+?)(?<=\S)~~")
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*")
_ITEM = re.compile(r"(\s*)[-*+]\s+(.*)")
# Stands for bold until the italics are done, as both are written with the same sign.
_B = "\x02"


@dataclass(frozen=True, slots=True)
class Piece:
    """So much of a text as one section holds."""

    mrkdwn: str
    plain: str
    """The same without marks, for notifications and where blocks are refused."""


def escaped(text: str) -> str:
    """``text`` in which Slack sees no mention, link or entity, and no beginning of code."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _unfenced(text)


def escaped_within(text: str, length: int) -> str:
    """``text`` escaped, cut where it is longer then; never inside an escape."""
    kept = len(text)
    while len(escaped(cut(text, kept))) > length:
        kept -= max(1, (len(escaped(cut(text, kept))) - length) // len("&amp;"))
    return escaped(cut(text, kept))


def preformatted(code: str) -> str:
    """``code`` in letters of one width."""
    return f"{_FENCE}\n{escaped(code)}\n{_FENCE}"


def _unfenced(text: str) -> str:
    """``text`` without a fence, behind which all would be code, or inside code no longer."""
    return text.replace(_FENCE, "` ` `")


def pieces(markdown: str) -> tuple[Piece, ...]:
    """All of ``markdown``, split at lines where it can be, and inside code as code."""
    return tuple(
        piece
        for text, is_code in _runs(markdown)
        for source in _split(text.strip("\n"), _SOURCE)
        for piece in _pieces_of(source, is_code)
    )


def _pieces_of(source: str, is_code: bool) -> Iterator[Piece]:
    if not source.strip():
        return
    mrkdwn = preformatted(source) if is_code else _styled(source)
    if len(mrkdwn) <= SECTION:
        yield Piece(mrkdwn, source if is_code else _unmarked(source))
        return
    for half in _split(source, len(source) // 2):
        yield from _pieces_of(half, is_code)


def _runs(markdown: str) -> Iterator[tuple[str, bool]]:
    """The text in runs of prose and of code; a table of pipes is set as code."""
    run: list[str] = []
    in_fence = was_code = False
    for line in markdown.split("\n"):
        is_fence = _FENCE_LINE.fullmatch(line) is not None
        is_code = in_fence or is_fence or line.lstrip().startswith("|")
        if is_code != was_code or (is_fence and not in_fence):
            yield "\n".join(run), was_code
            run, was_code = [], is_code
        if is_fence:
            in_fence = not in_fence
        else:
            run.append(line)
    yield "\n".join(run), was_code


def _split(text: str, length: int) -> Iterator[str]:
    while len(text) > length:
        at = text.rfind("\n", 1, length)
        at = at if at > 0 else text.rfind(" ", 1, length)
        at = at if at > 0 else length
        yield text[:at]
        text = text[at:].removeprefix("\n").removeprefix(" ")
    yield text


def _styled(source: str) -> str:
    return "\n".join(_line(line) for line in source.split("\n"))


def _line(line: str) -> str:
    if heading := _HEADING.fullmatch(line):
        return f"*{escaped(_unmarked(heading[1]))}*"
    item = _ITEM.fullmatch(line)
    lead, rest = (f"{item[1]}\N{BULLET} ", item[2]) if item else ("", line)
    parts = _CODE.split(rest)
    shown = (escaped(part) if number % 2 else _inline(part) for number, part in enumerate(parts))
    # Where signs of code meet, they would be a fence.
    return lead + _unfenced("".join(shown))


def _inline(text: str) -> str:
    text = _LINK.sub(lambda found: f"<{found[2]}|{found[1]}>", escaped(text))
    text = _BOLD.sub(rf"{_B}\2{_B}", text)
    text = _ITALIC.sub(r"_\1_", text)
    return _STRUCK.sub(r"~\1~", text).replace(_B, "*")


def _unmarked(source: str) -> str:
    """``source`` in words alone; a link keeps its address."""
    lines = []
    for line in source.split("\n"):
        heading, item = _HEADING.fullmatch(line), _ITEM.fullmatch(line)
        text = heading[1] if heading else line
        text = f"{item[1]}\N{BULLET} {item[2]}" if item else text
        for pattern, kept in (
            (_LINK, r"\1 (\2)"),
            (_BOLD, r"\2"),
            (_ITALIC, r"\1"),
            (_SLANTED, r"\1"),
        ):
            text = pattern.sub(kept, text)
        lines.append(_STRUCK.sub(r"\1", text).replace("`", ""))
    return "\n".join(lines)
