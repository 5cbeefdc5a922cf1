from collections import Counter
from pathlib import Path

import pytest

from retrieval.errors import CatalogError
from retrieval.metric_catalog import COLUMNS, MetricCatalog

CATALOG = MetricCatalog.load()


def test_holds_every_metric_once() -> None:
    names = [metric.name for metric in CATALOG.metrics]

    assert len(names) == 573
    assert len(set(names)) == 573


def test_counts_the_metrics_of_each_plugin() -> None:
    counts = Counter(metric.plugin for metric in CATALOG.metrics)

    assert counts == {
        "ganglia_pub": 177,
        "ipmi_pub": 104,
        "job_table": 1,
        "logics_pub": 37,
        "nagios_pub": 1,
        "schneider_pub": 164,
        "slurm_pub": 54,
        "vertiv_pub": 25,
        "weather_pub": 10,
    }


def test_describes_nine_plugins_in_a_line_each() -> None:
    plugins = CATALOG.plugins

    assert len(plugins) == 9
    assert all(line and "\n" not in line for line in plugins.values())


def test_describes_every_metric() -> None:
    assert [m.name for m in CATALOG.metrics if len(m.description) < 8] == []


@pytest.mark.parametrize(
    ("name", "unit", "scale"),
    [
        ("total_power", "W", 1),
        ("ambient", "°C", 1),
        ("mem_free", "KB", 1),
        ("Gpu1_fb_used", "MB", 1),
        ("disk_free", "GB", 1),
        ("bytes_in", "B/s", 1),
        ("Gpu0_total_energy_consumption", "mJ", 1),
        ("Gpu3_power_violation", "µs", 1),
        ("PLC_PLC_Q101.Temp_mandata", "°C", 0.1),
        ("PLC_PLC_Q101.Portata_attiva", "m³/h", 0.1),
        ("PLC_PLC_Q101.Portata_1", "m³/h", 0.02),
        ("PLC_PLC_Q101.Portata_1_hmi", "m³/h", 0.1),
        ("PLC_PLC_Q101.Pos_valvola_2", "%", 0.01),
        ("PLC_PLC_Q101.Posizione_ty141", "%", 1),
        ("PLC_PLC_Q101.V_ore_tot_p103", "h", 1),
        ("Tot", "kW", 1),
        ("pt", "W", 1),
        ("Pue", "", 1),
        ("s21.jobs.avg_waiting_hour", "h", 1),
        ("s21.cluster_gpu_util", "%", 1),
        ("wind_speed", "m/s", 1),
    ],
)
def test_gives_unit_and_scale_of_the_value(name: str, unit: str, scale: float) -> None:
    metric = CATALOG.by_name(name)

    assert metric is not None
    assert (metric.unit, metric.scale) == (unit, scale)


def test_scales_only_where_integers_stand_for_fractions() -> None:
    scaled = [metric for metric in CATALOG.metrics if metric.scale != 1]

    assert {metric.plugin for metric in scaled} == {"schneider_pub"}
    assert {metric.scale for metric in scaled} == {0.1, 0.02, 0.01}


def test_every_unit_has_a_ucum_code() -> None:
    codes = {metric.unit: metric.ucum for metric in CATALOG.metrics}

    assert all(codes.values())
    assert codes["°C"] == "Cel"
    assert codes["kWh"] == "kW.h"
    assert codes[""] == "1"


@pytest.mark.parametrize(
    ("family", "indices"),
    [
        ("gpu_utilization", ("0", "1", "2", "3")),
        ("gpu_core_temp", ("0", "1", "3", "4")),
        ("fan", ("0_0", "0_1", "1_0", "1_1", "2_0", "2_1", "3_0", "3_1")),
        ("ps_input_power", ("0", "1")),
        ("P_fault", ("P101", "P102", "P103", "P104")),
        ("Ext_Air_Sensor_Temperature", ("A", "B", "C")),
        ("total_power", (None,)),
    ],
)
def test_keeps_numbered_twins_in_one_family(family: str, indices: tuple[str | None, ...]) -> None:
    members = CATALOG.members(family)

    assert tuple(metric.index for metric in members) == indices


def test_counts_the_large_families() -> None:
    assert len(CATALOG.members("p_core_temp")) == 48
    assert len(CATALOG.members("dimm_temp", "ipmi")) == 16


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("total_power", "total_power"),
        ("TOTAL_POWER", "total_power"),
        ("ipmi_pub/total_power", "total_power"),
        ("ipmi.total_power", "total_power"),
        ("Pue", "Pue"),
        ("pue", "pue"),
        ("s21.totals.cpus_idle", "s21.totals.cpus_idle"),
        ("PLC_PLC_Q101.P103_fault", "PLC_PLC_Q101.P103_fault"),
    ],
)
def test_finds_a_metric_by_its_name(written: str, name: str) -> None:
    metric = CATALOG.by_name(written)

    assert metric is not None
    assert metric.name == name


@pytest.mark.parametrize("written", ["PUE", "no_such_metric", "ganglia/total_power", ""])
def test_finds_nothing_for_an_unclear_or_unknown_name(written: str) -> None:
    assert CATALOG.by_name(written) is None


@pytest.mark.parametrize("plugin", ["ipmi", "ipmi_pub", "IPMI"])
def test_finds_a_metric_within_a_plugin_with_and_without_its_ending(plugin: str) -> None:
    metric = CATALOG.find(plugin, "ambient")

    assert metric is not None
    assert metric.plugin == "ipmi_pub"


def test_lists_the_metrics_of_a_plugin() -> None:
    assert len(CATALOG.of_plugin("vertiv")) == 25
    assert CATALOG.of_plugin("nothing") == ()


def test_reads_the_file_of_a_site(tmp_path: Path) -> None:
    file = tmp_path / "metrics.csv"
    row = "site_pub,heat,float32,node,W,W,1,20,heat,,Heat of a node"
    file.write_text(f"{','.join(COLUMNS)}\n{row}\n", "utf-8")

    catalog = MetricCatalog.load(file)

    assert [metric.name for metric in catalog.metrics] == ["heat"]
    assert dict(catalog.plugins) == {"site_pub": "site_pub"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plugin,metric\nipmi_pub,total_power\n",
        f"{','.join(COLUMNS)}\n",
        f"{','.join(COLUMNS)}\nsite_pub,heat,float32,node,W,W,much,20,heat,,Heat\n",
    ],
)
def test_refuses_a_file_that_is_no_catalogue(tmp_path: Path, text: str) -> None:
    file = tmp_path / "metrics.csv"
    file.write_text(text, "utf-8")

    with pytest.raises(CatalogError):
        MetricCatalog.load(file)


def test_refuses_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CatalogError):
        MetricCatalog.load(tmp_path / "absent.csv")
