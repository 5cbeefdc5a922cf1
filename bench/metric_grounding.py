"""Prints how many phrases of the table are grounded rightly, and what the vectors cost.

    python -m bench.metric_grounding [FOLDER]

FOLDER keeps the vectors between runs; without it they are made anew.
"""

import sys
import tempfile
from collections import Counter
from pathlib import Path
from time import perf_counter

from retrieval.metric_catalog import MetricCatalog
from retrieval.metric_matcher import MetricMatcher
from retrieval.metric_mentions import MetricReader
from retrieval.quantity_catalog import QuantityCatalog
from retrieval.quantity_documents import documents_of
from retrieval.sentence_embedder import SentenceEmbedder
from retrieval.vector_index import VectorIndex
from tests.integration.phrase_table import Verdict, rows, verdict


class _Clock:
    def __init__(self) -> None:
        self._last = perf_counter()

    def say(self, what: str) -> None:
        now = perf_counter()
        sys.stdout.write(f"{what}: {now - self._last:.2f} s\n")
        self._last = perf_counter()


def main(folder: Path) -> None:
    """Measures and prints; raises EmbeddingUnavailable where there is no model."""
    clock = _Clock()
    quantities = QuantityCatalog(MetricCatalog.load())
    reader = MetricReader(quantities)
    clock.say("catalogue and phrases")
    documents = documents_of(quantities)
    index = VectorIndex(folder, SentenceEmbedder(), documents)
    index.nearest("warmth of the silicon", ["weather_pub"], 1)
    clock.say("first phrase by likeness, cold (model loaded)")
    index.warm_up()
    clock.say(f"vectors of {len(documents)} documents (made, or read from disk)")
    matcher = MetricMatcher(reader, quantities, index)
    table = rows()
    verdicts = [(row, *verdict(row, matcher)) for row in table]
    clock.say(f"{len(table)} phrases")
    for row, said, got in verdicts:
        if said is not Verdict.RIGHT:
            sys.stdout.write(f"  {said}: {row.phrase!r} expected {row.expected}, got {got}\n")
    counts = Counter(said for _, said, _ in verdicts)
    share = counts[Verdict.RIGHT] / len(table)
    sys.stdout.write(
        f"right {counts[Verdict.RIGHT]}, too cautious {counts[Verdict.CAUTIOUS]}, "
        f"wrong {counts[Verdict.WRONG]} of {len(table)} ({share:.1%} right)\n"
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as made:
            main(Path(made))
