from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from retrieval.demo_incidents import IncidentKind
from retrieval.demo_lake import make_demo_lake
from retrieval.errors import LakeError
from retrieval.metric_catalog import MetricCatalog
from tests.lakes import TINY_METRICS, tiny_lake, tiny_profile

NUMBERS = {
    "int32": pa.int32(),
    "float32": pa.float32(),
    "float64": pa.float64(),
    "string": pa.string(),
}


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_lake(tmp_path_factory.mktemp("tiny") / "lake")


def rows(lake: Path, plugin: str, metric: str, month: str = "*") -> pl.DataFrame:
    pattern = f"{lake}/year_month={month}/plugin={plugin}/metric={metric}/a_0.parquet"
    return pl.read_parquet(pattern, hive_partitioning=False)


def jobs(lake: Path, month: str = "*") -> pl.DataFrame:
    return rows(lake, "job_table", "job_info_marconi100", month)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def digests(lake: Path) -> dict[str, str]:
    files = sorted(lake.rglob("*.parquet"))
    return {str(f.relative_to(lake)): sha256(f.read_bytes()).hexdigest() for f in files}


def test_files_have_the_published_types(lake: Path) -> None:
    wanted = [m for m in MetricCatalog.load().metrics if m.name in TINY_METRICS]
    schemas = {}
    for metric in wanted:
        path = f"year_month=22-06/plugin={metric.plugin}/metric={metric.name}/a_0.parquet"
        schemas[metric] = pq.ParquetFile(lake / path).schema_arrow

    readings = [metric for metric in wanted if metric.plugin != "job_table"]
    assert len(wanted) == len(TINY_METRICS)
    for metric in readings:
        schema = schemas[metric]
        assert schema.names == ["timestamp", "value", *metric.tags]
        assert schema.field("timestamp").type == pa.timestamp("ms", "UTC")
        assert schema.field("value").type == NUMBERS[metric.dtype]
        for tag in set(metric.tags) - {"state_type", "nagiosdrained"}:
            assert schema.field(tag).type == pa.dictionary(pa.int16(), pa.string())


def test_files_are_compressed_with_zstd(lake: Path) -> None:
    files = list(lake.rglob("*.parquet"))

    codecs = {pq.ParquetFile(f).metadata.row_group(0).column(0).compression for f in files}

    assert codecs == {"ZSTD"}


def test_months_are_cut_at_utc_and_rows_stand_in_no_order(lake: Path) -> None:
    may = rows(lake, "ipmi_pub", "total_power", "22-05")["timestamp"]
    june = rows(lake, "ipmi_pub", "total_power", "22-06")

    assert (may.min(), may.max()) == (at("2022-05-31T22:00"), at("2022-05-31T23:59:40"))
    assert june["timestamp"].max() == at("2022-06-01T23:59:40")
    assert not june["timestamp"].is_sorted()
    assert june["node"].rle_id().n_unique() == 2 * 40  # two days of the site, each by node


def test_a_day_of_power_is_nearly_complete(lake: Path) -> None:
    june = rows(lake, "ipmi_pub", "total_power", "22-06")

    counts = dict(june.group_by("node").len().iter_rows())

    assert set(counts) == {str(node) for node in range(40)}
    assert all(4200 < counts[str(node)] <= 4320 for node in range(40) if node != 26)
    assert counts["26"] < 4320 - 330


def test_power_comes_in_steps_of_20_watts(lake: Path) -> None:
    power = rows(lake, "ipmi_pub", "total_power")["value"]

    assert (power % 20 == 0).all()
    assert power.is_between(280, 1820).all()


def test_ganglia_and_nagios_know_more_hosts_than_nodes(lake: Path) -> None:
    ganglia = set(rows(lake, "ganglia_pub", "cpu_idle")["node"].to_list())
    nagios = set(rows(lake, "nagios_pub", "state")["node"].to_list())

    assert ganglia == {str(node) for node in range(42)}
    assert nagios == {str(node) for node in range(46)}


