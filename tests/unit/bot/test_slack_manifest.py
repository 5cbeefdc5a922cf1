from pathlib import Path
from typing import Any

import yaml

from bot.platforms.slack_oauth import SCOPES

MANIFEST = Path(__file__).resolve().parents[3] / "deploy" / "slack" / "manifest.yaml"


def manifest() -> dict[str, Any]:
    told: dict[str, Any] = yaml.safe_load(MANIFEST.read_text("utf-8"))
    return told


def test_whoever_installs_the_app_is_asked_for_what_the_manifest_has() -> None:
    assert set(manifest()["oauth_config"]["scopes"]["bot"]) == set(SCOPES)


def test_follow_ups_without_a_mention_are_sent_to_us() -> None:
    events = set(manifest()["settings"]["event_subscriptions"]["bot_events"])

    kinds = {"channels", "groups", "im", "mpim"}
    assert {f"message.{kind}" for kind in kinds} < events
    assert {f"{kind}:history" for kind in kinds} < set(SCOPES)


def test_the_command_is_there() -> None:
    (command,) = manifest()["features"]["slash_commands"]

    assert command["command"] == "/odabot"
    assert command["should_escape"]
