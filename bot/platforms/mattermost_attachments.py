"""A reply as Mattermost posts: words, tables and evidence as Markdown, buttons as attachments.

A button's ``context`` says plainly what it does, as nobody knows yet where it will stand; whoever
posts it seals that.
"""

import json
from collections.abc import Iterable, Mapping

from agent import Choice
from bot.messages import Act, Reply, ReplyFile
from bot.outlet import Part
from bot.platforms.cut_text import cut
from bot.platforms.mattermost_limits import BUTTONS, FILES, LABEL, PROPS
from bot.platforms.mattermost_markdown import escaped, is_whole, posts, preview, uncalled, undrawn
from bot.platforms.reply_model import CHOOSE, STOP, progress_text, shown_reply

Json = dict[str, object]

_NOTED = 300
_DRESS = 120
"""Characters that an action takes beside its words: the address, and the token."""


def reply_parts(reply: Reply, turn: str) -> tuple[Part, ...]:
    """``reply`` as posts and then its files; with a turn's id, with buttons for it."""
    shown = shown_reply(reply, turn, is_whole)
    words = [uncalled(shown.markdown)] if shown.markdown.strip() else []
    for table in shown.tables:
        rows, rest = preview(table)
        if rows:
            words.append(f"**{escaped(cut(table.name, LABEL))}**\n\n{rows}")
            words.extend([f"*{rest}*"] if rest else [])
    buttons = [_button(each.act, each.label, turn) for each in shown.buttons]
    room = PROPS - _length(buttons)
    chooser = _chooser(shown.choices, turn, room) if turn else None
    if shown.choices and (chooser is None or not _says_all(chooser, shown.choices)):
        words.append("\n".join(f"{n}. {escaped(c.label)}" for n, c in enumerate(shown.choices, 1)))
    lines = [line for text in shown.evidence for line in text.split("\n")]
    words.extend(f"*{escaped(line.strip())}*" for line in lines if line.strip())
    attachments = [each for each in (chooser, _attachment(buttons)) if each is not None]
    *first, last = posts(words) or ("",)
    ending = (_post(last, attachments),) if last or attachments else ()
    return (*(Part(text) for text in first), *ending, *_files(shown.files))


def progress_part(note: str, seconds: float, turn: str) -> Part:
    """What is being done, for how long already, and the button that stops it."""
    stop = {**_button(Act.STOP, STOP, turn), "style": "danger"}
    return _post(escaped(progress_text(cut(note, 300), seconds)), [{"actions": [stop]}])


def why_part(text: str, reasons: tuple[Choice, ...], turn: str) -> Part:
    """A menu of reasons why the answer of ``turn`` did not help."""
    return _post(escaped(text), [{"actions": [_menu(Act.UNHELPFUL, reasons, turn)]}])


def settled_part(part: Part, note: str, by: str = "") -> Part:
    """``part`` with ``note`` in place of what a choice was made with; itself without any.

    ``by``: the person of whom the note is said, as they are called there: "@ada".
    """
    kept = tuple(each for each in part.body if not _offers_choice(each))
    if len(kept) == len(part.body):
        return part
    said = escaped(cut(note, _NOTED))
    told = f"{by} {said}" if by else said
    return _post(f"{part.text}\n\n*{told}*", kept)


def actions_of(attachment: Mapping[str, object]) -> list[Json]:
    """The buttons and menus of an attachment."""
    actions = attachment.get("actions")
    return actions if isinstance(actions, list) else []


def _post(text: str, attachments: Iterable[Mapping[str, object]]) -> Part:
    body = tuple(attachments)
    return Part(text, body, instead=(Part(text),) if body else ())


def _files(files: tuple[ReplyFile, ...]) -> tuple[Part, ...]:
    """The files, in posts of as many as one has."""
    groups = [files[at : at + FILES] for at in range(0, len(files), FILES)]
    return tuple(_file_post(group) for group in groups)


def _file_post(files: tuple[ReplyFile, ...]) -> Part:
    # A picture has no words of its own here, so that the post says what it shows.
    titles = "\n".join(escaped(file.title) for file in files)
    # A table may be too large for a server, where a picture is not.
    pictures = tuple(file for file in files if file.is_picture)
    kept = [pictures] if 0 < len(pictures) < len(files) else []
    return Part(titles, files=files, instead=tuple(_less(files, k) for k in [*kept, ()]))


def _less(files: tuple[ReplyFile, ...], kept: tuple[ReplyFile, ...]) -> Part:
    """The post of ``files`` with those ``kept`` alone; says which are lost."""
    titles = [escaped(file.title) for file in files]
    lost = [file for file in files if file not in kept]
    told = [f"{escaped(file.name)} could not be attached here." for file in lost]
    return Part("\n".join([*titles, *told]), files=kept)


def _chooser(choices: tuple[Choice, ...], turn: str, room: int) -> Json | None:
    """What a choice is made with: buttons, or one menu where there are too many for that.

    ``room``: how many characters of a post's properties it may take.
    """
    if not choices:
        return None
    buttons = [
        {**_button(Act.CHOOSE, choice.label, turn, choice.id), "id": f"{Act.CHOOSE}{number}"}
        for number, choice in enumerate(choices)
    ]
    if len(buttons) <= BUTTONS and _length(buttons) <= room:
        return {"actions": buttons}
    fitting = choices
    while fitting and _length([_menu(Act.CHOOSE, fitting, turn)]) > room:
        fitting = fitting[:-1]
    return {"actions": [_menu(Act.CHOOSE, fitting, turn)]} if fitting else None


def _says_all(chooser: Json, choices: tuple[Choice, ...]) -> bool:
    """Whether every choice can be read there as it is."""
    options = actions_of(chooser)[0].get("options")
    there = len(options) if isinstance(options, list) else len(actions_of(chooser))
    return there == len(choices) and all(len(choice.label) <= LABEL for choice in choices)


def _attachment(actions: list[Json]) -> Json | None:
    return {"actions": actions} if actions else None


def _button(act: Act, label: str, turn: str, value: str = "") -> Json:
    # Anything but letters and digits in an id never reaches us.
    context = {"act": str(act), "turn": turn, "value": value}
    made = {"id": str(act), "type": "button", "name": undrawn(cut(label, LABEL))}
    return {**made, "integration": {"context": context}}


def _menu(act: Act, choices: tuple[Choice, ...], turn: str) -> Json:
    options = [{"text": cut(choice.label, LABEL), "value": choice.id} for choice in choices]
    return {**_button(act, CHOOSE, turn), "type": "select", "options": options}


def _offers_choice(attachment: Mapping[str, object]) -> bool:
    return any(str(action["id"]).startswith(Act.CHOOSE) for action in actions_of(attachment))


def _length(actions: list[Json]) -> int:
    """About so many characters of a post's properties; the server counts some signs as six."""
    text = json.dumps(actions, ensure_ascii=False, separators=(",", ":"))
    return len(text) + 5 * sum(text.count(sign) for sign in "<>&") + _DRESS * len(actions)