def test_gpu_utilisation_is_sampled_irregularly(lake: Path) -> None:
    one = rows(lake, "ganglia_pub", "Gpu0_gpu_utilization").filter(pl.col("node") == "3")

    gaps = one["timestamp"].sort().diff().drop_nulls().dt.total_seconds()

    assert gaps.median() == 21
    assert gaps.n_unique() > 2


def test_cpu_shares_add_up(lake: Path) -> None:
    names = ("cpu_idle", "cpu_user", "cpu_system")
    first, *others = (
        rows(lake, "ganglia_pub", n)
        .with_columns(pl.col("node").cast(pl.String))
        .rename({"value": n})
        for n in names
    )

    for other in others:
        first = first.join(other, on=["node", "timestamp"])

    total = first.select(pl.sum_horizontal(names)).to_series()
    assert total.is_between(95, 100.2).all()


def test_a_dead_sensor_is_always_zero(lake: Path) -> None:
    assert (rows(lake, "ipmi_pub", "gv100card0")["value"] == 0).all()


def test_core_names_differ_from_node_to_node_and_come_in_pairs(lake: Path) -> None:
    even = set(rows(lake, "ipmi_pub", "p0_core0_temp")["node"].to_list())
    odd = set(rows(lake, "ipmi_pub", "p0_core1_temp")["node"].to_list())

    assert 0 < len(even) < 40
    assert even == odd


def test_water_readings_are_scaled_integers_under_one_prefix(lake: Path) -> None:
    supply = rows(lake, "schneider_pub", "PLC_PLC_Q101.Temp_mandata")
    flow = rows(lake, "schneider_pub", "PLC_PLC_Q101.Portata_1")
    valve = rows(lake, "schneider_pub", "PLC_PLC_Q101.Pos_valvola1")

    assert set(supply["panel"].to_list()) == {"Q101", "Q102"}
    assert supply["value"].is_between(170, 200).all()
    assert 4000 < flow["value"].median() < 5500  # type: ignore[operator]
    assert 3000 < valve["value"].median() < 9000  # type: ignore[operator]


def test_pue_is_the_ratio_of_the_totals(lake: Path) -> None:
    tot = rows(lake, "logics_pub", "Tot").filter(pl.col("device") == "pue")
    ict = rows(lake, "logics_pub", "Tot_ict")
    pue = rows(lake, "logics_pub", "Pue")

    ratio = tot.join(ict, on="timestamp", suffix="_ict").join(pue, on="timestamp", suffix="_pue")

    error = (ratio["value"] / ratio["value_ict"] - ratio["value_pue"]).abs().max()
    assert error < 1e-5  # type: ignore[operator]
    assert pue["value"].is_between(1.1, 1.7).all()


def test_the_facility_feeds_what_the_nodes_draw(lake: Path) -> None:
    hour = pl.col("timestamp").is_between(at("2022-06-01T15:00"), at("2022-06-01T16:00"))
    nodes = rows(lake, "ipmi_pub", "total_power").filter(hour)["value"].mean()
    meters = rows(lake, "logics_pub", "Potenza").filter(hour)
    meters = meters.filter(pl.col("panel").cast(pl.String).str.starts_with("f-"))

    fed = meters.group_by("timestamp").agg(pl.col("value").sum())["value"].mean()

    assert fed == pytest.approx(40 * nodes / 1000, rel=0.08)  # type: ignore[operator]


def test_busy_nodes_draw_more_power(lake: Path) -> None:
    power = rows(lake, "ipmi_pub", "total_power").filter(pl.col("node") == "21")
    inside = pl.col("timestamp").is_between(at("2022-06-01T03:00"), at("2022-06-01T08:30"))
    after = pl.col("timestamp").is_between(at("2022-06-01T08:41:30"), at("2022-06-01T08:42:00"))

    busy = power.filter(inside)["value"].mean()
    then = power.filter(after)["value"].mean()

    assert busy > 1150  # type: ignore[operator]
    assert then < 900  # type: ignore[operator]


