"""Programs that mean harm, run for real: each is contained, and the next job runs."""

import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from sandbox.choose import first_working
from sandbox.errors import SandboxUnavailable
from sandbox.job import Job, JobResult, JobStatus, Limits
from sandbox.runner import Sandbox
from sandbox.settings import SandboxSettings

LIMITS = Limits(seconds=20, memory_mib=256, processes=24, disk_mib=8, printed_bytes=1 << 16)


def made(isolation: Literal["bubblewrap", "gvisor"]) -> Sandbox:
    try:
        return first_working(SandboxSettings(isolation=isolation, warm_modules=()))
    except SandboxUnavailable as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="module")
def bubblewrap() -> Iterator[Sandbox]:
    sandbox = made("bubblewrap")
    yield sandbox
    sandbox.close()


@pytest.fixture(scope="module")
def gvisor() -> Iterator[Sandbox]:
    sandbox = made("gvisor")
    yield sandbox
    sandbox.close()


@pytest.fixture(params=["bubblewrap", "gvisor"])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    chosen: Sandbox = request.getfixturevalue(request.param)
    return chosen


def run(sandbox: Sandbox, code: str, *, user: str = "", seconds: float = 20) -> JobResult:
    limits = Limits(
        seconds=seconds,
        memory_mib=LIMITS.memory_mib,
        processes=LIMITS.processes,
        disk_mib=LIMITS.disk_mib,
        printed_bytes=LIMITS.printed_bytes,
    )
    return sandbox.run(Job(code, limits=limits, user=user))


def told(result: JobResult) -> object:
    """What the program printed as JSON on its last line."""
    assert result.stdout, result.stderr
    return json.loads(result.stdout.splitlines()[-1])


FORK_BOMB = """
import os, time
children = 0
try:
    while children < 500:
        if os.fork() == 0:
            time.sleep(30)
            os._exit(0)
        children += 1
except OSError:
    pass
print(children, flush=True)
os._exit(0)
"""


def test_a_fork_bomb_stops_at_the_limit(sandbox: Sandbox) -> None:
    result = run(sandbox, FORK_BOMB)

    assert told(result) in range(1, LIMITS.processes + 1)


def test_threads_count_as_processes(sandbox: Sandbox) -> None:
    code = """
import threading, time
started = 0
try:
    for _ in range(500):
        threading.Thread(target=time.sleep, args=(30,), daemon=True).start()
        started += 1
except RuntimeError:
    pass
print(started, flush=True)
import os
os._exit(0)
"""

    assert told(run(sandbox, code)) in range(1, LIMITS.processes + 1)


MEMORY_BOMB = """
kept = []
for _ in range(2000):
    block = bytearray(4 << 20)
    for place in range(0, len(block), 4096):
        block[place] = 1
    kept.append(block)
print("not stopped")
"""


def test_a_memory_bomb_ends(sandbox: Sandbox) -> None:
    result = run(sandbox, MEMORY_BOMB)

    assert result.status is JobStatus.OUT_OF_MEMORY
    assert "not stopped" not in result.stdout


def test_a_memory_bomb_in_children_ends(sandbox: Sandbox) -> None:
    code = f"""
import os
for _ in range(4):
    if os.fork() == 0:
        exec({MEMORY_BOMB!r})
try:
    while True:
        os.wait()
except ChildProcessError:
    pass
"""

    result = run(sandbox, code)

    assert "not stopped" not in result.stdout


def test_one_process_cannot_map_more_than_its_address_space(sandbox: Sandbox) -> None:
    result = run(sandbox, "kept = bytearray(1 << 34)")

    assert result.status is JobStatus.OUT_OF_MEMORY
    assert "MemoryError" in result.stderr


def test_an_endless_loop_that_ignores_signals_ends(sandbox: Sandbox) -> None:
    code = """
import signal
for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
while True:
    pass
"""

    assert run(sandbox, code, seconds=1).status is JobStatus.TIMED_OUT


@pytest.mark.parametrize("folder", ["/out", "/tmp", "/dev/shm"])
def test_a_disk_cannot_be_filled(sandbox: Sandbox, folder: str) -> None:
    code = f"""
written = 0
try:
    for number in range(40):
        with open(f"{folder}/{{number}}.bin", "wb", buffering=0) as file:
            for _ in range(4):
                written += file.write(b"x" * (1 << 20))
except OSError:
    pass
print(written >> 20)
"""
    most = 16 if folder == "/dev/shm" else LIMITS.disk_mib

    assert told(run(sandbox, code)) in range(1, most + 1)


