"""Plain Markdown in Slack's own way of writing."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.platforms.slack_mrkdwn import pieces


def shown(markdown: str) -> str:
    return "\n".join(piece.mrkdwn for piece in pieces(markdown))


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("**812 W** on average", "*812 W* on average"),
        ("*inlet* or __outlet__", "_inlet_ or *outlet*"),
        ("~~gone~~", "~gone~"),
        ("## Nodes ##\ntext", "*Nodes*\ntext"),
        ("- one\n- two", "• one\n• two"),
        ("`a ** b` and **c**", "`a ** b` and *c*"),
        ("[the page](https://example.org/a)", "<https://example.org/a|the page>"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("p0_power_max", "p0_power_max"),
        ("a < b & c > d", "a &lt; b &amp; c &gt; d"),
        ("```sparql\nSELECT *\n```", "```\nSELECT *\n```"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "```\n| a | b |\n|---|---|\n| 1 | 2 |\n```"),
    ],
)
def test_markdown_reads_as_it_was_meant(markdown: str, expected: str) -> None:
    assert shown(markdown) == expected


@pytest.mark.parametrize("name", ["<!channel>", "<@U0ADA>", "<#C01>", "<https://evil.example|x>"])
def test_no_name_in_a_text_calls_or_links_anybody(name: str) -> None:
    assert "<" not in shown(f"node {name} is `{name}`")


def test_a_long_text_is_split_at_lines_and_nothing_of_it_is_lost() -> None:
    lines = [f"line {number} of a long text & more" for number in range(400)]

    split = pieces("\n".join(lines))

    assert len(split) > 3
    assert "\n".join(piece.plain for piece in split).split("\n") == lines


def test_long_code_is_split_into_code() -> None:
    split = pieces("```\n" + "SELECT ?node WHERE { ?node a :Node }\n" * 200 + "```")

    assert len(split) > 2
    assert all(p.mrkdwn.startswith("```\n") and p.mrkdwn.endswith("\n```") for p in split)


def test_a_fence_inside_code_does_not_end_it() -> None:
    assert shown("text\n```\nprint('```')\n```").count("```") == 2


@settings(deadline=None)
@given(st.text(alphabet="ab &<>*_~`|#-[]()\n", max_size=9000))
def test_every_piece_fits_a_section_and_keeps_every_word(markdown: str) -> None:
    split = pieces(markdown)

    assert all(0 < len(piece.mrkdwn) <= 3000 for piece in split)
    words = re.sub(r"[^ab]", "", markdown.replace("```", "\n```"))
    kept = re.sub(r"[^ab]", "", "".join(piece.plain for piece in split))
    # What stands behind the opening of a fence names a language.
    assert kept == words or "```" in markdown
