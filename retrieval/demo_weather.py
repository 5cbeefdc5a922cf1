"""The weather of the demo lake: warm spring, hot early June, cooler nights."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from retrieval.demo_incidents import Incident, IncidentKind, of_kind
from retrieval.demo_profile import DAY, HOUR, DemoProfile, Flags, Floats, Seconds, Span, dice
from retrieval.demo_rows import Samples, Tag
from retrieval.request import Metric

_PERIOD: Final = 600
_PEAK: Final = 14 * HOUR
"""Warmest time of the day, UTC."""


def outdoor(profile: DemoProfile, times: Seconds, seed: int) -> Floats:
    """Temperature outdoors in °C."""
    days = np.arange(profile.first - DAY, profile.last + 2 * DAY, DAY)
    rng = dice(seed, "weather")
    drift = np.zeros(days.size)
    for k in range(1, days.size):
        drift[k] = 0.72 * drift[k - 1] + rng.normal(0, 1.5)
    means = 17.2 + 0.155 * (days - profile.first) / DAY + drift
    swing = np.clip(rng.normal(6.2, 1.2, days.size), 3, 9)
    noon = days + DAY // 2
    phase = np.cos(2 * np.pi * ((times % DAY) - _PEAK) / DAY)
    here = np.interp(times, noon, means) + np.interp(times, noon, swing) * phase
    return here.astype(np.float32)


def weather_samples(
    metric: Metric, profile: DemoProfile, incidents: Sequence[Incident], seed: int
) -> tuple[dict[str, Tag], list[Samples]]:
    """Readings of one weather metric, every ten minutes of all days."""
    times = Span(profile.first, profile.last, _PERIOD).times
    values = _values(metric.name, times, profile, seed)
    return {}, [Samples(times, values[None, :], keep=_kept(incidents, times)[None, :])]


def _kept(incidents: Sequence[Incident], times: Seconds) -> Flags:
    kept = np.ones(times.size, dtype=np.bool_)
    for incident in of_kind(incidents, IncidentKind.SILENCE):
        if incident.detail == "weather_pub":
            kept &= ~incident.during(times)
    return kept


def _values(name: str, times: Seconds, profile: DemoProfile, seed: int) -> Floats:
    rng = dice(seed, f"weather {name}")
    warm = outdoor(profile, times, seed)
    humid = np.clip(92 - 2.3 * (warm - 10), 22, 98)
    noise = rng.standard_normal(times.size)
    slow = np.interp(times, times[:: 6 * 6], rng.standard_normal(times[:: 6 * 6].size))
    sun = np.clip(np.cos(2 * np.pi * ((times % DAY) - 11 * HOUR) / DAY), 0, 1)
    wind = np.abs(2.1 + 1.2 * slow)
    values: Floats
    match name:
        case "temp":
            values = np.round(warm + 0.1 * noise, 2)
        case "feels_like":
            values = np.round(warm - 0.25 * wind + 0.02 * (humid - 50), 2)
        case "dew_point":
            values = np.round(warm - (100 - humid) / 5, 2)
        case "humidity":
            values = np.round(humid + noise)
        case "pressure":
            values = np.round(1014 + 4 * slow)
        case "clouds":
            values = np.clip(np.round(45 + 40 * slow), 0, 100)
        case "uvi":
            values = np.round(8 * sun**2, 2)
        case "visibility":
            values = np.clip(np.round(9800 + 900 * slow, -2), 1500, 10_000)
        case "wind_deg":
            values = np.round(180 + 90 * slow) % 360
        case _:
            values = np.round(wind, 2)
    return values
