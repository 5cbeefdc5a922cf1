"""A reply as Slack messages: words, table, evidence and buttons in as many as their limits ask."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from agent import Choice
from bot.messages import Act, Reply, ReplyFile, ReplyTable
from bot.outlet import Part
from bot.platforms.cut_text import cut
from bot.platforms.reply_model import STOP, ShownReply, progress_text, shown_reply
from bot.platforms.slack_actions import action_id
from bot.platforms.slack_buttons import Json, button, choice_rows, menu
from bot.platforms.slack_limits import BLOCKS, LABEL, MESSAGE, OPTIONS, SECTION, TEXT
from bot.platforms.slack_mrkdwn import Piece, escaped, escaped_within, pieces
from bot.platforms.slack_table import ShownTable, shown_table

_OFFERED = 2000
_NOTED = 300
"""Characters of what is said in place of choices."""


@dataclass(frozen=True, slots=True)
class _Item:
    """What stays together in one message."""

    blocks: tuple[Json, ...]
    plain: str
    plainer: tuple[Json, ...] = ()
    """The same without a kind of block that not every workspace takes."""


def reply_parts(reply: Reply, turn: str) -> tuple[Part, ...]:
    """``reply`` as messages and then its files; with a turn's id, with buttons for it."""
    tables = {table: shown_table(table) for table in reply.tables}

    def is_whole(table: ReplyTable) -> bool:
        found = tables[table]
        return found is not None and not found.shown

    shown = shown_reply(reply, turn, is_whole)
    items = [_said(piece) for piece in pieces(shown.markdown)]
    for table in shown.tables:
        found = tables[table]
        if found is not None:
            items.append(_table_item(table, found))
    items.extend(_choice_items(shown.choices, turn))
    items.extend(_closing(shown, turn))
    messages = [_message(group) for group in _grouped(items)]
    return (*messages, *(_file(file) for file in shown.files))


def progress_part(note: str, seconds: float, turn: str) -> Part:
    """What is being done, for how long already, and the button that stops it."""
    text = progress_text(cut(note, 300), seconds)
    stop: Json = {
        "type": "actions",
        "elements": [button(Act.STOP, STOP, turn, style="danger")],
    }
    return Part(text, (_context(text), stop))


def why_part(text: str, reasons: tuple[Choice, ...], turn: str) -> Part:
    """A menu of reasons why the answer of ``turn`` did not help."""
    chosen: Json = {"type": "actions", "elements": [menu(Act.UNHELPFUL, reasons, turn)]}
    return Part(text, (_section(escaped_within(text, SECTION)), chosen))


def settled_part(part: Part, note: str, by: str = "") -> Part:
    """``part`` with ``note`` in place of what a choice was made with; itself without any."""
    kept = tuple(block for block in part.body if not _offers_choice(block))
    if len(kept) == len(part.body):
        return part
    note = cut(note, _NOTED)
    said = escaped(note)
    told = _mrkdwn(f"<@{by}> {said}" if by else said)
    text = f"{part.text}\n{by} {note}" if by else f"{part.text}\n{note}"
    return Part(text, (*kept, {"type": "context", "elements": [told]}))


def _offers_choice(block: Mapping[str, object]) -> bool:
    elements = block.get("elements")
    if block["type"] != "actions" or not isinstance(elements, list):
        return False
    return str(elements[0]["action_id"]).startswith(action_id(Act.CHOOSE))


def _said(piece: Piece) -> _Item:
    return _Item((_section(piece.mrkdwn),), piece.plain)


def _table_item(table: ReplyTable, shown: ShownTable) -> _Item:
    name = _section(f"*{escaped(cut(table.name, LABEL))}*")
    under = (_context(shown.shown),) if shown.shown else ()
    plain = "\n".join(line for line in (table.name, shown.plain, shown.shown) if line)
    plainer = (name, _section(shown.preformatted), *under)
    return _Item((name, shown.block, *under), plain, plainer)


def _choice_items(choices: tuple[Choice, ...], turn: str) -> Iterator[_Item]:
    if not choices:
        return
    rows = choice_rows(choices, turn) if turn else []
    if not rows or len(choices) > OPTIONS or any(len(c.label) > LABEL for c in choices):
        listed = "\n".join(f"{number}. {c.label}" for number, c in enumerate(choices, 1))
        yield from (_said(piece) for piece in pieces(listed))
    offered = cut("Choose: " + " \N{MIDDLE DOT} ".join(c.label for c in choices), _OFFERED)
    if rows:
        yield _Item(tuple(rows), offered)


def _closing(shown: ShownReply, turn: str) -> Iterator[_Item]:
    """The evidence in a line, and the buttons below."""
    blocks = [_context(*shown.evidence)] if shown.evidence else []
    if shown.buttons:
        buttons = [button(each.act, each.label, turn) for each in shown.buttons]
        blocks.append({"type": "actions", "elements": buttons})
    if blocks:
        yield _Item(tuple(blocks), "\n".join(shown.evidence))


def _grouped(items: Iterable[_Item]) -> Iterator[list[_Item]]:
    """The items in as few messages as their limits allow; a message has one table at most."""
    group: list[_Item] = []
    for item in items:
        if group and not _fit([*group, item]):
            yield group
            group = []
        group.append(item)
    if group:
        yield group


def _fit(group: list[_Item]) -> bool:
    for form in (_blocks(group), _blocks(group, plainer=True)):
        if len(form) > BLOCKS or sum(_length(block) for block in form) > MESSAGE:
            return False
    tables = sum(bool(item.plainer) for item in group)
    return tables <= 1 and len(escaped(_plain(group))) <= TEXT


def _message(group: list[_Item]) -> Part:
    words = Part(_plain(group))
    whole = replace(words, body=tuple(_blocks(group)), instead=(words,))
    if not any(item.plainer for item in group):
        return whole
    plainer = replace(words, body=tuple(_blocks(group, plainer=True)))
    return replace(whole, instead=(plainer, words))


def _blocks(group: list[_Item], *, plainer: bool = False) -> list[Json]:
    return [
        block
        for item in group
        for block in (item.plainer if plainer and item.plainer else item.blocks)
    ]


def _plain(group: list[_Item]) -> str:
    return "\n".join(item.plain for item in group if item.plain)


def _length(content: object) -> int:
    """The characters that people see of a block."""
    if isinstance(content, Mapping):
        return sum(
            len(value) if key == "text" and isinstance(value, str) else _length(value)
            for key, value in content.items()
        )
    if isinstance(content, list | tuple):
        return sum(_length(each) for each in content)
    return 0


def _file(file: ReplyFile) -> Part:
    lost = Part(f"{file.name} could not be attached here: {file.title}")
    blocks = (_section(escaped_within(lost.text, SECTION)),)
    return Part(file.title, files=(file,), instead=(replace(lost, body=blocks),))


def _section(mrkdwn: str) -> Json:
    return {"type": "section", "text": _mrkdwn(mrkdwn)}


def _context(*plain: str) -> Json:
    texts = [_mrkdwn(escaped_within(each, SECTION)) for each in plain]
    return {"type": "context", "elements": texts}


def _mrkdwn(text: str) -> Json:
    # Verbatim, no name in the text becomes a link or calls anybody.
    return {"type": "mrkdwn", "text": text, "verbatim": True}
