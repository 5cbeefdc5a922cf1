"""The parser in several threads at once, from the first query of a process on."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
_AT_ONCE = """
import sys, threading
from ontology.query_tree import parsed

sys.setswitchinterval(1e-6)
texts = [
    "PREFIX x: <urn:x#> SELECT ?s (AVG(?v) AS ?m) { ?s x:p%d ?v . FILTER(?v > 1.5) } GROUP BY ?s"
    % number
    for number in range(8)
]
failed, ready = [], threading.Barrier(len(texts))


def parse(text):
    ready.wait()
    try:
        parsed(text)
    except Exception as error:
        failed.append(error)


threads = [threading.Thread(target=parse, args=(text,)) for text in texts]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
sys.exit(str(failed[0]) if failed else 0)
"""


def test_the_first_queries_of_a_process_may_come_at_once() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _AT_ONCE], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")
