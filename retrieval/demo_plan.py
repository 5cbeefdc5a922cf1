"""The jobs of the demo lake that are set in advance: those of the questions and incidents."""

from dataclasses import dataclass
from typing import Final

from retrieval.demo_profile import DemoProfile, at

GPUS: Final = 4
THREADS: Final = 128
"""Hardware threads of a node: 2 sockets x 16 cores x 4."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """How a job uses its nodes: phases of computing and of the rest, over and over."""

    level: float
    """GPU utilisation while it computes, 0 to 1."""
    low: float
    """The same in between, as a share of ``level``."""
    duty: float
    """Share of the time that it computes."""
    period: float
    """Seconds from one phase of computing to the next."""
    cpu: float
    """CPU utilisation of the node, 0 to 1."""

    @property
    def mean_level(self) -> float:
        """GPU utilisation over all phases."""
        return self.level * (self.duty + (1 - self.duty) * self.low)


@dataclass(frozen=True, slots=True)
class Job:
    """One job of the workload manager that has ended."""

    job_id: int
    user: int
    partition: str
    qos: str
    submit: int
    start: int
    end: int
    limit: int
    """Longest allowed duration, in seconds."""
    state: str
    nodes: tuple[int, ...]
    threads: int
    """Hardware threads on each node."""
    slots: tuple[int, ...]
    """The GPU slots (0 to 3) that it holds on each node, with or without using the GPUs."""
    gpus: int
    """GPUs on each node; the first ones of ``slots``."""
    pattern: Pattern
    array: int = 0

    @property
    def shares(self) -> bool:
        """Whether the job leaves part of its nodes to others."""
        return len(self.slots) < GPUS


_STEADY: Final = Pattern(0.92, 0.86, 0.8, 600, 0.12)
_BURSTS: Final = Pattern(0.85, 0.06, 0.55, 960, 0.18)
_MIXED: Final = Pattern(0.62, 0.35, 0.6, 420, 0.34)
_SOLVER: Final = Pattern(0.74, 0.5, 0.7, 1500, 0.22)
_IDLE: Final = Pattern(0.012, 0.2, 0.5, 900, 0.08)
_CPU_ONLY: Final = Pattern(0.0, 0.0, 1.0, 600, 0.55)


def _job(
    job_id: int,
    user: int,
    nodes: tuple[int, ...],
    span: str,
    pattern: Pattern,
    state: str = "COMPLETED",
    wait: int = 240,
    gpus: int = GPUS,
) -> Job:
    start, end = (at(f"2022-{part}") for part in span.split("/"))
    limit = 24 * 3600 if end - start <= 24 * 3600 else 4 * 24 * 3600
    return Job(
        job_id,
        user,
        "1",
        "1",
        start - wait,
        start,
        end,
        limit,
        state,
        nodes,
        THREADS,
        tuple(range(GPUS)),
        gpus,
        pattern,
    )


_PLANNED: Final = (
    _job(1001282, 31, (8, 9, 10, 11, 13, 14), "05-30T08:05/05-30T17:40", _SOLVER, wait=1260),
    _job(1000882, 57, (4, 5, 6, 7), "06-01T08:15:20/06-01T13:45:05", _SOLVER, wait=3780),
    _job(3423336, 118, (20, 21, 22, 23), "06-01T02:10:35/06-01T08:41:12", _STEADY),
    _job(4835969, 44, (28, 29), "05-31T22:35:10/06-01T14:20:47", _BURSTS, wait=5400),
    _job(3776044, 203, (0, 1, 2, 3), "06-01T06:05/06-01T18:32:08", _MIXED),
    _job(2984101, 31, (24, 25, 26, 27), "06-01T07:20/06-01T09:12", _SOLVER, "NODE_FAIL"),
    _job(3105577, 72, (332, 333), "06-15T00:48/06-15T03:20", _STEADY, "NODE_FAIL"),
    _job(2990412, 149, (71,), "06-01T08:30/06-01T12:48", _CPU_ONLY, "OUT_OF_MEMORY", gpus=0),
    _job(2991188, 57, (486, 487, 488, 489), "06-01T15:02/06-01T17:22", _STEADY, "FAILED"),
    _job(2990750, 66, tuple(range(764, 772)), "06-01T07:05/06-01T16:15", _IDLE),
    _job(4410021, 118, (900,), "06-01T01:25/06-01T07:48", _STEADY),
    _job(4410377, 44, (900, 920), "06-01T08:22/06-01T11:54", _MIXED, wait=1980),
    _job(4411090, 203, (900,), "06-01T12:21/06-01T13:37", _BURSTS),
    _job(4411862, 31, (920,), "06-01T12:30/06-01T14:41", _STEADY),
    _job(4412305, 57, (900,), "06-01T15:10/06-01T18:58", _SOLVER, "FAILED"),
    _job(4413118, 118, (900,), "06-01T20:14/06-01T23:22", _BURSTS),
    _job(4409550, 66, (301,), "06-01T06:52/06-01T10:31", _STEADY),
    _job(4409713, 149, (318,), "06-01T09:34/06-01T14:12", _MIXED, "CANCELLED"),
    _job(5120066, 203, (15,), "05-29T09:00/06-02T09:00", _MIXED, "TIMEOUT"),
    _job(5660210, 72, (6, 7), "06-30T13:00/07-01T09:30", _SOLVER),
)


def planned_jobs(profile: DemoProfile) -> tuple[Job, ...]:
    """The planned jobs whose nodes the lake has, and that start in its time."""
    return tuple(
        job
        for job in _PLANNED
        if max(job.nodes) < profile.nodes and profile.first <= job.start < profile.last
    )
