"""The steps for Mattermost against the code that they speak of."""

from pathlib import Path

import pytest

from bot.platforms.mattermost_actions import ACTIONS_PATH
from bot.platforms.mattermost_commands import COMMANDS_PATH
from bot.settings_file import all_settings

STEPS = (Path(__file__).parents[3] / "deploy" / "mattermost" / "README.md").read_text("utf-8")


def test_commands_are_sent_where_they_are_taken() -> None:
    assert f":8770{COMMANDS_PATH}`" in STEPS


def test_a_proxy_passes_on_what_is_taken() -> None:
    assert "`/mattermost/`" in STEPS
    assert all(path.startswith("/mattermost/") for path in (ACTIONS_PATH, COMMANDS_PATH))


def test_the_variables_are_there() -> None:
    known = {setting.variable for setting in all_settings()}
    named = {word.partition("=")[0].strip("`,;") for word in STEPS.split() if "ODABOT_" in word}

    assert named
    assert named <= known


@pytest.mark.parametrize("module", ["mattermost_check", "mattermost_callback"])
def test_what_the_check_finds_wrong_is_in_the_table(module: str) -> None:
    source = (Path(__file__).parents[3] / "bot" / "platforms" / f"{module}.py").read_text("utf-8")
    keys = ("SiteURL", "EnableFileAttachments", "EnableCommands", "PostEditTimeLimit",
            "AllowedUntrustedInternalConnections", "create_post_ephemeral")  # fmt: skip
    spoken_of = [key for key in keys if key in source]

    assert spoken_of
    assert all(f"{key}`" in STEPS for key in spoken_of)
