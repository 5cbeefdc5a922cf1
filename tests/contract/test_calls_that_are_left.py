"""What goes with a call beside its arguments: what is left to spend, and that nobody waits."""

import gc
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Context, FastMCP
from fastmcp.tools import ToolResult

from agent.answer import Usage
from agent.budget import Budget
from agent.deep.tool_execution import ToolExecution
from agent.errors import Stopped
from agent.run_context import RunContext
from agent.session import Question
from agent.tracing import Untraced
from bot.mcp.protocol import allowance_of, new_server, told, unless_left
from bot.mcp.sandbox_desk import SandboxDesk
from bot.mcp.sandbox_server import sandbox_server
from bot.mcp.tools_client import McpTools
from sandbox.job import Job, JobResult, JobStatus
from sandbox.sessions import CodeSessions
from sandbox.settings import SandboxSettings
from tests.fakes.canned_sandbox import CannedSandbox
from tests.mcp_http import served
from tests.stored import NOW

pytestmark = [
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
PATIENCE = 20.0


class Patient:
    """A server with a tool that works until nobody waits for it any more, or the test is over."""

    def __init__(self) -> None:
        self.begun, self.ended = threading.Event(), threading.Event()
        self.server: FastMCP[Any] = new_server("patient", "Waits.", None)

        @self.server.tool()
        async def wait() -> ToolResult:
            """Waits until it need not."""
            return told(await unless_left(self._until))

        @self.server.tool()
        def left(ctx: Context) -> ToolResult:
            """What the caller has left."""
            allowance = allowance_of(ctx)
            return told({"left": None if allowance is None else asdict(allowance)})

    def _until(self, left: Any) -> dict[str, object]:
        self.begun.set()
        while not left() and not self.ended.is_set():
            self.ended.wait(0.01)
        self.ended.set()
        return {"status": "completed"}


@pytest.fixture
def patient() -> Patient:
    return Patient()


@pytest.fixture(params=["memory", "http"])
def tools(request: pytest.FixtureRequest, patient: Patient) -> Iterator[McpTools]:
    if request.param == "memory":
        with closing(McpTools(patient.server, "patient", PATIENCE)) as made:
            yield made
        return
    with (
        served(patient.server) as address,
        closing(McpTools.at(address, None, PATIENCE)) as made,
    ):
        yield made
    # The socket of a call that was left is closed by the collector: now, and in no other test.
    gc.collect()


def test_a_call_of_a_stopped_question_is_not_waited_for(tools: McpTools, patient: Patient) -> None:
    budget = Budget(1000, 10, 60)
    with ThreadPoolExecutor(1) as pool:
        called = pool.submit(tools.call, "wait", {}, "", budget)
        assert patient.begun.wait(PATIENCE)
        budget.stop()

        with pytest.raises(Stopped):
            called.result(PATIENCE)

    patient.ended.set()


def test_a_server_of_this_process_ends_what_nobody_waits_for(patient: Patient) -> None:
    budget = Budget(1000, 10, 60)
    with closing(McpTools(patient.server, "patient", PATIENCE)) as tools:
        with ThreadPoolExecutor(1) as pool:
            called = pool.submit(tools.call, "wait", {}, "", budget)
            assert patient.begun.wait(PATIENCE)
            budget.stop()

            with pytest.raises(Stopped):
                called.result(PATIENCE)

        assert patient.ended.wait(PATIENCE)


def test_what_is_left_goes_with_a_call(tools: McpTools) -> None:
    budget = Budget(1000, 10, 60, clock=lambda: 0.0)
    budget.charge("coordinator", Usage(3, 390, 10))

    assert tools.call("left", {}, "", budget).content == {
        "left": {"tokens": 600, "calls": 7, "seconds": 60.0}
    }
    assert tools.call("left", {}).content == {"left": None}


class Endless(CannedSandbox):
    """Runs each job until nobody wants its result."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.pause = threading.Event(), threading.Event()

    def run(self, job: Job) -> JobResult:
        self.begun.set()
        while not job.stopped():
            self.pause.wait(0.01)
        return JobResult(JobStatus.STOPPED)


def test_a_program_of_a_stopped_question_is_killed_and_leaves_no_session(tmp_path: Path) -> None:
    sandbox = Endless()
    sessions = CodeSessions(lambda: sandbox, SandboxSettings(work_dir=tmp_path))
    context = RunContext(Question("?", NOW, "trace"), tmp_path, Budget(1000, 10, 60))
    server = sandbox_server(SandboxDesk(sessions, Untraced()))
    with closing(McpTools(server, "code", PATIENCE)) as tools, ThreadPoolExecutor(1) as pool:
        execution = ToolExecution(tools, context)
        ran = pool.submit(execution.execute, "while True: pass", ())
        assert sandbox.begun.wait(PATIENCE)
        context.budget.stop()

        with pytest.raises(Stopped):
            ran.result(PATIENCE)
        execution.close()

    (folder,) = tmp_path.iterdir()
    assert list(folder.iterdir()) == []
    sessions.close()
