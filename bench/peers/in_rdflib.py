"""Run inside rdflib's own environment: the five questions over the graph, loaded into memory."""

import json
import sys
import time
from pathlib import Path

from rdflib import Graph


def main() -> None:
    """Print the seconds of loading and of each question, asked once, as JSON."""
    graph = Graph()
    started = time.perf_counter()
    graph.parse(sys.argv[2], format="nt")
    load = time.perf_counter() - started
    seconds = []
    for text in json.loads(Path(sys.argv[3]).read_text()):
        started = time.perf_counter()
        list(graph.query(text))
        seconds.append(time.perf_counter() - started)
        # Each line has all there is so far, in case that no more comes in time.
        print(json.dumps({"load": load, "seconds": seconds}), flush=True)


main()