def test_nowhere_else_can_be_written(sandbox: Sandbox) -> None:
    code = """
import json, os, sys
places = [p for p in sys.path if os.path.isdir(p) and not p.startswith("/tmp/")] + [
    "/", "/usr", "/usr/bin", "/etc", "/var", "/var/tmp", "/run", "/root", "/home", "/opt", "/in",
    "/opt/odabot", "/proc", "/proc/sys/kernel", "/sys", "/dev", os.path.dirname(os.__file__)]
written = []
for place in places:
    try:
        with open(f"{place}/new-file", "w"):
            written.append(place)
    except OSError:
        pass
for path in ("/etc/passwd", "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", os.__file__,
             "/proc/sys/vm/overcommit_memory"):
    try:
        os.close(os.open(path, os.O_WRONLY))
        written.append(path)
    except OSError:
        pass
print(json.dumps(written))
"""

    assert told(run(sandbox, code)) == []


def test_endless_empty_files_end_with_the_job(sandbox: Sandbox) -> None:
    code = """
import os
try:
    for number in range(20_000):
        os.close(os.open(f"/out/{number}.csv", os.O_CREAT | os.O_WRONLY))
except OSError:
    pass
"""

    result = run(sandbox, code)

    assert len(result.outputs) <= LIMITS.files
    assert len(result.dropped) <= 60


def test_links_and_special_files_are_not_followed(sandbox: Sandbox) -> None:
    code = """
import os, socket
def attempt(function, *arguments):
    try:
        function(*arguments)
    except OSError:
        pass
attempt(os.symlink, "/etc/passwd", "/out/passwd.csv")
attempt(os.symlink, "/proc/self/environ", "/out/environment.txt")
attempt(os.symlink, "../../../../etc/shadow", "/out/shadow.txt")
attempt(os.symlink, "/", "/out/root")
attempt(os.link, "/etc/passwd", "/out/hard.csv")
attempt(os.mkfifo, "/out/wait.png")
attempt(os.mknod, "/out/memory.png", 0o20666, os.makedev(1, 1))
socket.socket(socket.AF_UNIX).bind("/out/socket.png")
open("/out/sparse.csv", "w").close()
attempt(os.truncate, "/out/sparse.csv", 6 << 20)
open("/out/twice.csv", "w").close()
attempt(os.link, "/out/twice.csv", "/out/again.csv")
open("/out/set.csv", "w").close()
attempt(os.chmod, "/out/set.csv", 0o6777)
open("/out/a\\nb; rm -rf x.csv", "w").close()
"""

    result = run(sandbox, code)

    assert result.status is JobStatus.FINISHED, result.stderr
    assert [each.name for each in result.outputs] in ([], ["set.csv"])


def test_artifacts_that_lie_are_dropped(sandbox: Sandbox) -> None:
    code = """
import pickle, struct, zlib
class Bomb:
    def __reduce__(self):
        return print, ("loaded",)
pickle.dump(Bomb(), open("/out/frame.pkl", "wb"))
pickle.dump(Bomb(), open("/out/frame.parquet", "wb"))
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
rows = zlib.compress(bytes(3751 * 30_000), 9)
head = struct.pack(">IIBBBBB", 30_000, 30_000, 1, 0, 0, 0, 0)
open("/out/bomb.png", "wb").write(
    b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b""))
open("/out/act.svg", "w").write("<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>")
open("/out/page.html", "w").write("<script>alert(1)</script>")
open("/out/cells.csv", "w").write("name\\n=HYPERLINK(1)\\n")
"""

    result = run(sandbox, code)

    (cells,) = result.outputs
    assert cells.content == b"name\n'=HYPERLINK(1)\n"
    assert len(result.dropped) == 5


