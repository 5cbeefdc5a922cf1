"""A sandbox that runs nothing: gives its results in order and remembers the jobs."""

from collections.abc import Iterable

from sandbox.job import Job, JobResult, JobStatus


class CannedSandbox:
    """Answers each job with the next of ``results``; with a finished one when they run out."""

    name = "canned"

    def __init__(self, results: Iterable[JobResult] = ()) -> None:
        self._results = list(results)
        self.jobs: list[Job] = []
        self.closed = False
        self.forgotten: list[str] = []

    def run(self, job: Job) -> JobResult:
        self.jobs.append(job)
        if self._results:
            return self._results.pop(0)
        return JobResult(JobStatus.FINISHED)

    def warm_up(self) -> None:
        """Nothing is slow here."""

    def forget(self, user: str) -> None:
        self.forgotten.append(user)

    def close(self) -> None:
        self.closed = True
