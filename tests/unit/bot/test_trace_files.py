import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agent.session import Question
from agent.tracing import Kind
from bot.step_tracer import StepTracer
from bot.trace_files import TraceFiles
from bot.trace_step import ids_in, short_id, trace_id_of
from tests.fakes.recording_platform import NOW

ID = "6d5a462eb3254c9f"
SPAN = "1" * 16
DAY = 86_400
_WRITE = """
import sys
from pathlib import Path
from agent.tracing import Kind
from bot.step_tracer import StepTracer
from bot.trace_files import TraceFiles
tracer = StepTracer([TraceFiles(Path(sys.argv[1]), 30, 1 << 30)])
for n in range(50):
    with tracer.span(Kind.TOOL, f"step {n}", "x" * 15_000, parent=sys.argv[2]):
        pass
"""

# A limit on the size of a file ends a write as a full disk does: in the middle of a line.
_FILL = """
import resource, signal, sys
from pathlib import Path
from agent.tracing import Kind
from bot.step_tracer import StepTracer
from bot.trace_files import TraceFiles
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
tracer = StepTracer([TraceFiles(Path(sys.argv[1]), 30, 1 << 30)])
def step(name, most):
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
    with tracer.span(Kind.TOOL, name, "x" * 500, parent=sys.argv[2]):
        pass
step("before", 1_000_000)
step("torn", 1_000)
step("lost", 1_000)
for name in ("after", "later"):
    step(name, 1_000_000)
"""


class Clock:
    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


def files(folder: Path, **settings: object) -> TraceFiles:
    return TraceFiles(folder / "traces", **({"days": 30, "most_bytes": 1 << 20} | settings))  # type: ignore[arg-type]


def ask(kept: TraceFiles, trace_id: str = ID, text: str = "power") -> None:
    with StepTracer([kept]).question(Question(text, NOW, trace_id, "ann", "t")) as span:
        span.tell({"status": "completed"})


def test_a_trace_is_a_file_of_json_lines_that_nobody_else_may_read(tmp_path: Path) -> None:
    ask(files(tmp_path))

    path = tmp_path / "traces" / f"{ID}.jsonl"
    (line,) = path.read_text().splitlines()
    told = json.loads(line)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert (told["trace"], told["kind"], told["user"]) == (ID, "question", "ann")
    assert told["output"] == {"status": "completed"}


def test_what_is_not_kept_is_empty(tmp_path: Path) -> None:
    assert files(tmp_path).read(ID) == ()
    assert files(tmp_path).latest(3) == ()


@pytest.mark.parametrize("name", ["../log", "/etc/passwd", "", "a\0b", "x" * 500])
def test_an_id_never_names_a_file_elsewhere(tmp_path: Path, name: str) -> None:
    ask(files(tmp_path))
    (tmp_path / "log.jsonl").write_text((tmp_path / "traces" / f"{ID}.jsonl").read_text())

    assert files(tmp_path).read(name) == ()


def test_a_folder_that_cannot_be_written_to_is_logged_once_and_costs_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "traces").write_text("in the way")
    kept = files(tmp_path)

    with caplog.at_level(logging.WARNING):
        ask(kept)
        ask(kept)

    assert len([r for r in caplog.records if r.message.startswith("traces cannot be")]) == 1


def test_a_full_disk_costs_nothing_and_spoils_no_later_line(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-c",
        _FILL,
        str(tmp_path / "traces"),
        f"00-{trace_id_of(ID)}-{SPAN}-01",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)

    assert done.returncode == 0, done.stderr
    assert done.stderr.count("traces cannot be written") == 1
    text = (tmp_path / "traces" / f"{ID}.jsonl").read_text()
    assert len(text.splitlines()) > len(files(tmp_path).read(ID)), "no line was torn"
    assert [step.name for step in files(tmp_path).read(ID)] == ["before", "after", "later"]


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "traces").mkdir()
    (tmp_path / "mine").write_text("")
    (tmp_path / "traces" / f"{ID}.jsonl").symlink_to(tmp_path / "mine")

    ask(files(tmp_path))

    assert (tmp_path / "mine").read_text() == ""


def test_lines_that_are_torn_are_left_out(tmp_path: Path) -> None:
    kept = files(tmp_path)
    ask(kept)
    with (tmp_path / "traces" / f"{ID}.jsonl").open("a") as file:
        file.write('{"trace": "6d5a"}\n[]\n{"kind": 3')

    assert len(kept.read(ID)) == 1


