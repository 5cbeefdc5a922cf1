"""Which several questions one text may be."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.digests.splitting import ways_to_split

NOW = datetime(2022, 6, 10, 8, tzinfo=UTC)


def ways(text: str) -> list[tuple[str, ...]]:
    """Each part with the time that may hold for it as well in brackets."""
    found = ways_to_split(text, NOW, ZoneInfo("UTC"))
    return [tuple(f"{p.text} [{p.time}]" if p.time else p.text for p in way) for way in found]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "PUE and the five hottest nodes of yesterday",
            ("PUE [yesterday]", "the five hottest nodes of yesterday"),
        ),
        (
            "Yesterday's PUE and the five hottest nodes?",
            ("Yesterday's PUE", "the five hottest nodes [Yesterday]"),
        ),
        (
            "PUE of yesterday and the number of failed jobs in the last 7 days",
            ("PUE of yesterday", "the number of failed jobs in the last 7 days"),
        ),
        (
            "PUE plus the jobs that failed yesterday",
            ("PUE [yesterday]", "the jobs that failed yesterday"),
        ),
        (
            "power of rack 3 and the hottest node of rack 4 yesterday",
            ("power of rack 3 [yesterday]", "the hottest node of rack 4 yesterday"),
        ),
        ("the hottest node and the coldest rack", ("the hottest node", "the coldest rack")),
    ],
)
def test_a_time_that_is_said_once_is_offered_to_every_part(
    text: str, parts: tuple[str, ...]
) -> None:
    assert parts in ways(text)


def test_between_semicolons_each_has_its_own_time() -> None:
    assert ways("which nodes are down; PUE of yesterday?") == [
        ("which nodes are down", "PUE of yesterday")
    ]
    assert ("which nodes are down", "PUE [yesterday]", "the hottest node of yesterday") in ways(
        "which nodes are down; PUE and the hottest node of yesterday"
    )


@pytest.mark.parametrize(
    "text",
    [
        "PUE of yesterday",
        "PUE between 8 and 10 yesterday",
        "PUE from 8:00 to 9:00 and 10:00 to 11:00 yesterday",
        # A bound that belongs to the nodes before it.
        "nodes with power above 1 kW and temperature above 30 C yesterday",
        # Words for what the part before it is about.
        "the jobs that failed yesterday and their users",
        "the hottest node yesterday and the jobs that ran on it",
        # The rack may hold for both.
        "average power and the five hottest nodes in rack 5 yesterday",
        # It is open which of the two times is meant for the PUE.
        "PUE, power of yesterday and the failed jobs of last week",
        "",
        " and ",
    ],
)
def test_there_is_no_way_where_a_word_may_belong_elsewhere(text: str) -> None:
    assert not [parts for parts in ways(text) if len(parts) == text.count(",") + 2]


def test_fewer_parts_come_first() -> None:
    counts = [len(parts) for parts in ways("PUE, the hottest node and the coldest rack, yesterday")]

    assert counts == sorted(counts)
    assert counts[0] == 2


def test_a_semicolon_always_parts() -> None:
    found = ways("average power; the five hottest nodes in rack 5; PUE, all of yesterday")

    assert found
    assert all("power" not in part or "hottest" not in part for way in found for part in way)


def test_no_more_parts_than_are_sensible() -> None:
    assert max(map(len, ways("aa, bb, cc, dd, ee, ff, gg and hh yesterday"))) == 4
    assert not ways("aa; bb; cc; dd; ee")
