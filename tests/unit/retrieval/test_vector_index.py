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
