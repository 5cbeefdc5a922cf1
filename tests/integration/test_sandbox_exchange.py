"""What the host makes of replies that a hostile program forged."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sandbox.control_group import ControlGroup
from sandbox.errors import SandboxUnavailable
from sandbox.exchange import SandboxLost, Started, run_in, wait_until_ready
from sandbox.job import Job, JobResult, JobStatus, Limits
from sandbox.process import Conversation

SPEAK = """
import json, struct, sys, time
def say(content):
    sys.stdout.buffer.write(content)
    sys.stdout.flush()
def message(head, *bodies):
    text = json.dumps(dict({"bodies": [len(each) for each in bodies]}, **head)).encode()
    return struct.pack(">I", len(text)) + text + b"".join(bodies)
sound = {"status": 0, "stopped": "", "seconds": 0.5, "names": [], "dropped": []}
sys.stdin.buffer.read(8)
"""
LIMITS = Limits(seconds=0.2, printed_bytes=100, file_bytes=100, files=2)


@contextmanager
def forging(code: str, folder: Path) -> Iterator[Started]:
    talk = Conversation([sys.executable, "-I", "-c", SPEAK + code])
    started = Started(talk, folder, ControlGroup(()))
    try:
        yield started
    finally:
        started.end()


def reply_to(code: str, folder: Path) -> JobResult:
    with forging(code, folder) as started:
        return run_in(started, Job("pass", limits=LIMITS))


def test_takes_a_sound_reply(tmp_path: Path) -> None:
    code = "say(message(dict(sound, names=['a.csv']), b'out', b'err', b'1'))"

    result = reply_to(code, tmp_path)

    assert result.status is JobStatus.FINISHED
    assert (result.stdout, result.stderr, result.seconds) == ("out", "err", 0.5)
    assert [each.name for each in result.outputs] == ["a.csv"]


@pytest.mark.parametrize(
    ("status", "stopped", "meaning"),
    [
        (1, "", JobStatus.FAILED),
        (-11, "", JobStatus.FAILED),
        (86, "", JobStatus.OUT_OF_MEMORY),
        (-24, "", JobStatus.TIMED_OUT),
        (-9, "deadline", JobStatus.TIMED_OUT),
        (-9, "printed", JobStatus.FAILED),
    ],
)
def test_tells_the_ways_to_end_apart(
    status: int, stopped: str, meaning: JobStatus, tmp_path: Path
) -> None:
    code = f"say(message(dict(sound, status={status}, stopped={stopped!r}), b'', b''))"

    assert reply_to(code, tmp_path).status is meaning


@pytest.mark.parametrize("name", ["../a.csv", "/etc/passwd", "a\\nb.csv", "a.html"])
def test_judges_names_again(name: str, tmp_path: Path) -> None:
    code = f"say(message(dict(sound, names=['{name}']), b'', b'', b'1'))"

    result = reply_to(code, tmp_path)

    assert result.outputs == ()
    assert len(result.dropped) == 1


@pytest.mark.parametrize(
    "code",
    [
        "say(b'')",
        "say(bytes(1000))",
        "say(b'\\xff' * 1000)",
        "say(struct.pack('>I', 1 << 31) + bytes(5000))",
        "say(message({}, b'', b''))",
        "say(message(sound))",
        "say(message(dict(sound, names=['a.csv']), b'', b''))",
        "say(message(dict(sound, names=['a.csv'] * 3), b'', b'', b'', b'', b''))",
        "say(message(dict(sound, more=1), b'', b''))",
        "say(message(dict(sound, status='0'), b'', b''))",
        "say(message(dict(sound, status=10**9), b'', b''))",
        "say(message(dict(sound, seconds=float('nan')), b'', b''))",
        "say(message(dict(sound, stopped='x'), b'', b''))",
        "say(message(dict(sound, names=['a' * 5000]), b'', b'', b''))",
        "say(message(dict(sound, dropped=[['a', 'b']] * 5000), b'', b''))",
        "say(message(dict(sound, dropped=[['a']]), b'', b''))",
        "say(message(dict(sound, bodies=[1 << 40, 0])))",
    ],
)
def test_a_forged_reply_costs_the_sandbox_and_nothing_else(code: str, tmp_path: Path) -> None:
    with pytest.raises(SandboxLost) as lost:
        reply_to(code, tmp_path)

    assert lost.value.result.status is JobStatus.FAILED
    assert lost.value.result.outputs == ()


def test_silence_is_a_time_out(tmp_path: Path) -> None:
    with pytest.raises(SandboxLost) as lost:
        reply_to("time.sleep(60)", tmp_path)

    assert lost.value.result.status is JobStatus.TIMED_OUT


def test_a_sandbox_that_does_not_start_says_why(tmp_path: Path) -> None:
    talk = Conversation(["/bin/sh", "-c", "echo no user namespaces >&2"])

    with pytest.raises(SandboxUnavailable, match="no user namespaces"):
        wait_until_ready(Started(talk, tmp_path, ControlGroup(())))
