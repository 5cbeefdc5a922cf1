"""The lake reader over files as they should not be."""

import json
import threading
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from retrieval.errors import LakeError
from retrieval.lake import JOB_METRIC, JOB_PLUGIN, Lake, in_windows, overall
from retrieval.lake_files import Listing
from retrieval.lake_profile import LakeProfile
from retrieval.metric_catalog import MetricCatalog
from retrieval.request import Metric, TimeWindow
from tests.ordinary_user import closed, open_folder, ordinary_user

START = datetime(2022, 6, 1, 8, tzinfo=UTC)
CATALOG = MetricCatalog.load()


def _metric(plugin: str, name: str) -> Metric:
    metric = CATALOG.find(plugin, name)
    assert metric is not None
    return metric


POWER = _metric("ipmi_pub", "total_power")


def _write(
    root: Path,
    frame: pl.DataFrame,
    metric: Metric = POWER,
    *,
    month: str = "22-06",
    name: str = "a_0",
) -> Path:
    return _write_at(root, frame, f"plugin={metric.plugin}/metric={metric.name}", month, name)


def _write_at(root: Path, frame: pl.DataFrame, below: str, month: str, name: str) -> Path:
    folder = root / f"year_month={month}" / below
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.parquet"
    frame.write_parquet(path)
    return path


def _samples(*values: Any, node: str = "5", start: datetime = START) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "timestamp": pl.Series(
                [start + timedelta(seconds=20 * i) for i in range(len(values))],
                dtype=pl.Datetime("ms", "UTC"),
            ),
            "value": list(values),
            "node": [node] * len(values),
        }
    )


def _lake(root: Path) -> Lake:
    return Lake(root, LakeProfile())


def _read(lake: Lake, metric: Metric = POWER, *windows: TimeWindow) -> pl.DataFrame:
    keys = ["timestamp", *metric.tags]
    return lake.collected(lake.readings(metric, windows)).sort(keys)


def test_reads_every_sample_with_its_tags(tmp_path: Path) -> None:
    _write(tmp_path, _samples(400, 420))

    frame = _read(_lake(tmp_path))

    assert frame.schema == {
        "node": pl.String(),
        "timestamp": pl.Datetime("ms", "UTC"),
        "value": pl.Float64(),
    }
    assert frame.rows() == [("5", START, 400.0), ("5", START + timedelta(seconds=20), 420.0)]


def test_rows_may_stand_in_any_order(tmp_path: Path) -> None:
    _write(tmp_path, _samples(1, 2, 3, 4).reverse())

    assert _read(_lake(tmp_path))["value"].to_list() == [1, 2, 3, 4]


def test_of_repeated_samples_the_first_is_kept(tmp_path: Path) -> None:
    frame = pl.concat([_samples(400, 420), _samples(9999, 420), _samples(700, node="6")])
    _write(tmp_path, frame)

    read = _read(_lake(tmp_path))

    assert sorted(read.select("node", "value").rows()) == [("5", 400), ("5", 420), ("6", 700)]


def test_several_files_of_a_month_are_read_together(tmp_path: Path) -> None:
    _write(tmp_path, _samples(1), name="a_0")
    _write(tmp_path, _samples(2, start=START + timedelta(hours=1)), name="a_1")

    assert _read(_lake(tmp_path))["value"].to_list() == [1, 2]


def test_only_months_of_the_window_are_opened(tmp_path: Path) -> None:
    _write(tmp_path, _samples(1))
    may = _write(tmp_path, _samples(2, start=START - timedelta(days=20)), month="22-05")
    may.write_bytes(b"not a Parquet file")

    window = TimeWindow(START, START + timedelta(hours=1))

    assert _read(_lake(tmp_path), POWER, window)["value"].to_list() == [1]


def test_a_window_over_two_months_reads_both(tmp_path: Path) -> None:
    midnight = datetime(2022, 6, 1, tzinfo=UTC)
    _write(tmp_path, _samples(2, start=midnight))
    _write(tmp_path, _samples(1, start=midnight - timedelta(seconds=20)), month="22-05")

    window = TimeWindow(midnight - timedelta(hours=1), midnight + timedelta(hours=1))

    assert _read(_lake(tmp_path), POWER, window)["value"].to_list() == [1, 2]


def test_a_month_that_the_lake_lacks_has_no_rows(tmp_path: Path) -> None:
    _write(tmp_path, _samples(1))
    july = TimeWindow(datetime(2022, 7, 1, tzinfo=UTC), datetime(2022, 8, 1, tzinfo=UTC))

    frame = _read(_lake(tmp_path), POWER, july)

    assert frame.height == 0
    assert frame.columns == ["node", "timestamp", "value"]


