"""Our tool servers as processes of their own, started as an operator does."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TOKEN = "a token of some length"


def command(*options: str) -> list[str]:
    return [sys.executable, "-m", "bot", "mcp", *options]


def environment(data: Path, token: str = "") -> dict[str, str]:
    kept = {"ODABOT_DATA": str(data), "PATH": "/usr/bin:/bin", "HOME": str(data)}
    return kept | ({"ODABOT_MCP__TOKEN": token} if token else {})


@contextmanager
def running(options: list[str], variables: Mapping[str, str]) -> Iterator[str]:
    """The address of ``odabot mcp OPTIONS``; it is told to end, and must end well."""
    process = subprocess.Popen(
        command(*options, "--port", "0"),
        cwd=ROOT,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        greeting = process.stderr.readline()
        assert "listens on http" in greeting, greeting + process.stderr.read()
        yield greeting.split()[3]
    finally:
        process.terminate()
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, "", "")
