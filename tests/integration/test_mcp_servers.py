"""Our tool servers as other programs meet them: processes, clients that we did not write."""

import asyncio
import base64
import json
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import ClientSession, MCPError, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from pydantic import SecretStr

from agent.budget import Budget
from agent.deep.retrieval_agent import retrieval_agent
from agent.deep.sub_agent import Report
from agent.deep.tool_execution import ToolExecution
from agent.run_context import RunContext
from agent.session import Question
from agent.tools import ToolSet
from bot.check_wiring import health_probes
from bot.health import health_of
from bot.mcp.retrieval_server import SKILL
from bot.mcp.tools_client import McpTools
from bot.mcp_settings import McpSettings
from bot.settings import Settings
from bot.step_tracer import StepTracer
from bot.tool_wiring import (
    open_retrieval_desk,
    open_retrieval_tools,
    open_sandbox_tools,
)
from bot.trace_wiring import build_tracer, open_traces
from retrieval.settings import RetrievalSettings
from sandbox.choose import first_working
from sandbox.errors import SandboxUnavailable
from sandbox.job import JobStatus
from sandbox.settings import SandboxSettings
from tests.asking import Thread, table_of
from tests.fakes.scripted_model import ScriptedModel
from tests.stored import NOW
from tests.tool_process import ROOT, TOKEN, command, environment, running

POWER = "average total power of each node of rack 0 on 1 June 2022"
WHICH = "average temperature of node 3 on 1 June 2022"
PLOT = "plot the total power of node 3 on 1 June 2022"
LATER = "power of node 3 on 1 June 2030"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tools")


@pytest.fixture(scope="module")
def address(lake: Path, data: Path) -> Iterator[str]:
    options = ["retrieval", "--lake", str(lake), "--now", NOW.isoformat()]
    with running(options, environment(data, TOKEN)) as url:
        yield url


@asynccontextmanager
async def session_at(url: str, token: str) -> Any:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        streamable_http_client(url, http_client=http) as streams,
        ClientSession(*streams[:2]) as session,
    ):
        await session.initialize()
        yield session


def test_another_client_finds_its_way_from_the_tools_alone(address: str) -> None:
    async def conversation() -> list[Any]:
        async with session_at(address, TOKEN) as session:
            tools = (await session.list_tools()).tools
            asked = await session.call_tool("exasage_query", {"request": WHICH})
            reply = asked.structured_content
            given = {"request_id": reply["request_id"], "choice": reply["options"][0]["id"]}
            chosen = await session.call_tool("exasage_clarify", given)
            table = chosen.structured_content["tables"][0]["csv"]
            part = {"request_id": reply["request_id"], "table": table}
            return [tools, reply, chosen, await session.call_tool("exasage_download_csv", part)]

    tools, asked, chosen, csv = asyncio.run(conversation())

    assert [t.name for t in tools] == ["exasage_query", "exasage_clarify", "exasage_download_csv"]
    assert all(tool.description and tool.input_schema["properties"] for tool in tools)
    assert asked["status"] == "clarification"
    assert not chosen.is_error
    assert chosen.structured_content["status"] == "completed"
    assert json.loads(chosen.content[0].text) == chosen.structured_content
    (row,) = chosen.structured_content["tables"][0]["rows"]
    heading, value = csv.structured_content["csv"].splitlines()
    assert heading == chosen.structured_content["tables"][0]["columns"][0]
    assert float(value) == row[0]


def test_another_client_reads_what_can_be_measured(address: str) -> None:
    async def read() -> Any:
        async with session_at(address, TOKEN) as session:
            listed = (await session.list_resources()).resources
            return listed, (await session.read_resource(listed[0].uri)).contents[0]

    (resource,), skill = asyncio.run(read())

    assert str(resource.uri) == SKILL
    assert "| total_power | W | " in skill.text


def test_another_server_goes_on_with_a_request_that_waits(lake: Path, data: Path) -> None:
    options = ["retrieval", "--lake", str(lake), "--now", NOW.isoformat()]
    variables = environment(data, TOKEN)
    with running(options, variables) as other:
        with (
            running(options, variables) as first,
            closing(McpTools.at(first, SecretStr(TOKEN), 60)) as tools,
        ):
            asked = tools.call("exasage_query", {"request": WHICH}).content
        options_of = asked["options"]
        assert isinstance(options_of, list)
        given = {"request_id": asked["request_id"], "choice": options_of[0]["id"]}
        with closing(McpTools.at(other, SecretStr(TOKEN), 60)) as tools:
            chosen = tools.call("exasage_clarify", given)
            again = tools.call("exasage_clarify", given)

    assert chosen.content["status"] == "completed"
    assert "waits for no choice: it is completed" in again.problem


