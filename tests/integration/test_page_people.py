"""The page of several people: who logs in, what they see, and what they do below an answer."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from bot.page_settings import PageSettings
from bot.settings import Settings
from tests.integration.page_server import SITE, Page, running_page, until

ACCESS = """
[roles.chief]
digests = true
admin = true

[roles.reader]
query = false

[platforms.web.users]
anna = "chief"
ben = "reader"
dora = "chief"
"""
TOKENS = {person: f"the long token of {person}" for person in ("anna", "ben", "carl", "dora")}


def settings_for(folder: Path) -> Settings:
    access = folder / "access.toml"
    access.write_text(ACCESS)
    tokens = {person: SecretStr(token) for person, token in TOKENS.items()}
    return Settings(data=folder, page=PageSettings(port=0, tokens=tokens), site=SITE, access=access)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    folder = tmp_path_factory.mktemp("page")
    with running_page(folder, settings_for(folder)) as running:
        yield running


@pytest.fixture
def anna(page: Page) -> Page:
    return page.logged_in(TOKENS["anna"])


@pytest.fixture
def ben(page: Page) -> Page:
    return page.logged_in(TOKENS["ben"])


def reply_to(page: Page, text: str) -> tuple[str, dict[str, Any]]:
    thread = page.ask(text)
    return thread, page.settled(thread)["entries"][1]


def entries_when(page: Page, thread: str, fits: Callable[[list[Any]], bool]) -> list[Any]:
    def look() -> list[Any]:
        entries: list[Any] = page.call("GET", f"/api/threads/{thread}").json["entries"]
        return entries if fits(entries) else []

    return until(look)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/site"),
        ("GET", "/api/threads"),
        ("POST", "/api/threads"),
        ("GET", "/api/threads/1"),
        ("POST", "/api/threads/1/stop"),
        ("GET", "/api/threads/1/turns/1/trace"),
        ("GET", "/files/1/1/0"),
    ],
)
def test_nobody_gets_in_without_logging_in(page: Page, method: str, path: str) -> None:
    for cookie in ("", "odabot_login=x", f"odabot_login={TOKENS['anna']}"):
        answer = page.call(method, path, {"text": "power"}, {"Cookie": cookie})
        assert answer.status == 401

    assert not page.call("GET", "/api/session").json["person"]


def test_a_wrong_token_is_refused_and_a_right_one_tells_who_one_is(page: Page, anna: Page) -> None:
    wrong = page.call("POST", "/api/login", {"token": "the long token of nobody"})
    told = anna.call("GET", "/api/session").json

    assert (wrong.status, "set-cookie" in wrong.headers) == (401, False)
    assert (told["login"], told["person"]) == (True, "anna")
    assert "query" in told["rights"]


def test_the_cookie_is_for_the_page_alone(page: Page) -> None:
    cookie = page.call("POST", "/api/login", {"token": TOKENS["anna"]}).headers["set-cookie"]

    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= {part.strip() for part in cookie.split(";")}


def test_a_foreign_site_can_log_nobody_in(page: Page) -> None:
    foreign = {"Origin": "http://evil.example"}

    assert page.call("POST", "/api/login", {"token": TOKENS["anna"]}, foreign).status == 403


def test_who_logs_out_is_out(page: Page) -> None:
    here, there = page.logged_in(TOKENS["anna"]), page.logged_in(TOKENS["anna"])

    assert here.call("POST", "/api/logout", {}).status == 200
    assert here.call("GET", "/api/threads").status == 401
    assert there.call("GET", "/api/threads").status == 200


def test_each_sees_their_own_threads_alone(anna: Page, ben: Page) -> None:
    thread, reply = reply_to(anna, "plot the power")
    turn, picture = reply["turn"], reply["files"][0]["url"]

    listed = ben.call("GET", "/api/threads").json["threads"]
    statuses = [
        ben.call("GET", f"/api/threads/{thread}").status,
        ben.call("POST", f"/api/threads/{thread}/questions", {"text": "power"}).status,
        ben.call("POST", f"/api/threads/{thread}/stop", {}).status,
        ben.call("POST", f"/api/threads/{thread}/acts", {"act": "csv", "turn": turn}).status,
        ben.call("GET", f"/api/threads/{thread}/turns/{turn}/trace").status,
        ben.call("GET", picture).status,
    ]

    assert thread not in [each["id"] for each in listed]
    assert statuses == [404] * 6
    assert anna.call("GET", picture).status == 200


def test_a_person_without_a_role_is_told_so(page: Page) -> None:
    carl = page.logged_in(TOKENS["carl"])

    asked = carl.call("POST", "/api/threads", {"text": "power"})

    assert asked.status == 403
    assert b"You are known as carl here" in asked.body
    assert carl.call("GET", "/api/session").json["rights"] == []


def test_who_asked_is_written_down(anna: Page) -> None:
    _, reply = reply_to(anna, "power for the log")

    lines = [
        json.loads(line)
        for path in (anna.folder / "audit").glob("*.jsonl")
        for line in path.read_text().splitlines()
    ]
    (decided,) = [
        line for line in lines if line["event"] == "decided" and line["trace_id"] == reply["turn"]
    ]
    assert (decided["platform"], decided["user"], decided["roles"]) == ("web", "anna", ["chief"])


def test_the_steps_of_an_answer_are_a_tree(anna: Page) -> None:
    thread, reply = reply_to(anna, "power step by step")

    tree = anna.call("GET", f"/api/threads/{thread}/turns/{reply['turn']}/trace").json

    assert "work" in reply["acts"]
    assert tree["trace"] == reply["turn"]
    assert tree["steps"][0]["given"]["question"] == "power step by step"


def test_a_turn_of_another_thread_is_not_shown(anna: Page) -> None:
    _, reply = reply_to(anna, "power one")
    other, _ = reply_to(anna, "power two")

    path = f"/api/threads/{other}/turns/{reply['turn']}/trace"
    assert anna.call("GET", path).status == 404
    pressed = {"act": "query", "turn": reply["turn"]}
    assert anna.call("POST", f"/api/threads/{other}/acts", pressed).status == 404


def test_who_may_not_see_queries_sees_none(ben: Page) -> None:
    thread, reply = reply_to(ben, "power without a query")

    assert reply["text"].startswith("**812.5 W**")
    assert (reply["facts"], reply["acts"]) == ([], ["helpful", "unhelpful"])
    refused = ben.call("GET", f"/api/threads/{thread}/turns/{reply['turn']}/trace")
    assert refused.status == 403
    ben.call("POST", f"/api/threads/{thread}/acts", {"act": "query", "turn": reply["turn"]})
    entries = entries_when(ben, thread, lambda found: len(found) > 2)
    assert entries[2]["from"] == "note"
    assert "SELECT" not in str(entries)


@pytest.mark.parametrize(
    ("act", "kind", "words"),
    [
        ("query", "note", "SELECT"),
        ("work", "note", "question"),
        ("csv", "bot", "power by node.csv"),
    ],
)
def test_what_stands_behind_an_answer_is_shown_by_its_buttons(
    anna: Page, act: str, kind: str, words: str
) -> None:
    thread, reply = reply_to(anna, f"power behind {act}")

    pressed = anna.call("POST", f"/api/threads/{thread}/acts", {"act": act, "turn": reply["turn"]})
    entries = entries_when(anna, thread, lambda found: len(found) > 2)

    assert pressed.status == 202
    assert entries[2]["from"] == kind
    assert words in str(entries[2])


def test_a_vote_is_kept_with_its_reason(anna: Page) -> None:
    thread, reply = reply_to(anna, "power with a vote")
    path, turn = f"/api/threads/{thread}/acts", reply["turn"]

    anna.call("POST", path, {"act": "unhelpful", "turn": turn})
    asked = entries_when(anna, thread, lambda found: len(found) > 2)
    anna.call("POST", path, {"act": "unhelpful", "turn": turn, "value": "misread"})
    entries = entries_when(anna, thread, lambda found: len(found) > 3)

    assert "misread" in [reason["id"] for reason in asked[2]["reasons"]]
    assert asked[1]["vote"] == {"helpful": False, "reason": ""}
    assert entries[1]["vote"] == {"helpful": False, "reason": "misread"}
    votes = [json.loads(line) for line in (anna.folder / "votes.jsonl").read_text().splitlines()]
    assert [
        (vote["user"], vote["helpful"], vote["reason"])
        for vote in votes
        if vote["trace_id"] == turn
    ] == [("anna", False, ""), ("anna", False, "misread")]


@pytest.mark.parametrize("body", [{"act": "sing", "turn": "1"}, {"act": "choose", "turn": "1"}, {}])
def test_what_is_no_button_is_refused(anna: Page, body: dict[str, str]) -> None:
    assert anna.call("POST", "/api/threads/1/acts", body).status == 400


def test_a_digest_begins_a_thread_of_its_own(anna: Page) -> None:
    asked = anna.ask('digest create "power of node 900" daily 08:00 UTC')
    created = anna.settled(asked)["entries"][1]["text"]
    name = re.search(r"\*\*(d\d+)\*\*", created)
    assert name, created

    anna.ask(f"digest run {name[1]}")

    def posted() -> list[Any]:
        threads = anna.call("GET", "/api/threads").json["threads"]
        return [each for each in threads if "812.5" in str(anna.settled(each["id"])["entries"][0])]

    (thread,) = until(posted)
    assert thread["title"].startswith("Digest d")
    assert [entry["from"] for entry in anna.settled(thread["id"])["entries"]] == ["bot"]
    follow_up = anna.ask("and of node 901?", thread["id"])
    assert "you asked: and of node 901?" in anna.settled(follow_up)["entries"][2]["text"]


def test_what_runs_and_what_waits_is_stopped(tmp_path: Path) -> None:
    with running_page(tmp_path, settings_for(tmp_path)) as page:
        anna = page.logged_in(TOKENS["anna"])
        thread = str(anna.call("POST", "/api/threads", {"text": "slow"}).json["id"])
        path = f"/api/threads/{thread}"
        anna.call("POST", f"{path}/questions", {"text": "power"})
        until(lambda: "waiting to be released" in anna.call("GET", path).json["working"])

        running = anna.call("GET", path).json["running"]
        stopped = anna.call("POST", f"{path}/stop", {})
        entries = anna.settled(thread)["entries"]

    assert [each["note"] for each in running] == ["waiting to be released", "waiting for its turn"]
    assert stopped.status == 202
    assert page.coordinator.release.is_set()
    assert "stopped before I came to it" in entries[-1]["text"]


def test_a_log_in_and_what_was_said_outlive_the_process(tmp_path: Path) -> None:
    with running_page(tmp_path, settings_for(tmp_path)) as page:
        dora = page.logged_in(TOKENS["dora"])
        thread = dora.ask("which temperature")
    with running_page(tmp_path, settings_for(tmp_path)) as page:
        again = Page(page.url, page.coordinator, page.folder, dora.cookie)

        chosen = again.call("POST", f"/api/threads/{thread}/choice", {"id": "gpu"})
        entries = again.settled(thread)["entries"]

    assert chosen.status == 202
    assert entries[1]["settled"] == "chose: the GPU cores"
    assert [entry["text"] for entry in entries[2:]] == ["the GPU cores", "You chose gpu."]