def test_a_metric_that_the_lake_lacks_has_no_rows_and_no_months(tmp_path: Path) -> None:
    _write(tmp_path, _samples(1))
    lake = _lake(tmp_path)

    inlet = _metric("ipmi_pub", "ambient")

    assert _read(lake, inlet).height == 0
    assert lake.months(inlet.plugin, inlet.name) == ()


@pytest.mark.parametrize(
    ("closed", "values"), [(False, [2, 3]), (True, [2, 3, 4])], ids=["half-open", "closed"]
)
def test_an_end_belongs_to_the_window_only_where_it_says_so(
    tmp_path: Path, closed: bool, values: list[int]
) -> None:
    _write(tmp_path, _samples(1, 2, 3, 4, 5))
    window = TimeWindow(START + timedelta(seconds=20), START + timedelta(seconds=60), closed)

    assert _read(_lake(tmp_path), POWER, window)["value"].to_list() == values


@pytest.mark.parametrize(
    "dtype", [pl.Int16(), pl.Int32(), pl.Int64(), pl.UInt8(), pl.Float32(), pl.Float64()], ids=str
)
def test_numbers_of_any_type_become_doubles(tmp_path: Path, dtype: pl.DataType) -> None:
    _write(tmp_path, _samples(40, 60).with_columns(pl.col("value").cast(dtype)))

    frame = _read(_lake(tmp_path))

    assert frame.schema["value"] == pl.Float64()
    assert frame["value"].to_list() == [40, 60]


@pytest.mark.parametrize("dtype", [pl.Categorical(), pl.Int64(), pl.String()], ids=str)
def test_tags_of_any_type_become_texts(tmp_path: Path, dtype: pl.DataType) -> None:
    _write(tmp_path, _samples(40).with_columns(pl.col("node").cast(dtype)))

    assert _read(_lake(tmp_path))["node"].to_list() == ["5"]


@pytest.mark.parametrize(
    "dtype",
    [
        pl.Datetime("ms"),
        pl.Datetime("us"),
        pl.Datetime("ns"),
        pl.Datetime("us", "UTC"),
        pl.Datetime("ms", "Europe/Rome"),
    ],
    ids=str,
)
def test_times_of_any_type_become_utc(tmp_path: Path, dtype: pl.Datetime) -> None:
    time = pl.col("timestamp")
    time = time.dt.replace_time_zone(None) if dtype.time_zone is None else time
    _write(tmp_path, _samples(40).with_columns(time.cast(dtype)))

    frame = _read(_lake(tmp_path))

    assert frame.schema["timestamp"] == pl.Datetime("ms", "UTC")
    assert frame["timestamp"].to_list() == [START]


def test_files_of_different_types_are_read_together(tmp_path: Path) -> None:
    _write(tmp_path, _samples(1), name="a_0")
    later = _samples(2.5, start=START + timedelta(hours=1))
    _write(tmp_path, later.with_columns(pl.col("node").cast(pl.Categorical)), name="a_1")

    assert _read(_lake(tmp_path))["value"].to_list() == [1, 2.5]


def test_scaled_integers_come_in_the_unit_of_the_metric(tmp_path: Path) -> None:
    water = _metric("schneider_pub", "PLC_PLC_Q101.Temp_mandata")
    assert water.scale == 0.1
    frame = _samples(182, 183).rename({"node": "panel"}).with_columns(panel=pl.lit("Q101"))
    _write(tmp_path, frame, water)

    assert _read(_lake(tmp_path), water)["value"].to_list() == [18.2, 18.3]


def test_missing_values_stay_missing(tmp_path: Path) -> None:
    _write(tmp_path, _samples(1.0, None, float("nan"), 0.0))

    values = _read(_lake(tmp_path))["value"].to_list()

    assert values[:2] == [1, None]
    assert values[2] != values[2]
    assert values[3] == 0


def test_columns_that_nobody_asks_for_are_ignored(tmp_path: Path) -> None:
    _write(tmp_path, _samples(1).with_columns(extra=pl.lit("x"), plugin=pl.lit("other")))

    assert _read(_lake(tmp_path)).columns == ["node", "timestamp", "value"]


def test_a_file_that_is_no_parquet_is_named(tmp_path: Path) -> None:
    path = _write(tmp_path, _samples(1))
    path.write_bytes(b"PAR1 is how it starts, but there is nothing behind")

    with pytest.raises(LakeError, match="damaged") as raised:
        _read(_lake(tmp_path))

    assert str(path) in str(raised.value)


def test_a_file_that_is_cut_short_is_named(tmp_path: Path) -> None:
    path = _write(tmp_path, _samples(*range(5000)))
    path.write_bytes(path.read_bytes()[:-200])

    with pytest.raises(LakeError) as raised:
        _read(_lake(tmp_path))

    assert str(path) in str(raised.value)


