"""What the files of a tiny lake hold, for tests that compute a number a second time."""

from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import polars as pl

JUNE_1 = datetime(2022, 6, 1, tzinfo=UTC)
NOW = datetime(2022, 6, 2, tzinfo=UTC)


class Stored:
    """What the files of the lake hold, read without our reader."""

    def __init__(self, lake: Path) -> None:
        self._lake = lake

    @cache  # noqa: B019 - it lives as long as the module's lake
    def samples(self, plugin: str, metric: str) -> pl.DataFrame:
        """Every sample once, tags as texts and values as doubles."""
        paths = sorted(self._lake.glob(f"*/plugin={plugin}/metric={metric}/*.parquet"))
        frames = [pl.read_parquet(path, hive_partitioning=False) for path in paths]
        tags = [name for name in frames[0].columns if name not in ("timestamp", "value")]
        frame = pl.concat(
            f.with_columns(pl.col(*tags).cast(pl.String)) if tags else f for f in frames
        )
        return frame.unique(["timestamp", *tags], keep="first").with_columns(
            pl.col("value").cast(pl.Float64)
        )

    def between(
        self, plugin: str, metric: str, first: datetime, last: datetime, closed: bool = False
    ) -> pl.DataFrame:
        time = pl.col("timestamp")
        inside = (time >= first) & ((time <= last) if closed else (time < last))
        return self.samples(plugin, metric).filter(inside)

    def on_1_june(self, metric: str, node: str = "", plugin: str = "ipmi_pub") -> pl.DataFrame:
        frame = self.between(plugin, metric, JUNE_1, NOW)
        return frame.filter(pl.col("node") == node).sort("timestamp") if node else frame

    def hour(self, plugin: str, metric: str, start: int, end: int) -> pl.DataFrame:
        """Samples of 1 June from one full hour to another, both included."""
        first, last = JUNE_1 + timedelta(hours=start), JUNE_1 + timedelta(hours=end)
        return self.between(plugin, metric, first, last, closed=True)

    @cache  # noqa: B019 - it lives as long as the module's lake
    def jobs(self) -> pl.DataFrame:
        paths = sorted(self._lake.glob("*/plugin=job_table/metric=*/*.parquet"))
        frames = [pl.read_parquet(path, hive_partitioning=False) for path in paths]
        return pl.concat(frames, how="vertical_relaxed").unique("job_id", keep="first")
