from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.cache_index import INDEX, CacheIndex, KeptGraph, kept_graphs
from retrieval.embedded_store import EmbeddedStore

NOW = datetime(2022, 6, 15, 10, tzinfo=UTC)
KEPT = KeptGraph("urn:graph:1", "f00", "operator", NOW, NOW, 12, 3456)
MOMENTS = st.datetimes(timezones=st.just(UTC))


@given(
    access=st.text(st.characters(codec="utf-8", exclude_characters="\0")),
    created=MOMENTS,
    used=MOMENTS,
    triples=st.integers(0),
    length=st.integers(0),
)
def test_what_is_written_is_read(
    access: str, created: datetime, used: datetime, triples: int, length: int
) -> None:
    kept = KeptGraph("urn:graph:1", "f00", access, created, used, triples, length)

    assert kept_graphs(kept.as_triples()) == (kept,)


@pytest.mark.parametrize("missing", range(6))
def test_what_is_told_in_part_is_not_told(missing: int) -> None:
    lines = KEPT.as_triples().splitlines(keepends=True)
    other = replace(KEPT, graph="urn:graph:2")

    found = kept_graphs(b"".join(lines[:missing] + lines[missing + 1 :]) + other.as_triples())

    assert found == (other,)


def test_a_time_without_a_zone_is_not_taken() -> None:
    assert kept_graphs(replace(KEPT, used=NOW.replace(tzinfo=None)).as_triples()) == ()


def test_a_time_of_another_zone_is_the_same_moment() -> None:
    rome = NOW.astimezone(timezone(timedelta(hours=2)))

    assert kept_graphs(replace(KEPT, used=rome).as_triples()) == (KEPT,)


def test_tells_touches_and_forgets() -> None:
    store = EmbeddedStore()
    index = CacheIndex(store)
    other = replace(KEPT, graph="urn:graph:2")
    later = NOW + timedelta(hours=1)
    index.add(KEPT)
    index.add(other)

    index.touch(KEPT, later)
    index.forget(other.graph)

    assert index.entries() == (replace(KEPT, used=later),)


def test_a_graph_that_was_forgotten_is_not_touched_into_being() -> None:
    store = EmbeddedStore()

    CacheIndex(store).touch(KEPT, NOW)

    assert not store.has(INDEX)
