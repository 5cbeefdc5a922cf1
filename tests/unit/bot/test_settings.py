from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from agent.settings import AgentSettings
from bot.page_settings import PageSettings
from bot.settings import Settings, SiteSettings


def test_defaults_need_no_environment() -> None:
    settings = Settings()

    assert settings.site.time_zone == "UTC"
    assert (settings.page.host, settings.page.port) == ("127.0.0.1", 8765)
    assert settings.data.name == "odabot"
    assert settings.redis_without_password == "embedded"


def test_reads_nested_names(tmp_path: Path) -> None:
    file = tmp_path / "settings.env"
    file.write_text("ODABOT_SITE__TIME_ZONE=Europe/Rome\nODABOT_RETRIEVAL__LAKE=/lake\n")

    settings = Settings(_env_file=file)

    assert settings.site.zone.key == "Europe/Rome"
    assert settings.retrieval.lake == Path("/lake")


def test_refuses_a_setting_that_it_does_not_know(tmp_path: Path) -> None:
    file = tmp_path / "settings.env"
    file.write_text("ODABOT_SITE__COLOUR=red\n")

    with pytest.raises(ValidationError, match="colour"):
        Settings(_env_file=file)


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../../etc/passwd", ""])
def test_refuses_what_is_no_time_zone(zone: str) -> None:
    with pytest.raises(ValidationError):
        SiteSettings(time_zone=zone)


@pytest.mark.parametrize("port", [-1, 65536])
def test_refuses_what_is_no_port(port: int) -> None:
    with pytest.raises(ValidationError):
        PageSettings(port=port)


def test_settings_never_change() -> None:
    with pytest.raises(ValidationError):
        Settings().workers = 3  # type: ignore[misc]


def test_another_lake_and_port_leave_the_rest() -> None:
    settings = Settings()

    other = settings.with_lake(Path("/lake")).with_port(0)

    assert (other.retrieval.lake, other.page.port) == (Path("/lake"), 0)
    assert (settings.with_lake(None), settings.with_port(None)) == (settings, settings)


def test_the_password_of_the_session_store_is_never_shown() -> None:
    settings = Settings(redis_url=SecretStr("rediss://:hunter2@db.example:6380/3?password=hunter2"))

    assert "hunter2" not in repr(settings)
    assert settings.redis_without_password == "rediss://db.example:6380/3"


def test_a_secret_is_not_repeated_where_it_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "settings.env"
    file.write_text("ODABOT_RETRIEVAL__GRAPH_STORE__PASSWORD=hunter2\n")

    with pytest.raises(ValidationError, match="PASSWORD needs USER") as raised:
        Settings(_env_file=file)

    assert "hunter2" not in str(raised.value)


def test_every_step_by_the_model_takes_a_model() -> None:
    with pytest.raises(ValidationError, match="MODEL_URL"):
        AgentSettings(steps="every")

    assert AgentSettings(steps="every", model_url="http://localhost:8000/v1").steps == "every"


def test_queries_of_the_model_take_a_model_and_are_off_by_default() -> None:
    with pytest.raises(ValidationError, match="MODEL_URL"):
        AgentSettings(model_queries=True)

    assert AgentSettings(model_queries=True, model_url="http://localhost:8000/v1").model_queries
    assert not AgentSettings(model_url="http://localhost:8000/v1").model_queries
