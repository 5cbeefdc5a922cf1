from pathlib import Path

import pytest

from retrieval.errors import CatalogError
from retrieval.request import Entity, EntityKind
from retrieval.site import Site

SITE = Site.load()


@pytest.mark.parametrize(
    ("kind", "name", "exists"),
    [
        (EntityKind.NODE, "0", True),
        (EntityKind.NODE, "979", True),
        (EntityKind.NODE, "980", False),
        (EntityKind.NODE, "007", False),
        (EntityKind.RACK, "48", True),
        (EntityKind.RACK, "49", False),
        (EntityKind.CRAC, "cdz6", True),
        (EntityKind.CRAC, "cdz7", False),
        (EntityKind.PANEL, "Q102", True),
        (EntityKind.PUMP, "P104", True),
        (EntityKind.SYSTEM, "M100", True),
        (EntityKind.JOB, "3423336", True),
        (EntityKind.JOB, "last", False),
    ],
)
def test_tells_what_exists_from_what_does_not(kind: EntityKind, name: str, exists: bool) -> None:
    assert SITE.exists(Entity(kind, name)) is exists


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (EntityKind.NODE, "nodes are 0 to 979"),
        (EntityKind.RACK, "racks are 0 to 48"),
        (EntityKind.PANEL, "cooling panels are Q101, Q102"),
        (EntityKind.METER, "no power meters are known"),
    ],
)
def test_names_what_there_is_for_a_refusal(kind: EntityKind, said: str) -> None:
    assert SITE.listing(kind) == said


def test_cuts_a_long_listing() -> None:
    meters = tuple(f"panel/m{number}" for number in range(40))
    site = SITE.found({"Tot": meters}, (), {})

    assert site.listing(EntityKind.METER).endswith("and others")


@pytest.mark.parametrize(
    ("host", "node"),
    [("r206n17", "36"), ("R205N01", "0"), ("r256n20", "979"), ("r206n21", None), ("r999n01", None)],
)
def test_finds_the_node_of_a_host_name(host: str, node: str | None) -> None:
    assert SITE.node_of_host(host) == node


def test_gives_back_the_host_name_of_each_node() -> None:
    hosts = {node: SITE.host_of_node(node) for node in SITE.nodes_by_id}

    assert all(host and SITE.node_of_host(host) == node for node, host in hosts.items())


def test_puts_each_node_into_its_rack() -> None:
    assert [SITE.rack_of(node) for node in ("900", "920", "301", "318", "980")] == [
        *("45", "46", "15", "15"),
        None,
    ]


def test_keeps_compute_and_login_nodes_out_of_the_service_hosts() -> None:
    site = SITE.found({}, ("1", "10", "2"), {"nagios_pub": ("5", "981", "1101", "1100")})

    assert (site.service_hosts, site.partitions) == (("1100", "1101"), ("1", "2", "10"))


def test_refuses_a_site_file_that_lacks_a_part(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('data_center = "X"\n')

    with pytest.raises(CatalogError, match=r"mine\.toml"):
        Site.load(tmp_path / "mine.toml")
