"""Settings of the agent package."""

from pydantic import BaseModel, ConfigDict


class AgentSettings(BaseModel):
    """How the agent works on a question; empty as long as no language model is asked."""

    model_config = ConfigDict(frozen=True, extra="forbid")
