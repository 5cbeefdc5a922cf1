import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from retrieval.quantity_documents import Document
from retrieval.vector_index import VectorIndex
from tests.fakes.hash_embedder import HashEmbedder

DOCUMENTS = (
    Document("ipmi_pub", "fan_speed", "speed of fans"),
    Document("ipmi_pub", "node_power", "power of the node"),
    Document("ipmi_pub", "node_power", "wattage"),
    Document("vertiv_pub", "crac_fan_speed", "fans of the air conditioner"),
)


def test_finds_the_same_words_first(tmp_path: Path) -> None:
    index = VectorIndex(tmp_path, HashEmbedder(), DOCUMENTS)

    nearest = index.nearest("wattage", ["ipmi_pub"], 2)

    assert nearest[0][0] == "node_power"
    assert nearest[0][1] > 0.99
    assert len(nearest) == 2


def test_keeps_to_the_plugins_asked_for(tmp_path: Path) -> None:
    index = VectorIndex(tmp_path, HashEmbedder(), DOCUMENTS)

    nearest = index.nearest("fans", ["vertiv_pub", "unknown_pub"], 5)

    assert [quantity for quantity, _ in nearest] == ["crac_fan_speed"]


def test_uses_what_is_on_disk_again(tmp_path: Path) -> None:
    VectorIndex(tmp_path, HashEmbedder(), DOCUMENTS).nearest("fans", ["ipmi_pub"], 1)
    embedder = HashEmbedder()

    VectorIndex(tmp_path, embedder, DOCUMENTS).nearest("fans", ["ipmi_pub"], 1)

    assert embedder.embedded == ["fans"]


def test_is_made_anew_for_another_model(tmp_path: Path) -> None:
    VectorIndex(tmp_path, HashEmbedder(), DOCUMENTS).nearest("fans", ["ipmi_pub"], 1)
    embedder = HashEmbedder("another")

    VectorIndex(tmp_path, embedder, DOCUMENTS).nearest("fans", ["ipmi_pub"], 1)

    assert "wattage" in embedder.embedded


def test_is_made_anew_for_other_documents(tmp_path: Path) -> None:
    VectorIndex(tmp_path, HashEmbedder(), DOCUMENTS).nearest("fans", ["ipmi_pub"], 1)
    more = (*DOCUMENTS, Document("ipmi_pub", "inlet", "warm air"))

    nearest = VectorIndex(tmp_path, HashEmbedder(), more).nearest("warm air", ["ipmi_pub"], 1)

    assert nearest[0][0] == "inlet"


def test_warms_up_every_plugin(tmp_path: Path) -> None:
    embedder = HashEmbedder()

    VectorIndex(tmp_path, embedder, DOCUMENTS).warm_up()

    assert {document.text for document in DOCUMENTS} <= set(embedder.embedded)


def test_two_who_want_it_at_once_make_it_once(tmp_path: Path) -> None:
    both = threading.Barrier(2)

    class Slow(HashEmbedder):
        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            with suppress(threading.BrokenBarrierError):
                both.wait(0.5)  # for as long as the other one would take to begin as well
            return super().embed(texts)

    embedders = Slow(), Slow()
    with ThreadPoolExecutor(2) as processes:
        made = [
            processes.submit(VectorIndex(tmp_path, embedder, DOCUMENTS[:3]).warm_up)
            for embedder in embedders
        ]
        for each in made:
            each.result(30)

    assert sorted("wattage" in embedder.embedded for embedder in embedders) == [False, True]
