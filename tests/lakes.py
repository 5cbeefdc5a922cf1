"""Small lakes for tests: the demo lake's traps and incidents on forty nodes."""

from pathlib import Path

from retrieval.demo_lake import make_demo_lake
from retrieval.demo_profile import DemoProfile, Span, at

TINY_METRICS = frozenset(
    {
        *("total_power", "ambient", "ps0_input_power", "ps1_input_power", "fan1_1"),
        *("gpu0_core_temp", "gpu3_core_temp", "gv100card0", "p0_core0_temp", "p0_core1_temp"),
        *(f"Gpu{gpu}_gpu_utilization" for gpu in range(4)),
        *("cpu_idle", "cpu_user", "cpu_system", "load_one", "boottime", "gexec"),
        *("Supply_Air_Temperature", "Compressor_Utilization"),
        *(f"PLC_PLC_Q101.{name}" for name in ("Temp_mandata", "Portata_attiva", "Portata_1")),
        *("PLC_PLC_Q101.Pos_valvola1", "PLC_PLC_Q101.Alm_min_portata", "PLC_PLC_Q101.P102_fault"),
        *("Tot", "Tot_ict", "Tot_chiller", "Pue", "pue", "Potenza"),
        *("temp", "humidity", "state", "total_nodes_alloc", "s21.totals.total_nodes_idle"),
        *("s21.jobs.tot_jobs", "job_id", "job_info_marconi100"),
    }
)
"""At least one metric of every plugin and of every set of tags."""


def tiny_profile(
    nodes: int = 40, metrics: frozenset[str] | None = TINY_METRICS, jobs_a_day: int = 70
) -> DemoProfile:
    """Racks 0 and 1 with telemetry from 31 May 2022 22:00 to 2 June 00:00 UTC.

    Nodes are sampled as often as in the full demo lake (power each 20 s). Jobs start, and the
    weather and the facility's totals are read, from 29 May to 2 June. The last four nodes are
    shared. Jobs 1000882, 1001282, 2984101 (NODE_FAIL), 3423336, 3776044, 4835969 and the incidents
    on nodes 12, 17, 26, 31 and 34 and on panel Q102 are there.
    """
    first, last = at("2022-05-29T00:00"), at("2022-06-03T00:00")
    return DemoProfile(
        nodes=nodes,
        logins=2,
        hosts=nodes + 6,
        first=first,
        last=last,
        dense=Span(at("2022-05-31T22:00"), at("2022-06-02T00:00"), 20),
        recent=None,
        coarse=None,
        busy=(first, last),
        jobs_a_day=jobs_a_day,
        shared_nodes=range(nodes - 4, nodes),
        debug_nodes=range(0),
        metrics=metrics,
    )


def tiny_lake(path: Path, *, seed: int = 1, profile: DemoProfile | None = None) -> Path:
    """Write a tiny lake to ``path``, which must be new or empty; takes about a second."""
    return make_demo_lake(path, seed, profile=profile or tiny_profile()).path
