"""The five questions in other tools beside ours, at growing sizes, as a table in Markdown.

Run: python -m bench.peers [MINUTES]   (at most about so many, 10 unless given)

Each tool gets an environment of its own in a temporary folder. It begins with the smallest lake
and goes on to larger ones as long as it answers in time; that it did not is a result like any
other. What cannot be installed or run is said. rdflib and maplib load the graph that we would
build; morph-kgc makes its own from the Parquet file and a mapping; DuckDB reads the Parquet file,
as a bound for what is possible.
"""

import json
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench._five_queries import QUERIES, Query, make_lake
from bench.virtual_execution import PERIODS_AN_HOUR, Asked, asked, checked, least
from retrieval.query_text import HEADER

NODES = 100
HOURS = (1, 6, 24)
"""The lakes, each of so many hours of the nodes with a reading each 20 s."""
HOURS_AS_GRAPH = 6
"""The largest lake that is asked as a graph of ours: it takes a minute, and is no one's way."""
MINUTES = 10.0
SECONDS_TO_ANSWER = 60.0
SECONDS_TO_INSTALL = 180.0
TOOLS = {
    "DuckDB": ("in_duckdb.py", "duckdb", "pytz"),
    "maplib": ("in_maplib.py", "maplib"),
    "morph-kgc": ("in_morph_kgc.py", "morph-kgc", "pyarrow"),
    "rdflib": ("in_rdflib.py", "rdflib"),
}
"""The script for each tool, and what is installed for it."""
HOURLY = 'odaf:floorTime(?t, "PT1H", "UTC")'


@dataclass(frozen=True, slots=True)
class Prepared:
    """A lake with its graph as a file, and the questions in SPARQL as every tool knows it."""

    hours: int
    lake: Asked
    graph: Path
    queries: Path

    @property
    def readings(self) -> int:
        """How many the lake has."""
        return NODES * self.hours * PERIODS_AN_HOUR


@dataclass(frozen=True, slots=True)
class Found:
    """Seconds to load and of each question, as far as they came; and why there are no more."""

    load: float | None = None
    seconds: tuple[float | str, ...] = ()
    why: str = ""


class Deadline:
    """What is left of the time for everything."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def at_most(self, seconds: float) -> float:
        """``seconds``, or what is left, but always one second."""
        return max(1.0, min(seconds, self._end - time.monotonic()))


def main() -> None:
    """Print one row a tool and size, ours first."""
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else MINUTES
    deadline = Deadline(60 * minutes)
    names = [query.name for query in QUERIES]
    print("| " + " | ".join(["tool", "readings", "load", *names]) + " |")
    print("|---" + "|---:" * (len(names) + 2) + "|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lakes = [_prepared(folder / f"{hours} hours", hours) for hours in HOURS]
        for ours, way in OURS.items():
            for lake in lakes:
                if lake.hours <= HOURS_AS_GRAPH or way is not _graph:
                    _print(ours, lake.readings, way(lake))
        for tool in TOOLS:
            for lake, found in _theirs(tool, folder, lakes, deadline):
                _print(tool, lake.readings, found)


def _prepared(folder: Path, hours: int) -> Prepared:
    lake = asked(make_lake(folder / "lake", NODES, hours), hours)
    prepared = Prepared(hours, lake, folder / "graph.nt", folder / "queries.json")
    with prepared.graph.open("wb") as file:
        file.writelines(lake.execution.triples(lake.scope))
    texts = [f"{HEADER}\n{_portable(query).sparql}" for query in QUERIES]
    prepared.queries.write_text(json.dumps(texts))
    return prepared


def _portable(query: Query) -> Query:
    """``query`` in SPARQL as every tool knows it."""
    text = query.sparql.replace(HOURLY, "SUBSTR(STR(?t), 1, 13)")
    return Query(query.name, text, query.bare)


def _virtual(prepared: Prepared) -> Found:
    ways = [partial(prepared.lake.virtual, checked(_portable(query))) for query in QUERIES]
    return Found(0.0, tuple(least(way)[0] for way in ways))


def _bare(prepared: Prepared) -> Found:
    return Found(0.0, tuple(least(partial(prepared.lake.bare, query))[0] for query in QUERIES))


def _graph(prepared: Prepared) -> Found:
    load = _seconds(prepared.lake.build)
    ways = [partial(prepared.lake.materialised, checked(_portable(query))) for query in QUERIES]
    return Found(load, tuple(_seconds(way) for way in ways))


OURS = {"odabot, virtual": _virtual, "odabot, graph": _graph, "Polars alone": _bare}


def _seconds(work: Callable[[], None]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _theirs(
    tool: str, folder: Path, lakes: list[Prepared], deadline: Deadline
) -> Iterator[tuple[Prepared, Found]]:
    """What the tool's script found at each size, up to the first that it does not manage."""
    script, *packages = TOOLS[tool]
    home = folder / tool
    venv.create(home, with_pip=True)
    python = str(home / "bin" / "python")
    install = (python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", *packages)
    _, why = _run(install, deadline.at_most(SECONDS_TO_INSTALL))
    if why:
        yield lakes[0], Found(why=f"not installed: {why}")
        return
    path = str(Path(__file__).with_name(script))
    for prepared in lakes:
        files = (prepared.lake.files[0], prepared.graph, prepared.queries)
        seconds = deadline.at_most(SECONDS_TO_ANSWER)
        told, why = _run((python, path, *map(str, files)), seconds)
        last = json.loads(told[-1]) if told else {"load": None, "seconds": []}
        yield prepared, Found(last["load"], tuple(last["seconds"]), why)
        if why:
            return


def _run(command: tuple[str, ...], seconds: float) -> tuple[list[str], str]:
    """The lines that came, and what kept the rest from coming."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as error:
        told = error.stdout.decode() if isinstance(error.stdout, bytes) else ""
        whole = told[: told.rfind("\n") + 1]
        return whole.splitlines(), f"no answer within {seconds:.0f} s"
    lines = (done.stderr or done.stdout).strip().splitlines()
    why = "" if done.returncode == 0 else (lines or [f"exit code {done.returncode}"])[-1]
    return [] if why else done.stdout.splitlines(), why


def _print(tool: str, readings: int, found: Found) -> None:
    cells = [_cell(value) for value in found.seconds]
    cells += [found.why or ""] if len(cells) < len(QUERIES) else []
    cells += [""] * (len(QUERIES) - len(cells))
    load = "" if found.load is None else _cell(found.load)
    print("| " + " | ".join([tool, f"{readings:,}", load, *cells]) + " |", flush=True)


def _cell(value: float | str) -> str:
    return f"{value:.3f} s" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main()
