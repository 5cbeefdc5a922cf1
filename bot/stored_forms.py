"""The forms in which sessions, requests, turns, clicks and votes are stored."""

from agent import Session
from agent.errors import RunStoreError
from agent.run_store import RunState
from bot.buttons.voting import Vote
from bot.errors import SessionStoreError, TurnStoreError
from bot.messages import Click
from bot.turn_store import TurnRecord
from bot.versioned_json import VersionedJson

SESSIONS = VersionedJson(Session, "session", 1, what="a stored session", error=SessionStoreError)
RUNS = VersionedJson(RunState, "run", 1, what="the state of a request", error=RunStoreError)
TURNS = VersionedJson(TurnRecord, "turn", 1, what="a stored turn", error=TurnStoreError)
CLICKS = VersionedJson(Click, "click", 1, what="a stored click", error=TurnStoreError)
VOTES = VersionedJson(Vote, "vote", 1, what="a stored vote", error=TurnStoreError)
