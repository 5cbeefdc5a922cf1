"""What an operator may choose about retrieval."""

from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    StringConstraints,
    model_validator,
)


def _plain_address(address: str) -> str:
    """``address`` without a slash at its end; no part of it may be a secret."""
    try:
        parts = urlsplit(address)
        at = (parts.hostname, parts.port)
    except ValueError as error:
        raise ValueError("is no address; one would be http://localhost:7200") from error
    if address and (parts.scheme not in ("http", "https") or not at[0]):
        raise ValueError("is no address; one would be http://localhost:7200")
    if "@" in parts.netloc:
        raise ValueError("holds a user or password; they have settings of their own")
    if parts.query or parts.fragment:
        raise ValueError("may have neither ? nor #")
    return address.rstrip("/")


Address = Annotated[str, AfterValidator(_plain_address)]


class GraphStoreSettings(BaseModel):
    """The store of the graphs that are built for queries."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, hide_input_in_errors=True
    )

    kind: Literal["embedded", "graphdb", "sparql"] = "embedded"
    """embedded: in this process; graphdb: GraphDB or RDF4J; sparql: another SPARQL 1.1 store."""
    url: Address = ""
    """Address of GraphDB, as in http://localhost:7200."""
    repository: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.-]+$")] = "odabot"
    """GraphDB's repository; deploy/graphdb has a configuration for it."""
    query_url: Address = ""
    """Where a store of kind sparql takes queries."""
    update_url: Address = ""
    """Where a store of kind sparql takes updates."""
    graphs_url: Address = ""
    """Where a store of kind sparql speaks the Graph Store Protocol."""
    user: str = ""
    """User at the store; empty where it asks for none."""
    password: SecretStr | None = None
    """Password of that user."""
    authentication: Literal["basic", "token"] = "basic"
    """basic: the password with each request; token: once, for a token of GraphDB."""
    connect_seconds: float = Field(5, gt=0, le=600)
    """How long a connection to the store may take."""
    transfer_seconds: float = Field(300, gt=0, le=3600)
    """How long the store may be silent while a graph is sent, read or dropped."""
    query_seconds: float = Field(60, gt=0, le=3600)
    """How long a query may take, in any store."""
    retries: int = Field(3, ge=0, le=10)
    """How often what is safe to repeat is tried again when the store is not to be reached."""

    cache: bool = True
    """Whether graphs are kept for later queries over the same data."""
    cache_mib: int = Field(128, ge=1, le=1_000_000)
    """How much is kept, as N-Triples; embedded, a graph takes up to four times as much memory."""

    @property
    def most_kept_bytes(self) -> int:
        """How many bytes of N-Triples are kept; 0 where nothing is."""
        return self.cache_mib * 1024 * 1024 if self.cache else 0

    @model_validator(mode="after")
    def _complete(self) -> Self:
        needed = {
            "embedded": (),
            "graphdb": ("url",),
            "sparql": ("query_url", "update_url", "graphs_url"),
        }
        missing = [name.upper() for name in needed[self.kind] if not getattr(self, name)]
        if missing:
            raise ValueError(f"a store of kind {self.kind} needs {', '.join(missing)}")
        if self.password is not None and not self.user:
            raise ValueError("PASSWORD needs USER")
        if self.authentication == "token" and self.kind != "graphdb":
            raise ValueError("only a store of kind graphdb gives tokens")
        if self.authentication == "token" and self.password is None:
            raise ValueError("AUTHENTICATION token needs USER and PASSWORD")
        return self


class RetrievalSettings(BaseModel):
    """Where the data lie, and how words are matched with metrics."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    lake: Path | None = None
    """Folder of the lake, in the layout year_month=YY-MM/plugin=P/metric=M."""
    embedding_model: str = "auto"
    """Name or folder of a sentence-transformers model; auto: the packaged MiniLM, or the hub's."""
    accept_metric_at: float = Field(0.7, ge=0, le=1)
    """Likeness from which an unknown phrase is taken as a metric."""
    ask_about_metric_at: float = Field(0.5, ge=0, le=1)
    """Likeness from which a metric is offered as a choice."""
    graph_store: GraphStoreSettings = GraphStoreSettings()
