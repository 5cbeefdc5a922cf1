"""The adapter over the driver, against our stand-in for the server and servers that misbehave."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from bot.errors import PlatformError, PostRefused, RateLimited
from bot.platforms.mattermost_rest import MattermostRefused, MattermostRest
from tests.fault_proxy import Broken, Dropped, Limited, Slow
from tests.mattermost_stub import BOT, BOT_TOKEN, OPS, SECRET, MattermostStub, mattermost_stub
from tests.mattermost_stub.certificates import self_signed


@pytest.fixture(scope="module")
def running() -> Iterator[MattermostStub]:
    with mattermost_stub() as server:
        yield server


@pytest.fixture
def stub(running: MattermostStub) -> Iterator[MattermostStub]:
    yield running
    running.reset()


def rest_of(stub: MattermostStub, seconds: float = 10.0) -> MattermostRest:
    return MattermostRest(stub.url, BOT_TOKEN, seconds=seconds)


def test_speaks_as_the_bot_account(stub: MattermostStub) -> None:
    assert rest_of(stub).get("/users/me")["id"] == BOT


def test_posts_changes_and_reads_a_post_with_a_file(stub: MattermostStub) -> None:
    rest = rest_of(stub)

    file = rest.upload(OPS, "power of node 3.csv", b"time,power\n")
    post = rest.post("/posts", {"channel_id": OPS, "message": "first", "file_ids": [file]})
    rest.put(f"/posts/{post['id']}/patch", {"message": "second"})

    kept = stub.post(post["id"])
    assert (kept["message"], kept["file_ids"]) == ("second", [file])


@pytest.mark.parametrize(
    ("path", "status"),
    [(f"/channels/{'0' * 26}", 404), (f"/channels/{SECRET}/posts", 403), ("/users/no-id", 400)],
)
def test_what_is_refused_is_not_asked_again(stub: MattermostStub, path: str, status: int) -> None:
    with pytest.raises(MattermostRefused) as refused:
        rest_of(stub).get(path)

    assert refused.value.status == status


@pytest.mark.parametrize("fault", [Broken(), Broken(502), Dropped(), Dropped(done=True)])
def test_what_may_be_done_or_not_is_no_refusal(
    stub: MattermostStub, fault: Broken | Dropped
) -> None:
    stub.fail("GET /users/{user_id}", fault)

    with pytest.raises(PlatformError) as failed:
        rest_of(stub).get("/users/me")

    assert not isinstance(failed.value, PostRefused | RateLimited)


def test_a_server_that_is_silent_is_not_waited_for(stub: MattermostStub) -> None:
    stub.fail("GET /users/{user_id}", Slow(3))

    with pytest.raises(PlatformError, match="does not answer"):
        rest_of(stub, seconds=0.3).get("/users/me")


def test_a_limit_says_how_long_to_wait(stub: MattermostStub) -> None:
    stub.fail("GET /users/{user_id}", Limited(7))

    with pytest.raises(RateLimited) as limited:
        rest_of(stub).get("/users/me")

    assert limited.value.seconds == 7


def test_a_wrong_token_is_no_fault_of_the_message(stub: MattermostStub) -> None:
    with pytest.raises(PlatformError, match="token") as failed:
        MattermostRest(stub.url, "wrong").get("/users/me")

    assert not isinstance(failed.value, PostRefused)
    assert "wrong" not in str(failed.value)


def test_an_authority_of_ones_own_is_trusted_and_no_other(tmp_path: Path) -> None:
    with mattermost_stub(tls=self_signed(tmp_path)) as stub:
        me = MattermostRest(stub.url, BOT_TOKEN, stub.ca).get("/users/me")
        with pytest.raises(PlatformError, match="SSL"):
            MattermostRest(stub.url, BOT_TOKEN).get("/users/me")

    assert me["id"] == BOT


Answer = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def answering(answer: Answer) -> Iterator[str]:
    """A server that answers everything so; its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Not on the terminal."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def said(handler: BaseHTTPRequestHandler, body: bytes, kind: str) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def test_a_proxy_may_name_a_character_set() -> None:
    with answering(
        lambda asked: said(asked, b'{"id": "x"}', "application/json; charset=utf-8")
    ) as url:
        assert MattermostRest(url, "token").get("/users/me") == {"id": "x"}


def test_a_page_in_place_of_an_answer_is_none() -> None:
    with (
        answering(lambda asked: said(asked, b"<html>log in</html>", "text/html")) as url,
        pytest.raises(PlatformError, match="does not answer"),
    ):
        MattermostRest(url, "token").get("/users/me")


def test_a_server_below_a_path_is_asked_there() -> None:
    paths: list[str] = []

    def answer(asked: BaseHTTPRequestHandler) -> None:
        paths.append(f"{asked.path} {asked.headers['Authorization']}")
        said(asked, b"{}", "application/json")

    with answering(answer) as url:
        MattermostRest(f"{url}/chat", "secret").get("/users/me")

    assert paths == ["/chat/api/v4/users/me Bearer secret"]
