from datetime import UTC, datetime

import polars as pl
import pytest

from ontology.vocabulary import ODA, TIMESTAMP, VALUE
from retrieval.mapping import (
    CHECK_RESULT,
    JOB_PROPERTIES,
    NODE_IDS,
    SCHEDULER_READING,
    reading_classes,
    reading_properties,
)
from retrieval.metric_catalog import MetricCatalog
from retrieval.request import Metric

CATALOG = MetricCatalog.load()


def _metric(name: str) -> Metric:
    metric = CATALOG.by_name(name)
    assert metric is not None
    return metric


def _of_job(name: str, **columns: object) -> object:
    row = pl.DataFrame({column: [value] for column, value in columns.items()})
    return row.select(JOB_PROPERTIES[ODA + name].value).item()


def test_counts_four_threads_as_one_core() -> None:
    assert _of_job("coreCount", num_cpus=128) == 32.0


@pytest.mark.parametrize(
    ("requested", "gpus"),
    [("gres:gpu:4", 4), ("gres:gpu:tesla:2", 2), ("gres:mps:1", 0), ("", 0)],
)
def test_reads_the_gpus_of_a_node_from_what_was_requested(requested: str, gpus: int) -> None:
    assert _of_job("gpusPerNode", tres_per_node=requested) == gpus


def test_multiplies_gpus_by_nodes() -> None:
    assert _of_job("gpuCount", tres_per_node="gres:gpu:4", num_nodes=3) == 12


def test_derives_waiting_and_running_from_the_times() -> None:
    submit, start, end = (datetime(2022, 6, 1, hour, tzinfo=UTC) for hour in (8, 9, 11))

    assert _of_job("waitSeconds", submit_time=submit, start_time=start) == 3600.0
    assert _of_job("runSeconds", start_time=start, end_time=end) == 7200.0


def test_leaves_a_span_unbound_where_a_time_is_missing() -> None:
    start = pl.DataFrame(
        {"start_time": [None], "end_time": [datetime(2022, 6, 1, tzinfo=UTC)]},
        schema_overrides={"start_time": pl.Datetime("ms", "UTC")},
    )

    assert start.select(JOB_PROPERTIES[ODA + "runSeconds"].value).item() is None


def test_reads_the_nodes_of_a_job_from_their_text() -> None:
    lists = pl.DataFrame({"nodes": ["[79, 107]", "[]", None]}).select(NODE_IDS.value)

    assert lists["nodes"].to_list() == [["79", "107"], [], None]


def test_tells_numbers_from_texts() -> None:
    assert VALUE in reading_properties(_metric("total_power"))
    assert VALUE not in reading_properties(_metric("gexec"))
    assert ODA + "textValue" in reading_properties(_metric("gexec"))


def test_makes_results_of_checks_and_of_the_scheduler() -> None:
    assert CHECK_RESULT in reading_classes(_metric("state"))
    assert SCHEDULER_READING in reading_classes(_metric("s21.jobs.tot_jobs"))
    assert SCHEDULER_READING not in reading_classes(_metric("s21.totals.total_nodes_idle"))


def test_reads_the_tags_of_a_check() -> None:
    names = set(reading_properties(_metric("state"))) - {TIMESTAMP, VALUE}

    assert names == {ODA + n for n in ("checkName", "hostGroup", "stateType", "drained")}
