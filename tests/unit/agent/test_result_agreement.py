"""Numbers count where two programs, written apart, have them."""

import pytest

from agent.result_agreement import agreed, as_csv
from agent.result_table import Results, read_results

ONE = read_results(b"node,slope [W/h],offset [W]\n900,0.5,700\n901,-0.25,650\n")


@pytest.mark.parametrize(
    ("other", "left"),
    [
        (b"node,slope [W/h],offset [W]\n900,0.5,700\n901,-0.25,650\n", ONE.headings),
        (b"offset,rate,name\n650,-0.2500000001,901\n700,0.5,900\n", ONE.headings),
        (b"node,slope [W/h],offset [W]\n900,0.5,1\n901,-0.25,2\n", ("node", "slope [W/h]")),
        (b"node,slope [W/s]\n900,0.000139\n901,-0.0000694\n", None),
        (b"node,slope\n900,0.5\n", None),
        (b"node,slope\n900,high\n901,low\n", None),
    ],
)
def test_keeps_the_columns_whose_numbers_both_have(
    other: bytes, left: tuple[str, ...] | None
) -> None:
    both = agreed(ONE, read_results(other))

    assert (both.headings if both else None) == left
    assert both is None or both.rows[0][:2] == (900, 0.5)


def test_one_number_alone_is_agreed_in_or_not() -> None:
    slope = read_results(b"slope\n0.5\n")

    assert agreed(slope, read_results(b"rate\n0.5\n")) == slope
    assert agreed(slope, read_results(b"rate\n0.6\n")) is None


def test_what_is_left_is_written_as_it_is_read() -> None:
    assert read_results(as_csv(ONE)) == ONE
    quoted = Results(('a "b", c',), (("x,y",), (None,)))
    assert b'"a ""b"", c"\n"x,y"\n' in as_csv(quoted)
