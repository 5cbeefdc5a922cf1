"""The page of ``odabot serve``: started as an operator does, alone and over a real lake."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.fakes.canned_analyst import CannedCoordinator
from tests.free_port import free_port
from tests.integration.page_server import Page
from tests.service_process import running
from tests.stored import NOW

POWER = "average total power of node 3 on 1 June 2022"
TOKEN = "the long token of anna"
ACCESS = """
[roles.chief]
admin = true

[platforms.web.users]
anna = "chief"
"""


@pytest.fixture(scope="module")
def page(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    data = tmp_path_factory.mktemp("service")
    access, port = data / "access.toml", free_port()
    access.write_text(ACCESS)
    variables = {
        "ODABOT_DATA": str(data),
        "ODABOT_ACCESS": str(access),
        "ODABOT_PAGE__SERVED": "true",
        "ODABOT_PAGE__PORT": str(port),
        "ODABOT_PAGE__TOKENS": json.dumps({"anna": TOKEN}),
        "PATH": "/usr/bin:/bin",
        "HOME": str(data),
    }
    options = ["serve", "--lake", str(lake), "--now", NOW.isoformat(), "--port", "0"]
    with running(options, variables) as service:
        ready = httpx.get(f"{service.url}readyz", timeout=30)
        assert ready.json()["parts"]["web"]["ok"], ready.text
        url = f"http://127.0.0.1:{port}/"
        yield Page(url, CannedCoordinator(data), data).logged_in(TOKEN)


def test_a_question_and_its_follow_up_are_answered(page: Page) -> None:
    thread = page.ask(POWER)
    page.ask("and of node 4?", thread)

    entries = page.settled(thread)["entries"]
    assert "Total node power of node 3 on 2022-06-01 UTC: average" in entries[1]["text"]
    assert "of node 4 on 2022-06-01 UTC" in entries[3]["text"]


def test_its_steps_and_its_table_are_there(page: Page) -> None:
    thread = page.ask("total power of node 3 by hour on 1 June 2022")
    reply = page.settled(thread)["entries"][1]

    tree = page.call("GET", f"/api/threads/{thread}/turns/{reply['turn']}/trace").json
    csv = page.call("GET", reply["tables"][0]["csv"]["url"])

    assert "SELECT" in str(reply["facts"])
    assert tree["steps"][0]["steps"]
    assert csv.body.count(b"\n") > 20
