"""How large the demo lake is: its nodes, its stretches of time, and how often it is sampled."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating[Any]]
Seconds = npt.NDArray[np.int64]
"""Moments in whole seconds since 1970."""
Flags = npt.NDArray[np.bool_]

HOUR = 3600
DAY = 24 * HOUR


def at(text: str) -> int:
    """Seconds since 1970 of ``2022-06-01T08:00``, read as UTC."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


@dataclass(frozen=True, slots=True)
class Span:
    """Equally spaced moments from ``start`` to before ``end``, in seconds."""

    start: int
    end: int
    step: int

    @property
    def times(self) -> Seconds:
        """All moments of the span."""
        return np.arange(self.start, self.end, self.step, dtype=np.int64)

    def every(self, step: int) -> "Span":
        """The same stretch of time at another spacing."""
        return replace(self, step=step)


@dataclass(frozen=True, slots=True)
class DemoProfile:
    """Everything that decides the size of a demo lake; the defaults make the full one."""

    nodes: int = 980
    logins: int = 8
    """Hosts of ganglia after the compute nodes."""
    hosts: int = 1155
    """Hosts of nagios, compute nodes included."""
    first: int = at("2022-05-01T00:00")
    last: int = at("2022-07-01T00:00")
    """Jobs start, and weather and facility meters are read, between these."""
    dense: Span = Span(at("2022-05-31T22:00"), at("2022-06-02T00:00"), 20)
    recent: Span | None = Span(at("2022-06-13T22:00"), at("2022-06-15T12:00"), 120)
    coarse: Span | None = Span(at("2022-05-01T00:00"), at("2022-06-15T12:00"), 1800)
    """Left out where the other two are."""
    busy: tuple[int, int] = (at("2022-05-27T00:00"), at("2022-06-17T00:00"))
    """Days with ``jobs_a_day`` jobs; other days have three tenths of it, and longer ones."""
    jobs_a_day: int = 1500
    shared_nodes: range = range(140, 200)
    """Nodes that several jobs share, one GPU slot or more each."""
    debug_nodes: range = range(960, 980)
    metrics: frozenset[str] | None = None
    """Only these metrics, or all of the catalogue."""

    @property
    def spans(self) -> tuple[Span, ...]:
        """The dense stretch, then the recent and the coarse one where there are any."""
        return tuple(s for s in (self.dense, self.recent, self.coarse) if s is not None)

    def coarse_times(self, step: int) -> Seconds:
        """Moments of the coarse stretch that lie in no finer one."""
        if self.coarse is None:
            return np.empty(0, dtype=np.int64)
        times = self.coarse.every(step).times
        for finer in (self.dense, self.recent):
            if finer is not None:
                times = times[(times < finer.start) | (times >= finer.end)]
        return times

    def moments(self, dense: int, recent: int, coarse: int) -> list[Seconds]:
        """The moments of the three stretches, each at its own spacing in seconds."""
        found = [self.dense.every(dense).times]
        if self.recent is not None:
            found.append(self.recent.every(recent).times)
        if self.coarse is not None:
            found.append(self.coarse_times(coarse))
        return found


def dice(seed: int, name: str) -> np.random.Generator:
    """A generator of random numbers that depends on ``seed`` and ``name`` alone."""
    return np.random.default_rng([seed, crc32(name.encode())])


def eased(times: Seconds, start: int, end: int, seconds: float) -> Floats:
    """0 before ``start``, towards 1 until ``end``, then back to 0, with a time constant."""
    since = np.clip(times - start, 0, end - start) / seconds
    after = np.clip(times - end, 0, None) / seconds
    risen = 1 - np.exp(-since)
    return np.asarray(risen * np.exp(-after), dtype=np.float32)