def test_a_file_with_damaged_pages_is_named(tmp_path: Path) -> None:
    good = _write(tmp_path, _samples(1), month="22-05")
    path = _write(tmp_path, _samples(*range(5000)))
    content = bytearray(path.read_bytes())
    content[20:2000] = b"\xff" * 1980
    path.write_bytes(content)

    with pytest.raises(LakeError) as raised:
        _read(_lake(tmp_path))

    assert str(path) in str(raised.value)
    assert str(good) not in str(raised.value)


@pytest.mark.parametrize("column", ["timestamp", "value", "node"])
def test_a_file_without_a_column_is_named_with_it(tmp_path: Path, column: str) -> None:
    path = _write(tmp_path, _samples(1).drop(column))

    with pytest.raises(LakeError, match=f"no column {column}") as raised:
        _read(_lake(tmp_path))

    assert str(path) in str(raised.value)


def test_texts_where_numbers_should_be_are_an_error_that_names_the_file(tmp_path: Path) -> None:
    path = _write(tmp_path, _samples("400", "420"))

    with pytest.raises(LakeError, match="not numbers") as raised:
        _read(_lake(tmp_path))

    assert str(path) in str(raised.value)


def test_times_that_are_texts_are_an_error_that_names_the_file(tmp_path: Path) -> None:
    path = _write(tmp_path, _samples(1).with_columns(timestamp=pl.lit("yesterday")))

    with pytest.raises(LakeError) as raised:
        _read(_lake(tmp_path))

    assert str(path) in str(raised.value)


def test_a_lake_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(LakeError, match="no such directory"):
        _ = _lake(tmp_path / "nowhere").files


def test_a_folder_without_partitions_is_no_lake(tmp_path: Path) -> None:
    (tmp_path / "year_month=22-06" / "plugin=ipmi_pub").mkdir(parents=True)
    (tmp_path / "readme.txt").write_text("hello")

    with pytest.raises(LakeError, match="holds no partition"):
        _ = _lake(tmp_path).files


def test_a_month_written_otherwise_is_named(tmp_path: Path) -> None:
    _write(tmp_path, _samples(1), month="2022-06")

    with pytest.raises(LakeError, match="year_month=2022-06"):
        _ = _lake(tmp_path).files


def test_what_cannot_be_listed_is_named(tmp_path: Path) -> None:
    (tmp_path / "lake").write_text("a file")

    with pytest.raises(LakeError, match=f"cannot list {tmp_path / 'lake'}"):
        list(Listing.of(tmp_path / "lake").files)


@pytest.mark.parametrize("level", [0, 1, 2], ids=["metric", "plugin", "month"])
def test_a_directory_that_may_not_be_read_is_named_where_it_is_needed(level: int) -> None:
    with open_folder() as folder:
        path = _write(folder, _samples(1), month="22-05")
        _write(folder, _samples(1))
        directory = path.parents[level]
        with closed(directory), ordinary_user():
            june = _read(_lake(folder), POWER, TimeWindow(START, START + timedelta(hours=1)))
            with pytest.raises(LakeError, match=f"cannot list {directory} ") as raised:
                _read(_lake(folder))

    assert june.height == 1
    assert "let the user who runs odabot read it" in str(raised.value)


@pytest.mark.parametrize("month", ["22-13", "22-00"])
def test_a_month_that_no_year_has_is_named(tmp_path: Path, month: str) -> None:
    _write(tmp_path, _samples(1), month=month)

    with pytest.raises(LakeError, match=f"year_month={month}"):
        _ = _lake(tmp_path).files


def test_a_lake_is_read_where_nothing_can_be_remembered(tmp_path: Path) -> None:
    _write(tmp_path / "lake", _samples(1, 2))
    (tmp_path / "data").write_text("a file, where a folder should be")
    lake = Lake(tmp_path / "lake", LakeProfile(tmp_path / "data" / "profile.json"))

    assert _read(lake).height == 2


def test_knows_its_plugins_months_and_span(tmp_path: Path) -> None:
    _write(tmp_path, _samples(1), month="22-06")
    _write(tmp_path, _samples(1), month="21-12")
    _write(tmp_path, _samples(1), _metric("ganglia_pub", "cpu_idle"), month="22-05")
    lake = _lake(tmp_path)

    assert lake.plugins == ("ganglia_pub", "ipmi_pub")
    assert lake.months("ipmi_pub", "total_power") == ("21-12", "22-06")
    assert lake.span == (datetime(2021, 12, 1, tzinfo=UTC), datetime(2022, 7, 1, tzinfo=UTC))


