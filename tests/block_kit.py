"""What Slack would refuse of a message: our own reading of its limits, as no peer here checks them.

The numbers stand here a second time on purpose: a limit that the service gets wrong is found.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

Json = Mapping[str, Any]

_CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
_RAW = re.compile(r"\*\*\w[^*]*\*\*|^#+ |^\|", re.MULTILINE)
_TEXTS = {"mrkdwn", "plain_text"}
_SECTION, _CELL_TOTAL = 3000, 10_000


def complaints(message: Json) -> list[str]:
    """What is wrong with the arguments of chat.postMessage, chat.update or chat.postEphemeral."""
    return list(_message(message))


def raw_markdown(message: Json) -> list[str]:
    """Texts with marks of Markdown that Slack shows as they are: bold, headings, pipe tables."""
    texts = [text for block in _blocks(message) for text in _mrkdwn_texts(block)]
    return [text for text in texts if _RAW.search(_CODE.sub("", text))]


def _mrkdwn_texts(content: object) -> Iterator[str]:
    match content:
        case {"type": "mrkdwn", "text": str(text)}:
            yield text
        case dict():
            for value in content.values():
                yield from _mrkdwn_texts(value)
        case list():
            for each in content:
                yield from _mrkdwn_texts(each)
        case _:
            return


def _message(message: Json) -> Iterator[str]:
    text, blocks = message.get("text", ""), _blocks(message)
    if not text:
        yield "no text stands for the message in notifications"
    if len(text) > 3900:
        yield f"the text has {len(text)} characters"
    if not isinstance(blocks, list):
        yield "blocks are no list"
        return
    if len(blocks) > 50:
        yield f"{len(blocks)} blocks"
    if (total := _characters(blocks)) > 11_000:
        yield f"{total} characters in all blocks"
    if sum(block.get("type") == "table" for block in blocks) > 1:
        yield "more than one table"
    yield from _repeated("block_id", [block.get("block_id") for block in blocks])
    actions = [
        element.get("action_id")
        for block in blocks
        if block.get("type") == "actions"
        for element in block["elements"]
    ]
    yield from _repeated("action_id", actions)
    for number, block in enumerate(blocks):
        yield from (f"block {number} ({block.get('type')}): {each}" for each in _block(block))


def _blocks(message: Json) -> Any:
    blocks = message.get("blocks")
    return json.loads(blocks) if isinstance(blocks, str) else (blocks or [])


def _repeated(name: str, values: list[str | None]) -> Iterator[str]:
    given = [value for value in values if value is not None]
    if len(set(given)) < len(given):
        yield f"a {name} is there twice"
    if any(not 1 <= len(value) <= 255 for value in given):
        yield f"a {name} is empty or too long"


def _characters(content: object) -> int:
    match content:
        case dict():
            return sum(
                len(value) if key == "text" and isinstance(value, str) else _characters(value)
                for key, value in content.items()
            )
        case list():
            return sum(_characters(each) for each in content)
        case _:
            return 0


def _block(block: Json) -> Iterator[str]:
    match block.get("type"):
        case "section":
            yield from _keys(block, "text")
            yield from _text(block["text"], _SECTION)
        case "context":
            yield from _keys(block, "elements")
            yield from _count(block["elements"], 10)
            for element in block["elements"]:
                yield from _text(element, _SECTION)
        case "actions":
            yield from _keys(block, "elements")
            yield from _count(block["elements"], 25)
            for element in block["elements"]:
                yield from _element(element)
        case "table":
            yield from _keys(block, "rows", "column_settings")
            yield from _table(block)
        case other:
            yield f"we do not use blocks of the type {other}"


def _keys(thing: Json, *known: str) -> Iterator[str]:
    if more := set(thing) - {"type", "block_id", *known}:
        yield f"does not know {sorted(more)}"


def _count(things: list[object], most: int) -> Iterator[str]:
    if not 1 <= len(things) <= most:
        yield f"{len(things)} elements"


def _text(text: Json, most: int) -> Iterator[str]:
    if text.get("type") not in _TEXTS:
        yield f"a text of the type {text.get('type')}"
    if not 1 <= len(text["text"]) <= most:
        yield f"a text of {len(text['text'])} characters"
    if text.get("type") == "mrkdwn":
        yield from _mrkdwn(text["text"])
        if text.get("verbatim") is not True:
            yield "Slack would make links of names in it"
    elif "verbatim" in text:
        yield "plain text is always verbatim"


def _mrkdwn(text: str) -> Iterator[str]:
    if "<!" in text or "<@" in text or "<#" in text:
        yield f"calls somebody: {text[:80]}"
    if text.count("```") % 2:
        yield "a fence that is not closed"


def _element(element: Json) -> Iterator[str]:
    if not element.get("action_id"):
        yield "an element without action_id"
    match element.get("type"):
        case "button":
            yield from _keys(element, "action_id", "text", "value", "style")
            yield from _plain(element["text"], 75)
            if len(element.get("value", "")) > 2000:
                yield "the value of a button is too long"
            if element.get("style", "danger") not in ("danger", "primary"):
                yield f"a button in the style {element['style']}"
        case "static_select":
            yield from _keys(element, "action_id", "placeholder", "options")
            yield from _plain(element["placeholder"], 150)
            if not 1 <= len(element["options"]) <= 100:
                yield f"a menu of {len(element['options'])} options"
            for option in element["options"]:
                yield from _plain(option["text"], 75)
                if not 1 <= len(option["value"]) <= 150:
                    yield "the value of an option is empty or too long"
        case other:
            yield f"we do not use elements of the type {other}"


def _plain(text: Json, most: int) -> Iterator[str]:
    if text.get("type") != "plain_text":
        yield "a label that is no plain text"
    yield from _text(text, most)


def _table(block: Json) -> Iterator[str]:
    rows = block["rows"]
    if not 1 <= len(rows) <= 100:
        yield f"{len(rows)} rows"
    if len({len(row) for row in rows}) > 1:
        yield "rows of different lengths"
    if any(not 1 <= len(row) <= 20 for row in rows):
        yield "too many columns, or none"
    if len(block.get("column_settings", [])) > 20:
        yield "too many columns are set"
    cells = [cell for row in rows for cell in row]
    if any(cell.get("type") != "raw_text" or not cell.get("text") for cell in cells):
        yield "a cell that is empty, or no raw text"
    if sum(len(cell.get("text", "")) for cell in cells) > _CELL_TOTAL:
        yield "too many characters in the cells"
