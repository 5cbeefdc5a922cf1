import pytest
from pydantic import SecretStr, ValidationError

from retrieval.settings import GraphStoreSettings


def settings(**values: object) -> GraphStoreSettings:
    return GraphStoreSettings.model_validate(values)


def test_needs_nothing_by_default() -> None:
    assert settings().kind == "embedded"


def test_takes_the_slash_off_an_address() -> None:
    assert settings(kind="graphdb", url="http://db:7200/").url == "http://db:7200"


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"kind": "graphdb"}, "needs URL"),
        ({"kind": "sparql", "query_url": "http://db/q"}, "needs UPDATE_URL, GRAPHS_URL"),
        ({"kind": "graphdb", "url": "db:7200"}, "is no address"),
        ({"kind": "graphdb", "url": "http://"}, "is no address"),
        ({"kind": "graphdb", "url": "http://db:port"}, "is no address"),
        ({"kind": "graphdb", "url": "ftp://db"}, "is no address"),
        ({"kind": "graphdb", "url": "http://db/?q=1"}, "neither"),
        ({"kind": "graphdb", "url": "http://db", "repository": "a/b"}, "pattern"),
        ({"kind": "graphdb", "url": "http://db", "repository": ""}, "pattern"),
        ({"password": "hunter2"}, "needs USER"),
        ({"authentication": "token"}, "only a store of kind graphdb"),
        ({"kind": "graphdb", "url": "http://db", "authentication": "token"}, "needs USER and PASS"),
        ({"query_seconds": 0}, "greater than 0"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_refuses_what_cannot_work(values: dict[str, object], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        settings(**values)


def test_a_password_in_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(ValidationError, match="settings of their own") as raised:
        settings(kind="graphdb", url="http://ada:hunter2@db:7200")

    assert "hunter2" not in str(raised.value)


def test_a_password_is_not_shown() -> None:
    made = settings(
        kind="graphdb", url="http://db", user="ada", password=SecretStr("hunter2"), repository="r-1"
    )

    assert "hunter2" not in f"{made!r} {made} {made.model_dump_json()}"
