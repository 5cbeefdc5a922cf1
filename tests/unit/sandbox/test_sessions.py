"""Sessions of code: files that stay, artifacts that add up, limits, and ends that leave nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.errors import SandboxUnavailable
from sandbox.job import DroppedFile, Job, JobResult, JobStatus, OutputFile
from sandbox.sessions import CodeSessions, Kept, Refused
from sandbox.settings import SandboxSettings
from tests.fakes.canned_sandbox import CannedSandbox

MIB = 1 << 20


class Watched(CannedSandbox):
    """Remembers which files each job was given."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[dict[str, bytes]] = []
        self.next = JobResult(JobStatus.FINISHED)

    def run(self, job: Job) -> JobResult:
        self.given.append({path.name: path.read_bytes() for path in job.inputs})
        self.jobs.append(job)
        return self.next

    def leaves(self, *files: tuple[str, bytes], stdout: str = "") -> None:
        outputs = tuple(OutputFile(name, content, "text/plain") for name, content in files)
        self.next = JobResult(JobStatus.FINISHED, stdout, outputs=outputs)


class Desk:
    """Sessions in a folder of their own, with a clock that stands still."""

    def __init__(self, folder: Path, **settings: float) -> None:
        self.now = 0.0
        self.sandbox = Watched()
        self.folder = folder
        chosen = SandboxSettings.model_validate({"work_dir": folder, **settings})
        self.sessions = CodeSessions(lambda: self.sandbox, chosen, lambda: self.now)

    def started(self, user: str = "") -> str:
        made = self.sessions.init(user)
        assert isinstance(made, str)
        assert self.sessions.start(made, user) == "canned"
        return made

    def files(self) -> list[str]:
        return [path.name for path in self.folder.rglob("*") if path.is_file()]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.sessions.close()


def test_uploads_are_there_for_every_program(desk: Desk) -> None:
    session = desk.started()
    desk.sessions.upload(session, "a.csv", b"1")
    desk.sessions.execute(session, "first")
    desk.sessions.upload(session, "b.csv", b"2")
    desk.sessions.upload(session, "a.csv", b"3")

    desk.sessions.execute(session, "second")

    assert desk.sandbox.given == [{"a.csv": b"1"}, {"a.csv": b"3", "b.csv": b"2"}]


def test_a_file_may_come_in_parts(desk: Desk) -> None:
    session = desk.started()
    refused = desk.sessions.upload(session, "a.csv", b"none yet", append=True)
    desk.sessions.upload(session, "a.csv", b"one ")
    total = desk.sessions.upload(session, "a.csv", b"two", append=True)

    desk.sessions.execute(session, "first")

    assert isinstance(refused, Refused)
    assert total == 7
    assert desk.sandbox.given == [{"a.csv": b"one two"}]


def test_what_programs_leave_adds_up(desk: Desk) -> None:
    session = desk.started()
    desk.sandbox.leaves(("a.txt", b"old"), ("b.txt", b"b"), stdout="first")
    desk.sessions.execute(session, "first")
    desk.sandbox.leaves(("a.txt", b"new"), stdout="second")
    desk.sessions.execute(session, "second")

    kept = desk.sessions.artifacts(session)
    only = desk.sessions.artifacts(session, ["b.txt"])

    a, b = OutputFile("a.txt", b"new", "text/plain"), OutputFile("b.txt", b"b", "text/plain")
    assert kept == Kept((a, b), "second", "")
    assert only == Kept((b,), "second", "")


def test_sessions_share_neither_files_nor_interpreters(desk: Desk) -> None:
    one, other = desk.started("ann"), desk.started("ann")
    desk.sessions.upload(one, "a.csv", b"1")

    desk.sessions.execute(one, "first")
    desk.sessions.execute(other, "second")

    assert desk.sandbox.given == [{"a.csv": b"1"}, {}]
    assert len({job.user for job in desk.sandbox.jobs}) == 2


@pytest.mark.parametrize("user", ["bob", "ANN"])
def test_a_session_of_another_user_is_as_good_as_none(desk: Desk, user: str) -> None:
    session = desk.started("ann")

    refused = desk.sessions.execute(session, "print(1)", user)

    assert isinstance(refused, Refused)
    assert refused == desk.sessions.stop(session, user)
    assert "There is no session" in refused.text
    assert not isinstance(desk.sessions.execute(session, "print(1)", "ann"), Refused)


def test_a_session_must_be_started(desk: Desk) -> None:
    session = desk.sessions.init("")
    assert isinstance(session, str)

    for refused in (
        desk.sessions.upload(session, "a.csv", b""),
        desk.sessions.execute(session, "print(1)"),
        desk.sessions.artifacts(session),
    ):
        assert refused == Refused("The session is not started. Call codeagent_start first.")


@pytest.mark.parametrize(
    "name", ["../a.csv", "/etc/passwd", "a/b", "..", ".hidden", "", "a\0b", "x" * 200, "a\nb"]
)
def test_a_name_with_a_path_in_it_is_refused(desk: Desk, name: str) -> None:
    refused = desk.sessions.upload(desk.started(), name, b"x")

    assert isinstance(refused, Refused)
    assert "no name of a file" in refused.text
    assert desk.files() == []


