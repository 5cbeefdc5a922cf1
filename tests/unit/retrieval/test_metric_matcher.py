from collections.abc import Iterable

import pytest

from retrieval.metric_catalog import MetricCatalog
from retrieval.metric_matcher import AmbiguousMetric, Grounded, MetricMatcher, UnknownMetric
from retrieval.metric_mentions import MetricReader
from retrieval.quantity_catalog import QuantityCatalog
from retrieval.request import EntityKind

QUANTITIES = QuantityCatalog(MetricCatalog.load())
READER = MetricReader(QUANTITIES)
NODE = frozenset({EntityKind.NODE})


class _Alike:
    """A stand-in for the index: what is alike is said beforehand."""

    def __init__(self, *nearest: tuple[str, float]) -> None:
        self._nearest = nearest
        self.asked: list[frozenset[str]] = []

    def nearest(
        self, text: str, plugins: Iterable[str], count: int
    ) -> tuple[tuple[str, float], ...]:
        self.asked.append(frozenset(plugins))
        return self._nearest[:count]


def _matcher(index: _Alike) -> MetricMatcher:
    return MetricMatcher(READER, QUANTITIES, index)


@pytest.mark.parametrize(
    "phrase", ["total_power", "node power", "average power of the node", "the current power"]
)
def test_known_words_need_no_likeness(phrase: str) -> None:
    index = _Alike()

    matched = _matcher(index).match(phrase, NODE)

    assert isinstance(matched, Grounded)
    assert matched.quantity.id == "node_power"
    assert index.asked == []


def test_a_grounded_phrase_keeps_its_indices() -> None:
    matched = _matcher(_Alike()).match("temperature of GPU 2", NODE)

    assert isinstance(matched, Grounded)
    assert matched.indices == ("2",)


def test_a_plain_word_is_asked_with_the_likeliest_first() -> None:
    matched = _matcher(_Alike()).match("temperature", NODE)

    assert isinstance(matched, AmbiguousMetric)
    assert matched.candidates[0].id == "inlet_temperature"


def test_accepts_what_is_alike_and_alone() -> None:
    index = _Alike(("boot_time", 0.82), ("fan_speed", 0.6))

    matched = _matcher(index).match("moment of the latest start", NODE)

    assert isinstance(matched, Grounded)
    assert matched.quantity.id == "boot_time"
    assert matched.likeness == 0.82


def test_asks_where_a_rival_is_close() -> None:
    index = _Alike(("fan_speed", 0.82), ("boot_time", 0.77))

    matched = _matcher(index).match("how brisk it spins", NODE)

    assert isinstance(matched, AmbiguousMetric)
    assert [quantity.id for quantity in matched.candidates] == ["fan_speed", "boot_time"]


def test_asks_where_it_is_only_somewhat_alike() -> None:
    index = _Alike(("fan_speed", 0.55))

    matched = _matcher(index).match("how brisk it spins", NODE)

    assert isinstance(matched, AmbiguousMetric)


def test_admits_that_nothing_fits() -> None:
    index = _Alike(("fan_speed", 0.31))

    matched = _matcher(index).match("number of publications", NODE)

    assert isinstance(matched, UnknownMetric)
    assert [quantity.id for quantity in matched.nearest] == ["fan_speed"]


def test_knows_what_is_not_measured() -> None:
    index = _Alike(("inlet_temperature", 0.95))

    matched = _matcher(index).match("exhaust temperature", NODE)

    assert isinstance(matched, UnknownMetric)
    assert index.asked == []


def test_never_accepts_the_opposite() -> None:
    index = _Alike(("packets_out", 0.92), ("packets_in", 0.74))

    matched = _matcher(index).match("inbound parcels", NODE)

    assert isinstance(matched, Grounded)
    assert matched.quantity.id == "packets_in"


def test_looks_only_at_plugins_that_the_owners_have() -> None:
    index = _Alike()

    _matcher(index).match("how brisk it spins", frozenset({EntityKind.CRAC}))

    assert index.asked == [frozenset({"vertiv_pub", "logics_pub"})]


def test_leaves_out_quantities_that_the_owners_lack() -> None:
    index = _Alike(("crac_fan_speed", 0.9), ("fan_speed", 0.75))

    matched = _matcher(index).match("how brisk it spins", NODE)

    assert isinstance(matched, Grounded)
    assert matched.quantity.id == "fan_speed"
