"""Readings of the node hardware: power, temperatures, fans and power supplies (plugin ipmi)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from retrieval.demo_activity import Activity, node_watts
from retrieval.demo_incidents import Incident, IncidentKind, of_kind
from retrieval.demo_nodes import Nodes
from retrieval.demo_profile import Flags, Floats, dice
from retrieval.demo_rows import Samples, Tag
from retrieval.request import Metric

_PLUGIN: Final = "ipmi_pub"
_GPU_IDS: Final = ("0", "1", "3", "4")
"""The hardware counts its sockets' places; 2 and 5 stay empty."""
_GPU_WARMER: Final = (0.0, 3.2, -1.8, 3.4)
_MAIN: Final = re.compile(r"total_power|ambient")
_OFTEN: Final = re.compile(r"p[01]_power|ps[01]_input_.*|gpu\d_core_temp|fan\d_\d|pcie")
_LAG: Final = 600
"""Seconds over which exhaust warms the inlet."""
_STRIDES: Final = {"main": (1, 1, 1), "often": (15, 15, 0), "seldom": (180, 60, 0)}
"""Every how many moments of the dense, recent and coarse stretch; 0 for none."""


@dataclass(frozen=True, slots=True)
class _View:
    """What the sensors of all nodes see at some moments."""

    activity: Activity
    settled: Activity
    nodes: Nodes
    incidents: Sequence[Incident]
    rng: np.random.Generator

    @property
    def inlets(self) -> Floats:
        """Inlet temperature before noise."""
        return self.nodes.inlets(self.activity.times, self.incidents)

    def noise(self, spread: float) -> Floats:
        """White noise for each sample."""
        shape = self.activity.cpu.shape
        return self.rng.standard_normal(shape, dtype=np.float32) * np.float32(spread)


def ipmi_samples(
    metric: Metric,
    activities: Sequence[Activity],
    nodes: Nodes,
    incidents: Sequence[Incident],
    seed: int,
) -> tuple[Mapping[str, Tag], list[Samples]]:
    """Readings of one hardware metric; ``activities`` are dense, recent and coarse."""
    rng = dice(seed, f"ipmi {metric.name}")
    count = nodes.inlet.size
    samples = []
    for activity, stride in zip(activities, _strides(metric.name), strict=False):
        if not stride:
            continue
        whole = activity.first_rows(count)
        seen = whole.every(stride)
        view = _View(seen, whole.settled(stride), nodes, incidents, rng)
        kept = nodes.kept(incidents, _PLUGIN, seen.times, rng)
        if (has := _has(metric.name, nodes)) is not None:
            kept &= has[:, None]
        samples.append(Samples(seen.times, _values(metric.name, view), keep=kept))
    return {"node": Tag.of([str(node) for node in range(count)])}, samples


def _strides(name: str) -> tuple[int, int, int]:
    if _MAIN.fullmatch(name):
        return _STRIDES["main"]
    return _STRIDES["often" if _OFTEN.fullmatch(name) else "seldom"]


def _has(name: str, nodes: Nodes) -> Flags | None:
    """Which nodes have the sensor, where not all have."""
    if (found := re.fullmatch(r"p(\d)_core(\d+)_temp", name)) is None:
        return None
    return nodes.cores[:, int(found[1]), int(found[2])]


def _values(name: str, view: _View) -> Floats:
    if name == "ambient":
        return np.round(view.inlets + _recirculated(view) + view.noise(0.13), 1)
    if name == "total_power":
        return np.round(_watts(view) / 20) * 20
    if name.startswith("ps"):
        return _supply(name, view)
    if name.startswith("gv100card"):
        return np.zeros(view.activity.cpu.shape, dtype=np.float32)
    if name.startswith("gpu"):
        return _gpu(name, view)
    if name.startswith("fan") and name != "fan_disk_power":
        return _fan(name, view)
    return _board(name, view)


