"""Whether a file is what its name says and harmless to hand on; content is never rendered."""

import json
import re
import struct
from collections.abc import Callable
from pathlib import PurePath
from xml.etree import ElementTree

from sandbox.inside.collect import NAME
from sandbox.job import DroppedFile, OutputFile

_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MOST_PIXELS = 40_000_000
_MOST_ACROSS = 16_384
_SVG_BANNED = frozenset({"script", "foreignobject", "iframe", "object", "embed", "handler", "set"})
_FOREIGN = re.compile(r"url\s*\(\s*['\"]?[^#'\"]")
_NUMBER = rb"(?:\d+\.?\d*|\.\d+|inf|nan)(?:[eE][+-]?\d+)?"
# A cell that a spreadsheet would run: = or @ first, or a sign that begins no number.
_FORMULA = re.compile(
    rb"(^|[,;\t|])(\"?)(?=[=@]|[+-](?!" + _NUMBER + rb"\"?(?:[,;\t|\r\n]|\Z)))",
    re.MULTILINE,
)


def checked(name: str, content: bytes) -> OutputFile | DroppedFile:
    """``content`` as a file to hand on, or why it is dropped.

    Spreadsheet formulas in a CSV are quoted with an apostrophe, which is the only change.
    """
    kind = _KINDS.get(PurePath(name).suffix.lower())
    if not NAME.fullmatch(name):
        return DroppedFile(ascii(name)[:120], "name not allowed")
    if kind is None:
        return DroppedFile(name, f"type not accepted; write {', '.join(sorted(_KINDS))}")
    media_type, problem_in = kind
    problem = problem_in(content)
    if problem is not None:
        return DroppedFile(name, problem)
    if media_type == "text/csv":
        content = _FORMULA.sub(rb"\1\2'", content)
    return OutputFile(name, content, media_type)


def _png_problem(content: bytes) -> str | None:
    if not content.startswith(_PNG_SIGNATURE) or content[12:16] != b"IHDR":
        return "no PNG image"
    if len(content) < 33 or not content.endswith(b"IEND\xaeB`\x82"):
        return "incomplete PNG image"
    width, height = struct.unpack(">II", content[16:24])
    if not (0 < width <= _MOST_ACROSS and 0 < height <= _MOST_ACROSS):
        return f"image of {width} x {height} pixels; at most {_MOST_ACROSS} across"
    if width * height > _MOST_PIXELS:
        return f"image of {width} x {height} pixels; at most {_MOST_PIXELS} in all"
    return None


def _svg_problem(content: bytes) -> str | None:
    text = _text_of(content)
    if text is None or "<!ENTITY" in text.upper():
        return "no plain SVG image"
    try:
        root = ElementTree.fromstring(content)  # noqa: S314
    except (ElementTree.ParseError, ValueError, LookupError, RecursionError):
        return "no well-formed SVG image"
    if _local(root.tag) != "svg":
        return "no SVG image"
    for element in root.iter():
        if _local(element.tag) in _SVG_BANNED or _is_active(element):
            return f"active content in SVG image: {_local(element.tag)[:40]}"
    return None


def _is_active(element: ElementTree.Element) -> bool:
    """Whether the element runs something or fetches from elsewhere."""
    for name, value in element.attrib.items():
        key, target = _local(name), value.strip().lower()
        if key.startswith("on") or (key in {"href", "src"} and not _is_inside(target)):
            return True
        if _fetches(target):
            return True
    return _local(element.tag) == "style" and _fetches((element.text or "").lower())


def _is_inside(target: str) -> bool:
    return target.startswith(("#", "data:image/png;base64,", "data:image/jpeg;base64,"))


def _fetches(style: str) -> bool:
    return "@import" in style or "\\" in style or bool(_FOREIGN.search(style))


def _local(tag: object) -> str:
    return str(tag).rpartition("}")[2].lower()


def _text_problem(content: bytes) -> str | None:
    return "no UTF-8 text" if _text_of(content) is None else None


def _json_problem(content: bytes) -> str | None:
    try:
        json.loads(content)
    except (ValueError, RecursionError):
        return "no JSON"
    return None


def _parquet_problem(content: bytes) -> str | None:
    if len(content) < 12 or not (content.startswith(b"PAR1") and content.endswith(b"PAR1")):
        return "no Parquet file"
    (footer,) = struct.unpack("<I", content[-8:-4])
    return None if footer <= len(content) - 12 else "broken Parquet file"


def _text_of(content: bytes) -> str | None:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


_KINDS: dict[str, tuple[str, Callable[[bytes], str | None]]] = {
    ".png": ("image/png", _png_problem),
    ".svg": ("image/svg+xml", _svg_problem),
    ".csv": ("text/csv", _text_problem),
    ".parquet": ("application/vnd.apache.parquet", _parquet_problem),
    ".json": ("application/json", _json_problem),
    ".txt": ("text/plain", _text_problem),
    ".md": ("text/markdown", _text_problem),
}
