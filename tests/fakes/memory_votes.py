"""Votes and open choices in memory, for one test."""

from bot.buttons.voting import Vote
from bot.messages import Thread
from bot.stored_forms import VOTES


class MemoryVotes:
    """Votes as bytes, so that nothing is kept here that another store would not take."""

    def __init__(self) -> None:
        self._votes: dict[tuple[str, str], bytes] = {}

    def of(self, trace_id: str, user: str) -> Vote | None:
        data = self._votes.get((trace_id, user))
        return None if data is None else VOTES.decode(data)

    def keep(self, vote: Vote) -> None:
        self._votes[(vote.trace_id, vote.user)] = VOTES.encode(vote)


class MemoryChoices:
    """OpenChoices as a dictionary."""

    def __init__(self) -> None:
        self._turns: dict[Thread, str] = {}

    def put(self, thread: Thread, turn: str) -> None:
        self._turns[thread] = turn

    def of(self, thread: Thread) -> str:
        return self._turns.get(thread, "")

    def forget(self, thread: Thread) -> None:
        self._turns.pop(thread, None)


class HeardVotes:
    """HearsVotes as a list."""

    def __init__(self) -> None:
        self.votes: list[Vote] = []

    def voted(self, vote: Vote) -> None:
        self.votes.append(vote)
