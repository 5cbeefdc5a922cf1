"""The things that a question names, held against the site."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.entity_rules import NamedEntities, entities_in
from retrieval.question_text import QuestionText
from retrieval.request import Entity, EntityKind
from retrieval.site import Site

SITE = Site.load().found({}, ("0", "1", "2", "3"), {})


def _entities(text: str) -> NamedEntities:
    return entities_in(QuestionText(text), SITE)


def _said(entities: tuple[Entity, ...]) -> str:
    return ", ".join(f"{entity.kind.value} {entity.name}" for entity in entities)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("power of node 900", "node 900"),
        ("power of Node 900?", "node 900"),
        ("power of node #900", "node 900"),
        ("power of node-17", "node 17"),
        ("power of node_17", "node 17"),
        ("power of node17", "node 17"),
        ("power of node id 17", "node 17"),
        ("power of node 007", "node 7"),
        ("power of compute node 5", "node 5"),
        ("power of host 5 and server 6", "node 5, node 6"),
        ("nodes 900 and 920", "node 900, node 920"),
        ("nodes 900, 901 & 902", "node 900, node 901, node 902"),
        ("nodes 900, 901, and 902", "node 900, node 901, node 902"),
        ("nodes 900/901", "node 900, node 901"),
        ("node 335 against node 355", "node 335, node 355"),
        ("node 335 vs. 355", "node 335, node 355"),
        ("node 335 versus node 355", "node 335, node 355"),
        ("nodes 10-12", "node 10, node 11, node 12"),
        ("nodes 10 to 12", "node 10, node 11, node 12"),
        ("nodes 10 through 12 and 20", "node 10, node 11, node 12, node 20"),
        ("node 5 and node 5", "node 5"),
        ("r206n17", "node 36"),
        ("compute node R206N17", "node 36"),
        ("rack 45", "rack 45"),
        ("racks 28, 29 and 30", "rack 28, rack 29, rack 30"),
        ("rack 1 nodes 20 and 21", "node 20, node 21, rack 1"),
        ("cdz1", "crac cdz1"),
        ("CRAC cdz-1", "crac cdz1"),
        ("CRAC 3", "crac cdz3"),
        ("crac units 1 and 2", "crac cdz1, crac cdz2"),
        ("panel Q101", "panel Q101"),
        ("the RDHx panel q 102", "panel Q102"),
        ("job 3423336", "job 3423336"),
        ("jobs 3423336, 4835969 and 3776044", "job 3423336, job 4835969, job 3776044"),
        ("job id 7", "job 7"),
        ("user 17", "user 17"),
        ("users 17 and 18", "user 17, user 18"),
        ("user_id = 17", "user 17"),
        ("partition 1", "partition 1"),
        ("slurm partitions 0 and 2", "partition 0, partition 2"),
        ("room F", "room F"),
        ("node 900 of rack 45 in room F", "node 900, rack 45, room F"),
    ],
)
def test_finds_what_is_named(text: str, found: str) -> None:
    entities = _entities(text)

    assert (_said(entities.found), entities.unknown) == (found, ())


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("node 980", "node 980"),
        ("node 2000", "node 2000"),
        ("nodes 978 to 981", "node 980, node 981"),
        ("rack 49", "rack 49"),
        ("cdz7", "crac cdz7"),
        ("CRAC 0", "crac cdz0"),
        ("panel Q103", "panel Q103"),
        ("partition 9", "partition 9"),
        ("room Z", "room Z"),
        ("r999n01", "node r999n01"),
        ("r206n99", "node r206n99"),
    ],
)
def test_tells_what_nothing_is_called(text: str, unknown: str) -> None:
    assert _said(_entities(text).unknown) == unknown


@pytest.mark.parametrize(
    "text",
    [
        "3 nodes",
        "top 5 nodes by power",
        "nodes above 28 °C",
        "nodes 28 °C and hotter",
        "jobs 12 hours long",
        "nodes 1 June 2022",
        "jobs 08:00 to 09:00",
        "which node is hottest",
        "the room is hot",
        "a room",
        "nodeless",
        "racket 5",
        "",
    ],
)
def test_takes_no_number_for_a_name(text: str) -> None:
    entities = _entities(text)

    assert (entities.found, entities.unknown) == ((), ())


def test_a_date_behind_a_name_is_no_part_of_it() -> None:
    entities = _entities("power of nodes 900 and 920, 1 June 2022")

    assert _said(entities.found) == "node 900, node 920"


def test_a_range_backwards_names_its_ends() -> None:
    assert _said(_entities("nodes 12-10").found) == "node 12, node 10"


def test_a_range_without_end_is_not_written_out() -> None:
    entities = _entities("nodes 1 to 99999999")

    assert len(entities.found) + len(entities.unknown) == 2


def test_claims_the_words_of_a_name() -> None:
    text = QuestionText("the power of nodes 900 and 920 today")

    entities_in(text, SITE)

    assert text.leftovers(frozenset()) == ("the", "power", "of", "today")


def test_gives_the_names_of_one_kind_in_order() -> None:
    entities = _entities("rack 3, node 7, rack 1 and node 5")

    assert entities.of(EntityKind.RACK) == ("3", "1")
    assert entities.of(EntityKind.NODE) == ("7", "5")


@given(st.text(alphabet="node rack cdz q0123456789-,.&/#:", max_size=60))
def test_finds_only_what_exists(text: str) -> None:
    entities = _entities(text)

    assert all(SITE.exists(entity) for entity in entities.found)
    assert not any(SITE.exists(entity) for entity in entities.unknown)
