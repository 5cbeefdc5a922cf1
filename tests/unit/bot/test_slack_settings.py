import pytest
from pydantic import ValidationError

from bot.addressing import Follow
from bot.slack_settings import SlackSettings

BOT, APP, SIGNED = {"bot_token": "xoxb"}, {"app_token": "xapp"}, {"signing_secret": "s"}
SEVERAL = {"client_id": "1.2", "client_secret": "s", "transport": "http"}


def test_without_a_token_there_is_no_slack() -> None:
    assert not SlackSettings().is_served


@pytest.mark.parametrize(
    "given", [BOT | APP, BOT | SIGNED | {"transport": "http"}, SEVERAL | SIGNED]
)
def test_what_a_transport_needs_is_enough(given: dict[str, object]) -> None:
    assert SlackSettings.model_validate(given).is_served


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (BOT, "app-level token"),
        (BOT | APP | {"transport": "http"}, "signing secret"),
        (SEVERAL, "signing secret"),
        ({"client_id": "1.2"}, "secret beside it"),
        (SEVERAL | SIGNED | {"transport": "socket"}, "over transport http"),
        (SEVERAL | SIGNED | BOT, "not both"),
        ({"api_url": "slack.com"}, "looks like"),
        ({"follow": "sometimes"}, "off"),
    ],
)
def test_what_is_missing_is_named(given: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        SlackSettings.model_validate(given)


def test_a_channel_has_ways_of_its_own() -> None:
    settings = SlackSettings.model_validate({"follow_in": {"C1": "all"}})

    assert settings.follow_in == {"C1": Follow.ALL}
    assert settings.follow is Follow.THREAD
