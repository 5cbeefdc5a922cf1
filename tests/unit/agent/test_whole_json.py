import json
import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agent.session import Turn
from agent.whole_json import NotPlain, from_plain, to_plain
from ontology.conformance import CheckedQuery, Rejection, check_query
from ontology.schema_loader import load_schema
from retrieval.request import Entity, EntityKind, TimeWindow

SCHEMA = load_schema()
NOW = datetime(2022, 6, 15, 10, tzinfo=UTC)


def check(text: str) -> CheckedQuery | Rejection:
    return check_query(text, SCHEMA)


def there_and_back(value: object) -> object:
    return from_plain(json.loads(json.dumps(to_plain(value))), check)


@pytest.mark.parametrize(
    "value",
    [
        (1, 1.0, True, None, "1", ("a", ())),
        ("2022-06-15T10:00:00+00:00", NOW, timedelta(seconds=1.5)),
        TimeWindow(NOW, NOW + timedelta(hours=1), includes_end=True),
        (Entity(EntityKind.NODE, "900"), EntityKind.RACK, "rack"),
        Turn("power?", NOW, (("metric:power", "total_power"),), "812 W"),
        {"a": (1,), 2: frozenset({"x", "y"}), "l": [1, 2]},
        (math.inf, -math.inf, 0.1 + 0.2),
    ],
)
def test_a_value_comes_back_equal_and_of_the_same_type(value: object) -> None:
    back = there_and_back(value)

    assert back == value
    assert repr(back) == repr(value)


def test_what_is_no_number_comes_back_as_such() -> None:
    back = there_and_back(math.nan)

    assert isinstance(back, float)
    assert math.isnan(back)


def test_a_file_comes_back_where_it_is_still_there(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("a")
    plain = to_plain(tmp_path / "table.csv")

    assert from_plain(plain, check) == tmp_path / "table.csv"
    (tmp_path / "table.csv").unlink()
    with pytest.raises(NotPlain, match="gone"):
        from_plain(plain, check)


@pytest.mark.parametrize(
    "plain",
    [
        {"@": "os:system", "is": "true"},
        {"@": "pathlib:Path", "is": {}},
        {"@": "agent.session:Nothing", "is": {}},
        {"@": "agent.session:Turn", "is": {"question": "q", "unknown": 1}},
        {"@": "agent.whole_json:from_plain", "is": {}},
        {"@": "ontology.conformance:CheckedQuery", "is": {"text": "SELECT"}},
        {"@": "query", "is": "SELECT ?s WHERE { ?s <urn:secret> ?o }"},
        {"@": "datetime", "is": "tomorrow"},
        {"is": 1},
        {"@": "retrieval.request:EntityKind", "is": "PLANET"},
    ],
)
def test_what_it_did_not_write_makes_nothing(plain: object) -> None:
    with pytest.raises(NotPlain):
        from_plain(plain, check)


@dataclass(frozen=True)
class Foreign:
    name: str


@pytest.mark.parametrize("value", [Foreign("x"), object(), b"bytes", Turn])
def test_a_type_that_is_not_ours_is_not_written(value: object) -> None:
    with pytest.raises(NotPlain):
        to_plain(value)


def test_a_set_is_the_same_in_every_process() -> None:
    names = frozenset(str(number) for number in range(50))

    assert to_plain(names) == {"@": "frozenset", "is": sorted(names)}
