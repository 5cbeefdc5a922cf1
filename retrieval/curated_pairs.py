"""Questions with the queries that answer them, each reviewed by an owner: ``examples/*.toml``."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from importlib.resources import files

from ontology.conformance import CheckedQuery, Rejection, check_query
from ontology.schema import Schema
from retrieval.errors import CatalogError
from retrieval.metric_matcher import Likeness
from retrieval.quantity_documents import Document
from retrieval.query_text import HEADER

_COLLECTION = "curated-pairs"


@dataclass(frozen=True, slots=True)
class CuratedPair:
    """A question, and what answers it."""

    id: str
    question: str
    asked_at: datetime
    """The moment from which the question's words for times are understood."""
    owner: str
    """The role of those who answer for the pair."""
    reviewed: date
    answers: str
    """What the queries give, by which convention."""
    treatment: tuple[str, ...]
    """What is done with their rows, as :mod:`retrieval.treatment` has it."""
    queries: tuple[CheckedQuery, ...]


def load_pairs(schema: Schema) -> tuple[CuratedPair, ...]:
    """All pairs, in the order of their files.

    Raises CatalogError where a file cannot be read, a query does not pass the gate or an id stands
    twice.
    """
    found: dict[str, CuratedPair] = {}
    folder = files("retrieval").joinpath("examples")
    for source in sorted(folder.iterdir(), key=lambda each: each.name):
        if not source.name.endswith(".toml"):
            continue
        try:
            data = tomllib.loads(source.read_text("utf-8"))
            pairs = [_pair(row, data["asked_at"], schema) for row in data["pair"]]
        except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
            raise CatalogError(f"{source.name}: {error}") from error
        for pair in pairs:
            if pair.id in found:
                raise CatalogError(f"{source.name}: {pair.id} stands twice")
            found[pair.id] = pair
    return tuple(found.values())


def _pair(row: dict[str, object], asked_at: datetime, schema: Schema) -> CuratedPair:
    texts = {name: str(row[name]) for name in ("id", "question", "owner", "answers")}
    reviewed, treatment, queries = row["reviewed"], row["treatment"], row["queries"]
    if not isinstance(reviewed, date):
        raise TypeError(f"{texts['id']}: 'reviewed' is no date")
    if not isinstance(treatment, list) or not isinstance(queries, list):
        raise TypeError(f"{texts['id']}: 'treatment' and 'queries' are lists")
    return CuratedPair(
        asked_at=asked_at,
        reviewed=reviewed,
        treatment=tuple(map(str, treatment)),
        queries=tuple(_checked(texts["id"], str(query), schema) for query in queries),
        **texts,
    )


def _checked(pair: str, query: str, schema: Schema) -> CheckedQuery:
    checked = check_query(f"{HEADER}\n{query.strip()}", schema)
    if isinstance(checked, Rejection):
        raise CatalogError(f"{pair}: {'; '.join(v.message for v in checked.violations)}")
    return checked


def documents_of_pairs(pairs: Sequence[CuratedPair]) -> tuple[Document, ...]:
    """What a vector index embeds to find ``pairs`` by their questions."""
    return tuple(Document(_COLLECTION, pair.id, pair.question) for pair in pairs)


class NearestPairs:
    """The pairs whose questions are most like another: examples for whoever writes a query."""

    def __init__(self, pairs: Sequence[CuratedPair], index: Likeness) -> None:
        """``index`` is one over the documents of ``pairs``."""
        self._pairs = {pair.id: pair for pair in pairs}
        self._index = index

    def nearest(self, question: str, count: int) -> tuple[CuratedPair, ...]:
        """The ``count`` nearest pairs, best first; equally near ones by their ids.

        Raises EmbeddingUnavailable where no model can be loaded.
        """
        found = self._index.nearest(question, (_COLLECTION,), count)
        return tuple(self._pairs[name] for name, _ in found)
