"""A table of results that a program wrote, read with suspicion."""

from pathlib import Path

import pytest

from agent.result_table import read_results, results_table


def test_numbers_are_numbers_and_the_rest_is_text() -> None:
    results = read_results(b"node,slope [W/h],note\r\n900,-1.5e-3,\n901,2,rises\n")

    assert results.headings == ("node", "slope [W/h]", "note")
    assert results.rows == ((900, -0.0015, None), (901, 2, "rises"))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "no rows"),
        (b"slope\n", "no rows"),
        (b"a,b\n1\n", "different lengths"),
        (b"a,\n1,2\n", "without a heading"),
        (b"slope\nnan\n", "no number under 'slope'"),
        (b"slope\n1\ninf\n", "no number under 'slope'"),
        (b"a\n" + b"1\n" * 10_001, "too large"),
        (b",".join([b"a"] * 41) + b"\n" + b",".join([b"1"] * 41), "too large"),
        (b"a\n" + b"x" * 201, "more than 200 characters"),
        (b"a\n" + b"x" * 200_000, "cannot be read"),
        (b"a\n\0\n", ""),
    ],
)
def test_says_what_is_wrong_with_it(content: bytes, told: str) -> None:
    assert told in "".join(read_results(content).problems)


def test_only_the_first_rows_are_kept_in_memory() -> None:
    table = results_table(read_results(b"a\n" + b"1\n" * 50), "results", Path("result.csv"))

    assert (table.row_count, len(table.preview)) == (50, 20)
