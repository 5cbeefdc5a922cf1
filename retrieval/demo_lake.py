"""Makes a demo lake: two months of a made-up M100 in the published layout, with incidents."""

import shutil
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from retrieval.demo_activity import Activity, activity_of
from retrieval.demo_air import vertiv_moments, vertiv_samples
from retrieval.demo_checks import nagios_samples
from retrieval.demo_facility import Facility, logics_samples, make_facility
from retrieval.demo_ganglia import ganglia_samples
from retrieval.demo_incidents import Incident, planted_incidents
from retrieval.demo_ipmi import ipmi_samples
from retrieval.demo_job_table import PLUGIN as JOB_PLUGIN
from retrieval.demo_job_table import write_job_table
from retrieval.demo_jobs import make_jobs
from retrieval.demo_nodes import Nodes, make_nodes
from retrieval.demo_plan import Job
from retrieval.demo_profile import DemoProfile, Floats, Seconds, dice
from retrieval.demo_rows import Samples, Tag, write_metric
from retrieval.demo_scheduler import Scheduler
from retrieval.demo_water import schneider_moments, schneider_samples
from retrieval.demo_weather import weather_samples
from retrieval.errors import LakeError
from retrieval.metric_catalog import MetricCatalog
from retrieval.request import Metric

Progress = Callable[[str, float], None]
"""Told what was written last, and which share (0 to 1) of the lake is there."""
_WORKERS: Final = 2


@dataclass(frozen=True, slots=True)
class DemoLakeReport:
    """What was written."""

    path: Path
    files: int
    rows: int
    bytes: int
    jobs: int
    incidents: tuple[Incident, ...]
    """What there is to find in the lake, in the order of time."""


def make_demo_lake(
    out: Path,
    seed: int = 1,
    progress: Progress | None = None,
    profile: DemoProfile | None = None,
) -> DemoLakeReport:
    """Write a demo lake to ``out``, which must be new or empty.

    Other seeds give other numbers and the same incidents. The lake appears at ``out`` once it is
    whole. Raises LakeError where ``out`` holds something or cannot be written.
    """
    profile, out = profile or DemoProfile(), out.resolve()
    _refuse_occupied(out)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
        try:
            world = _make_world(profile, seed, progress or _silent)
            rows = _write(draft, world, progress or _silent)
            draft.chmod(0o755)
            draft.replace(out)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except OSError as error:
        raise LakeError(f"the demo lake cannot be written to {out}: {error}") from error
    written = [path.stat().st_size for path in out.rglob("*.parquet")]
    return DemoLakeReport(out, len(written), rows, sum(written), len(world.jobs), world.incidents)


def _refuse_occupied(out: Path) -> None:
    if out.is_dir() and not any(out.iterdir()):
        return
    if out.exists() or out.is_symlink():
        raise LakeError(f"{out} already exists and is not an empty directory; nothing was changed")


def _silent(done: str, share: float) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class _World:
    """All that the readings of the lake follow from."""

    profile: DemoProfile
    seed: int
    incidents: tuple[Incident, ...]
    jobs: tuple[Job, ...]
    nodes: Nodes
    activities: tuple[Activity, ...]
    """Of the dense, the recent and the coarse stretch."""
    facility: Facility
    scheduler: Scheduler
    air_load: Mapping[int, Floats]
    water_load: Mapping[int, tuple[Seconds, Floats]]


def _make_world(profile: DemoProfile, seed: int, progress: Progress) -> _World:
    progress("jobs", 0.0)
    incidents = planted_incidents(profile)
    jobs = make_jobs(profile, incidents, seed)
    rows = profile.nodes + profile.logins
    moments = [profile.dense.times]
    if profile.recent is not None:
        moments.append(profile.recent.times)
    if profile.coarse is not None:
        moments.append(profile.coarse_times(profile.coarse.step))
    progress("activity", 0.05)
    facility = make_facility(profile, jobs, seed)
    air, water = vertiv_moments(profile), schneider_moments(profile)
    return _World(
        profile,
        seed,
        incidents,
        jobs,
        make_nodes(profile, seed),
        tuple(activity_of(jobs, times, rows, seed) for times in moments),
        facility,
        Scheduler(profile, jobs, incidents),
        {step: facility.load(times) for step, times in air.items()},
        {step: (times, facility.load(times)) for step, times in water.items()},
    )


def _write(root: Path, world: _World, progress: Progress) -> int:
    """Write every metric of the catalogue; gives the number of rows."""
    wanted = world.profile.metrics
    metrics = [
        metric for metric in MetricCatalog.load().metrics if wanted is None or metric.name in wanted
    ]
    rows = 0
    with ThreadPoolExecutor(_WORKERS) as pool:
        running = {pool.submit(_write_metric, root, metric, world): metric for metric in metrics}
        try:
            for done, future in enumerate(as_completed(running), start=1):
                rows += future.result()
                metric = running[future]
                progress(f"{metric.plugin}/{metric.name}", 0.1 + 0.9 * done / len(metrics))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return rows


def _write_metric(root: Path, metric: Metric, world: _World) -> int:
    if metric.plugin == JOB_PLUGIN:
        return write_job_table(root, world.jobs, world.seed)
    tags, samples = _samples(metric, world)
    return write_metric(root, metric, tags, samples, dice(world.seed, f"order {metric.name}"))


def _samples(metric: Metric, world: _World) -> tuple[Mapping[str, Tag], list[Samples]]:
    profile, incidents, seed = world.profile, world.incidents, world.seed
    match metric.plugin:
        case "ipmi_pub":
            return ipmi_samples(metric, world.activities, world.nodes, incidents, seed)
        case "ganglia_pub":
            return ganglia_samples(metric, world.activities, world.nodes, incidents, seed)
        case "vertiv_pub":
            return vertiv_samples(metric, profile, incidents, world.air_load, seed)
        case "schneider_pub":
            return schneider_samples(metric, profile, incidents, world.water_load, seed)
        case "logics_pub":
            return logics_samples(metric, profile, world.facility, seed)
        case "weather_pub":
            return weather_samples(metric, profile, incidents, seed)
        case "nagios_pub":
            return nagios_samples(profile, incidents, seed)
        case "slurm_pub":
            return world.scheduler.samples(metric)
        case _:
            raise LakeError(f"the demo lake knows no plugin {metric.plugin}")
