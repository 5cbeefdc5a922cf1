from datetime import UTC, datetime

import pytest

from agent.baselines.strict_request import Malformed, StrictRequest, strict_request
from retrieval.metric_catalog import MetricCatalog
from retrieval.request import Entity, EntityKind

CATALOG = MetricCatalog.load()
DAY = "from [2022-06-01 00:00:00] to [2022-06-01 23:59:59]"


def read(text: str) -> StrictRequest:
    found = strict_request(text, CATALOG)
    assert isinstance(found, StrictRequest), found
    return found


def wrong_with(text: str) -> tuple[str, str]:
    found = strict_request(text, CATALOG)
    assert isinstance(found, Malformed), found
    return found.part, found.text


def test_reads_exact_names_strict_times_and_numbered_things() -> None:
    found = read(f"total_power and Gpu0_gpu_temp of nodes 900, 901 and 18 {DAY}")

    assert [m.name for m in found.metrics] == ["Gpu0_gpu_temp", "total_power"]
    assert found.entities == tuple(Entity(EntityKind.NODE, n) for n in ("900", "901", "18"))
    assert found.window is not None
    assert found.window.start == datetime(2022, 6, 1, tzinfo=UTC)
    assert found.window.end == datetime(2022, 6, 1, 23, 59, 59, tzinfo=UTC)
    assert found.window.includes_end
    assert not found.jobs


def test_a_concept_is_no_metric() -> None:
    assert wrong_with(f"total power consumption {DAY}") == (
        "request",
        "no exact metric name, and no node, rack, job or plugin",
    )
    assert read(f"the total power of node 900 {DAY}").metrics == ()


@pytest.mark.parametrize("name", ["Total_power", "total_powers", "xtotal_power", "total_power.avg"])
def test_a_name_that_is_not_exact_is_none(name: str) -> None:
    assert read(f"{name} of node 900 {DAY}").metrics == ()


def test_a_plain_word_is_a_name_only_behind_its_plugin() -> None:
    assert read("in which state are the nodes?").metrics == ()
    assert [m.name for m in read(f"nagios_pub/state of node 3 {DAY}").metrics] == ["state"]


@pytest.mark.parametrize(
    ("times", "told"),
    [
        ("in the last 10 hours", "no start and end as [YYYY-MM-DD HH:MM:SS]"),
        ("from 2022-06-01 08:00:00 to 2022-06-01 09:00:00", "no start and end as"),
        ("on [2022-06-01]", "[2022-06-01] is not [YYYY-MM-DD HH:MM:SS]"),
        ("from [2022-06-01 08:00] to [2022-06-01 09:00]", "[2022-06-01 08:00] is not"),
        ("from [2022-06-01T08:00:00Z] to now", "[2022-06-01T08:00:00Z] is not"),
        ("since [2022-06-01 08:00:00]", "1 times where a start and an end are wanted"),
        ("from [2022-06-31 08:00:00] to [2022-07-01 09:00:00]", "is no moment"),
        ("from [2022-06-02 08:00:00] to [2022-06-01 09:00:00]", "the end does not lie behind"),
    ],
)
def test_other_times_fail_and_are_named(times: str, told: str) -> None:
    part, text = wrong_with(f"total_power of node 900 {times}")

    assert part == "time"
    assert told in text


@pytest.mark.parametrize(
    "name", ["Supply_Air_Temperature", "PLC_PLC_Q101.Temp_mandata", "Tot_ict", "weather_pub/temp"]
)
def test_cooling_power_supply_and_weather_are_out_of_reach(name: str) -> None:
    part, text = wrong_with(f"{name} of the data center {DAY}")

    assert part == "metric"
    assert "out of reach" in text


def test_a_job_brings_its_own_time_and_the_job_table() -> None:
    found = read("total_power of the nodes of job 1000882")

    assert found.jobs
    assert found.entities == (Entity(EntityKind.JOB, "1000882"),)


def test_what_names_nothing_fails() -> None:
    assert wrong_with("how are you today?")[0] == "request"
