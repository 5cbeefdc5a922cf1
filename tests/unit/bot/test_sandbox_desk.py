"""What the codeagent_* tools reply: plain objects, and complaints that say what to do."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.tracing import Untraced
from bot.mcp.sandbox_desk import Caller, SandboxDesk, Upload
from sandbox.audit import Finding
from sandbox.errors import SandboxUnavailable
from sandbox.job import DroppedFile, JobResult, JobStatus, OutputFile
from sandbox.runner import Sandbox
from sandbox.sessions import CodeSessions
from sandbox.settings import SandboxSettings
from tests.fakes.canned_sandbox import CannedSandbox

ANN = Caller("ann")
PNG = b"\x89PNG a picture"
RAN = JobResult(
    JobStatus.FAILED,
    "half\n",
    "Traceback",
    (OutputFile("plot.png", PNG, "image/png"), OutputFile("t.csv", "a\né\n".encode(), "text/csv")),
    1.23456,
    (Finding(3, "import socket"),),
    (DroppedFile("x.exe", "type not accepted"),),
)


def _desk(folder: Path, sandbox: Sandbox | None) -> SandboxDesk:
    def found() -> Sandbox:
        if sandbox is None:
            raise SandboxUnavailable("no bubblewrap in /usr/bin")
        return sandbox

    return SandboxDesk(CodeSessions(found, SandboxSettings(work_dir=folder)), Untraced())


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[SandboxDesk]:
    made = _desk(tmp_path, CannedSandbox([RAN]))
    yield made
    made.sessions.close()


def _started(desk: SandboxDesk) -> str:
    session = str(desk.init(ANN)["session"])
    reply = desk.start(session, ANN)
    assert (reply["status"], reply["isolation"]) == ("completed", "canned")
    return session


def test_a_program_that_fails_is_a_call_that_worked(desk: SandboxDesk) -> None:
    session = _started(desk)

    reply = desk.execute(session, "oops", ANN)

    assert json.loads(json.dumps(reply)) == {
        "status": "completed",
        "text": "Job status: failed; see stderr.",
        "session": session,
        "job_status": "failed",
        "stdout": "half\n",
        "stderr": "Traceback",
        "seconds": 1.235,
        "files": [
            {"name": "plot.png", "media_type": "image/png", "bytes": len(PNG)},
            {"name": "t.csv", "media_type": "text/csv", "bytes": 5},
        ],
        "dropped": [{"name": "x.exe", "reason": "type not accepted"}],
        "findings": [{"line": 3, "construct": "import socket"}],
    }


def test_artifacts_come_whole_and_text_also_as_text(desk: SandboxDesk) -> None:
    session = _started(desk)
    desk.execute(session, "oops", ANN)

    reply = desk.artifacts(session, (), ANN)

    plot, table = reply["files"]
    assert base64.b64decode(plot["content_base64"]) == PNG
    assert "text" not in plot
    assert table["text"] == "a\né\n"
    assert base64.b64decode(table["content_base64"]).decode() == "a\né\n"
    assert (reply["stdout"], reply["stderr"]) == ("half\n", "Traceback")


def test_an_upload_is_decoded(desk: SandboxDesk) -> None:
    session = _started(desk)

    reply = desk.upload(session, Upload("a.bin", base64.b64encode(b"\0\1\2").decode()), ANN)

    assert reply["text"] == "Programs find it as /in/a.bin."
    assert reply["bytes_in_session"] == 3


@pytest.mark.parametrize("content", ["abc", "a b c d", "é===", "ab=c"])
def test_what_is_not_base64_is_refused(desk: SandboxDesk, content: str) -> None:
    reply = desk.upload(_started(desk), Upload("a.bin", content), ANN)

    assert reply["status"] == "failed"
    assert "is not base64" in reply["text"]


def _after_stop(desk: SandboxDesk, session: str) -> list[dict[str, Any]]:
    return [
        desk.start(session, ANN),
        desk.upload(session, Upload("a.csv", ""), ANN),
        desk.execute(session, "print(1)", ANN),
        desk.artifacts(session, (), ANN),
        desk.stop(session, ANN),
    ]


@pytest.mark.parametrize("session", ["stopped", "no such", "../..", ""])
def test_a_session_that_is_not_there_is_told_by_every_tool(desk: SandboxDesk, session: str) -> None:
    made = _started(desk)
    assert desk.stop(made, ANN)["status"] == "completed"

    for reply in _after_stop(desk, made if session == "stopped" else session):
        assert reply["status"] == "failed"
        assert "Make one with codeagent_init" in reply["text"]


def test_a_host_that_isolates_nothing_says_so_and_no_more(tmp_path: Path) -> None:
    desk = _desk(tmp_path, None)

    reply = desk.start(str(desk.init(ANN)["session"]), ANN)

    assert reply["status"] == "failed"
    assert "cannot isolate code" in reply["text"]
    assert "/usr/bin" not in reply["text"]
    desk.sessions.close()
