"""Cells of a table, instants and outside text as people read them."""

import math
import unicodedata
from datetime import UTC, datetime

from agent.answer import Cell

MISSING = "\N{EN DASH}"


def cell_text(cell: Cell) -> str:
    """``cell`` in words: a number without noise, an instant in UTC, a missing value as a dash."""
    match cell:
        case None:
            return MISSING
        case bool():
            return "yes" if cell else "no"
        case int():
            return str(cell)
        case float():
            return number_text(cell)
        case datetime():
            return instant_text(cell)
        case _:
            return visible(cell)


def number_text(number: float) -> str:
    """``number`` with at most three decimals, or four significant digits below one."""
    if not math.isfinite(number):
        return "not a number" if math.isnan(number) else ("∞" if number > 0 else "-∞")
    text = f"{number:.3f}" if abs(number) >= 1 else f"{number:.4g}"
    if "e" in text or "." not in text:
        return text
    return text.rstrip("0").rstrip(".")


def instant_text(moment: datetime) -> str:
    """``moment`` in UTC, to the second: ``2022-06-01 16:00:00Z``."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%SZ")


def visible(text: str) -> str:
    """``text`` without what a terminal or a page could take for a command.

    Control and direction-changing characters and halves of surrogate pairs are replaced by one
    sign; new lines and tabs stay.
    """
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if _is_hidden(character) else character for character in text
    )


def _is_hidden(character: str) -> bool:
    if character in "\n\t":
        return False
    category = unicodedata.category(character)
    # Joiners and marks shape honest writing and emoji; the other format characters reorder text.
    return category in {"Cc", "Cs"} or (category == "Cf" and character not in "\u200c\u200d\u00ad")
