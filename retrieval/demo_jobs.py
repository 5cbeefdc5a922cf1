"""Draws the users' jobs of the demo lake and places them on nodes, in the order of submission."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from retrieval.demo_incidents import Incident, IncidentKind
from retrieval.demo_plan import GPUS, THREADS, Job, Pattern, planned_jobs
from retrieval.demo_profile import DAY, HOUR, DemoProfile, Flags, Floats, Seconds, dice

_USERS: Final = 260
_LARGEST_USER: Final = 1500
"""Users have anonymous numbers up to this one."""
_SIZES: Final = np.array([1, 2, 4, 8, 16, 32, 64, 128])
_SHARES: Final = np.array([0.52, 0.16, 0.14, 0.09, 0.05, 0.025, 0.012, 0.003])
_LIMITS: Final = np.array([0.5, 1, 2, 4, 8, 12, 24]) * HOUR
_BY_HOUR: Final = np.array([4, 3, 2, 2, 2, 3, 5, 8, 10, 11, 10, 9, 9, 10, 11, 10, 9, 8, 7, 6, 6, 6])
_QUIET_SHARE: Final = 0.3
_SHARED_SHARE: Final = 0.4
_DEBUG_SHARE: Final = 0.04
_STATES: Final = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "OUT_OF_MEMORY", "PREEMPTED")
_STATE_SHARES: Final = (0.785, 0.128, 0.05, 0.031, 0.004, 0.002)
_FAR: Final = 1 << 40


@dataclass(frozen=True, slots=True)
class _Demand:
    """What one job asks for, before it has nodes."""

    user: int
    submit: int
    partition: str
    qos: str
    size: int
    seconds: int
    limit: int
    state: str
    slots: int
    gpus: int
    threads: int
    pattern: Pattern


@dataclass(frozen=True, slots=True)
class _Blocked:
    """A stretch of time in which some nodes take no other job."""

    start: int
    end: int
    nodes: Flags


def make_jobs(profile: DemoProfile, incidents: Sequence[Incident], seed: int) -> tuple[Job, ...]:
    """All jobs of the lake, in the order of submission; no two overlap on one GPU slot."""
    planned = planned_jobs(profile)
    blocked = [_blocked(profile, job.start, job.end, job.nodes) for job in planned]
    blocked += [
        _blocked(profile, i.begins, i.ends, i.nodes)
        for i in incidents
        if i.kind in (IncidentKind.OUTAGE, IncidentKind.DRAIN)
    ]
    machine = _Machine(profile, blocked, dice(seed, "placing"))
    demands = _demands(profile, dice(seed, "demands"))
    ids = _job_ids(len(demands), {job.job_id for job in planned}, dice(seed, "ids"))
    placed = [machine.placed(d, i) for d, i in zip(demands, ids, strict=True)]
    jobs = [job for job in placed if job is not None and job.start < profile.last]
    return tuple(sorted([*jobs, *planned], key=lambda job: (job.submit, job.job_id)))


def _blocked(profile: DemoProfile, start: int, end: int, nodes: Sequence[int]) -> _Blocked:
    flags = np.zeros(profile.nodes, dtype=np.bool_)
    flags[[node for node in nodes if node < profile.nodes]] = True
    return _Blocked(start, end, flags)


def _job_ids(count: int, taken: set[int], rng: np.random.Generator) -> list[int]:
    """Anonymous ids: as in the published table, their order says nothing of time."""
    drawn = rng.choice(6_200_000, size=count + len(taken) + 1, replace=False).tolist()
    return [i for i in drawn if i and i not in taken][:count]


def _submissions(profile: DemoProfile, rng: np.random.Generator) -> Seconds:
    by_hour = np.append(_BY_HOUR, (5, 4)) / (_BY_HOUR.sum() + 9)
    moments = []
    for day in range(profile.first, profile.last, DAY):
        weekday = (day // DAY + 3) % 7
        expected = profile.jobs_a_day * (1.04 if weekday < 5 else 0.9)
        if not profile.busy[0] <= day < profile.busy[1]:
            expected *= _QUIET_SHARE
        hours = rng.choice(24, size=rng.poisson(expected), p=by_hour)
        moments.append(day + hours * HOUR + rng.integers(0, HOUR, size=hours.size))
    return np.sort(np.concatenate(moments)).astype(np.int64)


def _demands(profile: DemoProfile, rng: np.random.Generator) -> list[_Demand]:
    submits = _submissions(profile, rng)
    count = submits.size
    weights = 1 / (np.arange(_USERS) + 6.0)
    users = rng.choice(_USERS, size=count, p=weights / weights.sum())
    names = 1 + rng.permutation(_LARGEST_USER)
    habits = _habits(rng)
    shared = rng.random(count) < _SHARED_SHARE
    debug = ~shared & (rng.random(count) < _DEBUG_SHARE) & (len(profile.debug_nodes) > 0)
    sizes = rng.choice(_SIZES, size=count, p=_SHARES)
    sizes = np.minimum(sizes, max(1, profile.nodes // 6))
    sizes = np.where(shared, 1, np.where(debug, np.minimum(sizes, 4), sizes))
    seconds = rng.lognormal(np.log(150 * 60), 1.25, size=count)
    quiet = (submits < profile.busy[0]) | (submits >= profile.busy[1])
    seconds = np.where(quiet, 3 * seconds, seconds)
    seconds = np.where(shared, 1.1 * seconds, np.where(debug, 0.1 * seconds, seconds))
    seconds = np.clip(seconds, 8, 24 * HOUR - 300).astype(np.int64)
    states = rng.choice(len(_STATES), size=count, p=_STATE_SHARES)
    dice_rolls = rng.random((count, 4))
    return [
        _demand(
            int(names[users[k]]),
            int(submits[k]),
            ("5" if shared[k] else "3" if debug[k] else "1"),
            int(sizes[k]),
            int(seconds[k]),
            _STATES[int(states[k])],
            dice_rolls[k],
            habits[int(users[k])],
        )
        for k in range(count)
    ]


def _habits(rng: np.random.Generator) -> Floats:
    """One row a user: level, low, duty, period and CPU utilisation of what they run."""
    return np.column_stack(
        [
            rng.beta(3.2, 1.8, _USERS),
            rng.beta(2, 1.5, _USERS),
            rng.uniform(0.4, 0.95, _USERS),
            rng.choice([240.0, 420, 600, 900, 1500, 2400], _USERS),
            np.clip(rng.lognormal(np.log(0.08), 0.8, _USERS), 0.01, 0.85),
        ]
    )


def _demand(
    user: int,
    submit: int,
    partition: str,
    size: int,
    seconds: int,
    state: str,
    rolls: Floats,
    habit: Floats,
) -> _Demand:
    limits = _LIMITS[1.02 * seconds < _LIMITS]
    limit = int(limits[min(int(rolls[0] * 3), limits.size - 1)]) if limits.size else DAY
    if state == "TIMEOUT":
        seconds = limit
    elif state in ("FAILED", "CANCELLED"):
        seconds = max(5, int(seconds * rolls[1]))
    if partition == "5":
        slots = 1 if rolls[2] < 0.7 else 2
        gpus = slots if rolls[3] < 0.75 else 0
        threads = (4, 8, 16, 32)[int(rolls[0] * 4)] * slots
    else:
        slots, threads = GPUS, THREADS
        gpus = GPUS if rolls[2] < 0.78 else 0 if rolls[2] < 0.9 else 2
    share = threads / THREADS
    cpu = habit[4] * share if gpus else min(0.9, (0.35 + habit[4])) * share
    level = habit[0] * (0.8 + 0.25 * rolls[3])
    pattern = Pattern(min(level, 0.98), habit[1], habit[2], habit[3], float(cpu))
    qos = {"5": "8", "3": "2"}.get(partition, "4" if size >= 32 else "1")
    return _Demand(
        user, submit, partition, qos, size, seconds, limit, state, slots, gpus, threads, pattern
    )


class _Machine:
    """When each GPU slot of each node is free again; gives nodes to one job after the other."""

    def __init__(
        self, profile: DemoProfile, blocked: Sequence[_Blocked], rng: np.random.Generator
    ) -> None:
        every = np.arange(profile.nodes)
        shared = np.isin(every, profile.shared_nodes)
        debug = np.isin(every, profile.debug_nodes)
        self._pools = {
            "5": every[shared],
            "3": every[debug & ~shared],
            "1": every[~shared & ~debug],
        }
        self._free = {
            name: np.zeros((pool.size, GPUS), dtype=np.int64) for name, pool in self._pools.items()
        }
        self._blocked = sorted(blocked, key=lambda b: b.start)
        self._rng = rng

    def placed(self, demand: _Demand, job_id: int) -> Job | None:
        """The job with nodes and times, or None where its partition is too small for it."""
        pool, slots = self._pools[demand.partition], self._free[demand.partition]
        if demand.size > pool.size:
            return None
        # The time at which a node has enough free slots: its n-th smallest.
        free = slots[:, 0] if demand.slots == GPUS else np.sort(slots, 1)[:, demand.slots - 1]
        ready = demand.submit + int(self._rng.exponential(25)) + 2
        while True:
            places, start = self._choice(free, demand.size, ready)
            if start >= _FAR:
                return None
            clash = self._clashes(pool, start, start + demand.seconds)
            if clash is None or not clash[places].any():
                return self._booked(demand, job_id, places, start)
            free = np.where(clash, _FAR, free)

    def _choice(self, free: Seconds, size: int, ready: int) -> tuple[npt.NDArray[np.intp], int]:
        """Neighbouring ready nodes, or else those that are ready first, with the start."""
        now = np.flatnonzero(free <= ready)
        if now.size >= size:
            first = int(self._rng.integers(0, now.size - size + 1))
            return now[first : first + size], ready
        soonest = np.argpartition(free, size - 1)[:size]
        return np.sort(soonest), max(ready, int(free[soonest].max()))

    def _clashes(self, pool: npt.NDArray[np.int64], start: int, end: int) -> Flags | None:
        """Which nodes of ``pool`` are blocked at some time from ``start`` to ``end``."""
        hits = [b.nodes for b in self._blocked if b.start < end and b.end > start]
        return np.any(hits, axis=0)[pool] if hits else None

    def _booked(
        self, demand: _Demand, job_id: int, places: npt.NDArray[np.intp], start: int
    ) -> Job:
        end = start + demand.seconds
        table = self._free[demand.partition]
        slots = np.argsort(table[places[0]], kind="stable")[: demand.slots]
        table[np.ix_(places, slots)] = end + 15
        array = job_id if demand.user % 17 == 3 and demand.partition == "5" else 0
        return Job(
            job_id,
            demand.user,
            demand.partition,
            demand.qos,
            demand.submit,
            start,
            end,
            demand.limit,
            demand.state,
            tuple(self._pools[demand.partition][places].tolist()),
            demand.threads,
            tuple(sorted(slots.tolist())),
            demand.gpus,
            demand.pattern,
            array,
        )