@pytest.mark.parametrize("token", ["", "another token of some length", TOKEN[:-1]])
def test_nobody_gets_in_without_the_token(address: str, token: str) -> None:
    async def knock() -> None:
        async with session_at(address, token):
            pass

    with pytest.raises(BaseExceptionGroup) as error:
        asyncio.run(knock())
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(urllib.request.Request(address, b"{}", headers))

    assert error.group_contains(MCPError)


@pytest.mark.parametrize(
    ("token", "found"), [(TOKEN, "exasage_query, exasage_clarify"), (TOKEN * 2, "do not answer")]
)
def test_check_tells_whether_a_named_server_answers(address: str, token: str, found: str) -> None:
    settings = Settings(mcp=McpSettings(retrieval_url=address, token=SecretStr(token)))
    (probe,) = [each for each in health_probes(settings) if each.name == "retrieval tools"]

    state = health_of(probe)

    assert state.ok == (token == TOKEN)
    assert found in state.found
    assert token not in state.found


def test_a_server_says_that_it_is_up_to_whoever_asks(address: str) -> None:
    with urllib.request.urlopen(address.replace("/mcp", "/healthz")) as reply:
        assert json.load(reply) == {"status": "ok", "server": "odabot-retrieval"}


def test_a_page_of_elsewhere_cannot_call_the_tools_of_this_machine(data: Path) -> None:
    with running(["sandbox"], environment(data)) as url:
        headers = {"Origin": "http://elsewhere.example", "Content-Type": "application/json"}
        request = urllib.request.Request(url, b"{}", headers)

        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(request)


def test_no_server_starts_for_everybody_without_a_token(data: Path, lake: Path) -> None:
    options = command("retrieval", "--lake", str(lake), "--host", "0.0.0.0", "--port", "0")

    done = subprocess.run(
        options, cwd=ROOT, env=environment(data), capture_output=True, text=True, timeout=60
    )

    assert done.returncode == 1
    assert "set ODABOT_MCP__TOKEN" in done.stderr


def test_a_client_may_start_its_server_itself(lake: Path, data: Path) -> None:
    program, *options = command("retrieval", "--lake", str(lake), "--stdio")
    started = StdioServerParameters(
        command=program, args=options, env=environment(data), cwd=str(ROOT)
    )

    async def conversation() -> Any:
        async with stdio_client(started) as streams, ClientSession(*streams) as session:
            await session.initialize()
            given = {"request": POWER, "asked_at": NOW.isoformat()}
            return await session.call_tool("exasage_query", given)

    reply = asyncio.run(conversation())

    assert reply.structured_content["status"] == "completed"


def test_nothing_but_the_protocol_is_on_standard_output(lake: Path, data: Path) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    done = subprocess.run(
        command("sandbox", "--stdio"),
        cwd=ROOT,
        env=environment(data),
        input=json.dumps(hello) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
    )

    (line,) = done.stdout.splitlines()
    assert json.loads(line)["result"]["serverInfo"]["name"] == "odabot-sandbox"
    assert (done.returncode, done.stderr) == (0, "")


def _settings(lake: Path, data: Path, url: str | None) -> Settings:
    mcp = McpSettings(retrieval_url=url, token=SecretStr(TOKEN))
    return Settings(retrieval=RetrievalSettings(lake=lake), data=data, mcp=mcp)


def _reported(words: str, tools: ToolSet, folder: Path) -> Report:
    """What the sub-agent of retrieval makes of a task for which its model asks in its words."""
    call = json.dumps({"tool": "exasage_query", "arguments": {"request": words}})
    return retrieval_agent(ScriptedModel([call]), tools).work(words, (), _context(folder))


def _context(folder: Path) -> RunContext:
    return RunContext(Question("?", NOW, "trace"), folder, Budget(10_000, 10, 600))


@pytest.mark.parametrize("place", ["memory", "http"])
def test_by_way_of_tools_an_answer_is_what_it_is_without(
    place: str, address: str, lake: Path, data: Path, thread: Thread, tmp_path: Path
) -> None:
    settings = _settings(lake, data, address if place == "http" else None)
    with open_retrieval_tools(settings, open_retrieval_desk(settings)) as tools:
        found = _reported(POWER, tools, tmp_path).found
        series = _reported(PLOT, tools, tmp_path).found
        back = _reported(WHICH, tools, tmp_path).back
        none = _reported(LATER, tools, tmp_path)

    direct = thread.found(POWER)
    assert found is not None
    assert series is not None
    assert back is not None
    assert none.found is None
    assert found.text == direct.text
    assert found.tables[0].preview == direct.tables[0].preview
    assert table_of(found).equals(table_of(direct))
    assert found.evidence == direct.evidence
    assert table_of(series).height > 1000
    assert len(series.tables[0].preview) == 50
    assert back.choices == thread.asked_back(WHICH).choices
    assert none.problem == thread.declined(LATER).text