def test_the_incidents_of_the_report_are_in_the_data(tmp_path: Path) -> None:
    report = make_demo_lake(tmp_path / "lake", profile=tiny_profile())
    lake = report.path
    supply = rows(lake, "ipmi_pub", "ps1_input_power").filter(pl.col("node") == "17")
    fan = rows(lake, "ipmi_pub", "fan1_1").filter(pl.col("node") == "34")
    warm = rows(lake, "ipmi_pub", "ambient").filter(pl.col("value") > 35)
    low = rows(lake, "schneider_pub", "PLC_PLC_Q101.Alm_min_portata").filter(pl.col("value") == 1)
    drained = rows(lake, "nagios_pub", "state").filter(pl.col("nagiosdrained") == "1")
    failed = jobs(lake).filter(pl.col("job_state") == "NODE_FAIL")
    boots = rows(lake, "ganglia_pub", "boottime").filter(pl.col("node") == "26")["value"]

    kinds = {incident.kind for incident in report.incidents}

    assert {IncidentKind.OUTAGE, IncidentKind.DRAIN, IncidentKind.LOW_FLOW} <= kinds
    assert supply.sort("timestamp")["value"].to_list()[-1] == 0
    assert fan.sort("timestamp")["value"].to_list()[-1] == 0
    assert set(warm["node"].to_list()) == {"31"}
    assert set(low["panel"].to_list()) == {"Q102"}
    assert set(drained["node"].to_list()) == {"12"}
    assert failed["job_id"].to_list() == [2984101]
    assert boots.n_unique() == 2


def test_the_report_counts_what_was_written(tmp_path: Path) -> None:
    profile = tiny_profile(metrics=frozenset({"temp", "ambient"}))

    report = make_demo_lake(tmp_path / "lake", profile=profile)

    files = list(report.path.rglob("*.parquet"))
    assert report.files == len(files) == 4
    assert report.rows == sum(pq.ParquetFile(f).metadata.num_rows for f in files)
    assert report.bytes == sum(f.stat().st_size for f in files)


def test_the_same_seed_makes_the_same_lake(tmp_path: Path) -> None:
    metrics = frozenset({"ambient", "cpu_idle", "Tot", "state", "s21.jobs.tot_jobs"})
    profile = tiny_profile(metrics=metrics | {"job_info_marconi100"}, jobs_a_day=40)

    first, again, other = (
        digests(tiny_lake(tmp_path / name, seed=seed, profile=profile))
        for name, seed in (("first", 1), ("again", 1), ("other", 2))
    )

    assert first == again
    assert not any(first[name] == other[name] for name in first)


def test_progress_grows_to_the_whole(tmp_path: Path) -> None:
    told: list[tuple[str, float]] = []

    make_demo_lake(
        tmp_path / "lake",
        progress=lambda done, share: told.append((done, share)),
        profile=tiny_profile(metrics=frozenset({"temp", "humidity"})),
    )

    shares = [share for _, share in told]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert {done for done, _ in told} >= {"weather_pub/temp", "weather_pub/humidity"}


def test_refuses_a_directory_that_holds_something(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep me")

    with pytest.raises(LakeError, match="not an empty directory"):
        make_demo_lake(tmp_path, profile=tiny_profile(metrics=frozenset({"temp"})))

    assert [p.name for p in tmp_path.iterdir()] == ["mine.txt"]


def test_leaves_nothing_behind_when_it_is_stopped(tmp_path: Path) -> None:
    def stop(done: str, share: float) -> None:
        if share > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_demo_lake(tmp_path / "lake", progress=stop, profile=tiny_profile())

    assert not list(tmp_path.iterdir())


def test_an_empty_directory_may_be_there_already(tmp_path: Path) -> None:
    out = tmp_path / "lake"
    out.mkdir()

    tiny_lake(out, profile=tiny_profile(metrics=frozenset({"temp"})))

    assert {p.name for p in out.iterdir()} == {"year_month=22-05", "year_month=22-06"}
