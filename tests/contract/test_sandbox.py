"""What every sandbox promises, over each one that this machine can have."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from sandbox.choose import first_working
from sandbox.errors import SandboxUnavailable
from sandbox.job import Job, JobResult, JobStatus, Limits
from sandbox.runner import Sandbox
from sandbox.self_check import escaped
from sandbox.settings import SandboxSettings

LIMITS = Limits(seconds=30, memory_mib=512)
PLOT = """
import matplotlib.pyplot as plt
plt.plot([1, 2, 3])
plt.savefig("/out/plot.png")
"""


@pytest.fixture(scope="module")
def work_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sandbox")


@pytest.fixture(scope="module", params=["bubblewrap", "gvisor"])
def sandbox(request: pytest.FixtureRequest, work_dir: Path) -> Iterator[Sandbox]:
    isolation: Literal["bubblewrap", "gvisor"] = request.param
    try:
        made = first_working(SandboxSettings(isolation=isolation, work_dir=work_dir))
    except SandboxUnavailable as reason:
        pytest.skip(str(reason))
    yield made
    made.close()


def run(sandbox: Sandbox, code: str, *inputs: Path, user: str = "") -> JobResult:
    return sandbox.run(Job(code, inputs, LIMITS, user))


def test_nothing_gets_out(sandbox: Sandbox) -> None:
    assert escaped(sandbox) == ()


def test_gives_what_the_program_printed(sandbox: Sandbox) -> None:
    result = run(sandbox, "import sys\nprint('out')\nprint('err', file=sys.stderr)")

    assert result.status is JobStatus.FINISHED
    assert (result.stdout, result.stderr) == ("out\n", "err")


def test_a_failing_program_is_a_result_with_its_own_lines(sandbox: Sandbox) -> None:
    result = run(sandbox, "def f():\n    return 1 / 0\n\nprint('before')\nf()")

    assert result.status is JobStatus.FAILED
    assert result.stdout == "before\n"
    assert result.stderr.splitlines()[1] == '  File "job.py", line 5, in <module>'
    assert result.stderr.endswith("ZeroDivisionError: division by zero")


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("raise SystemExit", JobStatus.FINISHED),
        ("raise SystemExit(0)", JobStatus.FINISHED),
        ("raise SystemExit('no data')", JobStatus.FAILED),
        ("import os; os._exit(3)", JobStatus.FAILED),
        ("syntax error", JobStatus.FAILED),
        ("raise MemoryError", JobStatus.OUT_OF_MEMORY),
    ],
)
def test_tells_how_a_program_ended(sandbox: Sandbox, code: str, status: JobStatus) -> None:
    assert run(sandbox, code).status is status


def test_shows_the_inputs_and_leaves_them_as_they_are(sandbox: Sandbox, tmp_path: Path) -> None:
    private, public = tmp_path / "private.csv", tmp_path / "public.csv"
    for path, mode in ((private, 0o600), (public, 0o644)):
        path.write_text(path.stem)
        path.chmod(mode)
    code = """
import os
for name in sorted(os.listdir("/in")):
    print(open("/in/" + name).read())
    for attempt in (lambda: open("/in/" + name, "w"), lambda: os.unlink("/in/" + name)):
        try:
            attempt()
        except OSError:
            print("refused")
"""

    result = run(sandbox, code, private, public)

    assert result.stdout.split() == ["private", *["refused"] * 2, "public", *["refused"] * 2]
    assert (private.read_text(), public.read_text()) == ("private", "public")


def test_hands_out_a_plot(sandbox: Sandbox) -> None:
    result = run(sandbox, PLOT)

    (plot,) = result.outputs
    assert (plot.name, plot.media_type) == ("plot.png", "image/png")
    assert result.dropped == ()


@pytest.mark.parametrize("user", ["", "ada"])
def test_knows_the_libraries_for_analysis(sandbox: Sandbox, user: str) -> None:
    code = """
import numpy as np
import pandas as pd
pd.DataFrame({"node": "a", "value": np.arange(50_000)}).to_parquet("/out/all.parquet")
import polars as pl
mean = pl.read_parquet("/out/all.parquet").group_by("node").agg(pl.col("value").mean())
mean.to_pandas().to_csv("/out/mean.csv", index=False)
print(mean.item(0, "value"))
"""

    result = run(sandbox, code, user=user)

    assert result.stdout == "24999.5\n", result.stderr
    assert sorted(each.name for each in result.outputs) == ["all.parquet", "mean.csv"]


def test_waits_for_the_programs_threads_and_processes(sandbox: Sandbox) -> None:
    code = """
import threading, time
from concurrent.futures import ProcessPoolExecutor
def late():
    time.sleep(0.2)
    print("late")
def square(number):
    return number * number
with ProcessPoolExecutor(2) as pool:
    print(list(pool.map(square, [1, 2, 3])))
