"""A real server for whichever store is held to its port."""

from collections.abc import Iterator

import pytest

from bot.embedded_redis import EmbeddedRedis


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = EmbeddedRedis(tmp_path_factory.mktemp("store"))
    yield server.open()
    server.close()
