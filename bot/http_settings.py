"""Settings of the service over HTTP."""

from pydantic import BaseModel, ConfigDict, Field


class HttpSettings(BaseModel):
    """Health, metrics, and what platforms send to us over HTTP."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    host: str = "127.0.0.1"
    """Address on which health, metrics and events of platforms are served; no login guards the first two."""  # noqa: E501 - a description is one text
    port: int = Field(8770, ge=0, le=65535)
    """Port of odabot serve; 0 takes a free one."""
    worker_port: int = Field(0, ge=0, le=65535)
    """Port of odabot worker, which counts for itself; 0 takes a free one, for several on a machine."""  # noqa: E501 - a description is one text
