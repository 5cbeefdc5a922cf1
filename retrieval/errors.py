"""Errors of the retrieval package: only an operator can act on them.

RetrievalError
  LakeError               a partition of the lake cannot be read
  CatalogError            a file of metrics, quantities or places cannot be used
  GraphBuildError         rows could not be turned into triples
  ScopeTooLarge           a graph would have to be built that is too large
  CompiledQueryRejected   a query of our own compiler does not conform
  WrittenQueryRejected    a query of somebody else was to run that the door does not let in
  EmbeddingUnavailable    no embedding model can be loaded
  GraphStoreError
    GraphStoreUnavailable the store does not answer
    QueryTimedOut         the store gave up on a checked query
    AccessDenied          the store does not let our user do it
    RequestRefused        the store calls what we sent malformed
"""


class RetrievalError(Exception):
    """Data could not be retrieved."""


class LakeError(RetrievalError):
    """A partition of the lake cannot be read."""


class CatalogError(RetrievalError):
    """A file of metrics, quantities or places cannot be used."""


class GraphBuildError(RetrievalError):
    """Rows could not be turned into triples."""


class ScopeTooLarge(RetrievalError):
    """A graph would have to be built that is too large."""


class CompiledQueryRejected(RetrievalError):
    """A query of our own compiler does not conform."""


class WrittenQueryRejected(RetrievalError):
    """A query of somebody else was to run that the door does not let in."""


class EmbeddingUnavailable(RetrievalError):
    """No embedding model can be loaded."""


class GraphStoreError(RetrievalError):
    """The graph store failed."""


class GraphStoreUnavailable(GraphStoreError):
    """The graph store does not answer."""


class QueryTimedOut(GraphStoreError):
    """The graph store gave up on a checked query."""


class RequestRefused(GraphStoreError):
    """The graph store calls what was sent malformed."""


class AccessDenied(GraphStoreError):
    """The graph store does not let our user do it."""
