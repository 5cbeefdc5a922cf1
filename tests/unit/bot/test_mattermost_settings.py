import pytest
from pydantic import ValidationError

from bot.addressing import Follow
from bot.mattermost_settings import MattermostSettings
from bot.settings import Settings
from bot.settings_file import effective
from bot.trace_values import secrets_in

SERVED = {"url": "https://chat.example.org/", "token": "t", "callback_url": "http://oda:8770"}


def without(name: str) -> dict[str, object]:
    return {key: value for key, value in SERVED.items() if key != name}


def test_without_an_address_there_is_no_mattermost() -> None:
    assert not MattermostSettings().is_served


def test_address_token_and_the_way_back_are_enough() -> None:
    settings = MattermostSettings.model_validate(SERVED)

    assert settings.is_served
    assert settings.url == "https://chat.example.org"


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (without("url"), "server's address"),
        (without("token"), "access token"),
        (without("callback_url"), "reaches us"),
        (SERVED | {"url": "chat.example.org"}, "looks like"),
        (SERVED | {"url": "https://bot:t@chat.example.org"}, "no user"),
        (SERVED | {"callback_url": "http://oda:8770/?a=1"}, r"no \?"),
        (SERVED | {"url": "http://chat", "ca_file": "/ca.pem"}, "without TLS"),
        (SERVED | {"follow": "sometimes"}, "off"),
        (SERVED | {"team": "m100"}, "Extra inputs"),
    ],
)
def test_what_is_missing_or_wrong_is_named(given: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        MattermostSettings.model_validate(given)


def test_a_channel_has_ways_of_its_own() -> None:
    settings = MattermostSettings.model_validate({"follow_in": {"c1": "all"}})

    assert settings.follow_in == {"c1": Follow.ALL}
    assert settings.follow is Follow.THREAD


def test_the_token_of_each_command_is_a_secret() -> None:
    given = SERVED | {"token": "of the bot", "command_tokens": ["of m100", "of m200"]}
    settings = Settings.model_validate({"mattermost": given})

    assert secrets_in(settings) >= {"of the bot", "of m100", "of m200"}
    shown = effective(settings)
    assert shown["ODABOT_MATTERMOST__COMMAND_TOKENS"] == '["***", "***"]'
    assert "of the bot" not in str(shown)
