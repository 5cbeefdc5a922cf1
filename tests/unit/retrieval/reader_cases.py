"""The table of questions, and a reader for them that knows no lake and no likeness."""

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml

from agent.chart_choice import chart_words
from retrieval.asking import Asking, ChartHint
from retrieval.check_names import check_names
from retrieval.metric_catalog import MetricCatalog
from retrieval.metric_matcher import Grounded, Matched, UnknownMetric
from retrieval.metric_mentions import MetricReader
from retrieval.quantity import Quantity
from retrieval.quantity_catalog import QuantityCatalog
from retrieval.question_reader import QuestionReader
from retrieval.request import EntityKind
from retrieval.site import Site
from retrieval.understanding import Understanding
from tests.unit.retrieval.reading_words import Told

NOW = datetime(2022, 6, 15, 10, tzinfo=UTC)
TABLES = ("reader_cases.yaml", "course_cases.yaml", "job_cases.yaml", "peer_cases.yaml")
BRACES = re.compile(r"\{([^}]*)\}")


class _NothingAlike:
    """A stand-in for the matcher: no words resemble the name of a metric."""

    def near(self, texts: Sequence[str]) -> tuple[Quantity, ...]:
        return ()

    def match(self, phrase: str, owners: frozenset[EntityKind]) -> Matched:
        return UnknownMetric(phrase, ())

    def match_in(self, plugin: str, phrase: str, named: Sequence[Quantity]) -> Matched:
        return Grounded(named[0]) if len(named) == 1 else UnknownMetric(phrase, ())


@dataclass(frozen=True)
class Case:
    ask: str
    expected: Told
    after: tuple[str, ...] = ()
    settled: Mapping[str, str] = field(default_factory=dict)


def a_reader(zone: str = "UTC") -> QuestionReader:
    metrics = MetricReader(QuantityCatalog(MetricCatalog.load()))
    site = Site.load().found({}, ("0", "1", "2", "3"), {})
    return QuestionReader(site, check_names(), metrics, _NothingAlike(), ZoneInfo(zone))


READER = a_reader()


def read(
    text: str, after: tuple[str, ...] = (), settled: Mapping[str, str] | None = None
) -> Understanding:
    before = tuple(_asking(each, {}) for each in after)
    return READER.read(replace(_asking(text, settled or {}), earlier=before))


def _asking(text: str, settled: Mapping[str, str]) -> Asking:
    wish = chart_words(text)
    kind = "" if not wish.wants_chart else wish.kind.value if wish.kind else "line"
    return Asking(text, NOW, settled, (), wish.spans, ChartHint(kind))


def _expanded(names: str) -> str:
    """``names`` with ``fan{0,1}_0`` written out."""
    written = []
    for name in re.split(r", (?![^{]*\})", names):
        parts = [part.split(",") for part in BRACES.findall(name)]
        blank = BRACES.sub("{}", name)
        written += [blank.format(*chosen) for chosen in itertools.product(*parts)]
    return ", ".join(written)


def _case(row: dict[str, Any]) -> Case:
    row = dict(row)
    more = {key: row.pop(key) for key in ("after", "settled") if key in row}
    ask = row.pop("ask")
    row.pop("known_fault", None)
    expected = {key: str(words) for key, words in row.items()}
    if "metrics" in expected:
        expected["metrics"] = _expanded(expected["metrics"])
    return Case(ask, expected, tuple(more.get("after", ())), more.get("settled", {}))


def cases() -> list[Any]:
    tables = (Path(__file__).parent / name for name in TABLES)
    rows = [row for table in tables for row in yaml.safe_load(table.read_text("utf-8"))]
    return [
        pytest.param(
            _case(row),
            id=" < ".join((row["ask"], *row.get("after", ()))) or "nothing",
            marks=[pytest.mark.xfail(reason=row["known_fault"], strict=True)]
            if "known_fault" in row
            else [],
        )
        for row in rows
    ]


def one_case_a_shape() -> list[Any]:
    """Of the cases that are rightly read as requests, the first of each shape."""
    shapes: dict[tuple[str, ...], Any] = {}
    for case in cases():
        expected = case.values[0].expected
        if not case.marks and expected["is"] not in ("refused", "unclear"):
            said = (expected.get(key, "") for key in ("is", "lists", "measures", "asks", "by"))
            shapes.setdefault((*said, *sorted(expected)), case)
    return list(shapes.values())


def reading_of(case: Case) -> Understanding:
    return read(case.ask, case.after, case.settled)


def comparable(words: Told, expected: Told) -> Told:
    """The reading without columns, which are a matter of taste unless the case names them."""
    return {key: said for key, said in words.items() if key in expected or key != "columns"}
