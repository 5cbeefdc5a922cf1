"""The end of a process amid which something is still loaded."""

import subprocess
import sys

import pytest

_PROGRAM = """
import atexit, sys, threading
from bot.ending import end
atexit.register(lambda: print("the interpreter's own end"))
threading.Thread(target=threading.Event().wait, daemon=DAEMON, args=(SECONDS,)).start()
print("closed")
end(3)
"""


@pytest.mark.parametrize(
    ("daemon", "seconds", "code", "said"),
    [("True", "60", 3, "closed\n"), ("False", "0.1", 0, "closed\nthe interpreter's own end\n")],
)
def test_the_process_ends_at_once_where_nobody_waits_for_a_thread(
    daemon: str, seconds: str, code: int, said: str
) -> None:
    program = _PROGRAM.replace("DAEMON", daemon).replace("SECONDS", seconds)

    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=50, check=False
    )

    assert (ended.returncode, ended.stdout, ended.stderr) == (code, said, "")
