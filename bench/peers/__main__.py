"""The five questions in other tools beside ours: seconds to load, and of each question.

Run: python -m bench.peers [HOURS]   (of 100 nodes; 2 hours, 36,000 readings, unless given)

Each tool gets an environment of its own in a temporary folder, and five minutes. What cannot be
installed or run is said. rdflib and maplib load the graph that we would build; morph-kgc makes its
own from the Parquet file and a mapping; DuckDB reads the Parquet file, as a bound for what is
possible.
"""

import json
import subprocess
import sys
import tempfile
import time
import venv
from functools import partial
from pathlib import Path

from bench._five_queries import QUERIES, Query, make_lake
from bench.virtual_execution import Asked, asked, checked, least
from retrieval.query_text import HEADER

NODES = 100
HOURS = 2
SECONDS = 300
TOOLS = {
    "duckdb": ("duckdb", "pytz"),
    "rdflib": ("rdflib",),
    "maplib": ("maplib",),
    "morph-kgc": ("morph-kgc", "pyarrow"),
}
"""What is installed for each tool."""
HOURLY = 'odaf:floorTime(?t, "PT1H", "UTC")'


def main() -> None:
    """Print one line a tool, ours first."""
    hours = int(sys.argv[1]) if len(sys.argv) > 1 else HOURS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lake = asked(make_lake(folder / "lake", NODES, hours), hours)
        graph = folder / "graph.nt"
        with graph.open("wb") as file:
            file.writelines(lake.execution.triples(lake.scope))
        queries = folder / "queries.json"
        texts = [f"{HEADER}\n{_portable(query).sparql}" for query in QUERIES]
        queries.write_text(json.dumps(texts))
        print("tool: seconds to load; seconds of " + ", ".join(q.name for q in QUERIES))
        _ours(lake)
        for tool in TOOLS:
            _print(tool, _theirs(tool, folder, lake.files[0], graph, queries))


def _portable(query: Query) -> Query:
    """``query`` in SPARQL as every tool knows it."""
    text = query.sparql.replace(HOURLY, "SUBSTR(STR(?t), 1, 13)")
    return Query(query.name, text, query.bare)


def _ours(lake: Asked) -> None:
    portable = [checked(_portable(query)) for query in QUERIES]
    seconds = [least(partial(lake.virtual, query))[0] for query in portable]
    _print("odabot, virtual", {"load": 0.0, "seconds": seconds})
    started = time.perf_counter()
    lake.build()
    load = time.perf_counter() - started
    seconds = [least(partial(lake.materialised, query))[0] for query in portable]
    _print("odabot, graph", {"load": load, "seconds": seconds})
    seconds = [least(partial(lake.bare, query))[0] for query in QUERIES]
    _print("Polars alone", {"load": 0.0, "seconds": seconds})


def _theirs(tool: str, folder: Path, *files: Path) -> dict[str, object]:
    """What the tool's script found, or why it could not."""
    home = folder / tool
    venv.create(home, with_pip=True)
    python = str(home / "bin" / "python")
    script = Path(__file__).with_name(f"in_{tool.replace('-', '_')}.py")
    try:
        _run(python, "-m", "pip", "install", "--quiet", *TOOLS[tool])
        answer = _run(python, str(script), *map(str, files))
    except subprocess.CalledProcessError as error:
        return {"failed": (error.stderr or error.stdout).strip().splitlines()[-1]}
    except subprocess.TimeoutExpired as error:
        answer = (error.stdout or b"").decode()
        if not answer:
            return {"failed": f"no answer within {SECONDS} s"}
    found: dict[str, object] = json.loads(answer.splitlines()[-1])
    return found


def _run(*command: str) -> str:
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=SECONDS)
    return done.stdout


def _print(tool: str, found: dict[str, object]) -> None:
    if "failed" in found:
        print(f"{tool:16} could not be installed or run: {found['failed']}")
        return
    seconds = "  ".join(
        f"{s:8.3f}" if isinstance(s, float) else f"{s:>8}"
        for s in found["seconds"]  # type: ignore[attr-defined]
    )
    print(f"{tool:16} {found['load']:8.3f}  {seconds}")


if __name__ == "__main__":
    main()
