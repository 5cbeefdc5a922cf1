"""What a person typed in Mattermost, which hands messages on as they were typed."""

import re

# A user name begins with a letter or figure and may hold dots, which end a sentence as well.
_SPOKEN_TO = re.compile(r"(?<![\w.@-])@(\w+(?:[.-]+\w+)*)")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_BLANKS = re.compile(r"[ \t\u00a0]+")


def plain_text(text: str, bot_name: str) -> str:
    """``text`` without the mention of ``bot_name`` and without the marks of code."""

    def typed(found: re.Match[str]) -> str:
        return "" if found.group(1).lower() == bot_name.lower() else found.group()

    words = _SPOKEN_TO.sub(typed, text).replace("`", "")
    lines = (_BLANKS.sub(" ", line).strip() for line in words.splitlines())
    return "\n".join(lines).strip().lstrip(",:").strip()


def mentions(text: str, name: str) -> bool:
    """Whether ``text`` mentions the user called ``name``: outside of code, as Mattermost has it.

    Mattermost's own list of who is mentioned is not asked: whoever writes to all is on it.
    """
    return any(who.lower() == name.lower() for who in _SPOKEN_TO.findall(_CODE.sub(" ", text)))


def begins_with_others(text: str, bot_name: str) -> bool:
    """Whether ``text`` begins by speaking to somebody, or to everybody, but not to ``bot_name``."""
    return _SPOKEN_TO.match(text.lstrip()) is not None and not mentions(text, bot_name)
