"""Readings of the node software: CPU, load, memory, disk and network (plugin ganglia)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from retrieval.demo_activity import Activity
from retrieval.demo_gpus import gpu_values
from retrieval.demo_incidents import Incident, IncidentKind, of_kind, silence
from retrieval.demo_nodes import Nodes
from retrieval.demo_profile import Floats, dice
from retrieval.demo_rows import Samples, Tag
from retrieval.request import Metric

PLUGIN: Final = "ganglia_pub"
_MAIN: Final = re.compile(r"Gpu\d_gpu_utilization")
_CPU: Final = re.compile(r"cpu_(idle|user|system|wio|nice)")
_OFTEN: Final = re.compile(
    r"Gpu\d_(power_usage|gpu_temp|fb_used|xid_errors|ecc_dbe_volatile_total|retired_pages_pending"
    r"|sm_clock)|load_(one|five|fifteen)|mem_(free|cached)|bytes_in|bytes_out|boottime|proc_run"
    r"|part_max_used"
)
_PERIODS: Final = {
    "main": (21, 600, 7200),
    "cpu": (90, 600, 7200),
    "often": (600, 1800, 0),
    "seldom": (3600, 14_400, 0),
}
"""Seconds between samples in the dense, recent and coarse stretch; 0 for none."""
_TEXTS: Final = {
    "gexec": "OFF",
    "machine_type": "powerpc",
    "os_name": "Linux",
    "os_release": "4.18.0-147.13.2.el8_1.ppc64le",
}
_FIXED: Final = {
    "cpu_num": 128.0,
    "cpu_speed": 3800.0,
    "cpu_steal": 0.0,
    "mem_total": 329_871_872.0,
    "swap_total": 33_554_368.0,
    "swap_free": 33_202_048.0,
    "disk_total": 1787.0,
}
_JITTERED: Final = 0.06
_BOOT: Final = 1_651_000_000


@dataclass(frozen=True, slots=True)
class _View:
    activity: Activity
    moments: npt.NDArray[np.int64]
    """Row x sample: when each one was taken."""
    incidents: Sequence[Incident]
    rng: np.random.Generator

    def noise(self, spread: float) -> Floats:
        """White noise for each sample."""
        shape = self.activity.cpu.shape
        return self.rng.standard_normal(shape, dtype=np.float32) * np.float32(spread)


def ganglia_samples(
    metric: Metric,
    activities: Sequence[Activity],
    nodes: Nodes,
    incidents: Sequence[Incident],
    seed: int,
) -> tuple[Mapping[str, Tag], list[Samples]]:
    """Readings of one software metric; ``activities`` are dense, recent and coarse."""
    rng = dice(seed, f"ganglia {metric.name}")
    rows = activities[0].cpu.shape[0]
    samples = []
    for activity, period in zip(activities, _periods(metric.name), strict=False):
        if not period or activity.times.size < 2:
            continue
        times, shift = _clock(activity, period, rows, seed)
        moments = times + shift
        places = np.clip(np.searchsorted(activity.times, moments, side="right") - 1, 0, None)
        view = _View(_taken(activity, places, metric.name), moments, incidents, rng)
        kept = ~silence(incidents, PLUGIN, times, rows)
        kept[: nodes.inlet.size] &= nodes.kept(incidents, PLUGIN, times, rng)
        kept &= moments < activity.times[-1] + (activity.times[1] - activity.times[0])
        text = _TEXTS.get(metric.name)
        values = np.zeros(moments.shape, np.int16) if text else _values(metric.name, view)
        samples.append(Samples(times, values, shift, kept, texts=(text,) if text else ()))
    return {"node": Tag.of([str(node) for node in range(rows)])}, samples


def _periods(name: str) -> tuple[int, int, int]:
    for kind, pattern in (("main", _MAIN), ("cpu", _CPU), ("often", _OFTEN)):
        if pattern.fullmatch(name):
            return _PERIODS[kind]
    return _PERIODS["seldom"]


def _clock(
    activity: Activity, period: int, rows: int, seed: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Nominal times, and by how much each node is behind them: a phase, and some jitter.

    All metrics of one period share it, as one round of the collector delivers them all.
    """
    spacing = int(activity.times[1] - activity.times[0])
    times = np.arange(activity.times[0], activity.times[-1] + spacing, period, dtype=np.int64)
    # The coarse stretch has holes where the finer ones are.
    last = activity.times[np.searchsorted(activity.times, times, side="right") - 1]
    times = times[times - last < spacing]
    rng = dice(seed, f"clock {period} {activity.times[0]}")
    shift = np.broadcast_to(rng.integers(0, 20, (rows, 1), np.int32), (rows, times.size)).copy()
    off = rng.integers(0, shift.size, int(shift.size * _JITTERED))
    shift.ravel()[off] += rng.integers(0, 2, off.size, np.int32)
    return times, shift


