"""What our stand-in for a Mattermost server sends: events, to who listens, and calls to us."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from tests.asgi_server import serving
from tests.fault_proxy import Broken, Dropped, Limited
from tests.mattermost_stub import (
    ADA,
    BEN,
    BOT,
    BOT_TOKEN,
    OPS,
    AppError,
    MattermostStub,
    mattermost_stub,
)

BEARER = {"Authorization": f"Bearer {BOT_TOKEN}"}


class Integration:
    """Hears what the server sends, and answers what it was told to."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.answer: dict[str, Any] = {}
        self.status = 200
        self.url = ""

    async def take(self, request: Request) -> JSONResponse:
        if request.headers["Content-Type"].startswith("application/json"):
            self.heard.append(await request.json())
        else:
            # No form parser is wanted for this.
            pairs = httpx.QueryParams((await request.body()).decode())
            self.heard.append(dict(pairs) | {"header": request.headers["Authorization"]})
        return JSONResponse(self.answer, self.status)


@pytest.fixture(scope="module")
def running() -> Iterator[MattermostStub]:
    with mattermost_stub() as server:
        yield server


@pytest.fixture
def stub(running: MattermostStub) -> Iterator[MattermostStub]:
    yield running
    assert not running.complaints
    running.reset()


@pytest.fixture
def ours() -> Iterator[Integration]:
    integration = Integration()
    app = Starlette(routes=[Route("/mattermost", integration.take, methods=["POST"])])
    with serving(app) as url:
        integration.url = f"{url}/mattermost"
        yield integration


def asked_post(stub: MattermostStub, url: str, **action: object) -> str:
    """A post of the bot with a button, or what ``action`` says; its id."""
    shown = {"id": "optA", "name": "rack A", "integration": {"url": url, "context": {"turn": "1"}}}
    props = {"attachments": [{"text": "Which rack?", "actions": [shown | action]}]}
    return stub.say("Which rack?", user=BOT, props=props)


def test_a_button_calls_its_integration(stub: MattermostStub, ours: Integration) -> None:
    post = asked_post(stub, ours.url)

    stub.press(post, "rack A", user=BEN)

    [heard] = ours.heard
    assert (heard["user_id"], heard["user_name"]) == (BEN, "ben")
    assert (heard["channel_id"], heard["post_id"]) == (OPS, post)
    assert heard["context"] == {"turn": "1"}


def test_a_menu_tells_what_was_chosen(stub: MattermostStub, ours: Integration) -> None:
    options = [{"text": "Rack A", "value": "a"}, {"text": "Rack B", "value": "b"}]
    post = asked_post(stub, ours.url, type="select", options=options)

    stub.choose(post, "rack A", "b")

    assert ours.heard[0]["type"] == "select"
    assert ours.heard[0]["context"] == {"turn": "1", "selected_option": "b"}


def test_an_update_changes_the_post_and_takes_buttons_away_only_with_props(
    stub: MattermostStub, ours: Integration
) -> None:
    post = asked_post(stub, ours.url)
    ours.answer = {"update": {"message": "rack A it is"}}
    stub.press(post, "rack A")
    kept = stub.actions(post)

    ours.answer = {"update": {"message": "Rack A.", "props": {"attachments": []}}}
    stub.press(post, "rack A")

    assert [action["name"] for action in kept] == ["rack A"]
    assert not stub.actions(post)
    assert stub.post(post)["message"] == "Rack A."


def test_an_integration_may_whisper_to_who_pressed(stub: MattermostStub, ours: Integration) -> None:
    ours.answer = {"ephemeral_text": "This choice has expired."}

    stub.press(asked_post(stub, ours.url), "rack A")

    assert [each["message"] for each in stub.whispers(ADA)] == ["This choice has expired."]


def test_an_answer_other_than_200_is_an_error_of_the_integration(
    stub: MattermostStub, ours: Integration
) -> None:
    ours.status = 500

    with pytest.raises(AppError, match="Action integration error"):
        stub.press(asked_post(stub, ours.url), "rack A")


def test_a_command_is_posted_with_its_token(stub: MattermostStub, ours: Integration) -> None:
    token = stub.add_command(ours.url, "rackbot")
    ours.answer = {"response_type": "ephemeral", "text": "Ask me about racks."}

    done = httpx.post(
        f"{stub.url}/api/v4/commands/execute",
        json={"channel_id": OPS, "command": "/rackbot help me"},
        headers=BEARER,
    )

    [heard] = ours.heard
    assert done.status_code == 200
    assert (heard["token"], heard["header"]) == (token, f"Token {token}")
    assert (heard["command"], heard["text"]) == ("/rackbot", "help me")
    assert [each["message"] for each in stub.whispers(BOT)] == ["Ask me about racks."]


def test_the_address_for_later_answers_is_good_five_times(
    stub: MattermostStub, ours: Integration
) -> None:
    stub.add_command(ours.url)
    stub.command("ask how hot is it?")
    address = ours.heard[0]["response_url"]

    said = [httpx.post(address, json={"text": f"number {count}"}) for count in range(6)]

    assert [each.status_code for each in said] == [200] * 5 + [400]
    assert len(stub.whispers(ADA)) == 5


def test_faults_come_in_their_order(stub: MattermostStub) -> None:
    stub.fail("POST /posts", Limited(3), Broken(), Dropped(), Dropped(done=True))

    def post() -> httpx.Response:
        sent = {"channel_id": OPS, "message": "hot"}
        return httpx.post(f"{stub.url}/api/v4/posts", json=sent, headers=BEARER)

    limited, broken = post(), post()
    for _ in range(2):
        with pytest.raises(httpx.TransportError):
            post()

    assert (limited.status_code, limited.headers["X-Ratelimit-Reset"]) == (429, "3")
    assert limited.text.strip() == "limit exceeded"
    assert broken.status_code == 503
    # What was dropped after it was done stands there, and nothing else.
    assert [each["message"] for each in stub.posts()] == ["hot"]
    assert post().status_code == 201


