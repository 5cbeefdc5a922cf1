"""A question as the product reads and runs it: the checked queries that made its tables."""

import sys
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

from agent.plan import Plan, Retrieve
from agent.planner import make_plan
from agent.retriever import Outcome, Retriever
from agent.session import Turn
from bot.settings import Settings
from bot.wiring import build_data_service
from ontology.schema_loader import load_schema
from retrieval.certificates import written_certificates
from retrieval.curated_pairs import CuratedPair, load_pairs
from retrieval.metric_catalog import MetricCatalog
from retrieval.outcome import Retrieved
from retrieval.quantity_catalog import QuantityCatalog
from retrieval.quantity_documents import documents_of
from retrieval.query_text import HEADER
from retrieval.settings import RetrievalSettings
from retrieval.vector_index import VectorIndex
from tests.fakes.no_embedder import NoEmbedder
from tests.lakes import TINY_METRICS, tiny_lake, tiny_profile


@cache
def curated_pairs() -> dict[str, CuratedPair]:
    """The pairs by their ids; it takes seconds to check them all."""
    return {pair.id: pair for pair in load_pairs(load_schema())}


@dataclass(frozen=True, slots=True)
class Ran:
    """What a question came to."""

    results: tuple[Retrieved, ...]

    @property
    def queries(self) -> tuple[str, ...]:
        """Each query that made a table, once."""
        return tuple(dict.fromkeys(q.text for r in self.results for q in r.data_queries))

    @property
    def treatment(self) -> tuple[str, ...]:
        return tuple(t for r in self.results for t in r.treatment)


class NotAnswered(Exception):
    """The question was not read, or there were no data."""


class Asker:
    """Reads and runs questions over a lake; draws nothing and writes no sentence."""

    def __init__(self, lake: Path, folder: Path) -> None:
        settings = Settings(retrieval=RetrievalSettings(lake=lake), data=folder / "data")
        catalog = MetricCatalog.load()
        quantities = QuantityCatalog(catalog)
        index = VectorIndex(folder / "vectors", NoEmbedder(), documents_of(quantities))
        self._data = build_data_service(settings, catalog, quantities, index)
        self._folder = folder
        self._asked: dict[tuple[str, datetime], Ran] = {}

    def ran(self, question: str, now: datetime) -> Ran:
        """The results for ``question``; raises NotAnswered with what was said instead."""
        asked = question, now
        if asked not in self._asked:
            self._asked[asked] = self._ran(question, now)
        return self._asked[asked]

    def _ran(self, question: str, now: datetime) -> Ran:
        plan = make_plan(self._data, Turn(question, now), ())
        if not isinstance(plan, Plan):
            raise NotAnswered(f"{question}: {plan}")
        found: tuple[Outcome, ...] = ()
        for step in plan.steps:
            if isinstance(step, Retrieve):
                answers = Path(mkdtemp(dir=self._folder))
                found += Retriever(self._data).retrieve(step, plan, answers, lambda note: None)
        results = tuple(r for r in found if isinstance(r, Retrieved))
        if not results or len(results) < len(found):
            raise NotAnswered(f"{question}: {found}")
        return Ran(results)


def curated_lake(path: Path) -> Path:
    """The tiny lake with the metrics that the curated pairs ask for."""
    gpus = (f"Gpu{gpu}_{name}" for gpu in range(4) for name in ("gpu_temp", "power_usage"))
    return tiny_lake(path, profile=tiny_profile(metrics=TINY_METRICS | {"mem_free", *gpus}))


def main(arguments: list[str]) -> None:
    """Print the pairs named, with what their questions come to now; all certificates without any.

    After a review, the pair's file is written by hand, and then
    ``python -m tests.curated_asking > retrieval/examples/certificates.json``.
    """
    pairs = curated_pairs()
    if not arguments:
        sys.stdout.write(written_certificates([*pairs.values()]))
        return
    with TemporaryDirectory() as folder:
        asker = Asker(curated_lake(Path(folder) / "lake"), Path(folder))
        for pair in (pairs[name] for name in arguments):
            ran = asker.ran(pair.question, pair.asked_at)
            queries = "\n\n".join(query.removeprefix(HEADER) for query in ran.queries)
            told = (pair.id, pair.question, pair.answers, str(list(ran.treatment)), queries)
            sys.stdout.write("\n".join(told) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
