"""A stand-in for Embedder: vectors of hashed words, so that equal words are alike."""

import hashlib
import math
from collections.abc import Sequence

_LENGTH = 64


class HashEmbedder:
    """Knows nothing of meaning; counts how often it was asked."""

    def __init__(self, name: str = "hash") -> None:
        self.name = name
        self.embedded: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.embedded += texts
        return [_vector(text) for text in texts]


def _vector(text: str) -> list[float]:
    numbers = [0.0] * _LENGTH
    for word in text.lower().split():
        digest = hashlib.sha256(word.encode()).digest()
        numbers[digest[0] % _LENGTH] += 1.0
    size = math.sqrt(sum(number * number for number in numbers)) or 1.0
    return [number / size for number in numbers]