def test_several_processes_write_to_one_trace(tmp_path: Path) -> None:
    kept = files(tmp_path, most_bytes=1 << 30)
    with StepTracer([kept]).question(Question("power", NOW, ID)) as span:
        command = [sys.executable, "-c", _WRITE, str(tmp_path / "traces"), span.id]
        processes = [subprocess.Popen(command) for _ in range(3)]
        assert [process.wait(60) for process in processes] == [0, 0, 0]

    steps = kept.read(ID)
    assert len(steps) == 151
    assert {len(str(step.given)) for step in steps if step.parent} == {15_000}


def test_old_traces_go_by_age(tmp_path: Path) -> None:
    clock = Clock()
    kept = files(tmp_path, clock=clock)
    ask(kept, "0000000000000001")
    ask(kept, "0000000000000002")
    os.utime(tmp_path / "traces" / "0000000000000001.jsonl", (clock.now - 31 * DAY,) * 2)
    os.utime(tmp_path / "traces" / "0000000000000002.jsonl", (clock.now - 29 * DAY,) * 2)

    clock.now += 3_600
    ask(kept, "0000000000000003")

    assert kept.read("0000000000000001") == ()
    assert kept.read("0000000000000002")
    assert kept.read("0000000000000003")


def test_old_traces_go_by_size_the_oldest_first(tmp_path: Path) -> None:
    clock = Clock()
    kept = files(tmp_path, most_bytes=5 * 4096, clock=clock)
    ids = [f"{n:016x}" for n in range(1, 10)]
    for age, each in enumerate(ids):
        ask(kept, each)
        moment = clock.now - 1_000 + age
        os.utime(tmp_path / "traces" / f"{each}.jsonl", (moment, moment))

    clock.now += 3_600
    ask(kept, "00000000000000ff")

    assert [each for each in ids if kept.read(each)] == ids[-5:]


def test_a_question_that_goes_round_in_circles_stops_being_written(tmp_path: Path) -> None:
    kept = files(tmp_path)
    tracer = StepTracer([kept])
    with tracer.question(Question("power", NOW, ID)):
        for n in range(400):
            with tracer.span(Kind.TOOL, "again", "x" * 19_000 + str(n)):
                pass

    assert (tmp_path / "traces" / f"{ID}.jsonl").stat().st_size < 4_100_000
    assert kept.read(ID)[0].kind is Kind.QUESTION


def test_the_latest_come_first(tmp_path: Path) -> None:
    kept = files(tmp_path)
    for n in range(5):
        ask(kept, f"{n + 1:016x}", f"question {n}")
        os.utime(tmp_path / "traces" / f"{n + 1:016x}.jsonl", (n, n))

    given = [step.given for step in kept.latest(2)]
    assert [each["question"] for each in given if isinstance(each, dict)] == [
        "question 4",
        "question 3",
    ]


def test_a_trace_is_found_by_its_name_in_opentelemetry_as_well(tmp_path: Path) -> None:
    ask(files(tmp_path))

    assert files(tmp_path).read(trace_id_of(ID)) == files(tmp_path).read(ID) != ()


def test_steps_below_those_of_another_program_are_listed_too(tmp_path: Path) -> None:
    kept = files(tmp_path)
    with StepTracer([kept]).span(
        Kind.TOOL, "exasage_query", parent=f"00-{trace_id_of(ID)}-{SPAN}-01"
    ):
        pass

    assert [step.name for step in kept.latest(3)] == ["exasage_query"]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (ID, "0" * 16 + ID),
        ("ab" * 16, "ab" * 16),
    ],
)
def test_a_trace_id_is_the_end_of_the_one_in_opentelemetry(ours: str, theirs: str) -> None:
    assert trace_id_of(ours) == theirs
    assert short_id(theirs) == ours


@pytest.mark.parametrize("odd", ["0" * 16, "0" * 32, "x", "", "6D5A462EB3254C9F", "\ud800"])
def test_any_other_id_has_a_name_of_its_own(odd: str) -> None:
    made = trace_id_of(odd)

    assert made == trace_id_of(odd)
    assert ids_in(f"00-{made}-{'1' * 16}-01") == (made, "1" * 16)


@pytest.mark.parametrize("odd", ["", "00-x-y-01", f"00-{'0' * 32}-{'1' * 16}-01", "\n"])
def test_what_is_no_traceparent_names_nothing(odd: str) -> None:
    assert ids_in(odd) is None
