"""Readings of the facility's electrical meters and its PUE (plugin logics)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from retrieval.demo_activity import machine_watts
from retrieval.demo_plan import Job
from retrieval.demo_profile import HOUR, DemoProfile, Floats, Seconds, Span, dice
from retrieval.demo_rows import Samples, Tag
from retrieval.demo_weather import outdoor
from retrieval.request import Metric

_STEP: Final = 150
_SELDOM: Final = 900
_OTHER_ROOMS_KW: Final = 520.0
"""IT of the rooms beside the machine's, and the machine's network and storage."""
_TOTALS: Final = ("generals", "pue")
_ROOM_M: Final = ("generals", "pue_sala_m")
_METERS: Final = {
    ("f-a", "quadro-f-a"): 0.27,
    ("f-b", "quadro-f-b"): 0.24,
    ("f-c", "quadro-f-c"): 0.26,
    ("f-d", "quadro-f-d"): 0.23,
    ("chiller", "chiller1-1"): 0.36,
    ("chiller", "chiller1-2"): 0.33,
    ("chiller", "chiller2-1"): 0.31,
    ("n-a", "quadro-n-a"): 0.4,
    ("m-a", "quadro-m-a"): 0.35,
}
"""Panel and device of each meter, with its share of the load that it stands for."""
_ROOM_METRICS: Final = frozenset({"pue", "pt", "pit"})


@dataclass(frozen=True, slots=True)
class Facility:
    """Power in kW, and the PUE, at moments ``_STEP`` seconds apart."""

    times: Seconds
    machine: Floats
    totals: Mapping[str, Floats]
    """By metric: ``Tot``, its parts, ``Pue`` and ``Dcie``."""

    def load(self, times: Seconds) -> Floats:
        """How loaded the machine is at ``times``, 0 (idle) to about 1."""
        idle = self.machine.min()
        share = (np.interp(times, self.times, self.machine) - idle) / max(idle, 1)
        return np.asarray(np.clip(1.1 * share, 0, 1.2), dtype=np.float32)


def make_facility(profile: DemoProfile, jobs: tuple[Job, ...], seed: int) -> Facility:
    """The facility over all days of the lake; chillers follow the weather, PUE follows both."""
    span = Span(profile.first, profile.last, _STEP)
    times, rng = span.times, dice(seed, "facility")
    machine = machine_watts(jobs, span, profile.nodes).astype(np.float64) / 1000
    scale = profile.nodes / 980
    warm = outdoor(profile, times, seed).astype(np.float64)
    noise = rng.standard_normal((5, times.size))
    ict = machine * 1.015 + scale * (_OTHER_ROOMS_KW + 2.5 * noise[0])
    parts = {
        "Tot_ict": ict,
        "Tot_cdz": scale * (72 + 0.9 * noise[1]) + 0.03 * ict,
        "Tot_chiller": 0.185 * ict * (1 + 0.031 * (warm - 18)) + scale * (9 + 1.5 * noise[2]),
        "Tot_qpompe": scale * (24 + 0.3 * noise[3]) + 0.008 * ict,
        "Tot_servizi": scale * (46 + 0.8 * noise[4]),
    }
    stored = {name: values.astype(np.float32).astype(np.float64) for name, values in parts.items()}
    total = np.sum(list(stored.values()), axis=0)
    pue = total / stored["Tot_ict"]
    return Facility(times, machine, {**stored, "Tot": total, "Pue": pue, "Dcie": 1 / pue})


def logics_samples(
    metric: Metric, profile: DemoProfile, facility: Facility, seed: int
) -> tuple[Mapping[str, Tag], list[Samples]]:
    """Readings of one meter metric: totals of all days, single meters of the finer stretches."""
    if metric.name in facility.totals:
        values = facility.totals[metric.name][None, :]
        return _tags([_TOTALS]), [Samples(facility.times, values)]
    rng = dice(seed, f"logics {metric.name}")
    if metric.name in _ROOM_METRICS:
        return _tags([_ROOM_M]), [Samples(facility.times, _room_m(metric.name, facility))]
    samples = []
    for times in profile.moments(_SELDOM, HOUR, 6 * HOUR):
        values = _meter(metric, times, facility, profile, rng)
        samples.append(Samples(times, values))
    return _tags(list(_METERS)), samples


def _tags(meters: list[tuple[str, str]]) -> dict[str, Tag]:
    return {
        "panel": Tag.of([panel for panel, _ in meters]),
        "device": Tag.of([device for _, device in meters]),
    }


def _room_m(name: str, facility: Facility) -> Floats:
    """The small room M has a PUE of its own, under names in lower case; powers in W."""
    it = 1000 * (0.09 * facility.totals["Tot_ict"] + 4)
    whole = it * (0.16 + facility.totals["Pue"])
    values: Floats = {"pit": it, "pt": whole, "pue": whole / it}[name]
    return values[None, :]


def _meter(
    metric: Metric,
    times: Seconds,
    facility: Facility,
    profile: DemoProfile,
    rng: np.random.Generator,
) -> Floats:
    shares = np.array(list(_METERS.values()))[:, None]
    sources = np.array(
        [
            "chiller" if panel == "chiller" else "machine" if panel.startswith("f-") else "other"
            for panel, _ in _METERS
        ]
    )
    bases = {
        "machine": facility.machine,
        "chiller": facility.totals["Tot_chiller"],
        "other": facility.totals["Tot_ict"] - facility.machine,
    }
    kw = shares * np.array([np.interp(times, facility.times, bases[s]) for s in sources])
    hours = (times - profile.first)[None, :] / HOUR + 10_000
    return _measured(metric, kw, shares * hours, rng.standard_normal(kw.shape))


def _measured(metric: Metric, kw: Floats, hours: Floats, noise: Floats) -> Floats:
    """One quantity of each meter from its power; ``hours`` of running, by the meter's share."""
    amps = kw * 1000 / (400 * 1.732 * 0.97)
    values: Floats
    match metric.name:
        case "Potenza" | "Potenza_attiva":
            values = kw
        case "Mw":
            values = kw / 1000
        case "Mvar":
            values = 0.22 * kw / 1000
        case "Energia":
            values = 900 * hours
        case "Mwh":
            values = 0.9 * hours
        case "Mvarh":
            values = 0.2 * hours
        case "Corrente" | "Corrente_L1" | "Corrente_L2" | "Corrente_L3":
            values = np.clip(amps * (1 + 0.01 * noise), 0, None)
        case "Fattore_di_potenza":
            values = np.clip(0.97 + 0.004 * noise, 0, 1)
        case "Frequenza":
            values = 50 + 0.012 * noise
        case "Tensione":
            values = 400 + 1.5 * noise
        case "Volt1" | "Volt2" | "Volt3":
            values = 230 + 1.2 * noise
        case "ID_Modbus" | "deviceid":
            values = np.broadcast_to(np.arange(1.0, len(_METERS) + 1)[:, None], kw.shape)
        case "Stato" | "Status":
            values = np.ones(kw.shape)
        case _:
            # Texts are null in the published files, and flags at rest are 0.
            values = np.full(kw.shape, -1.0 if metric.dtype == "string" else 0.0)
    return values