def _recirculated(view: _View) -> Floats:
    """How much a node's own exhaust warms its inlet: it follows the load of the last minutes."""
    times, load = view.activity.times, view.activity.gpu.mean(axis=0)
    count = max(1, _LAG // int(times[1] - times[0])) if times.size > 1 else 1
    total = np.cumsum(load, axis=1, dtype=np.float64)
    lagged = total.copy()
    lagged[:, count:] -= total[:, :-count]
    lagged /= np.minimum(np.arange(1, times.size + 1), count)
    return np.asarray(1.3 * lagged, dtype=np.float32)


def _watts(view: _View) -> Floats:
    watts = node_watts(view.activity)
    watts += view.nodes.watts[:, None]
    watts += view.noise(8)
    return watts


def _supply(name: str, view: _View) -> Floats:
    """The two power supplies share the load nearly evenly, unless one has failed."""
    mine = int(name[2])
    share = np.full((view.activity.cpu.shape), (0.485, 0.515)[mine], dtype=np.float32)
    for incident in of_kind(view.incidents, IncidentKind.POWER_SUPPLY):
        during = incident.during(view.activity.times)
        share[np.ix_(np.array(incident.nodes), during)] = float(incident.detail != f"ps{mine}")
    volts_in = np.round(228 + view.noise(1.5)) * (share > 0)
    watts = np.round(_watts(view) * share / 10) * 10
    quantity = name[4:]
    if quantity == "input_power":
        return watts
    if quantity == "input_voltag":
        return volts_in
    volts_out = np.round(12.2 + view.noise(0.02), 2) * (share > 0)
    if quantity == "output_volta":
        return volts_out
    return np.asarray(0.93 * watts / 12.2, dtype=np.float32)


def _gpu(name: str, view: _View) -> Floats:
    place = _GPU_IDS.index(name[3])
    busy = view.settled.gpu[place]
    core = view.inlets + 17.5 + _GPU_WARMER[place] + 27 * busy
    if name.endswith("mem_temp"):
        core = core - 2.5 + 1.5 * busy
    return np.asarray(core + view.noise(0.5), dtype=np.float32)


def _fan(name: str, view: _View) -> Floats:
    """Fans follow the inlet and the load; those beside a dead one make up for it."""
    at_rest = 4700 if name.endswith("_1") else 4350
    load = view.settled.gpu.mean(axis=0) + 0.6 * view.settled.cpu
    speed = at_rest + 95 * np.clip(view.inlets - 23, 0, None) + 1500 * load + view.noise(25)
    speed *= view.nodes.fans[:, None]
    for incident in of_kind(view.incidents, IncidentKind.FAN):
        during = incident.during(view.activity.times)
        cells = np.ix_(np.array(incident.nodes), during)
        if name == incident.detail:
            speed[cells] = 0
        else:
            speed[cells] = 7900 + view.noise(60)[cells]
    return np.asarray(np.round(speed / 50) * 50, dtype=np.float32)


def _board(name: str, view: _View) -> Floats:
    """Sockets, memory, regulators and the rest of the board."""
    cpu, warm = view.activity.cpu, view.settled.cpu
    gpu = view.settled.gpu.mean(axis=0)
    colder = 3.0 if name.startswith("p1") else 0.0
    if re.fullmatch(r"p\d_core\d+_temp", name):
        values = view.inlets + 21 - colder + 33 * warm + view.noise(1.2)
    elif name.startswith("dimm"):
        values = view.inlets + 8.2 + 6 * warm + 0.2 * (int(name[4:-5]) % 4) + view.noise(0.4)
    elif name == "pcie":
        values = np.round(view.inlets + 16 + 9 * gpu + view.noise(0.4), 1)
    elif name == "fan_disk_power":
        values = 33 + 40 * gpu**2 + view.noise(1.5)
    elif name.endswith("_vdd_temp"):
        values = view.inlets + 11 - 0.6 * colder + 14 * warm + view.noise(0.6)
    elif name.endswith("_io_power"):
        values = 57 - 1.1 * colder + 18 * gpu + view.noise(1)
    elif name.endswith("_mem_power"):
        values = 18.5 + 28 * cpu + view.noise(0.8)
    else:
        values = np.round((50 - 1.3 * colder + 165 * cpu + view.noise(2)) / 2) * 2
    return np.asarray(values, dtype=np.float32)
