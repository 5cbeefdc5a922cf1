import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

from retrieval.metric_catalog import MetricCatalog
from retrieval.metric_mentions import Mention, MetricReader
from retrieval.phrase_lexicon import Meaning, PhraseLexicon
from retrieval.quantity import Transform
from retrieval.quantity_catalog import QuantityCatalog
from retrieval.request import EntityKind

CATALOG = MetricCatalog.load()
QUANTITIES = QuantityCatalog(CATALOG)
READER = MetricReader(QUANTITIES)


@dataclass(frozen=True)
class Case:
    text: str
    owners: frozenset[EntityKind]
    found: tuple[tuple[str, str], ...]


def _cases() -> list[Case]:
    rows = yaml.safe_load((Path(__file__).parent / "mention_cases.yaml").read_text("utf-8"))
    return [
        Case(
            row["text"],
            frozenset(map(EntityKind, row.get("owners", ()))),
            tuple(pair for found in row["found"] for pair in found.items()),
        )
        for row in rows
    ]


def _written(mention: Mention) -> str:
    parts = [" | ".join(quantity.id for quantity in mention.candidates) or "unmeasured"]
    if mention.indices:
        parts.append("@ " + " ".join(mention.indices))
    if mention.missing:
        parts.append("! " + " ".join(mention.missing))
    parts += ["exact"] * mention.exact + ["energy"] * mention.energy
    return " ".join(parts)


def _found(text: str, owners: frozenset[EntityKind] = frozenset()) -> list[str]:
    return [_written(mention) for mention in READER.mentions(text, owners)]


@pytest.mark.parametrize("case", _cases(), ids=lambda case: case.text)
def test_finds_what_is_measured(case: Case) -> None:
    mentions = READER.mentions(case.text, case.owners)

    assert tuple((m.words, _written(m)) for m in mentions) == case.found


@pytest.mark.parametrize("case", _cases(), ids=lambda case: case.text)
def test_places_lie_apart_and_in_order(case: Case) -> None:
    spans = [mention.span for mention in READER.mentions(case.text, case.owners)]

    assert all(start < end <= len(case.text) for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("GPU utilisation", "gpu utilization"),
        ("GPU-0 utilisation", "utilisation of GPU 0"),
        ("inlet temperature", "temperatures at the inlet"),
        ("fan 0_0 speed", "speed of fan 0_0"),
        ("memory temp", "mem temperature"),
        ("CPU socket power", "power of the CPU sockets"),
        ("power consumption of the chillers", "chiller power"),
        ("data centre infrastructure efficiency", "data center infrastructure efficiency"),
    ],
)
def test_reads_spellings_and_orders_alike(one: str, other: str) -> None:
    assert _found(one) == _found(other) != []


def test_every_metric_is_found_by_its_full_name() -> None:
    lost = []
    for metric in CATALOG.metrics:
        mentions = READER.mentions(f"{metric.plugin}/{metric.name}", frozenset())
        held = [m.candidates[0].metrics_at(m.indices) for m in mentions if m.exact]
        if held != [(metric,)] and metric.index is not None:
            lost.append(metric.name)
        if not held or metric not in held[0]:
            lost.append(metric.name)

    assert lost == []


def test_every_metric_has_a_quantity_with_its_own_values() -> None:
    kinds = {QUANTITIES.of_metric(metric).transform for metric in CATALOG.metrics}

    assert kinds == {Transform.IDENTITY}


def test_a_phrase_names_one_quantity_or_is_a_plain_word() -> None:
    shared = [
        " ".join(key)
        for key, entry in PhraseLexicon(QUANTITIES).phrases()
        if entry.meaning is Meaning.QUANTITY and len(entry.first) > 1
    ]

    assert shared == []


def test_utilisation_of_the_cpu_is_a_complement_and_says_so() -> None:
    (mention,) = READER.mentions("CPU utilisation", frozenset())

    quantity = mention.candidates[0]
    assert [metric.name for metric in quantity.members] == ["cpu_idle"]
    assert quantity.transform is Transform.COMPLEMENT
    assert "100" in quantity.note


def test_cooling_power_is_the_sum_of_three_metrics() -> None:
    (mention,) = READER.mentions("cooling power", frozenset())

    quantity = mention.candidates[0]
    assert [m.name for m in quantity.members] == ["Tot_cdz", "Tot_chiller", "Tot_qpompe"]
    assert quantity.transform is Transform.SUM


def test_labels_do_not_repeat() -> None:
    labels = [words.quantity.label for words in QUANTITIES.words]

    assert len(labels) == len(set(labels))


def test_labels_hold_no_underscore() -> None:
    assert [w.quantity.label for w in QUANTITIES.words if re.search("_", w.quantity.label)] == []
