"""Virtual execution against bare Polars on the same scans, interleaved in one run.

Run: python -m bench.virtual_execution LAKE   (needs total_power on 1 June 2022)
"""

import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import median

import polars as pl

from bot.settings import Settings
from bot.wiring import build_data_service, build_metric_index
from retrieval.asking import Asking
from retrieval.metric_catalog import MetricCatalog
from retrieval.quantity_catalog import QuantityCatalog
from retrieval.request_run import RequestRun
from retrieval.settings import RetrievalSettings
from retrieval.understanding import Understood

NOW = datetime(2022, 6, 15, 10, tzinfo=UTC)
START, END = datetime(2022, 6, 1, tzinfo=UTC), datetime(2022, 6, 2, tzinfo=UTC)
ROUNDS = 7


def _of_day(scan: pl.LazyFrame) -> pl.LazyFrame:
    return scan.filter(pl.col("timestamp").is_between(START, END, closed="left"))


BARE: dict[str, Callable[[pl.LazyFrame], pl.LazyFrame]] = {
    "average power of each node on 1 June 2022": lambda scan: (
        _of_day(scan).group_by("node").agg(pl.col("value").mean())
    ),
    "hourly mean of the node power over the whole machine for 1 June 2022": lambda scan: (
        _of_day(scan).group_by(pl.col("timestamp").dt.truncate("1h")).agg(pl.col("value").mean())
    ),
    "average, minimum and maximum power of node 318 on 1 June 2022": lambda scan: (
        _of_day(scan)
        .filter(pl.col("node") == "318")
        .select(
            pl.col("value").mean(),
            pl.col("value").min().alias("low"),
            pl.col("value").max().alias("high"),
        )
    ),
}


def main() -> None:
    """Print, for each query, the median seconds of both and their ratio."""
    if len(sys.argv) < 2:
        print("bench.virtual_execution needs a lake: python -m bench.virtual_execution LAKE")
        return
    lake = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(retrieval=RetrievalSettings(lake=lake), data=Path(folder))
        catalog = MetricCatalog.load()
        quantities = QuantityCatalog(catalog)
        data = build_data_service(
            settings, catalog, quantities, build_metric_index(settings, quantities)
        )
        files = sorted(lake.glob("year_month=*/plugin=ipmi_pub/metric=total_power/*.parquet"))
        scan = pl.scan_parquet(files)
        for question, bare in BARE.items():
            understood = data.read(Asking(question, NOW, {}))
            assert isinstance(understood, Understood), understood
            compiled = data.source.compiler.compile(understood.asked)  # type: ignore[arg-type]
            run = RequestRun(data.source, understood.asked, Path(folder))  # type: ignore[arg-type]
            ours, theirs = [], []
            for _ in range(ROUNDS):
                ours.append(_seconds(partial(run.part, compiled[0])))
                theirs.append(_seconds(partial(bare(scan).collect, engine="streaming")))
            virtual, plain = median(ours), median(theirs)
            print(f"{virtual:.3f} s virtual, {plain:.3f} s bare: {virtual / plain:.1f}  {question}")


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
