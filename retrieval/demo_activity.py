"""How busy GPUs and CPUs are, node by node and moment by moment, as the jobs make them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from retrieval.demo_plan import GPUS, Job
from retrieval.demo_profile import Floats, Seconds, Span, dice

IDLE_WATTS: Final = 398.0
"""A node without a job."""
GPU_WATTS: Final = 255.0
"""What one fully busy GPU adds."""
CPU_WATTS: Final = 330.0
"""What fully busy CPUs add."""
_WARM_UP: Final = 75
"""Seconds in which a job loads its data before it computes."""
_RIPPLE_POINTS: Final = 4096
_RIPPLE_STEP: Final = 20


@dataclass(frozen=True, slots=True)
class Activity:
    """Utilisation, 0 to 1, of rows (nodes, then login nodes) at some moments."""

    times: Seconds
    gpu: Floats
    """GPU x row x moment."""
    cpu: Floats
    """Row x moment."""

    def every(self, count: int) -> "Activity":
        """Every ``count``-th moment."""
        return Activity(self.times[::count], self.gpu[:, :, ::count], self.cpu[:, ::count])

    def first_rows(self, count: int) -> "Activity":
        """The first ``count`` rows."""
        return replace(self, gpu=self.gpu[:, :count], cpu=self.cpu[:count])

    def settled(self, count: int) -> "Activity":
        """Every ``count``-th moment with the mean up to the next: what temperatures follow."""
        if count == 1:
            return self
        return Activity(
            self.times[::count],
            np.add.reduceat(self.gpu, np.arange(0, self.times.size, count), axis=2) / count,
            np.add.reduceat(self.cpu, np.arange(0, self.times.size, count), axis=1) / count,
        )


def activity_of(jobs: Sequence[Job], times: Seconds, rows: int, seed: int) -> Activity:
    """What ``jobs`` make of ``rows`` nodes at ``times``; without a job a node idles."""
    gpu = np.zeros((GPUS, rows, times.size), dtype=np.float32)
    rng = dice(seed, "activity")
    cpu = np.empty((rows, times.size), dtype=np.float32)
    cpu[:] = rng.uniform(0.004, 0.012, rows)[:, None]
    ripple = _ripple(rng)
    starts = np.searchsorted(times, [job.start for job in jobs])
    ends = np.searchsorted(times, [job.end for job in jobs])
    for k in np.flatnonzero(ends > starts).tolist():
        job, here = jobs[k], slice(int(starts[k]), int(ends[k]))
        computing, busy = _curves(job, times[here], ripple)
        for node in job.nodes:
            cpu[node, here] += busy
            for slot in job.slots[: job.gpus]:
                gpu[slot, node, here] = computing
    gpu *= rng.uniform(0.96, 1.0, (GPUS, rows, 1)).astype(np.float32)
    np.clip(gpu, 0, 1, out=gpu)
    np.clip(cpu, 0, 0.97, out=cpu)
    return Activity(times, gpu, cpu)


def _curves(job: Job, times: Seconds, ripple: Floats) -> tuple[Floats, Floats]:
    """GPU and CPU utilisation of one node of ``job``: the CPUs work while the GPUs wait."""
    pattern, since = job.pattern, times - job.start
    computes = (since % pattern.period) < pattern.duty * pattern.period
    wave = ripple[(times // _RIPPLE_STEP + job.job_id) % _RIPPLE_POINTS]
    gpu = pattern.level * np.where(computes, 1.0, pattern.low) * (1 + 0.05 * wave)
    gpu[since < _WARM_UP] = 0
    cpu = pattern.cpu * np.where(computes, 0.9, 1.25) * (1 + 0.12 * wave)
    return gpu.astype(np.float32), cpu.astype(np.float32)


def _ripple(rng: np.random.Generator) -> Floats:
    """A smooth random wave around 0 with a spread of 1, shared by all metrics of a job."""
    raw = rng.standard_normal(_RIPPLE_POINTS + 15)
    smooth = np.convolve(raw, np.ones(16) / 4, mode="valid")
    return smooth.astype(np.float32)


def node_watts(activity: Activity) -> Floats:
    """Power of each row at each moment before sensors add their noise."""
    watts = activity.gpu.sum(axis=0)
    watts *= GPU_WATTS
    watts += CPU_WATTS * activity.cpu
    watts += IDLE_WATTS
    return np.asarray(watts, dtype=np.float32)


def machine_watts(jobs: Sequence[Job], span: Span, nodes: int) -> Floats:
    """Power of the whole machine over ``span``, from the mean of each job."""
    times = span.times
    steps = np.zeros(times.size + 1)
    added = np.array([_mean_watts(job) for job in jobs])
    np.add.at(steps, np.searchsorted(times, [job.start for job in jobs]), added)
    np.add.at(steps, np.searchsorted(times, [job.end for job in jobs]), -added)
    idle = nodes * (IDLE_WATTS + 0.008 * CPU_WATTS)
    return np.asarray(np.cumsum(steps)[:-1] + idle, dtype=np.float32)


def _mean_watts(job: Job) -> float:
    duty = job.pattern.duty
    cpu = job.pattern.cpu * (0.9 * duty + 1.25 * (1 - duty))
    gpus = 0.98 * job.gpus * job.pattern.mean_level
    return len(job.nodes) * (gpus * GPU_WATTS + cpu * CPU_WATTS)
