"""``odabot check`` finds each thing that is set up wrongly for Mattermost, and says it in words."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from bot.check_wiring import health_probes
from bot.health import Health, health_of
from bot.http_settings import HttpSettings
from bot.mattermost_settings import MattermostSettings
from bot.settings import Settings
from tests.asgi_server import serving
from tests.free_port import free_port
from tests.mattermost_stub import (
    ADA_TOKEN,
    BOT,
    BOT_TOKEN,
    OPS,
    SECRET,
    TEAM,
    MattermostStub,
    mattermost_stub,
)
from tests.mattermost_stub.certificates import self_signed


@pytest.fixture(scope="module")
def running() -> Iterator[MattermostStub]:
    with mattermost_stub() as server:
        yield server


@pytest.fixture
def stub(running: MattermostStub) -> Iterator[MattermostStub]:
    yield running
    running.reset()


def found(part: str, url: str, data: Path, port: int = 0, **changed: Any) -> Health:
    """What the probe called ``part`` says; the service listens on ``port``."""
    port = port or free_port()
    given = {"url": url, "token": SecretStr(BOT_TOKEN), "callback_url": f"http://127.0.0.1:{port}"}
    mattermost = MattermostSettings(**(given | changed))
    settings = Settings(data=data, mattermost=mattermost, http=HttpSettings(port=port))
    (probe,) = [probe for probe in health_probes(settings) if probe.name == part]
    return health_of(probe)


@pytest.mark.parametrize(
    ("part", "says"),
    [
        ("Mattermost", r"5\.37\.9, as @odabot in m100 \(2 channels\)"),
        ("Mattermost settings", r"SiteURL http://127.*, files up to 105 MB, no slash command"),
        ("Mattermost buttons", r"http://127.0.0.1:\d+/mattermost/action is reached"),
        ("Mattermost whispers", "shown to one person"),
    ],
)
def test_all_is_well(stub: MattermostStub, tmp_path: Path, part: str, says: str) -> None:
    health = found(part, stub.url, tmp_path)

    assert health.ok
    assert re.fullmatch(says + ".*", health.found)


def test_nothing_of_it_is_tried_without_a_server(tmp_path: Path) -> None:
    names = [probe.name for probe in health_probes(Settings(data=tmp_path))]

    assert not [name for name in names if "Mattermost" in name]


def test_a_check_leaves_nothing_behind(stub: MattermostStub, tmp_path: Path) -> None:
    found("Mattermost buttons", stub.url, tmp_path)

    assert not [post for post in stub.world.posts.values() if not post["delete_at"]]


def test_a_token_that_is_not_taken(stub: MattermostStub, tmp_path: Path) -> None:
    health = found("Mattermost", stub.url, tmp_path, token=SecretStr("wrong"))

    assert not health.ok
    assert "does not take the bot's token" in health.found
    assert "deploy/mattermost/README.md" in health.remedy


def test_the_token_of_a_person(stub: MattermostStub, tmp_path: Path) -> None:
    health = found("Mattermost", stub.url, tmp_path, token=SecretStr(ADA_TOKEN))

    assert "@ada, a person" in health.found


def test_a_bot_in_no_team(stub: MattermostStub, tmp_path: Path) -> None:
    stub.world.team_members[TEAM].remove(BOT)
    try:
        health = found("Mattermost", stub.url, tmp_path)
    finally:
        stub.world.team_members[TEAM].insert(0, BOT)

    assert "@odabot is in no team" in health.found


def test_a_version_too_old(stub: MattermostStub, tmp_path: Path) -> None:
    stub.settings.version = "5.31.0"

    health = found("Mattermost", stub.url, tmp_path)

    assert "version is 5.31.0; 5.37 is the oldest" in health.found


def test_a_connection_for_events_that_is_refused(stub: MattermostStub, tmp_path: Path) -> None:
    stub.refuse_sockets(1)

    health = found("Mattermost", stub.url, tmp_path)

    assert "no connection to Mattermost's events" in health.found


def test_nobody_listens_there(tmp_path: Path) -> None:
    health = found("Mattermost", f"http://127.0.0.1:{free_port()}", tmp_path)

    assert "nothing listens on 127.0.0.1" in health.found


def test_another_server(tmp_path: Path) -> None:
    page = Starlette(routes=[Route("/{any:path}", lambda _: PlainTextResponse("Welcome."))])
    with serving(page) as url:
        health = found("Mattermost", url, tmp_path)

    assert "what answers there is no Mattermost server" in health.found


def test_a_certificate_of_an_unknown_authority(tmp_path: Path) -> None:
    with mattermost_stub(tls=self_signed(tmp_path)) as stub:
        trusted = found("Mattermost", stub.url, tmp_path, ca_file=stub.ca)
        unknown = found("Mattermost", stub.url, tmp_path)
        empty = tmp_path / "empty.pem"
        empty.touch()
        no_authority = found("Mattermost", stub.url, tmp_path, ca_file=empty)
        away = found("Mattermost", stub.url, tmp_path, ca_file=tmp_path / "none.pem")

    assert trusted.ok, trusted.found
    assert "is not trusted" in unknown.found
    assert "ODABOT_MATTERMOST__CA_FILE" in unknown.found
    assert "holds no certificate" in no_authority.found
    assert "holds no certificate" in away.found


def test_a_server_without_tls(stub: MattermostStub, tmp_path: Path) -> None:
    url = stub.url.replace("http:", "https:")

    assert "speaks no TLS" in found("Mattermost", url, tmp_path).found


def test_settings_that_are_missing_or_off(stub: MattermostStub, tmp_path: Path) -> None:
    stub.settings.site_url = ""
    stub.settings.files_enabled = False
    stub.settings.commands_enabled = False
    stub.settings.post_edit_seconds = 300

    health = found(
        "Mattermost settings", stub.url, tmp_path, command_tokens=(SecretStr("of ours"),)
    )

    assert not health.ok
    assert [each.partition(" ")[0] for each in health.found.split("; ")] == [
        "SiteURL",
        "EnableFileAttachments",
        "EnableCommands",
        "PostEditTimeLimit",
    ]


def test_a_channel_of_ours_that_the_bot_is_not_in(stub: MattermostStub, tmp_path: Path) -> None:
    health = found("Mattermost settings", stub.url, tmp_path, follow_in={OPS: "all", SECRET: "all"})

    assert health.found == f"@odabot is not in the channel {SECRET}, named in follow_in"


def test_an_internal_address_that_is_not_allowed(stub: MattermostStub, tmp_path: Path) -> None:
    stub.settings.allowed_untrusted = "10.0.0.0/8"

    health = found("Mattermost buttons", stub.url, tmp_path)

    assert not health.ok
    assert "only where AllowedUntrustedInternalConnections" in health.found


def test_a_service_that_listens_for_its_own_machine_alone(
    stub: MattermostStub, tmp_path: Path
) -> None:
    health = found("Mattermost buttons", stub.url, tmp_path, callback_url="http://10.9.8.7:8770")

    assert "listens on 127.0.0.1 alone" in health.found
    assert "ODABOT_HTTP__HOST" in health.found


def test_a_callback_that_goes_elsewhere(stub: MattermostStub, tmp_path: Path) -> None:
    def welcome(_: object) -> PlainTextResponse:
        return PlainTextResponse("{}", media_type="application/json")

    page = Starlette(routes=[Route("/{any:path}", welcome, methods=["POST"])])
    with serving(page) as url:
        elsewhere = found("Mattermost buttons", stub.url, tmp_path, callback_url=url)
    dead = f"http://127.0.0.1:{free_port()}"
    nowhere = found("Mattermost buttons", stub.url, tmp_path, callback_url=dead)

    assert "something answers Mattermost" in elsewhere.found
    assert not elsewhere.ok
    assert "Mattermost gets no answer" in nowhere.found


def test_the_service_itself_may_answer(stub: MattermostStub, tmp_path: Path) -> None:
    def taken(_: object) -> PlainTextResponse:
        return PlainTextResponse("{}", media_type="application/json")

    service = Starlette(routes=[Route("/mattermost/action", taken, methods=["POST"])])
    with serving(service) as url:
        port = int(url.rpartition(":")[2])
        health = found("Mattermost buttons", stub.url, tmp_path, port)

    assert health.ok
    assert "the service is running" in health.found


def test_a_bot_that_may_not_whisper(stub: MattermostStub, tmp_path: Path) -> None:
    stub.settings.may_whisper = False

    health = found("Mattermost whispers", stub.url, tmp_path)

    assert "create_post_ephemeral" in health.found
    assert "direct message" in health.remedy
