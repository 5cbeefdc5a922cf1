"""A lake of which a part is broken: the questions that need it fail and say so, others do not."""

import io
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any
from uuid import uuid4

import polars as pl
import pytest

from agent import Analyst
from bot.check_wiring import health_probes
from bot.commands.ask import Asked, ask
from bot.commands.check import check
from bot.settings import Settings
from bot.wiring import build_analyst
from retrieval.settings import RetrievalSettings
from tests.lakes import tiny_lake
from tests.ordinary_user import closed, open_folder, ordinary_user

NOW = datetime(2022, 6, 2, tzinfo=UTC)
POWER = "average power of node 5 on 1 June 2022 between 10:00 and 12:00"
POWER_IN_MAY = "average power of node 5 on 31 May 2022 between 22:00 and 23:00"
POWER_IN_BOTH = "average power of node 5 from 31 May 2022 22:00 to 1 June 2022 02:00"
INLET = "average inlet temperature of node 5 on 1 June 2022"
JOBS = "how many jobs failed on 1 June 2022?"
METER = "average power of the meter generals/pue on 1 June 2022"
PARTITIONS = "how many partitions are there?"
NO_PARTITION = "jobs in partition 17 on 1 June 2022"
RACK = "how many nodes are in rack 0?"

JUNE = "year_month=22-06"
TOTAL_POWER = f"{JUNE}/plugin=ipmi_pub/metric=total_power"
JOB_TABLE = f"{JUNE}/plugin=job_table/metric=job_info_marconi100"


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_lake(tmp_path_factory.mktemp("lake") / "tiny")


@dataclass(frozen=True)
class Told:
    """What a command printed, and how it ended."""

    code: int
    answer: dict[str, Any]

    @property
    def is_found(self) -> bool:
        return self.code == 0 and self.answer["status"] == "completed"

    def failed_over(self, path: str) -> bool:
        """Whether it failed without any result, and an operator is told of ``path``."""
        nothing = not (self.answer["tables"] or self.answer["artifacts"] or self.answer["sparql"])
        told = "data lake cannot be read" in self.answer["summary"]
        named = path in self.answer["evidence"]["error"]
        return self.code == 1 and self.answer["status"] == "failed" and nothing and told and named


@dataclass(frozen=True)
class Lake:
    """A lake as whoever runs the commands meets it."""

    root: Path
    data: Path

    @property
    def settings(self) -> Settings:
        return Settings(data=self.data, retrieval=RetrievalSettings(lake=self.root))

    @cached_property
    def analyst(self) -> Analyst:
        """Made when the first question is asked, so when the lake is broken already."""
        return build_analyst(self.settings, self.data / "answers")

    def ask(self, question: str) -> Told:
        out, err = io.StringIO(), io.StringIO()
        asked = Asked(question, NOW, as_json=True, out=self.data / uuid4().hex)
        code = ask(asked, self.settings, lambda *_: self.analyst, out, err)
        assert "Traceback" not in out.getvalue() + err.getvalue()
        (line,) = out.getvalue().splitlines()
        return Told(code, json.loads(line))

    def check(self) -> tuple[int, dict[str, Any]]:
        """The exit code, and the state of the lake's files."""
        out = io.StringIO()
        probes = [probe for probe in health_probes(self.settings) if "lake" in probe.name]
        code = check(self.settings, probes, out, as_json=True)
        (parts,) = [p for p in json.loads(out.getvalue())["parts"] if p["name"] == "lake files"]
        return code, parts


@pytest.fixture
def lake(good: Path, tmp_path: Path) -> Lake:
    (tmp_path / "data").mkdir()
    return Lake(Path(shutil.copytree(good, tmp_path / "lake")), tmp_path / "data")


