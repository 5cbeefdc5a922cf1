"""What is stored of a thread and of a request: the same bytes for years, and nothing else read."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent import Pending, Session, Turn
from agent.errors import RunStoreError
from agent.proposal import Proposal
from agent.run_store import RunState, Stage
from bot.errors import SessionStoreError
from bot.stored_forms import RUNS, SESSIONS
from retrieval.written_request import WrittenRequest

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
pairs = st.lists(st.tuples(texts, texts), max_size=3).map(tuple)
moments = st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=2))]))
proposals = st.builds(Proposal, st.builds(WrittenRequest, texts, texts), texts)
turns = st.builds(Turn, texts, moments, pairs, texts, st.none() | proposals)
sessions = st.builds(
    Session,
    st.lists(turns, max_size=3).map(tuple),
    st.none() | st.builds(Pending, turns, texts, pairs),
)


@given(sessions)
def test_a_session_comes_back_as_it_was(session: Session) -> None:
    assert SESSIONS.decode(SESSIONS.encode(session)) == session


def test_moments_keep_their_zone() -> None:
    session = Session((Turn("q", datetime(2022, 6, 1, tzinfo=timezone(timedelta(hours=2)))),))

    kept = SESSIONS.decode(SESSIONS.encode(session))

    assert kept.turns[0].asked_at.utcoffset() == timedelta(hours=2)


def test_the_form_of_a_session_is_the_one_that_is_in_stores() -> None:
    data = b'{"version":1,"session":{"turns":[{"question":"q","asked_at":"2022-06-01T00:00:00Z"}]}}'

    session = SESSIONS.decode(data)

    assert session == Session((Turn("q", datetime(2022, 6, 1, tzinfo=UTC)),))


def test_the_form_of_a_request_is_the_one_that_is_in_stores() -> None:
    data = RUNS.encode(RunState("a").at(Stage.EXECUTION, parts=["x"]))

    assert data == (
        b'{"version":1,"run":{"id":"a","stage":"query execution","status":"running",'
        b'"artefacts":{"parts":["x"]}}}'
    )


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x80\x04pickle",
        b'{"version": 2, "session": {"turns": []}}',
        b'{"session": {"turns": []}}',
        b'{"version": 1, "run": {"id": "a"}}',
        b'{"version": 1, "session": {"turns": [{"question": 7}]}}',
    ],
)
def test_a_session_that_it_did_not_write_is_refused(data: bytes) -> None:
    with pytest.raises(SessionStoreError, match="a stored session cannot be read"):
        SESSIONS.decode(data)


@pytest.mark.parametrize(
    "data",
    [b"", b"\x80\x04pickle", b"{}", b'{"version":1,"run":{"id":"a","stage":"another"}}'],
)
def test_a_request_that_it_did_not_write_is_refused(data: bytes) -> None:
    with pytest.raises(RunStoreError, match="the state of a request cannot be read"):
        RUNS.decode(data)


def test_a_later_form_is_told_by_its_number_whatever_it_holds() -> None:
    with pytest.raises(RunStoreError, match="it has form 2; this program reads form 1"):
        RUNS.decode(b'{"version":2,"run":"another"}')
