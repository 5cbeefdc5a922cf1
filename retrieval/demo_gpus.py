"""Readings of one GPU: utilisation, power, clocks, memory, errors (part of plugin ganglia)."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from retrieval.demo_incidents import Incident, IncidentKind, of_kind
from retrieval.demo_profile import Floats

_FB_TOTAL: Final = 16_160
_FIXED: Final = {
    "fb_total": _FB_TOTAL,
    "mem_app_clock": 877,
    "memory_clock": 877,
    "sm_app_clock": 1530,
    "power_management_limit": 300,
}
_START: Final = 1_651_000_000
_ERRORS: Final = {
    "xid_errors",
    "ecc_dbe_volatile_total",
    "ecc_dbe_aggregate_total",
    "retired_pages_dbe",
    "retired_pages_pending",
}
_DOUBLE_BIT: Final = "48"
"""The XID of a double bit ECC error."""


def gpu_values(
    name: str,
    busy: Floats,
    noise: Callable[[float], Floats],
    moments: npt.NDArray[np.int64],
    incidents: Sequence[Incident],
) -> Floats:
    """Values of ``Gpu<i>_<quantity>`` for each row and moment.

    ``busy`` is the utilisation from 0 to 1; a metric with nothing to tell stays at 0.
    """
    gpu, quantity = name[3], name[5:]
    if quantity in _FIXED:
        return np.full(busy.shape, float(_FIXED[quantity]))
    if quantity in _ERRORS:
        return _errors(gpu, quantity, moments, incidents)
    values: Floats
    match quantity:
        case "gpu_utilization":
            values = np.round(100 * busy * (1 + noise(0.03)))
            values = np.clip(values, 0, 100)
        case "mem_copy_utilization":
            values = np.clip(np.round(46 * busy + noise(1.5) * (busy > 0)), 0, 100)
        case "power_usage":
            values = np.round(41 + 248 * busy + noise(1.2), 3)
        case "gpu_temp":
            values = np.round(38 + (3 if gpu in "13" else 0) + 29 * busy + noise(0.8))
        case "memory_temp":
            values = np.round(36 + (3 if gpu in "13" else 0) + 29 * busy + noise(0.8))
        case "fb_used":
            values = _memory_used(busy)
        case "fb_free":
            values = _FB_TOTAL - _memory_used(busy)
        case "sm_clock":
            values = np.where(busy > 0.02, 1530 - 10 * np.round(9 * busy), 135).astype(np.float32)
        case "pstate":
            values = np.zeros_like(busy)
        case "current_clock_throttle_reasons":
            values = np.where(busy > 0.95, 4, np.where(busy > 0.02, 0, 1)).astype(np.float32)
        case "power_violation":
            values = np.where(busy > 0.95, np.abs(noise(900)), 0).astype(np.float32)
        case "total_energy_consumption":
            values = 1000.0 * 120 * (moments - _START) + 1000.0 * np.round(noise(40))
        case _:
            values = np.zeros_like(busy)
    return values


def _memory_used(busy: Floats) -> Floats:
    return np.where(busy > 0.005, np.round(2300 + 11_800 * busy), 0).astype(np.float32)


def _errors(
    gpu: str, quantity: str, moments: npt.NDArray[np.int64], incidents: Sequence[Incident]
) -> Floats:
    """0, and in an incident the number of the XID or one bad page."""
    values = np.zeros(moments.shape, dtype=np.float32)
    for incident in of_kind(incidents, IncidentKind.GPU_ERROR):
        where, xid = incident.detail.split(":")
        if where != gpu or (quantity != "xid_errors" and xid != _DOUBLE_BIT):
            continue
        shown = float(xid) if quantity == "xid_errors" else 1.0
        for node in incident.nodes:
            inside = (moments[node] >= incident.begins) & (moments[node] < incident.ends)
            values[node, inside] = shown
    return values