def _file(directory: str) -> str:
    return f"{directory}/a_0.parquet"


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _spoil_pages(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[20:2000] = b"\xff" * 1980
    path.write_bytes(content)


def _lose(path: Path) -> None:
    path.unlink()
    path.symlink_to("/nowhere/a_0.parquet")


def _retyped(*columns: pl.Expr) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        frame = pl.read_parquet(path, hive_partitioning=False)
        frame.with_columns(columns).write_parquet(path)

    return write


def _without(column: str) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        pl.read_parquet(path, hive_partitioning=False).drop(column).write_parquet(path)

    return write


TIME, NODE = pl.col("timestamp"), pl.col("node").cast(pl.String)

BROKEN: dict[str, Callable[[Path], None]] = {
    "cut in the middle": _cut,
    "empty": _empty,
    "damaged pages": _spoil_pages,
    "a link to nowhere": _lose,
    "values as texts": _retyped(pl.col("value").cast(pl.String)),
    "values as truths": _retyped(pl.col("value") > 0),
    "times as texts": _retyped(TIME.dt.to_string()),
    "times as numbers": _retyped(TIME.dt.epoch("s")),
    "times as days": _retyped(TIME.dt.date()),
    "nodes as 5.0": _retyped(NODE.cast(pl.Float64)),
    "nodes as lists": _retyped(pl.concat_list(NODE)),
    "no node": _without("node"),
    "no time": _without("timestamp"),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_file_fails_what_needs_it_and_nothing_else(lake: Lake, how: str) -> None:
    BROKEN[how](lake.root / _file(TOTAL_POWER))

    assert lake.ask(POWER).failed_over(_file(TOTAL_POWER))
    assert lake.ask(POWER_IN_BOTH).failed_over(_file(TOTAL_POWER))
    assert lake.ask(POWER_IN_MAY).is_found
    assert lake.ask(INLET).is_found


@pytest.mark.parametrize("how", [how for how in BROKEN if how != "damaged pages"])
def test_the_check_names_a_broken_file_and_can_serve_all_the_same(lake: Lake, how: str) -> None:
    BROKEN[how](lake.root / _file(TOTAL_POWER))

    code, files = lake.check()

    assert (code, files["ok"]) == (0, False)
    assert _file(TOTAL_POWER) in files["found"]
    assert files["remedy"]


def test_the_check_finds_nothing_wrong_with_a_good_lake(lake: Lake) -> None:
    code, files = lake.check()

    assert (code, files["ok"]) == (0, True)


SAME: dict[str, Callable[[Path], None]] = {
    "times in microseconds": _retyped(TIME.dt.cast_time_unit("us")),
    "times without a zone": _retyped(TIME.dt.replace_time_zone(None)),
    "times in another zone": _retyped(TIME.dt.convert_time_zone("Europe/Rome")),
    "nodes as numbers": _retyped(NODE.cast(pl.Int64)),
    "values of another width": _retyped(pl.col("value").cast(pl.Int64)),
}


def test_another_type_of_the_same_meaning_changes_nothing(good: Path, tmp_path: Path) -> None:
    found = {}
    for name, write in {"as it was": lambda _: None, **SAME}.items():
        lake = Lake(Path(shutil.copytree(good, tmp_path / name / "lake")), tmp_path / name)
        write(lake.root / _file(TOTAL_POWER))
        found[name] = lake.ask(POWER).answer["summary"]

    assert set(found.values()) == {found["as it was"]}


@pytest.mark.parametrize(
    "how",
    [
        _cut,
        _retyped(pl.col("start_time").dt.date()),
        _retyped(pl.col("end_time").dt.epoch("s")),
        _retyped(pl.col("job_id").cast(pl.Float64)),
    ],
    ids=["cut", "starts as days", "ends as numbers", "ids as 7.0"],
)
def test_a_broken_job_table_fails_what_is_asked_of_jobs_and_partitions(
    lake: Lake, how: Callable[[Path], None]
) -> None:
    how(lake.root / _file(JOB_TABLE))

    for question in (JOBS, PARTITIONS, NO_PARTITION):
        assert lake.ask(question).failed_over(_file(JOB_TABLE))
    assert lake.ask(POWER).is_found
    assert lake.ask(RACK).is_found


def test_what_a_metric_is_measured_at_is_not_taken_for_nothing(lake: Lake) -> None:
    broken = [f"year_month={m}/plugin=logics_pub/metric=Potenza" for m in ("22-05", "22-06")]
    for directory in broken:
        _cut(lake.root / _file(directory))

    assert lake.ask(METER).failed_over("metric=Potenza/a_0.parquet")
    assert lake.ask("PUE on 1 June 2022").is_found


def test_the_smallest_files_of_a_plugin_may_be_broken(lake: Lake) -> None:
    for plugin in ("ipmi_pub", "ganglia_pub", "slurm_pub", "nagios_pub"):
        folder = lake.root / JUNE / f"plugin={plugin}"
        _cut(min(folder.glob("*/*.parquet"), key=lambda path: path.stat().st_size))

    assert lake.ask(POWER).is_found
    assert lake.ask(PARTITIONS).is_found


@contextmanager
def _closed_lake(good: Path, directory: str) -> Iterator[Lake]:
    with ExitStack() as stack:
        folder = stack.enter_context(open_folder())
        lake = Lake(Path(shutil.copytree(good, folder / "lake")), folder / "data")
        Lake(lake.root, folder / "before").ask(RACK)  # imports what only a superuser may read
        stack.enter_context(closed(lake.root / directory))
        stack.enter_context(ordinary_user())
        yield lake


def test_a_closed_metric_is_not_taken_for_one_without_data(good: Path) -> None:
    with _closed_lake(good, TOTAL_POWER) as lake:
        assert lake.ask(POWER).failed_over(TOTAL_POWER)
        assert lake.ask(POWER_IN_BOTH).failed_over(TOTAL_POWER)
        assert lake.ask(POWER_IN_MAY).is_found
        assert lake.ask(INLET).is_found
        assert lake.ask(JOBS).is_found
        code, files = lake.check()

    assert (code, files["ok"]) == (0, False)
    assert f"{TOTAL_POWER} (Permission denied): let the user" in files["found"]


def test_a_closed_plugin_or_month_costs_what_lies_in_it(good: Path) -> None:
    with _closed_lake(good, f"{JUNE}/plugin=ipmi_pub") as lake:
        assert lake.ask(POWER).failed_over("plugin=ipmi_pub")
        assert lake.ask("PUE on 1 June 2022").is_found
    with _closed_lake(good, JUNE) as lake:
        assert lake.ask(POWER).failed_over(JUNE)
        assert lake.ask(JOBS).failed_over(JUNE)
        assert lake.ask(POWER_IN_MAY).is_found


def test_a_closed_file_is_named(good: Path) -> None:
    with _closed_lake(good, _file(TOTAL_POWER)) as lake:
        assert lake.ask(POWER).failed_over(_file(TOTAL_POWER))
        assert lake.ask(INLET).is_found


def test_a_closed_lake_fails_every_question(good: Path) -> None:
    with _closed_lake(good, ".") as lake:
        assert lake.ask(RACK).failed_over(str(lake.root))


def test_a_lake_that_is_not_there_fails_every_question(tmp_path: Path) -> None:
    nowhere = Lake(tmp_path / "nowhere", tmp_path / "data")

    assert nowhere.ask(RACK).failed_over(str(tmp_path / "nowhere"))
