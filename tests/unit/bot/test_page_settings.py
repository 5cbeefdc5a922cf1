from typing import Any

import pytest
from pydantic import ValidationError

from bot.page_settings import PageSettings
from bot.settings import Settings
from bot.trace_values import secrets_in

TOKEN = "a secret of twenty characters"


def settings(**given: Any) -> PageSettings:
    return PageSettings.model_validate(given)


@pytest.mark.parametrize(
    ("tokens", "told"),
    [
        ({"anna": "short"}, "anna has fewer than 16"),
        ({"anna": TOKEN, "ben": TOKEN}, "same token"),
        ({"page": TOKEN}, "'page' cannot be the name"),
        ({"": TOKEN}, "cannot be the name"),
        ({"anna/ben": TOKEN}, "cannot be the name"),
    ],
)
def test_tokens_that_tell_nobody_apart_are_refused(tokens: dict[str, str], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        settings(tokens=tokens)


@pytest.mark.parametrize("beyond", [{"host": "0.0.0.0"}, {"url": "https://odabot.example.org"}])
def test_the_page_is_served_beyond_this_machine_with_tokens_alone(beyond: dict[str, str]) -> None:
    with pytest.raises(ValidationError, match="only with tokens"):
        settings(served=True, **beyond)

    assert settings(served=True, tokens={"anna": TOKEN}, **beyond).tokens


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("https://Odabot.Example.org/", "https://odabot.example.org"),
        ("http://rack:8765", "http://rack:8765"),
        ("https://user@rack", None),
        ("https://rack/odabot", None),
        ("rack:8765", None),
    ],
)
def test_the_address_of_a_proxy_is_one_that_a_browser_names(url: str, address: str | None) -> None:
    if address is None:
        with pytest.raises(ValidationError, match="an address looks like"):
            settings(url=url)
    else:
        assert settings(url=url).url == address


def test_tokens_are_kept_out_of_traces() -> None:
    assert TOKEN in secrets_in(Settings(page=settings(tokens={"anna": TOKEN})))
