"""What is individual about each node: its place, its inlet, its cores, its losses."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

import numpy as np

from retrieval.demo_incidents import Incident, IncidentKind, of_kind, silence
from retrieval.demo_profile import DAY, HOUR, DemoProfile, Flags, Floats, Seconds, dice, eased

NODES_PER_RACK: Final = 20
_CORE_NAMES: Final = 24
_CORE_PAIRS: Final = 8
_LOST_EVERYWHERE: Final = 0.0003
_LOST_BY_LOSSY: Final = 0.015


@dataclass(frozen=True, slots=True)
class Nodes:
    """The nodes of the lake; arrays have one entry a node."""

    inlet: Floats
    """Inlet temperature at rest, °C."""
    watts: Floats
    """How far the power meter is off."""
    fans: Floats
    """Fan speed relative to the usual."""
    lossy: Flags
    """Whether the node loses samples now and then."""
    cores: Flags
    """Node x socket x core name: whether the socket has a core of that name."""

    def inlets(self, times: Seconds, incidents: Sequence[Incident]) -> Floats:
        """Inlet temperature of each node at each moment, before noise."""
        swing = 0.7 * np.cos(2 * np.pi * ((times % DAY) - 15 * HOUR) / DAY)
        warm = self.inlet[:, None] + swing[None, :].astype(np.float32)
        for incident in of_kind(incidents, IncidentKind.CRAC_STOP):
            rise = 4.2 * eased(times, incident.begins, incident.ends, 900)
            warm[list(incident.nodes)] += rise
        for incident in of_kind(incidents, IncidentKind.HOT_INLET):
            rise = eased(times, incident.begins, incident.ends, 600)
            nodes = list(incident.nodes)
            warm[nodes] += rise * (40.3 - warm[nodes])
        return np.asarray(warm, dtype=np.float32)

    def kept(
        self,
        incidents: Sequence[Incident],
        plugin: str,
        times: Seconds,
        rng: np.random.Generator,
    ) -> Flags:
        """Which samples of the nodes arrived: not in silence, and a few lost at random."""
        kept = ~silence(incidents, plugin, times, self.inlet.size)
        lost = rng.integers(0, kept.size, int(kept.size * _LOST_EVERYWHERE))
        kept.ravel()[lost] = False
        lossy = np.flatnonzero(self.lossy)
        kept[lossy] &= rng.random((lossy.size, times.size)) >= _LOST_BY_LOSSY
        return kept


def make_nodes(profile: DemoProfile, seed: int) -> Nodes:
    """The nodes of a lake; the same for the same seed."""
    rng = dice(seed, "nodes")
    count = profile.nodes
    racks = np.arange(count) // NODES_PER_RACK
    places = np.array(_rack_places())[racks]
    slots = np.arange(count) % NODES_PER_RACK
    # Air comes from the CRACs at the ends of the rows: the middle and the upper slots are warmer.
    middle = 1 - np.abs(places[:, 0] - 12.5) / 9
    inlet = 20.6 + 1.9 * middle + 0.07 * slots + rng.normal(0, 0.7, count)
    return Nodes(
        inlet=inlet.astype(np.float32),
        watts=rng.normal(0, 14, count).astype(np.float32),
        fans=rng.normal(1, 0.015, count).astype(np.float32),
        lossy=rng.random(count) < 0.03,
        cores=_cores(count, rng),
    )


def _cores(count: int, rng: np.random.Generator) -> Flags:
    """Each socket has 8 of the 12 pairs of names, so 16 of 24."""
    order = np.argsort(rng.random((count, 2, _CORE_NAMES // 2)), axis=2)
    pairs = order < _CORE_PAIRS
    return np.repeat(pairs, 2, axis=2)


def _rack_places() -> list[tuple[int, int]]:
    """X and Y of the racks in the room."""
    text = files("retrieval").joinpath("data", "racks.csv").read_text("utf-8")
    return [(int(row["x"]), int(row["y"])) for row in csv.DictReader(text.splitlines())]
