"""Buttons and menus in Slack: what may be pressed below a reply."""

from agent import Choice
from bot.messages import Act
from bot.platforms.cut_text import cut
from bot.platforms.reply_model import CHOOSE
from bot.platforms.slack_actions import action_id, action_value
from bot.platforms.slack_limits import ELEMENTS, LABEL, OPTION_VALUE, OPTIONS, VALUE

Json = dict[str, object]


def button(act: Act, label: str, turn: str, *, style: str = "") -> Json:
    """A button that does ``act`` for the turn of that trace id."""
    made: Json = {
        "type": "button",
        "action_id": action_id(act),
        "text": _label(label),
        "value": action_value(turn),
    }
    return {**made, "style": style} if style else made


def choice_rows(choices: tuple[Choice, ...], turn: str) -> list[Json]:
    """What a choice is made with: buttons, or one menu where there are too many for that.

    What Slack cannot carry, as its id is too long, is left to be written.
    """
    elements = _menus(choices, turn) if len(choices) > ELEMENTS else _buttons(choices, turn)
    return [{"type": "actions", "elements": elements}] if elements else []


def _buttons(choices: tuple[Choice, ...], turn: str) -> list[Json]:
    return [
        {
            **button(Act.CHOOSE, choice.label, turn),
            "action_id": action_id(Act.CHOOSE, number),
            "value": value,
        }
        for number, choice in enumerate(choices)
        if len(value := action_value(turn, choice.id)) <= VALUE
    ]


def _menus(choices: tuple[Choice, ...], turn: str) -> list[Json]:
    fitting = tuple(c for c in choices if len(action_value(turn, c.id)) <= OPTION_VALUE)
    return [menu(Act.CHOOSE, fitting[:OPTIONS], turn)] if fitting else []


def menu(act: Act, choices: tuple[Choice, ...], turn: str) -> Json:
    """A menu that does ``act`` with the choice made in it."""
    options = [{"text": _label(c.label), "value": action_value(turn, c.id)} for c in choices]
    return {
        "type": "static_select",
        "action_id": action_id(act),
        "placeholder": _label(CHOOSE),
        "options": options,
    }


def _label(text: str) -> Json:
    # An emoji's name between colons stays what it says: names of ours hold colons.
    return {"type": "plain_text", "text": cut(text, LABEL), "emoji": False}
