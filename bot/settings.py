"""All settings of the service; the only module that reads the environment."""

import os
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    model_validator,
)
from pydantic_settings import BaseSettings, SettingsConfigDict

from agent.settings import AgentSettings
from bot.digest_settings import DigestSettings
from bot.errors import SettingsError
from bot.http_settings import HttpSettings
from bot.mattermost_settings import MattermostSettings
from bot.mcp_settings import McpSettings
from bot.page_settings import PageSettings
from bot.slack_settings import SlackSettings
from retrieval.settings import RetrievalSettings
from sandbox.settings import SandboxSettings

PREFIX = "ODABOT_"
DELIMITER = "__"


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"{name!r} is no time zone; one would be Europe/Rome") from error
    return name


def _plain_address(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
        raise ValueError("an address looks like http://localhost:3000, with no user in it")
    return url.rstrip("/")


def _default_data() -> Path:
    shared = os.environ.get("XDG_DATA_HOME", "")  # noqa: TID251 - this is the one reader
    return (Path(shared) if shared else Path.home() / ".local" / "share") / "odabot"


class SiteSettings(BaseModel):
    """What the service knows of the place it speaks of."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    name: str = Field("M100", min_length=1, max_length=60)
    """Name of the machine or data centre, as people see it."""
    time_zone: Annotated[str, AfterValidator(_known_zone)] = "UTC"
    """Zone of words and clock times that carry none, as in Europe/Rome."""

    @property
    def zone(self) -> ZoneInfo:
        """The time zone itself."""
        return ZoneInfo(self.time_zone)


class TraceSettings(BaseModel):
    """Where is kept what was done for a question, step by step."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    days: float = Field(30, gt=0, le=3650)
    """How long the traces in the data folder are kept, in days."""
    kept_mib: int = Field(256, ge=1)
    """How much room they may take there, roughly; the oldest go first."""
    langfuse_url: Annotated[str, AfterValidator(_plain_address)] | None = None
    """Address of Langfuse, as in http://localhost:3000; unset, traces stay in the data folder."""
    langfuse_public_key: str = ""
    """The public key of Langfuse's project."""
    langfuse_secret_key: SecretStr | None = None
    """The secret key of Langfuse's project."""

    @model_validator(mode="after")
    def _has_keys(self) -> Self:
        if self.langfuse_url and not (self.langfuse_public_key and self.langfuse_secret_key):
            raise ValueError("Langfuse wants both keys beside its address")
        return self


class Settings(BaseSettings):
    """Read once, at start; handed on in parts."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter=DELIMITER,
        env_ignore_empty=True,
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        hide_input_in_errors=True,
    )

    site: SiteSettings = SiteSettings()
    agent: AgentSettings = AgentSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    sandbox: SandboxSettings = SandboxSettings()
    page: PageSettings = PageSettings()
    http: HttpSettings = HttpSettings()
    trace: TraceSettings = TraceSettings()
    mcp: McpSettings = McpSettings()
    digests: DigestSettings = DigestSettings()
    slack: SlackSettings = SlackSettings()
    mattermost: MattermostSettings = MattermostSettings()
    data: Path = Field(default_factory=_default_data)
    """Folder for answers, sessions, the log and the demo lake (~/.local/share/odabot)."""
    redis_url: SecretStr | None = None
    """Redis or Valkey that keeps the sessions; unset, one is embedded in the data folder."""
    access: Path | None = None
    """File of who may ask, and see, what (access.toml); unset, only this machine's people may."""
    audit_days: float = Field(365, gt=0, le=36500)
    """How long the log of who asked what is kept, in days."""
    session_days: float = Field(30, gt=0, le=3650)
    """How long a thread is remembered after its last question, in days."""
    choice_hours: float = Field(24, gt=0, le=8760)
    """How long the buttons of a question back count, in hours."""
    workers: int = Field(2, ge=1, le=64)
    """How many questions are worked on at a time."""
    lease_seconds: float = Field(15, ge=1, le=600)
    """After how long the questions of a worker that died are taken over, in seconds."""
    grace_seconds: float = Field(30, ge=0, le=600)
    """How long a worker that is told to end goes on with what it has begun, in seconds."""
    log_level: str = Field("INFO", pattern="^(DEBUG|INFO|WARNING|ERROR)$")
    """Least severity that is logged: DEBUG, INFO, WARNING or ERROR."""
    log_to_stderr: bool = False
    """Log to standard error instead of log.jsonl in the data folder."""

    @property
    def answers(self) -> Path:
        """Folder of the files that belong to answers."""
        return self.data / "answers"

    @property
    def traces(self) -> Path:
        """Folder of what was done for each question."""
        return self.data / "traces"

    @property
    def redis_without_password(self) -> str:
        """The address of the session store as it may be shown."""
        if self.redis_url is None:
            return "embedded"
        parts = urlsplit(self.redis_url.get_secret_value())
        return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()

    def with_lake(self, lake: Path | None) -> Self:
        """The same settings over another lake; unchanged where there is none."""
        if lake is None:
            return self
        retrieval = self.retrieval.model_copy(update={"lake": lake})
        return self.model_copy(update={"retrieval": retrieval})

    def with_model(self, url: str | None) -> Self:
        """The same settings with the model at ``url``, or with none; raises SettingsError."""
        return self._with_agent(model_url=url)

    def with_steps(self, steps: Literal["open", "every"]) -> Self:
        """The same settings with the model in these steps; raises SettingsError without one."""
        return self._with_agent(steps=steps)

    def _with_agent(self, **changed: object) -> Self:
        try:
            agent = AgentSettings.model_validate({**self.agent.model_dump(), **changed})
        except ValidationError as error:
            raise SettingsError(str(error.errors()[0]["msg"])) from error
        return self.model_copy(update={"agent": agent})

    def with_grace(self, most_seconds: float) -> Self:
        """The same settings with no more patience than that for what runs at the end."""
        return self.model_copy(update={"grace_seconds": min(self.grace_seconds, most_seconds)})

    def with_port(self, port: int | None) -> Self:
        """The same settings with the page on another port; unchanged where there is none."""
        if port is None:
            return self
        return self.model_copy(update={"page": self.page.model_copy(update={"port": port})})


def read_settings() -> Settings:
    """The settings of this process's environment.

    Raises SettingsError that names each variable that is unknown or has a wrong value.
    """
    unknown = sorted(
        name
        for name in os.environ  # noqa: TID251 - this is the one reader
        if name.startswith(PREFIX)
        and name.removeprefix(PREFIX).split(DELIMITER)[0].lower() not in Settings.model_fields
    )
    if unknown:
        raise SettingsError(f"no such setting: {', '.join(unknown)}")
    try:
        return Settings()
    except ValidationError as error:
        raise SettingsError("; ".join(_complaint(each) for each in error.errors())) from error


def _complaint(error: "object") -> str:
    assert isinstance(error, dict)
    variable = PREFIX + DELIMITER.join(str(part) for part in error["loc"]).upper()
    return f"{variable}: {error['msg']}"
