"""Results of the alarm checks on compute nodes and other hosts (plugin nagios)."""

import csv
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Final

import numpy as np
import numpy.typing as npt

from retrieval.demo_incidents import Incident, IncidentKind, of_kind
from retrieval.demo_profile import HOUR, DemoProfile, Seconds, dice
from retrieval.demo_rows import Samples, Tag

Codes = npt.NDArray[np.int16]
_PERIOD: Final = 900
_NODE_CHECKS: Final = (
    "alive::ping",
    "batchs::client",
    "batchs::client::state",
    "bmc::events",
    "filesys::eurofusion::mount",
    "filesys::local::avail",
    "filesys::local::mount",
    "memory::phys::total",
    "net::ib::status",
    "nvidia::configuration",
    "nvidia::memory::replace",
    "nvidia::memory::retirement",
    "ssh::daemon",
    "sys::gpfs::status",
    "sys::rvitals",
    "sys::sssd::events",
)
_FEW: Final = ("alive::ping", "batchs::client::state")
"""What is kept of the coarse stretch."""
_OK, _WARNING, _CRITICAL = 0, 1, 2
_SOFT_SHARE: Final = 0.0004


def nagios_samples(
    profile: DemoProfile, incidents: Sequence[Incident], seed: int
) -> tuple[Mapping[str, Tag], list[Samples]]:
    """State of every check on every host, each quarter of an hour (coarse: few, hourly)."""
    pairs = [(node, check) for node in range(profile.nodes) for check in _NODE_CHECKS]
    pairs += _other_hosts(profile)
    tags = {
        "description": Tag.of([check for _, check in pairs]),
        "host_group": Tag.of([_group(profile, host) for host, _ in pairs]),
        "nagiosdrained": Tag(("0", "1"), np.zeros(len(pairs), dtype=np.int16)),
        "node": Tag.of([str(host) for host, _ in pairs]),
        "state_type": Tag(("0", "1"), np.ones(len(pairs), dtype=np.int16)),
    }
    few = np.array([check in _FEW for _, check in pairs])
    samples = []
    for k, times in enumerate(profile.moments(_PERIOD, _PERIOD, HOUR)):
        kept = np.broadcast_to(
            (few if k == 2 else np.ones_like(few))[:, None], (few.size, times.size)
        )
        states, hard = _states(pairs, times, incidents, seed + k)
        drained = _drained(pairs, times, incidents)
        varying = {"nagiosdrained": drained, "state_type": hard}
        samples.append(Samples(times, states, keep=kept, varying=varying))
    return tags, samples


def _other_hosts(profile: DemoProfile) -> list[tuple[int, str]]:
    """Login nodes, switches and services: a ping and two checks of their kind."""
    text = files("retrieval").joinpath("data", "checks.csv").read_text("utf-8")
    names = [row["check"] for row in csv.DictReader(text.splitlines())]
    switch = [name for name in names if name.startswith("dev::swc")]
    service = [name for name in names if name not in _NODE_CHECKS and name not in switch]
    pairs = []
    for k, host in enumerate(range(profile.nodes, profile.hosts)):
        special = switch if _group(profile, host) == "switch" else service
        own = {special[k % len(special)], special[(k + 3) % len(special)]}
        pairs += [(host, check) for check in ("alive::ping", *sorted(own))]
    return pairs


def _group(profile: DemoProfile, host: int) -> str:
    if host < profile.nodes:
        return "compute"
    if host < profile.nodes + profile.logins:
        return "login"
    return "switch" if host % 3 else "service"


def _states(
    pairs: Sequence[tuple[int, str]], times: Seconds, incidents: Sequence[Incident], seed: int
) -> tuple[Codes, Codes]:
    """State and kind of state (0 soft, 1 hard) of each pair at each moment."""
    rng = dice(seed, "checks")
    states = np.zeros((len(pairs), times.size), dtype=np.int16)
    hard = np.ones_like(states)
    spot = rng.integers(0, states.size, int(states.size * _SOFT_SHARE))
    states.ravel()[spot] = rng.choice([_WARNING, _CRITICAL, 3], spot.size, p=[0.6, 0.25, 0.15])
    hard.ravel()[spot] = 0
    rows = {pair: row for row, pair in enumerate(pairs)}
    # A host that does not answer is an incident, never noise.
    pings = [row for (_, check), row in rows.items() if check == "alive::ping"]
    states[pings], hard[pings] = _OK, 1
    for incident in incidents:
        during = incident.during(times)
        for node in incident.nodes:
            for check, state in _shown(incident):
                row = rows[node, check]
                states[row, during] = state
                hard[row, during] = 1
                if during.any():
                    hard[row, int(np.argmax(during))] = 0
    return states, hard


def _shown(incident: Incident) -> list[tuple[str, int]]:
    """Which checks of its nodes an incident turns to which state."""
    match incident.kind:
        case IncidentKind.OUTAGE:
            down = [("alive::ping", 1), ("ssh::daemon", _CRITICAL), ("batchs::client", _CRITICAL)]
            return [*down, ("batchs::client::state", _CRITICAL)]
        case IncidentKind.DRAIN:
            return [(incident.detail, _CRITICAL), ("batchs::client::state", _CRITICAL)]
        case IncidentKind.CHECK:
            return [(incident.detail, _CRITICAL)]
        case IncidentKind.FULL_DISK:
            return [(incident.detail, _WARNING)]
        case IncidentKind.POWER_SUPPLY | IncidentKind.FAN:
            return [("bmc::events", _CRITICAL), ("sys::rvitals", _CRITICAL)]
        case IncidentKind.HOT_INLET:
            return [("sys::rvitals", _WARNING)]
        case IncidentKind.GPU_ERROR if incident.detail.endswith(":48"):
            return [("nvidia::memory::retirement", _WARNING)]
        case IncidentKind.GPU_ERROR:
            return [("nvidia::configuration", _CRITICAL)]
        case _:
            return []


def _drained(
    pairs: Sequence[tuple[int, str]], times: Seconds, incidents: Sequence[Incident]
) -> Codes:
    """1 for every check of a node that an operator took out of service."""
    hosts = np.array([host for host, _ in pairs])
    drained = np.zeros((len(pairs), times.size), dtype=np.int16)
    for incident in of_kind(incidents, IncidentKind.DRAIN):
        rows = np.isin(hosts, incident.nodes)
        drained[np.ix_(rows, incident.during(times))] = 1
    return drained
