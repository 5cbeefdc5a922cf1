"""Settings of Mattermost."""

from pathlib import Path
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, model_validator

from bot.addressing import Follow


def _address(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
        raise ValueError("an address looks like https://chat.example.org, with no user in it")
    if parts.query or parts.fragment:
        raise ValueError("an address has no ? and no #")
    return url.rstrip("/")


class MattermostSettings(BaseModel):
    """The bot in Mattermost; without an address there is none."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    url: Annotated[str, AfterValidator(_address)] | None = None
    """Address of the server, as in https://chat.example.org; unset, Mattermost is not served."""
    token: SecretStr | None = None
    """Access token of the bot account."""
    callback_url: Annotated[str, AfterValidator(_address)] | None = None
    """Where the server reaches us, for buttons and commands, as in http://odabot.example.org:8770."""
    command_tokens: tuple[SecretStr, ...] = ()
    """Tokens of the slash commands, one for each team, as in ["..."]; without any, none is taken."""  # noqa: E501 - a description is one text
    ca_file: Path | None = None
    """Certificates (PEM) of the authority that signed the server's; unset, the system's."""
    follow: Follow = Follow.THREAD
    """What is answered in channels: off, mention, thread (and follow-ups there) or all."""
    follow_in: dict[str, Follow] = Field(default_factory=dict)
    """The same for single channels by id, as in {"4yfnx4jg7frxpxa8zcxcz1igcc": "all"}."""
    bots_heard: tuple[str, ...] = ()
    """User ids of other bots whose messages are taken like a person's."""
    watch_seconds: float = Field(60, gt=0, le=3600)
    """How often it is looked whether Mattermost is still heard, in seconds."""

    @property
    def is_served(self) -> bool:
        """Whether there is a bot in Mattermost."""
        return self.url is not None

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> Self:
        if self.url is None:
            if self.token is not None:
                raise ValueError(
                    "the token of the bot account wants the server's address beside it"
                )
            return self
        if self.token is None:
            raise ValueError("Mattermost wants the access token of a bot account")
        if self.callback_url is None:
            raise ValueError("Mattermost wants the address at which it reaches us (callback_url)")
        if self.ca_file is not None and not self.url.startswith("https:"):
            raise ValueError("a server without TLS has no certificate to look at (ca_file)")
        return self
