from datetime import UTC, datetime, timedelta, timezone

import pytest

from agent.answer import Cell
from bot.cell_text import cell_text, visible

CEST = timezone(timedelta(hours=2))


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (None, "\N{EN DASH}"),
        (True, "yes"),
        (0, "0"),
        (1_234_567, "1234567"),
        (812.0, "812"),
        (805.376543, "805.377"),
        (-0.000123456, "-0.0001235"),
        (1_234_567.891, "1234567.891"),
        (1e15, "1000000000000000"),
        (float("nan"), "not a number"),
        (float("-inf"), "-∞"),
        (datetime(2022, 6, 1, 2, 0, tzinfo=CEST), "2022-06-01 00:00:00Z"),
        (datetime(2022, 6, 1, 12, 30, 59, tzinfo=UTC), "2022-06-01 12:30:59Z"),
        ("node\x1b[31m", "node\N{REPLACEMENT CHARACTER}[31m"),
    ],
)
def test_cells_read_as_people_write_them(cell: Cell, text: str) -> None:
    assert cell_text(cell) == text


@pytest.mark.parametrize("hidden", ["\x00", "\x1b", "\x9b", "\r", "\u202e", "\u2066", "\ud800"])
def test_replaces_characters_that_command_or_mislead(hidden: str) -> None:
    assert visible(f"a{hidden}b") == "a\N{REPLACEMENT CHARACTER}b"


def test_keeps_lines_accents_and_joined_emoji() -> None:
    text = "é\n\tü 温度 👩\u200d🔧"

    assert visible(text) == text
