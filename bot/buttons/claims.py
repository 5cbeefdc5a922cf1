"""Who settled a question back, and how: what TurnStore.claim keeps, once for each turn."""

import json
from dataclasses import asdict, dataclass

from bot.turn_store import TurnStore

_WHAT = "choice"


@dataclass(frozen=True, slots=True)
class Claim:
    """The end of a question back; the first one stands."""

    cause: str
    """The id of the click or the turn that ended it."""
    author: str = ""
    """Whoever chose; empty where nobody did."""
    choice: str = ""
    """The id of what was chosen; empty where nothing was."""


def claimed(turns: TurnStore, turn: str, claim: Claim) -> Claim:
    """The claim that stands for ``turn``: ``claim`` where there was none before."""
    stands = json.loads(turns.claim(turn, _WHAT, json.dumps(asdict(claim))))
    return Claim(**stands)
