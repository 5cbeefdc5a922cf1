"""Programs that we did not write, from npm: installed as tests/peers pins them."""

import fcntl
import shutil
import subprocess
from pathlib import Path

import pytest

PEERS = Path(__file__).resolve().parent / "peers"


def installed_peers() -> Path:
    """The folder of the packages; skips the test where npm is missing."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    found, locked = PEERS / "node_modules" / ".package-lock.json", PEERS / "package-lock.json"
    with locked.open("rb") as gate:
        fcntl.flock(gate, fcntl.LOCK_EX)
        if not found.exists() or found.stat().st_mtime < locked.stat().st_mtime:
            subprocess.run(
                ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
                cwd=PEERS,
                check=True,
                capture_output=True,
                timeout=600,
            )
    return PEERS / "node_modules"
