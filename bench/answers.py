"""How long questions take in a warm process, and how much memory one over all nodes needs.

Run: python -m bench.answers [LAKE]   (without a lake, the demo lake is made in a temporary folder)
"""

import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from agent import Analyst, Question, Session
from bot.settings import Settings
from bot.wiring import build_analyst
from retrieval.demo_lake import make_demo_lake
from retrieval.settings import RetrievalSettings

NOW = datetime(2022, 6, 15, 10, tzinfo=UTC)
ROUNDS = 5
RETRIEVAL = (
    "How many nodes are there in M100?",
    "Average, minimum and maximum total power of node 318 on 1 June 2022 from 08:00 to 12:00",
    "Top 5 nodes by mean power on 1 June 2022",
    "Average node power per rack, 1 June 2022, 10:00 to 11:00",
    "Energy of rack 45 on 1 June 2022",
    "Which nodes exceeded 28 °C at the inlet between 09:00 and 10:00 on 1 June 2022?",
    "Hourly mean of the node power over the whole machine for 1 June 2022",
    "Who are the top five users by node-hours for jobs started 1-7 June 2022?",
    "Which compute nodes were drained at some time on 1 June 2022?",
    "What was the average PUE of the data centre on 1 June 2022?",
)
CHARTS = (
    "Plot the total power of node 900 from 1 June 2022 20:00 to 23:59",
    "Histogram of the inlet temperature of all nodes on 1 June 2022 between 08:00 and 09:00",
    "Dual-axis plot of inlet temperature and total power of node 900 on 1 June 2022",
)


def main() -> None:
    """Print the seconds of each question, warm, and the peak memory."""
    with _lake() as lake, tempfile.TemporaryDirectory() as folder:
        settings = Settings(retrieval=RetrievalSettings(lake=lake), data=Path(folder))
        started = time.perf_counter()
        analyst = build_analyst(settings, Path(folder) / "answers")
        print(f"parts ready in {time.perf_counter() - started:.2f} s")
        try:
            _print_seconds("retrieval", RETRIEVAL, analyst)
            _print_seconds("with a chart", CHARTS, analyst)
        finally:
            analyst.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of the whole run: {peak:.0f} MB")


def _print_seconds(title: str, questions: tuple[str, ...], analyst: Analyst) -> None:
    medians = []
    for question in questions:
        _seconds(analyst, question)  # warms what the question needs
        seconds = [_seconds(analyst, question) for _ in range(ROUNDS)]
        medians.append(median(seconds))
        print(f"{medians[-1]:7.2f} s  (best {min(seconds):.2f})  {question}")
    print(f"{title}: median {median(medians):.2f} s, slowest {max(medians):.2f} s\n")


def _seconds(analyst: Analyst, question: str) -> float:
    started = time.perf_counter()
    asked = Question(question, NOW, f"bench-{time.time_ns()}")
    analyst.answer(asked, Session(), lambda _: None)
    return time.perf_counter() - started


@contextmanager
def _lake() -> Iterator[Path]:
    if len(sys.argv) > 1:
        yield Path(sys.argv[1])
        return
    with tempfile.TemporaryDirectory() as folder:
        lake = Path(folder) / "lake"
        make_demo_lake(lake)
        yield lake


if __name__ == "__main__":
    main()
