"""The forms in which sessions and requests are stored."""

from agent import Session
from agent.errors import RunStoreError
from agent.run_store import RunState
from bot.errors import SessionStoreError
from bot.versioned_json import VersionedJson

SESSIONS = VersionedJson(Session, "session", 1, what="a stored session", error=SessionStoreError)
RUNS = VersionedJson(RunState, "run", 1, what="the state of a request", error=RunStoreError)
