"""The retrieval tools from the MCP inspector's command line: a client in another language."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.npm_peers import installed_peers
from tests.stored import NOW
from tests.tool_process import TOKEN, environment, running

POWER = "average total power of node 3 on 1 June 2022"


@pytest.fixture(scope="module")
def inspector() -> Path:
    return installed_peers() / ".bin" / "mcp-inspector"


@pytest.fixture(scope="module")
def address(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    options = ["retrieval", "--lake", str(lake), "--now", NOW.isoformat()]
    with running(options, environment(tmp_path_factory.mktemp("inspected"), TOKEN)) as url:
        yield url


def inspected(inspector: Path, url: str, token: str, *options: str) -> dict[str, Any]:
    """What the inspector prints of one call; raises CalledProcessError where it fails."""
    header = f"Authorization: Bearer {token}"
    done = subprocess.run(
        [inspector, "--cli", url, "--transport", "http", *options, "--header", header],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    printed: dict[str, Any] = json.loads(done.stdout)
    return printed


def test_it_lists_the_tools_with_what_they_take(inspector: Path, address: str) -> None:
    listed = inspected(inspector, address, TOKEN, "--method", "tools/list")

    tools = {tool["name"]: tool for tool in listed["tools"]}
    assert list(tools) == ["exasage_query", "exasage_clarify", "exasage_download_csv"]
    assert tools["exasage_query"]["inputSchema"]["required"] == ["request"]
    assert tools["exasage_query"]["outputSchema"]["properties"]["status"]


def test_it_is_answered(inspector: Path, address: str) -> None:
    options = ("--method", "tools/call", "--tool-name", "exasage_query")

    reply = inspected(inspector, address, TOKEN, *options, "--tool-arg", f"request={POWER}")

    answer = reply["structuredContent"]
    assert answer["status"] == "completed"
    assert answer["text"].startswith("Total node power of node 3 on 2022-06-01 UTC: average")


def test_it_is_told_what_was_wrong(inspector: Path, address: str) -> None:
    options = ("--method", "tools/call", "--tool-name", "exasage_clarify")

    reply = inspected(
        inspector, address, TOKEN, *options, "--tool-arg", "request_id=x", "choice=gpu"
    )

    assert reply["isError"]
    assert "No request 'x' is known." in reply["structuredContent"]["text"]


def test_it_is_not_let_in_with_another_token(inspector: Path, address: str) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        inspected(inspector, address, "a token of my own", "--method", "tools/list")
