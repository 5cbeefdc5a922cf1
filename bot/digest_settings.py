"""Settings of digests."""

from pydantic import BaseModel, ConfigDict, Field


class DigestSettings(BaseModel):
    """Questions that are put again at set times."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    of_one_owner: int = Field(20, ge=0)
    """How many digests one person may have."""
    in_all: int = Field(200, ge=0)
    """How many digests there may be."""
    shortest_minutes: int = Field(15, ge=1)
    """How long it must be between two due times of one digest, in minutes."""
    catch_up_hours: float = Field(6, gt=0, le=24)
    """For how long a digest that was missed is still posted, in hours; then it is skipped."""
    look_seconds: float = Field(10, gt=0, le=60)
    """How often it is looked which digests are due, in seconds."""
