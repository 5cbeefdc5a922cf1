"""A plot of ten million readings: thinned and said so, or said why not; its table is whole."""

import io
import json
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import polars as pl

from bot.commands.ask import Asked, ask
from bot.settings import Settings
from bot.wiring import build_analyst
from retrieval.settings import RetrievalSettings
from sandbox.settings import SandboxSettings

NODES, SAMPLES = 980, 10_240
PEAK = 2_222


def _lake(root: Path) -> Path:
    """Power of every node each 20 s for almost 57 hours, one peak among it."""
    samples = np.datetime64("2022-06-01T00:00:00", "ms") + np.arange(SAMPLES) * 20_000
    values = np.random.default_rng(1).integers(20, 60, NODES * SAMPLES, np.int32) * 20
    values[5_000_001] = PEAK
    nodes = pl.Series("node", [str(n) for n in range(NODES)])
    frame = pl.DataFrame({"timestamp": samples}).join(nodes.to_frame(), how="cross")
    times = pl.col("timestamp").dt.replace_time_zone("UTC")
    folder = root / "year_month=22-06" / "plugin=ipmi_pub" / "metric=total_power"
    folder.mkdir(parents=True)
    frame.with_columns(times, value=pl.Series(values)).write_parquet(folder / "a_0.parquet")
    return root


def test_ten_million_readings_are_thinned_honestly_and_their_table_is_whole(tmp_path: Path) -> None:
    settings = Settings(
        data=tmp_path / "data",
        retrieval=RetrievalSettings(lake=_lake(tmp_path / "lake")),
        sandbox=SandboxSettings(seconds=600),  # this test holds the memory, not the time
    )
    question = "plot the total power of all nodes from 1 June 2022 00:00 to 3 June 2022 12:00"
    out = io.StringIO()

    code = ask(
        Asked(question, datetime(2022, 6, 4, tzinfo=UTC), as_json=True),
        settings, build_analyst, out, io.StringIO(),
    )  # fmt: skip

    answer = json.loads(out.getvalue())
    assert (code, answer["status"]) == (0, "completed")
    (table,) = answer["tables"]
    csv = pl.scan_csv(table["csv"])
    rows, highest = csv.select(pl.len(), pl.last().max().alias("highest")).collect().row(0)
    assert rows == table["row_count"] == NODES * SAMPLES
    assert highest == PEAK
    if answer["artifacts"]:
        assert f"of {NODES * SAMPLES:,} points are drawn" in answer["summary"]
        assert "so that no peak is lost" in answer["summary"]
    else:  # where isolation itself takes much of a job's memory
        assert "ask for fewer things" in answer["summary"]
