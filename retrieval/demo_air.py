"""Readings of the six room air conditioners (plugin vertiv)."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from retrieval.demo_incidents import Incident, IncidentKind, of_kind
from retrieval.demo_profile import DemoProfile, Flags, Floats, Seconds, dice, eased
from retrieval.demo_rows import Samples, Tag
from retrieval.demo_weather import outdoor
from retrieval.request import Metric

CRACS: Final = ("cdz1", "cdz2", "cdz3", "cdz4", "cdz5", "cdz6")
_FREE_COOLING: Final = 4
"""The first ones can cool with outdoor air."""
_STEPS: Final = (10, 60, 1800)
_SET_POINTS: Final = {
    "Actual_Return_Air_Temperature_Set_Point": 25.0,
    "Actual_Return_Humidity_Set_Point": 45.0,
    "Supply_Air_Temperature_Set_Point": 22.0,
    "Humidity_Set_Point": 45.0,
    "Underflow_Static_Pressure": 0.0,
}
_MORE_LOAD: Final = np.array([0.0, 2.5, -1.5, 1.0, 4.0, -3.0])


def vertiv_samples(
    metric: Metric,
    profile: DemoProfile,
    incidents: Sequence[Incident],
    load: Mapping[int, Floats],
    seed: int,
) -> tuple[Mapping[str, Tag], list[Samples]]:
    """Readings of one metric of all air conditioners.

    ``load`` has, for the step of each stretch, how loaded the machine is, 0 to 1, at its moments.
    """
    samples = []
    for step, times in zip(_STEPS, profile.moments(*_STEPS), strict=False):
        rng = dice(seed, f"vertiv {metric.name} {step}")
        warm = outdoor(profile, times, seed)
        values = _values(metric.name, times, warm, load[step], incidents, rng)
        samples.append(Samples(times, np.round(values, 2)))
    return {"device": Tag.of(CRACS)}, samples


def vertiv_moments(profile: DemoProfile) -> dict[int, Seconds]:
    """The moments of each stretch, by its step in seconds."""
    return dict(zip(_STEPS, profile.moments(*_STEPS), strict=False))


def _values(
    name: str,
    times: Seconds,
    warm: Floats,
    load: Floats,
    incidents: Sequence[Incident],
    rng: np.random.Generator,
) -> Floats:
    shape = (len(CRACS), times.size)
    if name in _SET_POINTS:
        return np.full(shape, _SET_POINTS[name], dtype=np.float32)
    noise = rng.standard_normal(shape, dtype=np.float32)
    stopped, after = _stops(times, incidents)
    running = ~stopped
    others = stopped.any(axis=0) & running
    free = np.zeros(shape, dtype=np.float32)
    free[:_FREE_COOLING] = np.clip(1.4 - warm / 15, 0, 1)
    effort = 28 + 45 * load + 0.9 * (warm - 18) + _MORE_LOAD[:, None] + 14 * others
    compressor = np.clip((effort + noise) * (1 - 0.8 * free), 5, 100) * running
    supply = 22 + 0.15 * noise + 2.6 * after
    back = 24.9 + 0.7 * load + 0.05 * _MORE_LOAD[:, None] + 0.12 * noise + 1.9 * after
    return np.asarray(_quantity(name, noise, free, compressor, supply, back, running, load))


def _quantity(
    name: str,
    noise: Floats,
    free: Floats,
    compressor: Floats,
    supply: Floats,
    back: Floats,
    running: Flags,
    load: Floats,
) -> Floats:
    values: Floats
    match name:
        case "Supply_Air_Temperature":
            values = supply
        case "Return_Air_Temperature":
            values = back
        case "Compressor_Utilization":
            values = compressor
        case "Fan_Speed":
            values = np.clip(58 + 22 * load + 1.2 * _MORE_LOAD[:, None] + noise, 0, 100) * running
        case "Filter_Pressure_Drop":
            values = (92 + 30 * load + noise) * running
        case "Free_Cooling_Valve_Open_Position":
            values = 100 * free * running
        case "Free_Cooling_Status":
            values = (free > 0).astype(np.float32)
        case "Free_Cooling_Fluid_Temperature":
            values = 14 + 6 * (1 - free) + 0.2 * noise
        case "Return_Humidity" | "Adjusted_Humidity":
            values = 43 + 1.5 * noise
        case _ if name.startswith("Ext_Air_Sensor"):
            values = 44 + noise if name.endswith("Humidity") else supply + 0.8 + 0.1 * noise
        case _:
            values = np.zeros_like(noise)
    return values


def _stops(times: Seconds, incidents: Sequence[Incident]) -> tuple[Flags, Floats]:
    """Which units stand still at each moment, and how far that shows in the air, 0 to 1."""
    stopped = np.zeros((len(CRACS), times.size), dtype=np.bool_)
    after = np.zeros((len(CRACS), times.size), dtype=np.float32)
    for incident in of_kind(incidents, IncidentKind.CRAC_STOP):
        unit = CRACS.index(incident.detail)
        stopped[unit] |= incident.during(times)
        after[unit] = eased(times, incident.begins, incident.ends, 700)
    return stopped, after
