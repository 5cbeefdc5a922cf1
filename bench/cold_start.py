"""Where the time of one `odabot ask` in a fresh process goes.

Run: python -m bench.cold_start LAKE
"""

import subprocess
import sys
import tempfile
import time
from statistics import median

QUESTION = "Average total power of node 318 on 1 June 2022 from 08:00 to 12:00"
ROUNDS = 5
STEPS = (
    ("python itself", "pass"),
    ("polars", "import polars"),
    ("langgraph", "import langgraph.graph"),
    ("all of ours", "import agent.coordinator, bot.wiring"),
)


def main() -> None:
    """Print the median seconds of each import and of the whole command."""
    if len(sys.argv) < 2:
        print("bench.cold_start needs a lake: python -m bench.cold_start LAKE")
        return
    for name, code in STEPS:
        print(f"{_median([sys.executable, '-c', code]):6.2f} s  {name}")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "bot", "ask", "--json", "--lake", sys.argv[1]]
        command += ["--now", "2022-06-15T10:00:00Z", "--out", folder, QUESTION]
        print(f"{_median(command):6.2f} s  odabot ask, everything")


def _median(command: list[str]) -> float:
    seconds = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        seconds.append(time.perf_counter() - started)
    return median(seconds)


if __name__ == "__main__":
    main()
