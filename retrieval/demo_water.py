"""Readings of the two panels of the racks' water cooling (plugin schneider), scaled integers."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from retrieval.demo_incidents import Incident, IncidentKind, of_kind
from retrieval.demo_profile import DemoProfile, Flags, Floats, Seconds, dice
from retrieval.demo_rows import Samples, Tag
from retrieval.request import Metric

PANELS: Final = ("Q101", "Q102")
_PREFIX: Final = "PLC_PLC_Q101."
"""Stands before the names of both panels' metrics."""
_STEPS: Final = (20, 120, 1800)
_SELDOM: Final = (300, 1800, 14_400)
_OFTEN: Final = re.compile(
    r"Temp_.*|Delta_temp|Portata_.*|Pos_valv.*|Rif_inverter|P10\d_.*|Alm_.*|T_.*_hmi|In_marcia.*"
)
_FAULTY_PUMP: Final = "102"
_RUNNING: Final = ("101", "102")
_FIXED: Final = {
    "Set_temperatura": 180,
    "Max_portata": 1400,
    "Min_portata": 450,
    "Max_t_mandata": 240,
    "Min_t_mandata": 140,
    "Max_t_ritorno": 320,
    "Min_vel_pompe": 300,
    "Kp_pid_pompe": 12,
    "Kp_pid_valvole": 8,
    "Ti_pid_pompe": 40,
    "Ti_pid_valvole": 60,
    "Start_impianto": 1,
    "Stato_quadro": 1,
    "Abilita_inverter": 1,
    "Abilita_valvola1": 1,
    "Abilita_valvola2": 1,
    "Sel_misuratore": 1,
    "Set_man_pid_pompe": 6000,
    "Set_man_pid_valv": 5000,
}


def schneider_samples(
    metric: Metric,
    profile: DemoProfile,
    incidents: Sequence[Incident],
    load: Mapping[int, tuple[Seconds, Floats]],
    seed: int,
) -> tuple[Mapping[str, Tag], list[Samples]]:
    """Readings of one metric of both panels, as stored: ``metric.scale`` is not applied.

    ``load`` has, by step, moments with how loaded the machine is, 0 to 1.
    """
    name = metric.name.removeprefix(_PREFIX)
    steps = _STEPS if _OFTEN.fullmatch(name) else _SELDOM
    samples = []
    for step, times in zip(steps, profile.moments(*steps), strict=False):
        rng = dice(seed, f"schneider {name} {step}")
        known_times, known = load[step]
        here = np.interp(times, known_times, known).astype(np.float32)
        low = _low_flow(times, incidents)
        samples.append(Samples(times, _values(name, times, here, low, rng)))
    return {"panel": Tag.of(PANELS)}, samples


def schneider_moments(profile: DemoProfile) -> dict[int, Seconds]:
    """All moments at which some metric is read, by the step in seconds."""
    return {
        step: times
        for steps in (_STEPS, _SELDOM)
        for step, times in zip(steps, profile.moments(*steps), strict=False)
    }


def _low_flow(times: Seconds, incidents: Sequence[Incident]) -> Flags:
    low = np.zeros((len(PANELS), times.size), dtype=np.bool_)
    for incident in of_kind(incidents, IncidentKind.LOW_FLOW):
        low[PANELS.index(incident.detail)] |= incident.during(times)
    return low


def _values(
    name: str, times: Seconds, load: Floats, low: Flags, rng: np.random.Generator
) -> Floats:
    if name in _FIXED:
        return np.full(low.shape, _FIXED[name], dtype=np.float32)
    noise = rng.standard_normal(low.shape, dtype=np.float32)
    offset = np.array([[0.0], [0.35]], dtype=np.float32)
    supply = 18.1 + offset + 0.12 * noise + 0.5 * low
    flow = (90 + 6 * load + 1.1 * noise - 3 * offset) * np.where(low, 0.38, 1)
    delta = 3.6 + 4.1 * load + 0.1 * noise + 2.2 * low
    opening = np.clip(42 + 30 * load + noise + 20 * low, 0, 100)
    speed = np.clip(61 + 12 * load + 0.6 * noise, 0, 100)
    values: Floats
    match name:
        case "Temp_mandata" | "T_mandata_hmi":
            values = 10 * supply
        case "Temp_ritorno" | "T_ritorno_hmi":
            values = 10 * (supply + delta)
        case "Delta_temp":
            values = 10 * delta
        case "Portata_attiva" | "Portata_1_hmi" | "Portata_2_hmi":
            values = 10 * flow
        case "Portata_1" | "Portata_2":
            values = 50 * flow
        case "Pos_valvola1" | "Pos_valvola_2":
            values = 100 * opening
        case "Posizione_ty141" | "Posizione_ty142" | "Rif_auto_ty141" | "Rif_auto_ty142":
            values = opening
        case "Rif_inverter":
            values = 100 * speed
        case "Rif_auto_attivo" | "Rif_auto_p101" | "Rif_auto_p102" | "Out_pid_pompe":
            values = speed
        case "Alm_min_portata" | "Allarme_on" | "Allarme_presente":
            values = np.asarray(low, dtype=np.float32)
        case _:
            values = _pump_or_nothing(name, times, low)
    return values


def _pump_or_nothing(name: str, times: Seconds, low: Flags) -> Floats:
    """States and hours of a pump; everything else stays at 0."""
    zero = np.zeros(low.shape, dtype=np.float32)
    if (found := re.search(r"[pP](10\d)", name)) is None:
        return zero
    pump = found[1]
    fault = low if pump == _FAULTY_PUMP else np.zeros_like(low)
    runs = (~fault if pump in _RUNNING else np.zeros_like(low)).astype(np.float32)
    if name.endswith("_fault") or name.startswith("Alm_inverter"):
        return np.asarray(fault, dtype=np.float32)
    if re.search(r"marcia|Start_|Stato_", name) and not name.startswith("Pb_"):
        return runs
    if re.match(r"Ore_lavoro|V_ore_tot", name):
        hours = 21_000 * (pump in _RUNNING) + 900 + (times - times[0]) // 3600
        return zero + (hours if pump in _RUNNING else 900)
    return zero