def test_gives_the_tags_that_have_data(tmp_path: Path) -> None:
    _write(tmp_path, pl.concat([_samples(1, node="9"), _samples(1, 2, node="5")]))

    assert _lake(tmp_path).tags(POWER).rows() == [("5",), ("9",)]


def _jobs(*rows: dict[str, Any]) -> pl.DataFrame:
    return pl.DataFrame(list(rows))


def _write_jobs(root: Path, frame: pl.DataFrame, month: str = "22-06") -> None:
    _write_at(root, frame, f"plugin={JOB_PLUGIN}/metric={JOB_METRIC}", month, "a_0")


def _job_rows(lake: Lake, columns: Iterable[str]) -> list[tuple[Any, ...]]:
    return sorted(lake.collected(lake.jobs(columns)).rows())


def test_a_job_that_stands_twice_is_read_once(tmp_path: Path) -> None:
    row = {"job_id": 7, "job_state": "COMPLETED"}
    _write_jobs(tmp_path, _jobs(row, {"job_id": 8, "job_state": "FAILED"}))
    _write_jobs(tmp_path, _jobs({**row, "job_state": "CANCELLED"}), month="22-07")

    assert _job_rows(_lake(tmp_path), ["job_id", "job_state"]) == [(7, "COMPLETED"), (8, "FAILED")]


def test_months_of_jobs_may_differ_in_their_columns(tmp_path: Path) -> None:
    _write_jobs(tmp_path, _jobs({"job_id": 7, "num_nodes": 1, "qos": "1"}))
    _write_jobs(tmp_path, _jobs({"job_id": 8, "num_nodes": 2.0}), month="22-07")

    rows = _job_rows(_lake(tmp_path), ["job_id", "num_nodes", "qos"])

    assert rows == [(7, 1, "1"), (8, 2, None)]


def test_times_of_jobs_become_utc(tmp_path: Path) -> None:
    naive = START.replace(tzinfo=None)
    _write_jobs(tmp_path, _jobs({"job_id": 7, "start_time": naive}))

    assert _job_rows(_lake(tmp_path), ["start_time"]) == [(START,)]


def test_a_lake_without_a_job_table_says_so(tmp_path: Path) -> None:
    _write(tmp_path, _samples(1))

    with pytest.raises(LakeError, match="no job table"):
        _lake(tmp_path).jobs(["job_id"])


def test_a_profile_is_remembered_and_forgotten_with_the_file(tmp_path: Path) -> None:
    path = _write(tmp_path / "lake", _samples(1))
    kept = tmp_path / "data" / "profile.json"
    (file,) = Listing.of(tmp_path / "lake").files
    keys = ("timestamp", "node")

    before = LakeProfile(kept).repeats([file], keys)
    pl.concat([_samples(1), _samples(2)]).write_parquet(path)
    after = LakeProfile(kept).repeats([file], keys)

    assert (before, after) == (False, True)
    assert len(json.loads(kept.read_text())) == 2


def test_a_damaged_profile_is_made_anew(tmp_path: Path) -> None:
    _write(tmp_path / "lake", _samples(1))
    kept = tmp_path / "profile.json"
    kept.write_text("{")
    (file,) = Listing.of(tmp_path / "lake").files

    assert LakeProfile(kept).repeats([file], ("timestamp", "node")) is False


def test_questions_at_the_same_time_can_share_a_profile(tmp_path: Path) -> None:
    for month in range(1, 13):
        _write(tmp_path / "lake", _samples(1), month=f"22-{month:02d}")
    files = list(Listing.of(tmp_path / "lake").files)
    profile = LakeProfile(tmp_path / "profile.json")
    failures: list[Exception] = []

    def look_through() -> None:
        try:
            for file in files:
                profile.repeats([file], ("timestamp", "node"))
        except (OSError, RuntimeError) as error:
            failures.append(error)

    threads = [threading.Thread(target=look_through) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failures == []


def test_windows_are_held_together_by_the_one_over_all() -> None:
    first = TimeWindow(START, START + timedelta(hours=1))
    second = TimeWindow(START + timedelta(days=1), START + timedelta(days=2))
    margin = timedelta(minutes=5)

    assert overall([second, first], margin) == TimeWindow(
        first.start - margin, second.end + margin, includes_end=True
    )


def test_a_time_may_lie_in_any_of_several_windows() -> None:
    times = pl.DataFrame({"t": [START + timedelta(hours=h) for h in range(4)]})
    windows = [
        TimeWindow(START, START + timedelta(hours=1)),
        TimeWindow(START + timedelta(hours=2), START + timedelta(hours=3), includes_end=True),
    ]

    inside = times.select(in_windows(pl.col("t"), windows)).to_series().to_list()

    assert inside == [True, False, True, True]
