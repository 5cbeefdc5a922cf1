"""Settings of the page."""

import re
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    field_validator,
    model_validator,
)

from bot.access import PAGE_PERSON

_LEAST_TOKEN = 16
_PERSON = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")
_OF_THIS_MACHINE = frozenset({"127.0.0.1", "::1", "localhost"})


def _address(url: str) -> str:
    parts = urlsplit(url)
    plain = parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc
    if not plain or parts.path.strip("/") or parts.query or parts.fragment:
        raise ValueError("an address looks like https://odabot.example.org")
    return f"{parts.scheme}://{parts.netloc.lower()}"


class PageSettings(BaseModel):
    """The web page."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    host: str = "127.0.0.1"
    """Address on which the page listens; without tokens, whoever reaches it may ask."""
    port: int = Field(8765, ge=0, le=65535)
    """Port of the page; 0 takes a free one."""
    served: bool = False
    """Whether odabot serve has the page, beside the chat platforms; odabot demo always has it."""
    tokens: dict[str, SecretStr] = {}
    """Who may log in, as {"anna": "a long secret"}; with any, nobody gets in without."""
    url: Annotated[str, AfterValidator(_address)] | None = None
    """Address under which a proxy passes the page on, as in https://odabot.example.org."""
    login_days: float = Field(7, gt=0, le=365)
    """How long a log-in lasts, in days."""

    @field_validator("tokens")
    @classmethod
    def _can_be_told_apart(cls, tokens: dict[str, SecretStr]) -> dict[str, SecretStr]:
        for person, token in tokens.items():
            if not _PERSON.fullmatch(person) or person == PAGE_PERSON:
                raise ValueError(f"{person!r} cannot be the name of a person")
            if len(token.get_secret_value()) < _LEAST_TOKEN:
                raise ValueError(f"the token of {person} has fewer than {_LEAST_TOKEN} characters")
        if len({token.get_secret_value() for token in tokens.values()}) < len(tokens):
            raise ValueError("two persons have the same token")
        return tokens

    @model_validator(mode="after")
    def _is_guarded(self) -> Self:
        beyond = self.host not in _OF_THIS_MACHINE or self.url is not None
        if self.served and beyond and not self.tokens:
            raise ValueError("beyond this machine the page is served only with tokens")
        return self
