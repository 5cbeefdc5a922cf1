"""Settings of the tools between processes."""

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr


def _server_address(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("an address looks like http://127.0.0.1:8766/mcp")
    if parts.username or parts.password:
        raise ValueError("the token has a setting of its own")
    return url


class McpSettings(BaseModel):
    """Servers of our tools for other processes, and where to find such servers (MCP)."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    host: str = "127.0.0.1"
    """Address on which odabot mcp listens; any but this machine's own wants a token."""
    retrieval_port: int = Field(8766, ge=0, le=65535)
    """Port of the retrieval tools; 0 takes a free one."""
    sandbox_port: int = Field(8767, ge=0, le=65535)
    """Port of the tools that run code; 0 takes a free one."""
    token: Annotated[SecretStr, Field(min_length=16)] | None = None
    """Bearer token that callers of our servers must show, and that we show to theirs; 16 characters or more."""  # noqa: E501 - a description is one text
    retrieval_url: Annotated[str, AfterValidator(_server_address)] | None = None
    """Server of the retrieval tools that the coordinator calls; unset, they run in its own process."""  # noqa: E501 - a description is one text
    sandbox_url: Annotated[str, AfterValidator(_server_address)] | None = None
    """Server of the tools that run code; unset, they run in the coordinator's own process."""
    seconds: float = Field(600, gt=0)
    """How long a call of a tool may take, in seconds."""
