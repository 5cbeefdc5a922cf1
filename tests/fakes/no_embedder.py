"""A stand-in for Embedder on a host that has no model."""

from collections.abc import Sequence

from retrieval.errors import EmbeddingUnavailable


class NoEmbedder:
    """Has no vectors: metrics are found by the words that name them alone."""

    name = "none"

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        raise EmbeddingUnavailable("there is no model")
