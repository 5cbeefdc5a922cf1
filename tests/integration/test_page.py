"""The page over HTTP: what it answers, what it refuses, and what it never hands out."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.errors import PlatformError
from bot.page_settings import PageSettings
from bot.platforms.page_assets import ASSETS
from bot.settings import Settings
from tests.integration.page_server import Page, running_page


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with running_page(tmp_path_factory.mktemp("page")) as running:
        yield running


@pytest.fixture
def page(served: Page) -> Page:
    served.coordinator.asked.clear()
    return served


def test_serves_its_own_files_under_a_strict_policy(page: Page) -> None:
    assert {"/", "/page.css", "/page.js", "/theme.js", "/icon.svg"} <= set(ASSETS)
    for path in ASSETS:
        answer = page.call("GET", path)

        assert answer.status == 200
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert b"//cdn" not in answer.body


def test_introduces_the_site_and_example_questions(page: Page) -> None:
    site = page.call("GET", "/api/site").json

    assert (site["name"], site["now"]) == ("M100", "15 June 2022, 10:00 UTC")
    assert len(site["examples"]) >= 4
    assert all(example["label"] and example["question"] for example in site["examples"])


def test_a_question_gets_words_table_picture_and_evidence(page: Page) -> None:
    thread = page.ask("plot the power")

    question, reply = page.settled(thread)["entries"]
    assert (question["from"], question["text"]) == ("person", "plot the power")
    assert reply["status"] == "completed"
    assert reply["tables"][0]["row_count"] == 4_000
    assert reply["tables"][0]["numeric"] == [False, True, False, False]
    assert reply["files"][0]["picture"]
    facts = {fact["label"]: fact for fact in reply["facts"]}
    assert facts["Time"]["lines"][1].endswith("CEST (Europe/Rome)")
    assert facts["Query"]["kind"] == "sparql"


def test_a_picture_is_shown_and_a_table_is_downloaded(page: Page) -> None:
    reply = page.settled(page.ask("plot the power"))["entries"][1]

    picture = page.call("GET", reply["files"][0]["url"])
    table = page.call("GET", reply["tables"][0]["csv"]["url"])

    assert picture.headers["content-type"] == "image/png"
    assert picture.body.startswith(b"\x89PNG")
    assert table.headers["content-disposition"].startswith("attachment")
    assert table.body.startswith(b"node,average")


def test_a_choice_is_taken_once_and_settles_the_question(page: Page) -> None:
    thread = page.ask("which temperature")
    path = f"/api/threads/{thread}/choice"

    codes = [page.call("POST", path, {"id": "gpu"}).status for _ in range(2)]
    entries = page.settled(thread)["entries"]

    assert codes == [202, 409]
    assert [choice["chosen"] for choice in entries[1]["choices"]] == [False, True]
    assert not any(choice["open"] for choice in entries[1]["choices"])
    assert entries[2]["text"] == "the GPU cores"
    assert entries[3]["text"] == "You chose gpu."


def test_follow_ups_stay_in_their_thread(page: Page) -> None:
    first = page.ask("power")
    page.ask("node 1200", first)
    second = page.ask("broken")

    listed = page.call("GET", "/api/threads").json["threads"]

    assert [thread["id"] for thread in listed][:2] == [second, first]
    assert [e.get("status") for e in page.settled(first)["entries"]] == [
        None,
        "completed",
        None,
        "rejected",
    ]
    assert page.settled(second)["entries"][1]["status"] == "failed"


def test_tells_what_is_being_done_and_only_what_is_new(page: Page) -> None:
    thread = page.call("POST", "/api/threads", {"text": "slow"}).json["id"]
    path = f"/api/threads/{thread}"
    working = page.call("GET", path).json
    while working["working"] != ["waiting to be released"]:
        working = page.call("GET", path).json

    unchanged = page.call("GET", f"{path}?version={working['version']}")
    page.coordinator.release.set()
    done = page.settled(thread)
    page.coordinator.release.clear()

    assert unchanged.status == 204
    assert done["version"] != working["version"]


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "localhost:1", "evil.example:80", ""]
)
def test_answers_only_under_its_own_name(page: Page, host: str) -> None:
    answer = page.call("GET", "/api/threads", headers={"Host": host})

    assert answer.status == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
    ],
)
def test_takes_questions_only_from_itself(page: Page, headers: dict[str, str]) -> None:
    answer = page.call("POST", "/api/threads", {"text": "power"}, headers)

    assert answer.status == 403
    assert not page.coordinator.asked


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b"\xff\xfe", 400),
        (b'{"text": 7}', 400),
        (b'{"text": "' + b"x" * 300_000 + b'"}', 413),
    ],
)
def test_refuses_what_is_no_question(page: Page, body: bytes, status: int) -> None:
    assert page.call("POST", "/api/threads", body).status == status
    assert not page.coordinator.asked


@pytest.mark.parametrize(
    "path",
    [
        "/files/unknown",
        "/files/unknown/unknown/0",
        "/files/..%2f..%2fetc%2fpasswd",
        "/files/../../etc/passwd",
        "/page/../__init__.py",
        "/examples.json",
        "/api/threads/unknown",
        "/docs",
    ],
)
def test_nothing_else_can_be_fetched(page: Page, path: str) -> None:
    assert page.call("GET", path).status == 404


def test_a_file_outside_the_answers_is_not_offered(tmp_path: Path) -> None:
    with running_page(tmp_path) as page:
        page.coordinator.folder = tmp_path / "elsewhere"
        reply = page.settled(page.ask("plot the power"))["entries"][1]

    assert reply["files"][0]["url"] is None
    assert reply["tables"][0]["csv"]["url"] is None


def test_a_port_that_is_taken_is_an_error_that_says_so(page: Page, tmp_path: Path) -> None:
    port = int(page.url.rstrip("/").rpartition(":")[2])
    settings = Settings(data=tmp_path / "second", page=PageSettings(port=port))

    with (
        pytest.raises(PlatformError, match=f"port {port}"),
        running_page(tmp_path / "second", settings),
    ):
        pass
