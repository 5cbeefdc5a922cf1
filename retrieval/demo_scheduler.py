"""Readings of the workload manager: nodes, CPUs, GPUs and jobs by partition (plugin slurm)."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from retrieval.demo_incidents import Incident, IncidentKind
from retrieval.demo_plan import GPUS, THREADS, Job
from retrieval.demo_profile import DemoProfile, Floats, Seconds
from retrieval.demo_rows import Samples, Tag
from retrieval.request import Metric

_STEPS: Final = (60, 120, 1800)
_JOB_STEP: Final = 1800
_PARTITIONS: Final = ("1", "3", "5")
_QUEUES: Final = (("1", "1"), ("4", "1"), ("2", "3"), ("8", "5"))
"""QoS and partition of every kind of job."""
_STATES: Final = ("RUNNING", "PENDING")
_MEMORY: Final = 246_000
"""MB of a node."""
_EXTRA_NODES: Final = 2
"""The workload manager counts two service nodes with the compute nodes."""
_P95_EVERY: Final = 10
_PER_NODE: Final = {"cpus": THREADS, "gpus": GPUS, "memory": _MEMORY, "total_nodes": 1}


class Scheduler:
    """What the workload manager would report at some moments."""

    def __init__(
        self, profile: DemoProfile, jobs: Sequence[Job], incidents: Sequence[Incident]
    ) -> None:
        self._profile = profile
        self._jobs = jobs
        self._incidents = incidents
        self._known_nodes: dict[tuple[str, int, int], dict[str, Floats]] = {}

    def samples(self, metric: Metric) -> tuple[Mapping[str, Tag], list[Samples]]:
        """Readings of one metric of the workload manager."""
        if metric.name in ("job_id", "num_nodes"):
            return self._per_job(metric.name)
        moments = self._moments
        if metric.name.startswith("s21.jobs."):
            quantity = metric.name.removeprefix("s21.jobs.").removesuffix("_v2")
            values = [self._by_queue(quantity, times) for times in moments]
            return self._queue_tags, _samples(moments, values)
        quantity = metric.name.removeprefix("s21.").removeprefix("totals.")
        if metric.tags:
            values = [self._by_partition(quantity, times) for times in moments]
            return {"partition": Tag.of(_PARTITIONS)}, _samples(moments, values)
        quantity = quantity.replace("total_cpus", "cpus").replace("total_memory", "memory")
        values = [self._whole(quantity, times) for times in moments]
        return {}, _samples(moments, values)

    @cached_property
    def _moments(self) -> list[Seconds]:
        return [times for times in self._profile.moments(*_STEPS) if times.size]

    @cached_property
    def _queue_tags(self) -> dict[str, Tag]:
        rows = [(qos, partition, state) for qos, partition in _QUEUES for state in _STATES]
        return {
            "qos": Tag.of([row[0] for row in rows]),
            "partition": Tag.of([row[1] for row in rows]),
            "job_state": Tag.of([row[2] for row in rows]),
        }

    @cached_property
    def _columns(self) -> dict[str, Floats]:
        """Start, end, submission and sizes of all jobs, one array each."""
        rows = [
            (j.submit, j.start, j.end, len(j.nodes), j.threads, j.gpus, len(j.slots), int(j.qos))
            for j in self._jobs
        ]
        names = ("submit", "start", "end", "nodes", "threads", "gpus", "slots", "qos")
        table = np.array(rows, dtype=np.float64).reshape(-1, len(names))
        columns: dict[str, Floats] = dict(zip(names, table.T, strict=True))
        columns["partition"] = np.array([float(job.partition) for job in self._jobs])
        return columns

    def _whole(self, quantity: str, times: Seconds) -> Floats:
        """Of all partitions together; a share in per cent is of the whole machine."""
        if quantity.startswith("cluster_"):
            what = {"cpu": "cpus", "memory": "memory"}[quantity.split("_")[1]]
            used = self._by_partition(f"{what}_alloc", times).sum(axis=0)
            config = self._by_partition(f"{what}_config", times).sum(axis=0)
            return np.expand_dims(100 * used / config, 0)
        return np.expand_dims(self._by_partition(quantity, times).sum(axis=0), 0)

    def _by_partition(self, quantity: str, times: Seconds) -> Floats:
        rows = [self._of_partition(name, quantity, times) for name in _PARTITIONS]
        return np.stack(rows)

    def _of_partition(self, partition: str, quantity: str, times: Seconds) -> Floats:
        if quantity.startswith("cluster_"):
            what = {"cpu": "cpus", "gpu": "gpus", "mem": "memory"}[quantity.split("_")[1]]
            used = self._of_partition(partition, f"{what}_alloc", times)
            config = self._of_partition(partition, f"{what}_config", times)
            return np.divide(100 * used, np.clip(config, 1, None))
        what, state = quantity.rsplit("_", 1)
        nodes = self._nodes_at(partition, times)
        if what == "total_nodes":
            return nodes[state]
        config, down = nodes["config"] * _PER_NODE[what], nodes["down"] * _PER_NODE[what]
        used = self._used(partition, what, times)
        return {
            "alloc": used,
            "config": config,
            "down": down,
            "eligible": config - down,
            "idle": np.clip(config - down - used, 0, None),
        }[state]

    def _used(self, partition: str, what: str, times: Seconds) -> Floats:
        jobs = self._columns
        each = {
            "cpus": jobs["threads"],
            "gpus": jobs["gpus"],
            "memory": np.round(jobs["slots"] / GPUS * 0.9 * _MEMORY),
        }[what]
        mine = jobs["partition"] == float(partition)
        return _running(times, jobs["start"], jobs["end"], each * jobs["nodes"], mine)

    def _nodes_at(self, partition: str, times: Seconds) -> dict[str, Floats]:
        key = (partition, int(times[0]), times.size)
        if key not in self._known_nodes:
            self._known_nodes[key] = self._nodes(partition, times)
        return self._known_nodes[key]

    def _nodes(self, partition: str, times: Seconds) -> dict[str, Floats]:
        """Nodes by state; a node that is partly taken is mixed."""
        profile = self._profile
        every = np.arange(profile.nodes)
        shared = np.isin(every, profile.shared_nodes)
        debug = np.isin(every, profile.debug_nodes)
        own = {"1": ~shared & ~debug, "3": debug & ~shared, "5": shared}[partition]
        config = np.full(times.size, own.sum() + _EXTRA_NODES * (partition == "5"), np.float64)
        down = np.zeros(times.size)
        for incident in self._incidents:
            if incident.kind in (IncidentKind.OUTAGE, IncidentKind.DRAIN):
                down += own[list(incident.nodes)].sum() * incident.during(times)
        if partition != "5":
            jobs = self._columns
            mine = jobs["partition"] == float(partition)
            alloc = _running(times, jobs["start"], jobs["end"], jobs["nodes"], mine)
            mixed = np.zeros(times.size)
        else:
            taken = self._slots_taken(times)
            alloc = (taken >= GPUS).sum(axis=0).astype(np.float64)
            mixed = ((taken > 0) & (taken < GPUS)).sum(axis=0).astype(np.float64)
        idle = np.clip(config - down - alloc - mixed, 0, None)
        return {
            "config": config,
            "down": down,
            "eligible": config - down,
            "alloc": alloc,
            "mixed": mixed,
            "idle": idle,
        }

    def _slots_taken(self, times: Seconds) -> npt.NDArray[np.int16]:
        first = self._profile.shared_nodes.start
        taken = np.zeros((len(self._profile.shared_nodes), times.size + 1), dtype=np.int16)
        mine = [job for job in self._jobs if job.partition == "5"]
        rows = np.array([job.nodes[0] - first for job in mine], dtype=np.intp)
        slots = np.array([len(job.slots) for job in mine], dtype=np.int16)
        for moments, sign in (([j.start for j in mine], 1), ([j.end for j in mine], -1)):
            np.add.at(taken, (rows, np.searchsorted(times, moments)), sign * slots)
        return np.cumsum(taken, axis=1, dtype=np.int16)[:, :-1]

    def _by_queue(self, quantity: str, times: Seconds) -> Floats:
        rows = []
        for qos, partition in _QUEUES:
            jobs = self._columns
            mine = (jobs["qos"] == float(qos)) & (jobs["partition"] == float(partition))
            own = {name: column[mine] for name, column in jobs.items()}
            rows += [_queue(quantity, times, own, pending=state == "PENDING") for state in _STATES]
        return np.stack(rows)

    def _per_job(self, name: str) -> tuple[Mapping[str, Tag], list[Samples]]:
        """One series a job, while it waits and runs; of the finer stretches only."""
        moments = self._fine_moments
        first, last = min(t[0] for t in moments), max(t[-1] for t in moments)
        jobs = [job for job in self._jobs if job.submit < last and job.end > first]
        shown = np.array([job.job_id if name == "job_id" else len(job.nodes) for job in jobs])
        tags = {
            "partition": Tag.of([job.partition for job in jobs]),
            "user_id": Tag.of([str(job.user) for job in jobs]),
            "job_state": Tag(_STATES, np.zeros(len(jobs), dtype=np.int16)),
        }
        submit, start, end = (
            np.array([getattr(job, field) for job in jobs])[:, None]
            for field in ("submit", "start", "end")
        )
        samples = []
        for times in moments:
            keep = (submit <= times) & (times < end)
            waits = (times < start).astype(np.int16)
            values = np.broadcast_to(shown[:, None], keep.shape)
            samples.append(Samples(times, values, keep=keep, varying={"job_state": waits}))
        return tags, samples

    @cached_property
    def _fine_moments(self) -> list[Seconds]:
        spans = (self._profile.dense, self._profile.recent)
        return [span.every(_JOB_STEP).times for span in spans if span is not None]


def _samples(moments: Sequence[Seconds], values: Sequence[Floats]) -> list[Samples]:
    return [Samples(t, v) for t, v in zip(moments, values, strict=True)]


def _running(
    times: Seconds, start: Floats, end: Floats, each: Floats, mine: npt.NDArray[np.bool_]
) -> Floats:
    """Sum of ``each`` over the jobs of ``mine`` between ``start`` and ``end``, at each moment."""
    steps = np.zeros(times.size + 1)
    np.add.at(steps, np.searchsorted(times, start[mine]), each[mine])
    np.add.at(steps, np.searchsorted(times, end[mine]), -each[mine])
    return np.cumsum(steps)[:-1]


def _queue(quantity: str, times: Seconds, jobs: dict[str, Floats], *, pending: bool) -> Floats:
    """One number of the running or the waiting jobs of a queue, at each moment."""
    begin, end = ("submit", "start") if pending else ("start", "end")
    every = np.ones(jobs["start"].size, dtype=np.bool_)

    def total(each: Floats) -> Floats:
        return _running(times, jobs[begin], jobs[end], each, every)

    count = total(np.ones(every.size))
    values: Floats
    match quantity:
        case "tot_jobs":
            values = count
        case "tot_nodes":
            values = total(jobs["nodes"])
        case "tot_gpus":
            values = total(jobs["nodes"] * jobs["gpus"])
        case "eligible":
            values = count * pending
        case "nodes_eligible":
            values = total(jobs["nodes"]) * pending
        case "tot_node_hour":
            waited = times * total(jobs["nodes"]) - total(jobs["nodes"] * jobs["submit"])
            values = waited * pending / 3600
        case "avg_waiting_hour":
            values = total(jobs["start"] - jobs["submit"])
            if pending:
                values = times * count - total(jobs["submit"])
            values = values / np.clip(count, 1, None) / 3600
        case _:
            values = _p95_wait(times, jobs, begin, end)
    return values


def _p95_wait(times: Seconds, jobs: dict[str, Floats], begin: str, end: str) -> Floats:
    """95th percentile of the waiting time in hours, found anew every few moments."""
    found = []
    for moment in times[::_P95_EVERY]:
        inside = (jobs[begin] <= moment) & (moment < jobs[end])
        waits = np.minimum(jobs["start"][inside], moment) - jobs["submit"][inside]
        found.append(float(np.quantile(waits, 0.95)) / 3600 if waits.size else 0.0)
    return np.repeat(found, _P95_EVERY)[: times.size]
