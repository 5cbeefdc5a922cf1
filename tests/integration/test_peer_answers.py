"""What differs from the others of its kind over a tiny lake; computed again from the files."""

import polars as pl
import pytest

from tests.asking import Thread, table_of
from tests.stored import Stored


def _means(stored: Stored, metric: str) -> pl.DataFrame:
    """The mean of each of the forty nodes on 1 June, with its rack."""
    node = pl.col("node").cast(pl.Int64)
    samples = stored.on_1_june(metric).filter(node < 40)
    return (
        samples.group_by("node").agg(pl.col("value").mean())
        .with_columns((pl.col("node").cast(pl.Int64) // 20).alias("rack"))
    )  # fmt: skip


def _told(thread: Thread, text: str) -> dict[str, float]:
    table = table_of(thread.found(text))
    by = next(name for name in table.columns if name.startswith(("deviation", "robust")))
    return dict(zip([str(node) for node in table["node"]], table[by], strict=True))


def test_nodes_off_the_mean_of_their_rack(thread: Thread, stored: Stored) -> None:
    told = _told(
        thread, "nodes whose mean power was more than 15 % off the rack's mean on 1 June 2022"
    )

    means = _means(stored, "total_power")
    share = 100 * (pl.col("value") / pl.col("value").mean().over("rack") - 1)
    off = means.with_columns(share.alias("by")).filter(pl.col("by").abs() > 15)
    assert 0 < off.height < means.height
    assert told == pytest.approx(dict(off.select("node", "by").rows()))


def test_nodes_above_the_mean_of_the_others(thread: Thread, stored: Stored) -> None:
    told = _told(
        thread,
        "nodes with a power more than 15 % above the average of the other nodes on 1 June 2022",
    )

    means = _means(stored, "total_power")
    rest = (pl.col("value").sum() - pl.col("value")) / (pl.len() - 1)
    above = means.with_columns((100 * (pl.col("value") / rest - 1)).alias("by")).filter(
        pl.col("by") > 15
    )
    assert 0 < above.height < means.height
    assert told == pytest.approx(dict(above.select("node", "by").rows()))
    assert list(told.values()) == sorted(told.values(), reverse=True)


def test_nodes_that_are_far_off_without_a_number(thread: Thread, stored: Stored) -> None:
    answer = thread.found("nodes with unusual inlet temperature on 1 June 2022")

    means = _means(stored, "ambient")
    off = pl.col("value") - pl.col("value").median()
    far = means.with_columns((off / (1.4826 * off.abs().median())).alias("by")).filter(
        pl.col("by").abs() > 3
    )
    table = table_of(answer)
    assert 0 < far.height < means.height
    assert sorted(str(node) for node in table["node"]) == sorted(far["node"])
    assert "3 robust standard deviations" in answer.text


def test_that_nothing_differs_is_said(thread: Thread) -> None:
    answer = thread.found("nodes whose power was more than 900 % above the average on 1 June 2022")

    assert "none differs so far" in answer.text
    assert table_of(answer).height == 0


def test_too_few_have_no_others(thread: Thread) -> None:
    declined = thread.declined("which of the nodes 5 and 6 had a power more than 5 % off the mean"
                               " on 1 June 2022")  # fmt: skip

    assert "fewer than 3" in declined.text
