"""Runs jobs in started sandboxes: one kept warm for a returning user, a spare, or a fresh one."""

import shutil
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sandbox.audit import audit
from sandbox.errors import SandboxUnavailable
from sandbox.exchange import SandboxLost, Started, run_in, wait_until_ready
from sandbox.job import Job, JobResult, JobStatus, Limits
from sandbox.launch import SandboxFolder
from sandbox.program import add_fonts
from sandbox.settings import SandboxSettings
from sandbox.workspace import emptied, lay_out, problem_with

Start = Callable[[Limits, Path, Sequence[str]], Started]

_FONTS_CODE = """
import shutil
from matplotlib import font_manager
shutil.copy(f"/tmp/matplotlib/fontlist-v{font_manager.FontManager.__version__}.json", "/out/")
"""


@dataclass(frozen=True, slots=True)
class _Warm:
    started: Started
    user: str
    limits: Limits
    last_used: float


@dataclass(frozen=True, slots=True)
class _Spare:
    coming: Future[Started]
    limits: Limits


class JobRunner:
    """Runs jobs in sandboxes that ``start`` makes."""

    def __init__(
        self, start: Start, folder: SandboxFolder, settings: SandboxSettings, reuse: bool
    ) -> None:
        """``start`` is called in one thread that lives as long as this runner.

        A sandbox ends with the thread that started it, so a caller's thread will not do.
        Unless ``reuse``, a sandbox that ran a job runs no other, not even of the same user.
        """
        self._start = start
        self._folder = folder
        self._settings = settings
        self._reuse = reuse
        self._starter = ThreadPoolExecutor(1, thread_name_prefix="sandbox-starter")
        self._kept: list[_Warm] = []
        self._spare: _Spare | None = None
        self._remove = weakref.finalize(self, shutil.rmtree, folder.path, ignore_errors=True)
        self._lock = threading.Lock()
        self._fonts = threading.Lock()
        self._has_fonts = False

    def run(self, job: Job) -> JobResult:
        """Run ``job`` to its end or to its limits; raises SandboxUnavailable."""
        problem = problem_with(job)
        if problem is not None:
            return JobResult(JobStatus.REFUSED, stderr=problem, findings=audit(job.code))
        warm = job.user and self._settings.warm_users
        if warm or "plot" in job.code:
            self._find_fonts(job.limits)
        if not warm:
            return self._run_cold(job)
        started = self._take(job) or self._take_spare(job.limits)
        if started is None:
            started = self._started(job.limits, (), self._settings.warm_modules)
        # The next one gets ready while this one works.
        self._make_spare(job.limits)
        return self._run_warm(started, job)

    def warm_up(self) -> None:
        """Start what the first job of a user would else wait for."""
        if self._settings.warm_users:
            self._find_fonts(self._settings.limits())
            self._make_spare(self._settings.limits())

    def forget(self, user: str) -> None:
        """End what is kept warm for ``user``, with the files that it was given."""
        with self._lock:
            gone = [each for each in self._kept if each.user == user]
            self._kept = [each for each in self._kept if each.user != user]
        for each in gone:
            each.started.end()

    def close(self) -> None:
        """End every sandbox that is kept, and remove the folder."""
        with self._lock:
            kept, self._kept = self._kept, []
            spare, self._spare = self._spare, None
        for each in kept:
            each.started.end()
        if spare is not None:
            with suppress(SandboxUnavailable):
                spare.coming.result().end()
        self._starter.shutdown()
        self._remove()

    def _run_cold(self, job: Job) -> JobResult:
        started = self._started(job.limits, job.inputs, ())
        try:
            return run_in(started, job)
        except SandboxLost as lost:
            return lost.result
        finally:
            started.end()

    def _run_warm(self, started: Started, job: Job) -> JobResult:
        keep = False
        try:
            emptied(started.inputs)
            lay_out(job.inputs, started.inputs)
            result = run_in(started, job)
            keep = self._reuse and not started.out_of_memory()
        except SandboxLost as lost:
            return lost.result
        finally:
            if keep:
                self._keep(started, job)
            else:
                started.end()
        return result

    def _started(self, limits: Limits, inputs: Sequence[Path], modules: Sequence[str]) -> Started:
        started = self._starter.submit(self._launched, limits, inputs, modules).result()
        wait_until_ready(started)
        return started

    def _launched(self, limits: Limits, inputs: Sequence[Path], modules: Sequence[str]) -> Started:
        folder = self._folder.new_job_folder()
        try:
            lay_out(inputs, folder / "in")
            return self._start(limits, folder, modules)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise

    def _make_spare(self, limits: Limits) -> None:
        """Have a sandbox ready that no job has run in yet, without waiting for it."""
        with self._lock:
            if self._spare is None:
                modules = self._settings.warm_modules
                coming = self._starter.submit(self._launched, limits, (), modules)
                self._spare = _Spare(coming, limits)

    def _take_spare(self, limits: Limits) -> Started | None:
        with self._lock:
            if self._spare is None or not _same(self._spare.limits, limits):
                return None
            coming, self._spare = self._spare.coming, None
        try:
            started = coming.result()
        except SandboxUnavailable:
            return None
        return _if_ready(started)

    def _take(self, job: Job) -> Started | None:
        """The warm sandbox of the job's user, if it is free and as large as the job wants."""
        with self._lock:
            now = time.monotonic()
            stale = [e for e in self._kept if now - e.last_used > self._settings.warm_seconds]
            mine = [
                each
                for each in self._kept
                if each not in stale and each.user == job.user and _same(each.limits, job.limits)
            ]
            gone = [*stale, *mine]
            self._kept = [each for each in self._kept if each not in gone]
        for each in stale:
            each.started.end()
        for each in mine[1:]:
            each.started.end()
        return _if_ready(mine[0].started) if mine else None

    def _keep(self, started: Started, job: Job) -> None:
        with self._lock:
            self._kept.append(_Warm(started, job.user, job.limits, time.monotonic()))
            surplus = max(0, len(self._kept) - self._settings.warm_users)
            gone, self._kept = self._kept[:surplus], self._kept[surplus:]
        for each in gone:
            each.started.end()

    def _find_fonts(self, limits: Limits) -> None:
        """Let matplotlib look for fonts once, inside, instead of once a job."""
        with self._fonts:
            if self._has_fonts:
                return
            self._has_fonts = True
            for file in self._run_cold(Job(_FONTS_CODE, limits=limits)).outputs:
                add_fonts(self._folder.program, file.name, file.content)


def _if_ready(started: Started) -> Started | None:
    """``started`` once it is clean and waiting; None, and its end, when that failed."""
    try:
        wait_until_ready(started)
    except SandboxUnavailable:
        return None
    return started


def _same(one: Limits, other: Limits) -> bool:
    """Whether two jobs can share a sandbox: the rest is set for each job anew."""
    return (one.memory_mib, one.disk_mib, one.processes) == (
        other.memory_mib,
        other.disk_mib,
        other.processes,
    )