def test_uploads_are_bounded_together(tmp_path: Path) -> None:
    desk = Desk(tmp_path, session_mib=1)
    session = desk.started()

    first = desk.sessions.upload(session, "a.bin", b"x" * MIB)
    refused = desk.sessions.upload(session, "b.bin", b"x")
    replaced = desk.sessions.upload(session, "a.bin", b"x" * 10)
    second = desk.sessions.upload(session, "b.bin", b"x")

    assert (first, replaced, second) == (MIB, 10, 11)
    assert isinstance(refused, Refused)
    assert "b.bin would make 2 files of 1048577 bytes" in refused.text
    desk.sessions.close()


def test_artifacts_are_bounded_together_and_what_is_dropped_is_told(tmp_path: Path) -> None:
    desk = Desk(tmp_path, session_mib=1)
    session = desk.started()
    desk.sandbox.leaves(("a.txt", b"x" * (MIB - 10)))
    desk.sessions.execute(session, "first")
    desk.sandbox.leaves(("b.txt", b"x" * 11), ("c.txt", b"x" * 10))

    result = desk.sessions.execute(session, "second")

    assert isinstance(result, JobResult)
    assert [file.name for file in result.outputs] == ["c.txt"]
    assert [each.name for each in result.dropped] == ["b.txt"]
    kept = desk.sessions.artifacts(session)
    assert isinstance(kept, Kept)
    assert [file.name for file in kept.files] == ["a.txt", "c.txt"]
    desk.sessions.close()


def test_what_the_sandbox_found_and_dropped_goes_on(desk: Desk) -> None:
    session = desk.started()
    dropped = (DroppedFile("x.exe", "type not accepted"),)
    desk.sandbox.next = JobResult(JobStatus.FAILED, "", "Traceback", dropped=dropped)

    assert desk.sessions.execute(session, "oops") == desk.sandbox.next


def test_an_artifact_that_is_not_there_is_told_with_those_that_are(desk: Desk) -> None:
    session = desk.started()
    none = desk.sessions.artifacts(session, ["plot.png"])
    desk.sandbox.leaves(("a.txt", b"x"))
    desk.sessions.execute(session, "first")

    some = desk.sessions.artifacts(session, ["plot.png"])

    assert none == Refused("The session has no artifact 'plot.png'. It has none yet.")
    assert some == Refused("The session has no artifact 'plot.png'. It has a.txt.")


def test_a_stopped_session_leaves_nothing(desk: Desk) -> None:
    session = desk.started()
    desk.sessions.upload(session, "a.csv", b"1")
    desk.sandbox.leaves(("b.txt", b"b"))
    desk.sessions.execute(session, "first")

    assert desk.sessions.stop(session) is None

    assert desk.files() == []
    assert desk.sandbox.forgotten == [desk.sandbox.jobs[0].user]
    assert isinstance(desk.sessions.execute(session, "second"), Refused)
    assert isinstance(desk.sessions.stop(session), Refused)


def test_a_session_that_is_not_used_ends(tmp_path: Path) -> None:
    desk = Desk(tmp_path, session_seconds=100)
    idle, used = desk.started(), desk.started()
    desk.sessions.upload(idle, "a.csv", b"1")
    desk.now = 90
    desk.sessions.upload(used, "b.csv", b"1")
    desk.now = 110

    refused = desk.sessions.execute(idle, "print(1)")
    result = desk.sessions.execute(used, "print(1)")

    assert isinstance(refused, Refused)
    assert isinstance(result, JobResult)
    assert desk.files() == ["b.csv"]
    desk.sessions.close()


def test_there_are_only_so_many_sessions(tmp_path: Path) -> None:
    desk = Desk(tmp_path, sessions=2, session_seconds=100)
    first, _ = desk.started(), desk.started()

    refused = desk.sessions.init("")
    desk.sessions.stop(first)
    after = desk.sessions.init("")
    desk.now = 200
    much_later = desk.sessions.init("")

    assert isinstance(refused, Refused)
    assert "There are 2 sessions" in refused.text
    assert isinstance(after, str)
    assert isinstance(much_later, str)
    desk.sessions.close()


def test_all_ends_with_the_service(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.sessions.upload(desk.started(), "a.csv", b"1")

    desk.sessions.close()

    assert list(tmp_path.iterdir()) == []


def test_nothing_runs_where_nothing_is_isolated(tmp_path: Path) -> None:
    def none() -> CannedSandbox:
        raise SandboxUnavailable("no bubblewrap here")

    sessions = CodeSessions(none, SandboxSettings(work_dir=tmp_path))
    session = sessions.init("")
    assert isinstance(session, str)

    with pytest.raises(SandboxUnavailable):
        sessions.start(session)

    assert isinstance(sessions.execute(session, "print(1)"), Refused)
    sessions.close()
