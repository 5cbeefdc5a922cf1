"""The stored form of a request's state."""

import pytest

from agent.errors import RunStoreError
from agent.run_store import RunState, Stage
from bot.run_codec import decode, encode


def test_the_form_of_a_state_is_versioned() -> None:
    data = encode(RunState("a").at(Stage.EXECUTION, parts=["x"]))

    assert data == (
        b'{"version":1,"run":{"id":"a","stage":"query execution","status":"running",'
        b'"artefacts":{"parts":["x"]}}}'
    )


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x80\x04pickle",
        b"{}",
        b'{"version":2,"run":{"id":"a"}}',
        b'{"version":1,"run":{"id":"a","stage":"another"}}',
    ],
)
def test_a_form_that_is_not_known_is_an_error(data: bytes) -> None:
    with pytest.raises(RunStoreError):
        decode(data)
