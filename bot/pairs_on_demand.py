"""The curated pairs as examples, checked and embedded when one is first asked for."""

from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from retrieval.curated_pairs import CuratedPair, NearestPairs


class PairsOnDemand:
    """Finds pairs as NearestPairs does; to check them all takes seconds, which few wait for."""

    def __init__(self, make: "Callable[[], NearestPairs]") -> None:
        self._make = make
        self._lock = Lock()
        self._made: NearestPairs | None = None

    def nearest(self, question: str, count: int) -> "tuple[CuratedPair, ...]":
        """The ``count`` nearest pairs, best first; raises EmbeddingUnavailable."""
        with self._lock:
            if self._made is None:
                self._made = self._make()
        return self._made.nearest(question, count)
