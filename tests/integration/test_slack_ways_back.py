"""A command that is typed where the bot is no member is answered all the same."""

from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from bot.embedded_redis import EmbeddedRedis
from bot.errors import PostRefused
from bot.messages import Thread
from bot.outlet import Part
from bot.platforms.slack_outlet import SlackOutlet, slack_client
from bot.platforms.slack_ways_back import OutletWithWaysBack, RedisWaysBack
from tests.asgi_server import serving
from tests.local_slack import ADA, TEAM
from tests.slack_emulator import slack_emulator

ELSEWHERE = Thread("slack", f"{TEAM}/C9PRIVATE", "")


@pytest.fixture(scope="module")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = EmbeddedRedis(tmp_path_factory.mktemp("redis"))
    yield server.open()
    server.close()


@pytest.fixture
def received() -> list[dict[str, object]]:
    return []


@pytest.fixture
def hook(received: list[dict[str, object]]) -> Iterator[str]:
    """Where Slack takes answers to commands."""

    async def take(request: Request) -> Response:
        received.append(await request.json())
        return PlainTextResponse("ok")

    with serving(Starlette(routes=[Route("/hooks", take, methods=["POST"])])) as url:
        yield f"{url}/hooks"


def test_what_may_not_be_whispered_there_goes_the_way_back(
    redis_url: str, hook: str, received: list[dict[str, object]]
) -> None:
    with slack_emulator("http://127.0.0.1:9/") as slack:
        ways = RedisWaysBack(redis_url, slack.api_url)
        outlet = OutletWithWaysBack(
            SlackOutlet(lambda team: slack_client("xoxb-of-the-emulator", slack.api_url)), ways
        )
        with pytest.raises(PostRefused):
            outlet.whisper(ELSEWHERE, ADA, Part("You may ask."))
        ways.keep(ELSEWHERE.channel, ADA, hook)

        outlet.whisper(ELSEWHERE, ADA, Part("You may ask."))
        ways.close()

    assert [(told["text"], told["response_type"]) for told in received] == [
        ("You may ask.", "ephemeral")
    ]


def test_an_address_elsewhere_is_not_kept(redis_url: str) -> None:
    ways = RedisWaysBack(redis_url, "https://slack.com/api/")

    ways.keep(ELSEWHERE.channel, "U2", "https://evil.example/hooks")
    ways.keep(ELSEWHERE.channel, "U3", "https://hooks.slack.com/commands/T1/2/3")
    found = ways.of(ELSEWHERE.channel, "U2"), ways.of(ELSEWHERE.channel, "U3")
    ways.close()

    assert found == ("", "https://hooks.slack.com/commands/T1/2/3")