threading.Thread(target=late).start()
"""

    result = run(sandbox, code)

    assert result.stdout == "[1, 4, 9]\nlate\n", result.stderr


def test_stops_a_program_at_its_time_and_keeps_what_it_said(sandbox: Sandbox) -> None:
    job = Job("print('start', flush=True)\nwhile True: pass", limits=Limits(seconds=1))

    result = sandbox.run(job)

    assert result.status is JobStatus.TIMED_OUT
    assert result.stdout == "start\n"
    assert "longer than 1 seconds" in result.stderr


def test_drops_what_is_no_artifact_and_says_why(sandbox: Sandbox) -> None:
    code = """
import os
open("/out/page.html", "w").write("<script>")
open("/out/fake.png", "w").write("<html>")
os.symlink("/etc/passwd", "/out/link.csv")
open("/out/good.csv", "w").write("a")
"""

    result = run(sandbox, code)

    assert [each.name for each in result.outputs] == ["good.csv"]
    assert {each.name for each in result.dropped} == {"page.html", "fake.png", "link.csv"}
    assert all(each.reason for each in result.dropped)


def test_tells_what_the_auditor_saw(sandbox: Sandbox) -> None:
    result = run(sandbox, "import socket")

    assert [each.construct for each in result.findings] == ["import socket"]


def test_refuses_what_cannot_be_a_job(sandbox: Sandbox, tmp_path: Path) -> None:
    result = run(sandbox, "print(1)", tmp_path / "missing.csv")

    assert result.status is JobStatus.REFUSED
    assert "missing.csv" in result.stderr


def test_a_user_gets_a_clean_place_each_time(sandbox: Sandbox, tmp_path: Path) -> None:
    given = tmp_path / "a.csv"
    given.write_text("1")
    leave = """
import os
for name in ("/out/a.txt", "/tmp/a.txt", "/dev/shm/a.txt", "/tmp/matplotlib/matplotlibrc"):
    open(name, "w").write("left")
os.makedirs("/tmp/deep/er")
os.chmod("/tmp/deep", 0o500)
global_name = 1
"""
    look = """
import os
print(os.listdir("/in"), os.listdir("/out"), os.path.exists("/tmp/a.txt"),
      os.listdir("/dev/shm"), os.path.exists("/tmp/deep"), "global_name" in globals(),
      os.path.exists("/tmp/matplotlib/matplotlibrc"))
"""

    run(sandbox, leave, given, user="ada")
    results = [run(sandbox, look, user=user) for user in ("ada", "bob")]

    assert [each.stdout for each in results] == ["[] [] False [] False False False\n"] * 2


def test_two_runs_of_a_user_draw_different_numbers(sandbox: Sandbox) -> None:
    code = "import random, numpy\nprint(random.random(), numpy.random.random())"

    results = [run(sandbox, code, user="ada").stdout.split() for _ in range(2)]

    assert not set(results[0]) & set(results[1])


def test_leaves_nothing_on_the_host(sandbox: Sandbox, work_dir: Path) -> None:
    run(sandbox, "")  # what an earlier test's user had started is laid out by then
    before = sorted(work_dir.rglob("job-*"))

    run(sandbox, "open('/out/a.csv', 'w').write('1')\nopen('/tmp/b', 'w').write('2')")

    assert sorted(work_dir.rglob("job-*")) == before


def test_what_was_started_ahead_runs_jobs_like_any_other(sandbox: Sandbox, tmp_path: Path) -> None:
    given = tmp_path / "a.csv"
    given.write_text("1")
    settings = SandboxSettings(
        isolation="gvisor" if sandbox.name.startswith("gvisor") else "bubblewrap", work_dir=tmp_path
    )
    ahead = first_working(settings)
    ahead.warm_up()
    code = "import os, sys\nprint(os.listdir('/in'), 'matplotlib.pyplot' in sys.modules)"

    results = [
        ahead.run(Job(code, inputs, settings.limits(), user))
        for inputs, user in (((given,), "ada"), ((), "ada"), ((), "bob"))
    ]
    ahead.close()

    outs = [each.stdout for each in results]
    assert outs == ["['a.csv'] True\n", "[] True\n", "[] True\n"]
    assert list(tmp_path.rglob("job-*")) == []


def test_what_was_given_to_a_user_is_gone_once_they_are_forgotten(
    sandbox: Sandbox, work_dir: Path, tmp_path: Path
) -> None:
    given = tmp_path / "given.txt"
    given.write_text("a secret")
    run(sandbox, "print(open('/in/given.txt').read())", given, user="ann")

    sandbox.forget("ann")

    assert not list(work_dir.rglob("given.txt"))
    assert run(sandbox, "print('still here')", user="ann").stdout == "still here\n"


def test_a_job_that_nobody_wants_any_more_is_killed(sandbox: Sandbox) -> None:
    wanted = threading.Event()
    code = "import time\nwhile True: time.sleep(0.1)"
    threading.Timer(0.5, wanted.set).start()

    result = sandbox.run(Job(code, (), LIMITS, "ada", wanted.is_set))
    after = run(sandbox, "print('clean')", user="ada")

    assert result.status is JobStatus.STOPPED
    assert result.seconds < LIMITS.seconds
    assert (after.status, after.stdout) == (JobStatus.FINISHED, "clean\n")