def test_the_servers_own_limit_of_requests(stub: MattermostStub) -> None:
    stub.settings.requests_a_second, stub.settings.burst = 1, 3
    address = f"{stub.url}/api/v4/system/ping"

    statuses = [httpx.get(address).status_code for _ in range(30)]

    assert statuses[:3] == [200, 200, 200]
    assert 429 in statuses


@asynccontextmanager
async def listening(
    stub: MattermostStub, query: str = "", header: bool = True
) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    address = f"{stub.url}/api/v4/websocket{query}"
    headers = BEARER if header else {}
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(address, headers=headers, ssl=True) as connected,
    ):
        yield connected


async def events(connected: aiohttp.ClientWebSocketResponse, count: int) -> list[dict[str, Any]]:
    return [json.loads(await connected.receive_str(timeout=20)) for _ in range(count)]


def words_of(heard: list[dict[str, Any]]) -> list[str]:
    return [json.loads(each["data"]["post"])["message"] for each in heard]


def test_a_broken_connection_goes_on_where_it_was(stub: MattermostStub) -> None:
    async def story() -> list[dict[str, Any]]:
        async with listening(stub) as first:
            [hello] = await events(first, 1)
            stub.say("heard")
            await events(first, 1)
            stub.reset_sockets()
        stub.say("missed")
        query = f"?connection_id={hello['data']['connection_id']}&sequence_number=2"
        async with listening(stub, query) as again:
            missed = await events(again, 1)
            stub.say("heard again")
            return missed + await events(again, 1)

    heard = asyncio.run(story())

    assert words_of(heard) == ["missed", "heard again"]
    assert [each["seq"] for each in heard] == [2, 3]
    assert (stub.hellos, stub.resumed) == (1, 1)


@pytest.mark.parametrize("header", [True, False])
def test_a_connection_that_is_not_known_begins_anew(stub: MattermostStub, header: bool) -> None:
    async def story() -> dict[str, Any]:
        async with listening(stub) as first:
            [hello] = await events(first, 1)
        if header:
            stub.forget_sockets()
        query = f"?connection_id={hello['data']['connection_id']}&sequence_number=1"
        async with listening(stub, query, header) as again:
            if not header:
                challenge = {"seq": 1, "action": "authentication_challenge"}
                await again.send_json(challenge | {"data": {"token": BOT_TOKEN}})
            [fresh] = await events(again, 1)
            assert fresh["data"]["connection_id"] != hello["data"]["connection_id"]
            return fresh

    assert asyncio.run(story())["event"] == "hello"


def test_who_does_not_say_a_good_token_is_thrown_out(stub: MattermostStub) -> None:
    async def story() -> aiohttp.WSMsgType:
        async with listening(stub, header=False) as connected:
            challenge = {"seq": 1, "action": "authentication_challenge"}
            await connected.send_json(challenge | {"data": {"token": "wrong"}})
            return (await connected.receive(timeout=20)).type

    assert asyncio.run(story()) in (aiohttp.WSMsgType.ERROR, aiohttp.WSMsgType.CLOSED)


def test_who_is_known_is_not_greeted_again(stub: MattermostStub) -> None:
    async def story() -> list[dict[str, Any]]:
        async with listening(stub) as connected:
            challenge = {"seq": 1, "action": "authentication_challenge"}
            await connected.send_json(challenge | {"data": {"token": BOT_TOKEN}})
            await connected.send_json({"seq": 2, "action": "ping"})
            return await events(connected, 2)

    hello, pong = asyncio.run(story())

    assert hello["event"] == "hello"
    assert pong["seq_reply"] == 2


def test_events_get_lost_come_twice_and_come_late(stub: MattermostStub) -> None:
    async def story() -> list[dict[str, Any]]:
        async with listening(stub) as connected:
            await events(connected, 1)
            stub.lose_events(1)
            stub.say("lost")
            stub.double_events(1)
            stub.say("twice")
            stub.hold_events()
            stub.say("first")
            stub.say("second")
            stub.let_events_go()
            return await events(connected, 4)

    heard = asyncio.run(story())

    assert words_of(heard) == ["twice", "twice", "second", "first"]
    assert [each["seq"] for each in heard] == [2, 3, 4, 5]


def test_a_silent_server_answers_no_ping(stub: MattermostStub) -> None:
    async def story() -> None:
        async with listening(stub) as connected:
            await events(connected, 1)
            await connected.send_json({"seq": 2, "action": "ping"})
            [pong] = await events(connected, 1)
            assert (pong["seq_reply"], pong["data"]["text"]) == (2, "pong")
            stub.hush()
            await connected.send_json({"seq": 3, "action": "ping"})
            stub.say("not heard")
            with pytest.raises(asyncio.TimeoutError):
                await connected.receive(timeout=0.3)

    asyncio.run(story())


def test_a_closed_connection_says_so(stub: MattermostStub) -> None:
    async def story() -> aiohttp.WSMessage:
        async with listening(stub) as connected:
            await events(connected, 1)
            await asyncio.to_thread(stub.close_sockets, 1000)
            return await connected.receive(timeout=20)

    told = asyncio.run(story())

    assert (told.type, told.data) == (aiohttp.WSMsgType.CLOSE, 1000)
