"""Settings of the agent package."""

from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, model_validator

SchemaForm = Literal["json_schema", "structured_outputs", "json_object", "none"]


def _web_address(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("an address looks like http://localhost:8000/v1")
    return url


class AgentSettings(BaseModel):
    """How the agent works on a question, and which language model it may ask."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, protected_namespaces=()
    )

    model_url: Annotated[str, AfterValidator(_web_address)] | None = None
    """Base address of an OpenAI-compatible endpoint, as in http://localhost:8000/v1; unset, questions are read by rules alone."""  # noqa: E501 - a description is one text
    model_key: SecretStr | None = None
    """Key that the endpoint wants, where it wants one."""
    model_name: str = ""
    """Which of the endpoint's models is asked; unset, the first that it lists."""
    model_schema: SchemaForm = "json_schema"
    """How the endpoint is told the shape of a reply; odabot check finds out which form it takes."""
    model_tools: Literal["schema", "native"] = "schema"
    """How tools are offered to the model: as the schema of its reply, or by the protocol's own tool calls, which many small models do not make."""  # noqa: E501 - a description is one text
    model_seconds: float = Field(60, gt=0, le=3600)
    """How long one reply may take, in seconds."""
    model_attempts: int = Field(3, ge=1, le=10)
    """How often a call is tried where the endpoint is busy, broken or out of reach."""
    code_attempts: int = Field(3, ge=1, le=10)
    """How many programs the model may write for one task before it is given up."""
    query_attempts: int = Field(3, ge=1, le=10)
    """How often the model may write a query for a request, where the check rejects it."""
    query_repairs: int = Field(2, ge=0, le=10)
    """How often the model may mend the SELECT and GROUP BY of a query that is not sure enough."""
    query_confidence: float = Field(0.9, ge=0, le=1)
    """How sure the review must be of a query of the model before it is run."""
    model_queries: bool = False
    """Whether a question that rules and its restatement leave unread may be answered by a query of the model, once a person has confirmed what that query gives."""  # noqa: E501 - a description is one text
    question_tokens: int = Field(50_000, ge=0)
    """The most tokens that a question may cost, those sent and those written."""
    question_calls: int = Field(60, ge=0)
    """The most calls of the model that a question may cost."""
    question_seconds: float = Field(600, gt=0)
    """The longest that a question may take once the model is asked, in seconds."""
    steps: Literal["open", "every"] = "open"
    """Which steps of a question the model takes: those that rules leave open, or every one of them, to compare."""  # noqa: E501 - a description is one text

    @model_validator(mode="after")
    def _model_where_it_is_asked(self) -> Self:
        if self.steps == "every" and self.model_url is None:
            raise ValueError("steps=every needs a model: set ODABOT_AGENT__MODEL_URL")
        if self.model_queries and self.model_url is None:
            raise ValueError("model_queries needs a model: set ODABOT_AGENT__MODEL_URL")
        return self
