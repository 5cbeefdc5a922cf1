import csv
from importlib.resources import files


def rows(name: str) -> list[dict[str, str]]:
    text = files("retrieval").joinpath("data", name).read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))


def test_racks_hold_twenty_nodes_each_at_places_of_their_own() -> None:
    racks = rows("racks.csv")

    nodes = [n for r in racks for n in range(int(r["first_node"]), int(r["last_node"]) + 1)]

    assert [int(r["rack"]) for r in racks] == list(range(49))
    assert nodes == list(range(980))
    assert len({(r["x"], r["y"]) for r in racks}) == 49


def test_host_names_leave_out_the_racks_without_compute_nodes() -> None:
    prefixes = {int(r["rack"]): r["host_prefix"] for r in rows("host_names.csv")}

    assert [prefixes[rack] for rack in (0, 24, 25, 28, 29, 44, 45, 48)] == [
        *("r205", "r229", "r231", "r234", "r236", "r251", "r253", "r256"),
    ]


def test_every_check_says_what_it_watches() -> None:
    checks = rows("checks.csv")

    assert len({row["check"] for row in checks}) == len(checks)
    assert all(row["watches"] for row in checks)


def test_job_columns_are_the_published_ones() -> None:
    types = {row["name"]: row["dtype"] for row in rows("job_columns.csv")}

    assert len(types) == 89
    assert types["job_id"] == "uint32"
    assert types["end_time"] == "timestamp"
    assert types["nodes"] == "string"
