"""Shares and ratios of results."""

import polars as pl
import pytest

from retrieval.data_request import Ratio
from retrieval.query_text import Column, Role
from retrieval.shares import job_shares, share_of_owners, with_ratio
from retrieval.tables import Shaped
from retrieval.understanding import ReadingStops

DAY = Column("day", "day", Role.KEY)
CHILLERS = Column("average_0", "average chiller power", Role.VALUE, "kW")
FACILITY = Column("average_1", "average facility power", Role.VALUE, "kW")


def _powers(*rows: tuple[str, float | None, float | None]) -> Shaped:
    schema = {"day": pl.String, "average_0": pl.Float64, "average_1": pl.Float64}
    return Shaped("power", (DAY, CHILLERS, FACILITY), pl.DataFrame(rows, schema, orient="row"))


def test_a_share_is_in_per_cent_and_a_ratio_is_not() -> None:
    table = _powers(("1", 250.0, 1000.0))

    share = with_ratio(table, Ratio(0, percent=True))
    ratio = with_ratio(table, Ratio(1, percent=False))

    assert (share.frame["share"].to_list(), share.columns[-1].unit) == ([25.0], "%")
    assert (ratio.frame["share"].to_list(), ratio.columns[-1].heading) == ([4.0], "ratio")


def test_a_share_of_nothing_or_of_what_is_absent_is_empty() -> None:
    table = _powers(("1", 250.0, 0.0), ("2", None, 1000.0), ("3", 1.0, None))

    assert with_ratio(table, Ratio(0, percent=True)).frame["share"].to_list() == [None] * 3


def test_what_is_divided_is_brought_to_one_unit_first() -> None:
    watts = Column("average_0", "average node power", Role.VALUE, "W")
    table = _powers(("1", 250_000.0, 1000.0))
    table = Shaped(table.name, (DAY, watts, FACILITY), table.frame)

    assert with_ratio(table, Ratio(0, percent=True)).frame["share"].to_list() == [25.0]
    assert with_ratio(table, Ratio(1, percent=False)).frame["share"].to_list() == [4.0]


def test_what_measures_other_things_is_not_divided() -> None:
    degrees = Column("average_0", "average inlet", Role.VALUE, "°C")
    table = _powers(("1", 25.0, 1000.0))

    with pytest.raises(ReadingStops):
        with_ratio(Shaped("both", (DAY, degrees, FACILITY), table.frame), Ratio(0, percent=True))


def test_only_one_value_is_divided_by_one_other() -> None:
    table = Shaped("power", (DAY, CHILLERS), pl.DataFrame({"day": ["1"], "average_0": [1.0]}))

    with pytest.raises(ReadingStops):
        with_ratio(table, Ratio(0, percent=True))


def test_the_share_of_owners_counts_each_owner_once() -> None:
    found = Shaped("inlet", (Column("node", "node", Role.KEY),), pl.DataFrame({"node": [1, 1, 2]}))

    assert share_of_owners(found, "node", 8).frame.row(0) == (2, 8, 25.0)


def test_no_owner_is_a_share_of_zero() -> None:
    found = Shaped("inlet", (Column("node", "node", Role.KEY),), pl.DataFrame({"node": []}))

    assert share_of_owners(found, "node", 8).frame.row(0) == (0, 8, 0.0)


def _jobs(**counts: int) -> Shaped:
    columns = (Column("state", "state", Role.KEY), Column("count", "jobs", Role.COUNT))
    return Shaped(
        "jobs", columns, pl.DataFrame({"state": list(counts), "count": list(counts.values())})
    )


def test_the_states_that_are_asked_for_come_first() -> None:
    first, whole = job_shares(_jobs(COMPLETED=60, FAILED=25, TIMEOUT=15), ("FAILED", "TIMEOUT"))

    assert first.frame.row(0) == (40, 100, 40.0)
    assert whole.frame["share"].to_list() == [60.0, 25.0, 15.0]


def test_without_states_every_group_has_its_share() -> None:
    (whole,) = job_shares(_jobs(COMPLETED=3, FAILED=1), ())

    assert whole.frame["share"].to_list() == [75.0, 25.0]


def test_states_beside_other_things_are_of_all_jobs_of_the_same_things() -> None:
    columns = (
        Column("user", "user", Role.KEY),
        Column("state", "state", Role.KEY),
        Column("count", "jobs", Role.COUNT),
    )
    rows = [("1", "COMPLETED", 30), ("1", "FAILED", 10), ("2", "COMPLETED", 5)]
    frame = pl.DataFrame(rows, ["user", "state", "count"], orient="row")

    (failed,) = job_shares(Shaped("jobs", columns, frame), ("FAILED",))
    (each,) = job_shares(Shaped("jobs", columns, frame), ())

    assert failed.frame.rows() == [("1", 10, 40, 25.0), ("2", 0, 5, 0.0)]
    assert each.frame["share"].to_list() == [75.0, 25.0, 100.0]


def test_no_jobs_have_no_share() -> None:
    table = _jobs(FAILED=1)
    none = Shaped(table.name, table.columns, table.frame.clear())

    first, _ = job_shares(none, ("FAILED",))

    assert first.frame.row(0) == (0, 0, None)