def test_reads_no_file_of_the_host(sandbox: Sandbox, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    code = f"""
import glob, json, os
readable = []
for path in ({str(secret)!r}, {__file__!r}, "/etc/shadow", "/etc/hostname", "/root/.bashrc",
             "/proc/1/environ", "/proc/1/root/etc/shadow", "/proc/kcore", "/proc/kallsyms",
             "/dev/mem", "/dev/kmsg", "/dev/vda", "/dev/kvm", "/var/run/docker.sock",
             "/sys/fs/cgroup/cgroup.procs", "/var/lib/dpkg/status"):
    try:
        with open(path, "rb") as file:
            readable.append(path) if file.read(100) else None
    except OSError:
        pass
accounts = open("/etc/passwd").read().splitlines()
print(json.dumps([readable, len(accounts)]))
"""

    readable, accounts = json.loads(run(sandbox, code).stdout)

    assert set(readable) <= {"/proc/1/environ"}
    assert accounts == 2


def test_nothing_of_the_services_environment_is_seen(sandbox: Sandbox) -> None:
    code = """
import glob, json, os
seen = set(os.environ)
for path in glob.glob("/proc/[0-9]*/environ"):
    try:
        for entry in open(path, "rb").read().split(b"\\0"):
            seen.add(entry.partition(b"=")[0].decode())
    except OSError:
        pass
print(json.dumps(sorted(seen - {""})))
"""

    names = told(run(sandbox, code))

    assert isinstance(names, list)
    assert {each for each in names if not each.endswith("_NUM_THREADS")} <= {
        "PATH", "HOME", "TMPDIR", "LANG", "TZ", "PWD", "MPLBACKEND", "MPLCONFIGDIR",
        "POLARS_MAX_THREADS", "LC_CTYPE", "ARROW_IO_THREADS", "ARROW_DEFAULT_MEMORY_POOL",
        "MALLOC_ARENA_MAX",
    }  # fmt: skip


def test_no_socket_of_the_host_is_reached(sandbox: Sandbox, tmp_path: Path) -> None:
    code = """
import json, socket
def opens(function):
    try:
        function()
    except OSError:
        return False
    return True
def local(address):
    caller = socket.socket(socket.AF_UNIX)
    caller.settimeout(2)
    caller.connect(address)
print(json.dumps([
    opens(lambda: socket.create_connection(("127.0.0.1", PORT), 2)),
    opens(lambda: socket.create_connection(("::1", PORT), 2)),
    opens(lambda: socket.getaddrinfo("example.org", 80)),
    opens(lambda: local("\\0" + NAME)),
    opens(lambda: local(PATH)),
    *(opens(lambda: socket.socket(family, kind)) for family, kind in
      [(40, 1), (16, 3), (17, 3), (38, 5), (socket.AF_INET, socket.SOCK_RAW)]),
]))
"""
    name, path = f"attack-{os.getpid()}", str(tmp_path / "s")
    with (
        socket.create_server(("127.0.0.1", 0)) as port,
        socket.socket(socket.AF_UNIX) as nameless,
        socket.socket(socket.AF_UNIX) as named,
    ):
        for each, address in ((nameless, f"\0{name}"), (named, path)):
            each.bind(address)
            each.listen()
        words = f"PORT, NAME, PATH = {port.getsockname()[1]}, {name!r}, {path!r}\n"

        result = run(sandbox, words + code)

    assert told(result) == [False] * 10


def test_dangerous_system_calls_are_refused(sandbox: Sandbox) -> None:
    code = """
import ctypes, json
calls = dict(
    ptrace=(101, 0), mount=(165, b"none", b"/tmp", b"tmpfs", 0, 0), umount=(166, b"/in", 2),
    unshare=(272, 0x10000000), setns=(308, 0, 0), chroot=(161, b"/tmp"), keyctl=(250, 0, -3, 0),
    bpf=(321, 0, 0, 0), perf=(298, 0, 0, -1, -1, 0), userfaultfd=(323, 0), io_uring=(425, 4, 0),
    open_by_handle=(304, -100, 0, 0), vm_readv=(310, 1, 0, 0, 0, 0, 0), kexec=(246, 0, 0, 0, 0),
    module=(175, 0, 10, b""), swap=(167, b"/tmp/x"), sethostname=(170, b"x", 1), iopl=(172, 3),
    fsopen=(430, b"tmpfs", 0), fanotify=(300, 0, 0), acct=(163, b"/tmp/x"), memfd=(319, b"x", 0),
    pidfd=(434, 1, 0), seccomp=(317, 0, 0, 0), modify_ldt=(154, 0, 0, 0), setuid=(105, 0),
    syslog=(103, 10, 0, 0), personality=(135, 0x0400000), vmsplice=(278, 1, 0, 0, 0),
    clone_user=(56, 0x10000000 | 17, 0, 0, 0, 0), clone3=(435, 0, 0),
    tiocsti=(16, 0, 0x5412, b"x"), tiocsti_high=(16, 0, 0x5412 | 1 << 32, b"x"),
)
c = ctypes.CDLL(None, use_errno=True)
def succeeds(number, *arguments):
    words = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return c.syscall(ctypes.c_long(number), *words) != -1
print(json.dumps([name for name, call in calls.items() if succeeds(*call)]))
"""

    assert told(run(sandbox, code)) == []


def test_has_no_rights(sandbox: Sandbox) -> None:
    code = """
import json
lines = dict(line.split(":", 1) for line in open("/proc/self/status") if ":" in line)
print(json.dumps([lines[name].strip() for name in ("CapEff", "CapPrm", "CapInh")]))
"""

    assert told(run(sandbox, code)) == ["0" * 16] * 3


def test_sees_and_signals_no_process_of_the_host(sandbox: Sandbox) -> None:
    code = """
import json, os
found = []
for process in range(200, 70_000):
    try:
        os.kill(process, 0)
        found.append(process)
    except OSError:
        pass
print(json.dumps([len(found), len([each for each in os.listdir("/proc") if each.isdigit()]) < 10]))
"""

    assert told(run(sandbox, code)) == [0, True]


def test_a_flood_of_output_is_cut(sandbox: Sandbox) -> None:
    result = run(sandbox, "import sys\nwhile True: sys.stdout.write('x' * 65536)")

    assert result.status is JobStatus.FAILED
    assert len(result.stdout) == LIMITS.printed_bytes
    assert "printed more than" in result.stderr


def test_inherits_no_open_file(sandbox: Sandbox) -> None:
    code = """
import json, os
found = []
for number in range(3, 256):
    try:
        os.fstat(number)
        found.append(number)
    except OSError:
        pass
print(json.dumps(found))
"""

    assert told(run(sandbox, code)) == []


DAEMON = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(0.5)
        while True:
            open("/out/late.txt", "a").write("alive")
            time.sleep(0.05)
    os._exit(0)
os.wait()
print("left", flush=True)
os._exit(0)
"""


@pytest.mark.parametrize("user", ["", "mallory"])
def test_a_daemon_does_not_outlive_its_job(sandbox: Sandbox, user: str) -> None:
    first = run(sandbox, DAEMON, user=user)

    second = run(sandbox, "import os, time\ntime.sleep(1)\nprint(os.listdir('/out'))", user=user)

    assert first.stdout == "left\n"
    assert first.seconds < 15
    assert second.stdout == "[]\n"


def test_nothing_is_loaded_that_a_job_left(sandbox: Sandbox) -> None:
    code = """
import os
for path in ("/tmp/.local/lib/python3.11/site-packages/usercustomize.py", "/out/random.py",
             "/tmp/sitecustomize.py", "/out/json.py"):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    open(path, "w").write("print('loaded')")
import random, json
"""

    results = [run(sandbox, code, user="mallory") for _ in range(2)]

    assert [each.stdout for each in results] == ["", ""]


def test_no_other_program_can_be_run(sandbox: Sandbox) -> None:
    code = """
import json, os, shutil, subprocess, sys
ran = []
for folder in ("/out", "/tmp", "/dev/shm"):
    shutil.copy("/usr/bin/env", folder + "/program")
    os.chmod(folder + "/program", 0o755)
for command in (["/out/program"], ["/tmp/program"], ["/dev/shm/program"], ["/usr/bin/env"],
                ["/bin/sh", "-c", "true"], [sys.executable, "-c", "1"], ["/bin/su", "-c", "id"]):
    try:
        subprocess.run(command, check=True, capture_output=True, stdin=0)
        ran.append(command)
    except (OSError, subprocess.SubprocessError):
        pass
print(json.dumps(ran))
"""

    assert told(run(sandbox, code)) == []


@pytest.mark.parametrize(
    "code",
    [
        "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)",
        "import os, signal\nos.kill(-1, signal.SIGKILL)",
        "import os\nos.chmod('/tmp', 0)\nos.chmod('/out', 0)",
        FORK_BOMB,
        MEMORY_BOMB,
    ],
)
def test_the_next_job_of_a_user_runs_whatever_the_last_one_did(
    bubblewrap: Sandbox, code: str
) -> None:
    run(bubblewrap, code, user="mallory")

    result = run(bubblewrap, "print('fine')", user="mallory")

    assert (result.status, result.stdout) == (JobStatus.FINISHED, "fine\n")


def test_a_stopped_keeper_does_not_stop_the_service(bubblewrap: Sandbox) -> None:
    code = "import os, signal, time\nos.kill(os.getppid(), signal.SIGSTOP)\ntime.sleep(60)"

    result = run(bubblewrap, code, seconds=1)

    assert result.status is JobStatus.TIMED_OUT


def test_the_keeper_of_a_warm_sandbox_is_out_of_reach(bubblewrap: Sandbox) -> None:
    code = """
import json, os
keeper, opened = os.getppid(), []
for path in [f"/proc/{keeper}/{name}" for name in ("mem", "environ", "maps", "cmdline")] + [
        f"/proc/{keeper}/fd/{number}" for number in range(20)]:
    for flags in (os.O_RDONLY, os.O_WRONLY):
        try:
            os.close(os.open(path, flags | os.O_NONBLOCK))
            opened.append(path)
        except OSError:
            pass
print(json.dumps(opened))
"""

    result = run(bubblewrap, code, user="mallory")

    opened = told(result)
    assert isinstance(opened, list)
    assert all(each.endswith("/cmdline") for each in opened)
