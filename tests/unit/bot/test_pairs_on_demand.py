"""Curated pairs are made once, when the first example is asked for."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bot.pairs_on_demand import PairsOnDemand
from retrieval.curated_pairs import NearestPairs, documents_of_pairs
from retrieval.vector_index import VectorIndex
from tests.curated_asking import curated_pairs
from tests.fakes.hash_embedder import HashEmbedder


def test_threads_that_ask_at_once_share_the_pairs(tmp_path: Path) -> None:
    made: list[NearestPairs] = []

    def make() -> NearestPairs:
        pairs = [*curated_pairs().values()]
        index = VectorIndex(tmp_path, HashEmbedder(), documents_of_pairs(pairs))
        made.append(NearestPairs(pairs, index))
        return made[0]

    pairs = PairsOnDemand(make)
    assert made == []

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: pairs.nearest("power of node 5", 2), range(4)))

    assert len(made) == 1
    assert all(len(each) == 2 for each in found)
