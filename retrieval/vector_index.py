"""Quantities by likeness of words: vectors on disk, one Chroma collection a plugin."""

import fcntl
import hashlib
import json
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from retrieval.embeddings import Embedder
from retrieval.quantity_documents import Document

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection

_BATCH = 512


class VectorIndex:
    """Documents that can be found by meaning; built when first asked, kept on disk."""

    def __init__(self, folder: Path, embedder: Embedder, documents: Sequence[Document]) -> None:
        """``folder`` holds the vectors; they are made anew when model or documents change."""
        self._folder = folder
        self._embedder = embedder
        self._documents = tuple(documents)
        self._client: ClientAPI | None = None
        self._open: dict[str, Collection] = {}
        self._lock = threading.Lock()

    def nearest(
        self, text: str, plugins: Iterable[str], count: int
    ) -> tuple[tuple[str, float], ...]:
        """The ``count`` nearest quantities of these plugins: id and likeness, best first.

        Likeness is the cosine, 1 for the same words; a quantity counts with its best document.
        Raises EmbeddingUnavailable where no model can be loaded.
        """
        vector: list[Sequence[float] | Sequence[int]] = [*self._embedder.embed([text])]
        best: dict[str, float] = {}
        for plugin in sorted(set(plugins)):
            collection = self._collection(plugin)
            if collection is None:
                continue
            found = collection.query(
                query_embeddings=vector,
                n_results=min(count * 8, collection.count()),
                include=["metadatas", "distances"],
            )
            for metadata, distance in zip(
                (found["metadatas"] or [[]])[0], (found["distances"] or [[]])[0], strict=True
            ):
                quantity = str(metadata["quantity"])
                best[quantity] = max(best.get(quantity, -1.0), 1.0 - distance)
        ordered = sorted(best.items(), key=lambda item: (-item[1], item[0]))
        return tuple(ordered[:count])

    def warm_up(self) -> None:
        """Loads the model and builds what is missing, so that the first question need not."""
        for plugin in sorted({document.plugin for document in self._documents}):
            self._collection(plugin)
        self._embedder.embed(["power"])

    def _collection(self, plugin: str) -> "Collection | None":
        documents = [document for document in self._documents if document.plugin == plugin]
        if not documents:
            return None
        with self._lock:
            if plugin not in self._open:
                with _alone_in(self._folder):
                    self._open[plugin] = self._kept_or_built(plugin, documents)
            return self._open[plugin]

    def _kept_or_built(self, plugin: str, documents: Sequence[Document]) -> "Collection":
        fingerprint = self._fingerprint(documents)
        client = self._opened()
        known = {held.name: held for held in client.list_collections()}
        held = known.get(plugin)
        if held is not None and (held.metadata or {}).get("fingerprint") == fingerprint:
            return held
        for stale in (plugin, f"{plugin}.new"):
            if stale in known:
                client.delete_collection(stale)
        return self._built(client, plugin, documents, fingerprint)

    def _opened(self) -> "ClientAPI":
        if self._client is None:
            import chromadb  # heavy: only where words are not enough
            from chromadb.config import Settings

            self._client = chromadb.PersistentClient(
                path=str(self._folder), settings=Settings(anonymized_telemetry=False)
            )
        return self._client

    def _built(
        self, client: "ClientAPI", plugin: str, documents: Sequence[Document], fingerprint: str
    ) -> "Collection":
        vectors = self._embedder.embed([document.text for document in documents])
        collection = client.create_collection(
            f"{plugin}.new",
            configuration={"hnsw": {"space": "cosine"}},
            embedding_function=None,
        )
        for start in range(0, len(documents), _BATCH):
            part = documents[start : start + _BATCH]
            collection.add(
                ids=[str(start + offset) for offset in range(len(part))],
                embeddings=vectors[start : start + _BATCH],  # type: ignore[arg-type]
                metadatas=[{"quantity": document.quantity} for document in part],
            )
        # named last, so that a half-written collection is never taken for a whole one
        collection.modify(name=plugin, metadata={"fingerprint": fingerprint})
        return collection

    def _fingerprint(self, documents: Sequence[Document]) -> str:
        content = json.dumps([self._embedder.name, [(d.quantity, d.text) for d in documents]])
        return hashlib.sha256(content.encode()).hexdigest()


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Several processes share the vectors: whoever comes second finds what the first has made."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "being-made").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
