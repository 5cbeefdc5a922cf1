"""What a person typed, out of the markup in which Slack hands it on."""

import html
import re

# A mention, a channel, a command such as @here, or a link; what is shown follows a bar.
_MARKED = re.compile(r"<([@#!]?)([^<>|]*)(?:\|([^<>]*))?>")
_BLANKS = re.compile(r"[ \t\u00a0]+")


def plain_text(text: str, bot_user: str) -> str:
    """``text`` as it was typed, without the mention of ``bot_user``.

    A name that Slack took for a link (r205n01.m100.it) is the name again. A channel stays as
    ``<#ID|name>``: only the id finds it again.
    """

    def typed(found: re.Match[str]) -> str:
        sign, target, shown = found.groups()
        if sign == "@":
            return "" if target == bot_user else f"@{shown or target}"
        if sign == "#":
            return found.group()
        if sign == "!":
            return shown or f"@{target.partition('^')[0]}"
        return shown or target.removeprefix("mailto:")

    words = html.unescape(_MARKED.sub(typed, text)).replace("`", "")
    lines = (_BLANKS.sub(" ", line).strip() for line in words.splitlines())
    return "\n".join(lines).strip().lstrip(",:").strip()


def mentions(text: str, user: str) -> bool:
    """Whether ``text`` mentions ``user`` anywhere."""
    return any(sign == "@" and who == user for sign, who, _ in _MARKED.findall(text))


def begins_with_others(text: str, bot_user: str) -> bool:
    """Whether ``text`` begins by speaking to somebody, or to everybody, but not to ``bot_user``."""
    found = _MARKED.match(text.lstrip())
    if found is None or found.group(1) not in {"@", "!"}:
        return False
    return not mentions(text, bot_user)