def test_what_is_done_for_a_call_hangs_below_the_step_that_calls(
    address: str, lake: Path, data: Path
) -> None:
    settings = _settings(lake, data, address)
    question = Question("?", NOW, "0123456789abcdef")
    with open_retrieval_tools(settings, open_retrieval_desk(settings)) as tools:
        tracer: StepTracer = build_tracer(settings)
        with tracer.question(question) as root:
            reply = tools.call("exasage_query", {"request": POWER}, root.id)
        alone = tools.call("exasage_query", {"request": POWER})
        tracer.close()

    steps = {step.name: step for step in open_traces(settings).read(question.trace_id)}
    assert steps["exasage_query"].parent == steps["question"].span
    assert steps["exasage_query"].as_json()["output"]["text"] == reply.content["text"]
    own = open_traces(settings).read(str(alone.content["request_id"]))
    assert [step.name for step in own][:1] == ["question"]


PROGRAM = """
import json, os, socket
from pathlib import Path
rows = Path("/in/rows.csv").read_text().split()
import matplotlib.pyplot as plt
plt.plot([float(row) for row in rows])
plt.savefig("/out/plot.png")
Path("/out/sum.json").write_text(json.dumps({"sum": sum(map(float, rows))}))
print(len(rows), "rows", os.path.exists("/etc/shadow"))
try:
    socket.create_connection(("127.0.0.1", 80), 2)
except OSError as error:
    print("no network")
"""


@pytest.fixture(scope="module")
def isolated() -> None:
    try:
        first_working(SandboxSettings()).close()
    except SandboxUnavailable as reason:
        pytest.skip(str(reason))


@pytest.mark.usefixtures("isolated")
def test_a_session_runs_code_where_it_reaches_nothing(data: Path) -> None:
    with open_sandbox_tools(Settings(data=data)) as tools:
        session = str(tools.call("codeagent_init", {"user": "ann"}).content["session"])
        mine = {"session": session, "user": "ann"}
        started = tools.call("codeagent_start", mine)
        rows = base64.b64encode(b"1\n2\n3.5\n").decode()
        tools.call("codeagent_upload", {**mine, "name": "rows.csv", "content_base64": rows})
        other = tools.call("codeagent_execute", {"session": session, "user": "bob", "code": "1"})
        ran = tools.call("codeagent_execute", {**mine, "code": PROGRAM})
        kept = tools.call("codeagent_get_artifacts", {**mine, "names": ["plot.png", "sum.json"]})
        stopped = tools.call("codeagent_stop", mine)
        after = tools.call("codeagent_execute", {**mine, "code": "print(1)"})

    assert started.content["isolation"] in ("gvisor (systrap)", "gvisor (ptrace)", "bubblewrap")
    assert "There is no session" in other.problem
    assert ran.content["job_status"] == "finished"
    assert ran.content["stdout"] == "3 rows False\nno network\n"
    found = ran.content["findings"]
    assert isinstance(found, list)
    assert {"line": 2, "construct": "import socket"} in found
    files = kept.content["files"]
    assert isinstance(files, list)
    plot, total = files
    assert base64.b64decode(plot["content_base64"]).startswith(b"\x89PNG")
    assert json.loads(total["text"]) == {"sum": 6.5}
    assert stopped.content["status"] == "completed"
    assert "There is no session" in after.problem


@pytest.mark.usefixtures("isolated")
def test_large_files_go_in_and_out_over_http(data: Path, tmp_path: Path) -> None:
    large = tmp_path / "large.csv"
    large.write_text("0123456789abcde\n" * 400_000)
    code = (
        "from pathlib import Path\n"
        "text = Path('/in/large.csv').read_text()\n"
        "Path('/out/again.txt').write_text(text)\n"
        "print(len(text))"
    )
    with running(["sandbox"], environment(data, TOKEN)) as url:
        mcp = McpSettings(sandbox_url=url, token=SecretStr(TOKEN))
        with open_sandbox_tools(Settings(data=data, mcp=mcp)) as tools:
            execution = ToolExecution(tools, _context(tmp_path))
            result = execution.execute(code, [large])
            execution.close()

    assert (result.status, result.stdout) == (JobStatus.FINISHED, "6400000\n")
    assert [file.content for file in result.outputs] == [large.read_bytes()]
