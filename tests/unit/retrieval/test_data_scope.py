"""Scopes: put together they only become narrower, and each has a key of its own."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.data_scope import EVERY, WHOLE, DataScope
from retrieval.request import Entity, EntityKind

_NAMES = st.none() | st.frozensets(st.sampled_from(("1", "2", "3")), max_size=3)
_THINGS = st.frozensets(
    st.builds(
        Entity,
        st.sampled_from((EntityKind.RACK, EntityKind.NODE, EntityKind.CRAC)),
        st.sampled_from(("1", "2", EVERY)),
    ),
    max_size=3,
)
_SCOPES = st.builds(
    DataScope,
    plugins=st.none() | st.frozensets(st.sampled_from(("ipmi_pub", "ganglia_pub")), max_size=2),
    things=st.none() | st.frozensets(_THINGS, min_size=1, max_size=2),
    partitions=_NAMES,
    users=_NAMES,
)


@given(_SCOPES, _SCOPES)
def test_both_cover_what_they_have_in_common(one: DataScope, other: DataScope) -> None:
    both = one & other

    assert one.covers(both)
    assert other.covers(both)
    assert both == other & one


@given(_SCOPES)
def test_the_whole_takes_nothing_away(scope: DataScope) -> None:
    assert WHOLE & scope == scope
    assert WHOLE.covers(scope)
    assert scope.is_whole or not scope.covers(WHOLE)


@given(_SCOPES, _SCOPES)
def test_keys_are_the_same_for_the_same_scope_alone(one: DataScope, other: DataScope) -> None:
    assert (one.key == other.key) == (one == other)


def test_the_whole_has_no_key_and_no_words() -> None:
    assert (WHOLE.key, WHOLE.told) == ("", "")


@pytest.mark.parametrize("narrow", [DataScope(users=frozenset()), DataScope(plugins=frozenset())])
def test_nothing_at_all_is_not_everything(narrow: DataScope) -> None:
    assert not narrow.is_whole
    assert narrow.told.startswith("no ")


def test_is_told_in_words() -> None:
    racks = frozenset({Entity(EntityKind.RACK, str(n)) for n in (5, 6, 7, 9)})
    scope = DataScope(
        frozenset({"ipmi_pub"}),
        frozenset({racks | {Entity(EntityKind.CRAC, EVERY)}}),
        users=frozenset({"17"}),
    )

    assert scope.told == "the plugins ipmi; rack 5 to 7, 9, every crac; the jobs of user 17"


def test_sets_of_things_stay_apart() -> None:
    first, second = (
        DataScope(things=frozenset({frozenset({Entity(kind, "1")})}))
        for kind in (EntityKind.RACK, EntityKind.NODE)
    )

    keys = {scope.key for scope in (first, second, first & second)}

    assert len(keys) == 3
    assert all(a == b or not a.covers(b) for a, b in product((first, second), repeat=2))
