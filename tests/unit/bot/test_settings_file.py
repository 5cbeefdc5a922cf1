from pathlib import Path

from pydantic import SecretStr

from bot.settings import Settings
from bot.settings_file import all_settings, effective, example_env

EXAMPLE = Path(__file__).resolve().parents[3] / "deploy" / "settings.example.env"


def test_the_example_file_holds_every_setting_with_its_default() -> None:
    # python -c "from bot.settings_file import *; print(example_env(), end='')" writes it anew.
    assert EXAMPLE.read_text() == example_env()


def test_the_example_file_changes_nothing() -> None:
    assert Settings(_env_file=EXAMPLE) == Settings()


def test_every_setting_says_what_it_means() -> None:
    assert all(setting.meaning for setting in all_settings())


def test_shows_the_settings_in_force_without_secrets() -> None:
    settings = Settings(redis_url=SecretStr("redis://:hunter2@db/0"), workers=7)

    shown = effective(settings)

    assert set(shown) == {setting.variable for setting in all_settings()}
    assert shown["ODABOT_WORKERS"] == "7"
    assert shown["ODABOT_REDIS_URL"] == "redis://db/0"
