from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent import Pending, Session, Turn
from bot.errors import SessionStoreError
from bot.session_codec import decode, encode

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
pairs = st.lists(st.tuples(texts, texts), max_size=3).map(tuple)
moments = st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=2))]))
turns = st.builds(Turn, texts, moments, pairs, texts)
sessions = st.builds(
    Session,
    st.lists(turns, max_size=3).map(tuple),
    st.none() | st.builds(Pending, turns, texts, pairs),
)


@given(sessions)
def test_a_session_comes_back_as_it_was(session: Session) -> None:
    assert decode(encode(session)) == session


def test_moments_keep_their_zone() -> None:
    session = Session((Turn("q", datetime(2022, 6, 1, tzinfo=timezone(timedelta(hours=2)))),))

    assert decode(encode(session)).turns[0].asked_at.utcoffset() == timedelta(hours=2)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x80\x04pickle",
        b'{"version": 2, "session": {"turns": []}}',
        b'{"session": {"turns": []}}',
        b'{"version": 1, "session": {"turns": [{"question": 7}]}}',
    ],
)
def test_refuses_what_it_did_not_write(data: bytes) -> None:
    with pytest.raises(SessionStoreError):
        decode(data)
