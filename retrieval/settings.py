"""What an operator may choose about retrieval."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field


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
