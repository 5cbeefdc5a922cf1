"""How a button, a menu or a form says in Slack what it does, and for which turn.

Within one block Slack wants each action id once, so a number follows where several do the same:
``choose:3``. A value is the turn's id and, behind a blank, what was chosen.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.messages import Act

_BETWEEN = ":"


@dataclass(frozen=True, slots=True)
class Action:
    """What was pressed, read back."""

    act: Act
    turn: str
    value: str = ""


def action_id(act: Act, number: int = 0) -> str:
    """The action id of a button or menu; ``number`` tells those of one block apart."""
    return f"{act}{_BETWEEN}{number}" if number else str(act)


def action_value(turn: str, chosen: str = "") -> str:
    """The value of a button, or of one option of a menu."""
    return f"{turn} {chosen}" if chosen else turn


def read_action(pressed: Mapping[str, object]) -> Action | None:
    """What an entry of ``actions`` says; None where it is none of ours."""
    option = pressed.get("selected_option")
    value = option.get("value") if isinstance(option, Mapping) else pressed.get("value")
    return _action(str(pressed.get("action_id", "")), str(value or ""))


def _action(identity: str, value: str) -> Action | None:
    act = identity.partition(_BETWEEN)[0]
    turn, _, chosen = value.partition(" ")
    if act not in set(Act) or not turn:
        return None
    return Action(Act(act), turn, chosen)