def _taken(activity: Activity, places: npt.NDArray[np.intp], name: str) -> Activity:
    """``activity`` as each row sees it at its own moments; GPUs only where ``name`` needs them."""
    cpu = np.take_along_axis(activity.cpu, places, axis=1)
    if found := re.match(r"Gpu(\d)_", name):
        gpu = np.take_along_axis(activity.gpu[int(found[1])], places, axis=1)[None]
    else:
        gpu = np.zeros((1, *cpu.shape), dtype=np.float32)
    return Activity(activity.times, gpu, cpu)


def _values(name: str, view: _View) -> Floats:
    if name.startswith("Gpu"):
        busy, noise = view.activity.gpu[0], view.noise
        return gpu_values(name, busy, noise, view.moments, view.incidents)
    if name in _FIXED:
        return np.full(view.moments.shape, _FIXED[name])
    if name.startswith("cpu_"):
        return _cpu(name, view)
    if name.startswith("mem_"):
        return _memory(name, view)
    cpu = view.activity.cpu
    match name:
        case "boottime":
            return _boot_times(view)
        case "load_one" | "load_five" | "load_fifteen":
            return _load(name, view)
        case "part_max_used" | "disk_free":
            return _disk(name, view)
        case "proc_run":
            return np.clip(np.round(128 * cpu + view.noise(1)), 0, None)
        case "proc_total":
            return np.round(1900 + 900 * cpu + view.noise(12))
        case "pkts_in" | "pkts_out":
            return np.clip(9e3 * cpu + 180 + view.noise(20), 0, None)
        case _:
            return np.clip(1.1e7 * cpu + 22_000 + view.noise(3000), 0, None)


def _cpu(name: str, view: _View) -> Floats:
    """User, system, nice and wait make up, with idle, a hundred per cent."""
    cpu = 100 * view.activity.cpu
    user = 0.86 * cpu * (1 + 0.04 * _shared_noise(view, 1))
    system = 0.25 + 0.11 * cpu * (1 + 0.08 * _shared_noise(view, 2))
    wait = np.clip(0.05 + 0.02 * cpu + 0.05 * _shared_noise(view, 3), 0, None)
    too_much = np.maximum((user + system + wait) / 99.6, 1)
    parts = {"cpu_user": user / too_much, "cpu_system": system / too_much}
    parts["cpu_wio"] = wait / too_much
    parts["cpu_nice"] = np.zeros_like(cpu)
    parts["cpu_idle"] = 100 - sum(parts.values())
    parts["cpu_aidle"] = np.full_like(cpu, 71.5)
    return np.asarray(np.round(np.clip(parts[name], 0, 100), 1), dtype=np.float32)


def _shared_noise(view: _View, which: int) -> Floats:
    """Noise that is the same for all metrics of one sample, so that shares still add up."""
    rng = np.random.default_rng([which, int(view.moments[0, 0]), int(view.moments[-1, -1])])
    return rng.standard_normal(view.moments.shape, dtype=np.float32)


def _memory(name: str, view: _View) -> Floats:
    """kB; a job that exhausts its node fills it steadily until it is killed."""
    used = 4.6e7 + 1.05e8 * view.activity.cpu + view.noise(4e5)
    for incident in of_kind(view.incidents, IncidentKind.MEMORY):
        nodes = list(incident.nodes)
        moments = view.moments[nodes]
        share = (moments - incident.begins) / (incident.ends - incident.begins)
        filling = 4.6e7 + 2.82e8 * share
        used[nodes] = np.where((share >= 0) & (share < 1), filling, used[nodes])
    cached = 1.4e7 + 0.06 * used
    if name == "mem_free":
        return np.asarray(np.round(np.clip(329_871_872 - used, 9e5, None)), dtype=np.float64)
    if name == "mem_cached":
        return np.asarray(np.round(cached), dtype=np.float64)
    return np.asarray(np.round(0.002 * used), dtype=np.float64)


def _load(name: str, view: _View) -> Floats:
    load = 128 * view.activity.cpu + np.abs(view.noise(0.6))
    for incident in of_kind(view.incidents, IncidentKind.LOAD):
        nodes = list(incident.nodes)
        inside = (view.moments[nodes] >= incident.begins) & (view.moments[nodes] < incident.ends)
        load[nodes] = np.where(inside, 640 + view.noise(9)[nodes], load[nodes])
    return np.asarray(np.round(load, 2), dtype=np.float32)


def _disk(name: str, view: _View) -> Floats:
    at_rest = 31.0 + np.arange(len(view.moments)) * 7 % 23
    used = np.broadcast_to(at_rest[:, None], view.moments.shape).copy()
    for incident in of_kind(view.incidents, IncidentKind.FULL_DISK):
        used[list(incident.nodes)] = 96.4
    if name == "disk_free":
        return np.round(1787 * (100 - used) / 100, 1)
    return used


def _boot_times(view: _View) -> Floats:
    first = _BOOT + 3571.0 * (np.arange(len(view.moments)) % 97)
    boots = np.broadcast_to(first[:, None], view.moments.shape).copy()
    for incident in of_kind(view.incidents, IncidentKind.OUTAGE):
        for node in incident.nodes:
            boots[node, view.moments[node] >= incident.ends] = incident.ends - 90
    return boots
