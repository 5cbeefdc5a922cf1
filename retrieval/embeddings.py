"""Port: texts to vectors."""

from collections.abc import Sequence
from typing import Protocol


class Embedder(Protocol):
    """Turns texts into vectors of one fixed length."""

    @property
    def name(self) -> str:
        """Which model it is; vectors of different names are not compared."""
        ...

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector of length one for each text, in order.

        Raises EmbeddingUnavailable where no model can be loaded.
        """
        ...
