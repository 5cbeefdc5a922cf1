"""The incidents that the demo lake holds, so that there is something to find."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

import numpy as np

from retrieval.demo_profile import DemoProfile, Flags, Seconds, at


class IncidentKind(StrEnum):
    """What goes wrong."""

    OUTAGE = "node outage"
    SILENCE = "missing telemetry"
    DRAIN = "drained node"
    POWER_SUPPLY = "power supply failure"
    FAN = "fan failure"
    HOT_INLET = "hot inlet"
    CRAC_STOP = "CRAC stop"
    LOW_FLOW = "low flow"
    GPU_ERROR = "GPU error"
    CHECK = "critical check"
    FULL_DISK = "full disk"
    MEMORY = "memory exhausted"
    LOAD = "runaway load"
    IDLE_GPUS = "idle GPUs"


@dataclass(frozen=True, slots=True)
class Incident:
    """One planted incident: what, when (UTC), where, and how it shows."""

    kind: IncidentKind
    start: datetime
    end: datetime
    where: str
    """The node, device, panel or plugin in words."""
    shows: str
    """In which metrics to see it."""
    nodes: tuple[int, ...] = ()
    detail: str = ""
    """The GPU, fan, power supply, device, check or plugin concerned."""

    @property
    def begins(self) -> int:
        """The start in seconds since 1970."""
        return int(self.start.timestamp())

    @property
    def ends(self) -> int:
        """The end in seconds since 1970."""
        return int(self.end.timestamp())

    def during(self, times: Seconds) -> Flags:
        """Which of ``times`` lie in the incident."""
        return (times >= self.begins) & (times < self.ends)


def _when(text: str) -> datetime:
    return datetime.fromtimestamp(at(text), UTC)


def _planted(
    kind: IncidentKind,
    span: str,
    where: str,
    shows: str,
    nodes: Iterable[int] = (),
    detail: str = "",
) -> Incident:
    start, end = (_when(f"2022-{part}") for part in span.split("/"))
    return Incident(kind, start, end, where, shows, tuple(nodes), detail)


_NODES: Final = (
    _planted(
        IncidentKind.OUTAGE,
        "06-01T09:12/06-01T11:05",
        "node 26",
        "no ipmi or ganglia samples, alive::ping down, a new boottime, job 2984101 NODE_FAIL",
        (26,),
    ),
    _planted(
        IncidentKind.OUTAGE,
        "06-15T03:20/06-15T05:10",
        "node 333",
        "no ipmi or ganglia samples, alive::ping down, a new boottime, job 3105577 NODE_FAIL",
        (333,),
    ),
    _planted(
        IncidentKind.OUTAGE,
        "05-29T06:00/06-04T12:00",
        "node 652",
        "nothing but failing nagios checks for six days",
        (652,),
    ),
    _planted(
        IncidentKind.DRAIN,
        "05-31T21:30/06-01T16:40",
        "node 12",
        "nagiosdrained 1, filesys::local::mount critical, no job",
        (12,),
        "filesys::local::mount",
    ),
    _planted(
        IncidentKind.POWER_SUPPLY,
        "06-01T03:30/06-15T12:00",
        "node 17, power supply 1",
        "ps1_input_power and ps1_input_voltag 0, ps0_input_power carries it all",
        (17,),
        "ps1",
    ),
    _planted(
        IncidentKind.FAN,
        "06-01T05:40/06-02T00:00",
        "node 34, fan 1_1",
        "fan1_1 at 0 RPM, its other fans above 7,500 RPM",
        (34,),
        "fan1_1",
    ),
    _planted(
        IncidentKind.HOT_INLET,
        "06-01T06:00/06-01T20:00",
        "node 31",
        "ambient about 40 °C while its neighbours stay below 28 °C",
        (31,),
    ),
    _planted(
        IncidentKind.MEMORY,
        "06-01T08:30/06-01T12:48",
        "node 71",
        "mem_free falls to almost nothing, job 2990412 OUT_OF_MEMORY",
        (71,),
    ),
    _planted(
        IncidentKind.LOAD,
        "06-15T02:00/06-15T09:00",
        "node 610",
        "load_one about 640",
        (610,),
    ),
    _planted(
        IncidentKind.IDLE_GPUS,
        "06-01T07:05/06-01T16:15",
        "nodes 764 to 771",
        "job 2990750 holds 32 GPUs whose gpu_utilization stays below 3 %",
        range(764, 772),
    ),
    _planted(
        IncidentKind.FULL_DISK,
        "05-31T22:00/06-15T12:00",
        "nodes 505, 515 and 525",
        "part_max_used above 95 %, filesys::local::avail at warning",
        (505, 515, 525),
        "filesys::local::avail",
    ),
)
_GPUS: Final = (
    _planted(
        IncidentKind.GPU_ERROR,
        "06-01T17:22/06-02T00:00",
        "node 488, GPU 2",
        "Gpu2_xid_errors 79 (the GPU fell off the bus), job 2991188 FAILED",
        (488,),
        "2:79",
    ),
    _planted(
        IncidentKind.GPU_ERROR,
        "06-01T04:47/06-02T00:00",
        "node 77, GPU 0",
        "Gpu0_xid_errors 48, a double bit ECC error, Gpu0_retired_pages_pending 1",
        (77,),
        "0:48",
    ),
)
_PLANT: Final = (
    _planted(
        IncidentKind.CRAC_STOP,
        "06-01T13:10/06-01T14:25",
        "CRAC cdz3",
        "Fan_Speed and Compressor_Utilization of cdz3 at 0, inlets of racks 38 to 41 up by 4 °C",
        range(760, 840),
        "cdz3",
    ),
    _planted(
        IncidentKind.LOW_FLOW,
        "06-01T19:05/06-01T19:50",
        "panel Q102, pump P102",
        "P102_fault 1, Portata_attiva falls, Alm_min_portata 1",
        detail="Q102",
    ),
    _planted(
        IncidentKind.CHECK,
        "06-01T14:45/06-01T16:15",
        "nodes 380 to 391",
        "net::ib::status critical (hard)",
        range(380, 392),
        "net::ib::status",
    ),
    _planted(
        IncidentKind.SILENCE,
        "06-01T21:00/06-01T22:00",
        "node 219",
        "no ipmi samples though the node is up",
        (219,),
        "ipmi_pub",
    ),
    _planted(
        IncidentKind.SILENCE,
        "06-06T01:00/06-06T04:00",
        "plugin ganglia_pub",
        "no ganglia samples of any node",
        detail="ganglia_pub",
    ),
    _planted(
        IncidentKind.SILENCE,
        "06-04T10:00/06-04T12:30",
        "plugin weather_pub",
        "no weather samples",
        detail="weather_pub",
    ),
)


def planted_incidents(profile: DemoProfile) -> tuple[Incident, ...]:
    """The incidents in the time of the lake whose nodes it has, in the order of time."""
    here = [
        incident
        for incident in (*_NODES, *_GPUS, *_PLANT)
        if max(incident.nodes, default=0) < profile.nodes
        and incident.begins < profile.last
        and incident.ends > profile.first
    ]
    return tuple(sorted(here, key=lambda incident: incident.start))


def of_kind(incidents: Iterable[Incident], kind: IncidentKind) -> list[Incident]:
    """The incidents of one kind."""
    return [incident for incident in incidents if incident.kind is kind]


def silence(incidents: Sequence[Incident], plugin: str, times: Seconds, rows: int) -> Flags:
    """Which samples (``rows`` x ``times``) of the nodes ``plugin`` did not deliver."""
    silent = np.zeros((rows, times.size), dtype=np.bool_)
    for incident in incidents:
        if incident.kind is IncidentKind.OUTAGE:
            silent[list(incident.nodes)] |= incident.during(times)
        elif incident.kind is IncidentKind.SILENCE and incident.detail == plugin:
            rows_hit = list(incident.nodes) or slice(None)
            silent[rows_hit] |= incident.during(times)
    return silent
