"""Settings of Slack."""

from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, model_validator

from bot.addressing import Follow


def _api_address(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
        raise ValueError("an address looks like https://slack.com/api/")
    return url.rstrip("/") + "/"


class SlackSettings(BaseModel):
    """The bot in Slack; without a token there is none."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    bot_token: SecretStr | None = None
    """Token of the app in its workspace (xoxb-...); unset, Slack is not served."""
    transport: Literal["socket", "http"] = "socket"
    """How Slack reaches us: socket (we open a connection to it) or http (it posts to us)."""
    app_token: SecretStr | None = None
    """App-level token with connections:write (xapp-...), for transport socket."""
    signing_secret: SecretStr | None = None
    """Secret with which Slack signs its requests, for transport http."""
    client_id: str = ""
    """Id of the app, to have it installed in several workspaces; needs transport http."""
    client_secret: SecretStr | None = None
    """Secret of the app, beside its id."""
    follow: Follow = Follow.THREAD
    """What is answered in channels: off, mention, thread (and follow-ups there) or all."""
    follow_in: dict[str, Follow] = Field(default_factory=dict)
    """The same for single channels by id, as in {"C0123456789": "all"}."""
    bots_heard: tuple[str, ...] = ()
    """Ids of other bots (B...) whose messages are taken like a person's."""
    teams_heard: tuple[str, ...] = ()
    """Ids of other workspaces (T...) whose people may ask in shared channels."""
    api_url: Annotated[str, AfterValidator(_api_address)] = "https://slack.com/api/"
    """Address of Slack's Web API."""
    watch_seconds: float = Field(60, gt=0, le=3600)
    """How often it is looked whether Slack is still heard, in seconds."""

    @property
    def is_served(self) -> bool:
        """Whether there is a bot in Slack."""
        return self.bot_token is not None or bool(self.client_id)

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> Self:
        if self.client_id and not self.client_secret:
            raise ValueError("the id of the Slack app wants its secret beside it")
        if self.client_id and self.transport != "http":
            raise ValueError("an app is installed in several workspaces over transport http alone")
        if self.client_id and self.bot_token is not None:
            raise ValueError("Slack wants either a bot's token or the id of an app, not both")
        if self.is_served and self.transport == "http" and self.signing_secret is None:
            raise ValueError("transport http wants Slack's signing secret")
        if self.is_served and self.transport == "socket" and self.app_token is None:
            raise ValueError("transport socket wants an app-level token")
        return self
