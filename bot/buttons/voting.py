"""Whether an answer helped: one vote a person, which they may change."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from agent import Choice
from bot.buttons.places import place_of
from bot.buttons.speaking import Speaks
from bot.messages import Act, Click
from bot.turn_store import TurnRecord

REASONS = (
    Choice("number", "A number is wrong"),
    Choice("misread", "It answers another question"),
    Choice("scope", "Wrong time, machine or metric"),
    Choice("refused", "It should have been answered"),
    Choice("unclear", "Hard to read or to understand"),
    Choice("slow", "It took too long"),
    Choice("other", "Something else"),
)
WHY = "Thank you. What was not helpful?"
THANKS = "Thank you, noted: {vote}."
NOTED = "That is noted already: {vote}."


@dataclass(frozen=True, slots=True)
class Vote:
    """What one person thinks of one answer."""

    trace_id: str
    platform: str
    channel: str
    user: str
    helpful: bool
    reason: str
    """The id of the reason why it did not help; empty where none was given."""
    at: datetime


class Votes(Protocol):
    """Keeps the last vote of each person on each answer; raises TurnStoreError."""

    def of(self, trace_id: str, user: str) -> Vote | None:
        """What ``user`` voted; None where they did not."""
        ...

    def keep(self, vote: Vote) -> None:
        """Keep ``vote`` in place of what its user voted before."""
        ...


class HearsVotes(Protocol):
    """Writes votes down for those who run the service; never raises."""

    def voted(self, vote: Vote) -> None:
        """``vote`` counts in place of any that its user gave before; may come twice."""
        ...


@dataclass(frozen=True, slots=True)
class Voting:
    """Takes votes, and asks for the reason of a bad one."""

    votes: Votes
    heard: tuple[HearsVotes, ...]
    speaks: Speaks

    def vote(self, click: Click, record: TurnRecord) -> None:
        """Count ``click``; one without help is counted at once, its reason once it is chosen."""
        thread = place_of(click, record)
        reason = click.value if any(click.value == each.id for each in REASONS) else ""
        vote = Vote(
            click.turn,
            thread.platform,
            thread.channel,
            click.author,
            click.act is Act.HELPFUL,
            reason,
            click.at,
        )
        before = self.votes.of(click.turn, click.author)
        if not vote.helpful and not reason:
            if before is None or before.helpful:
                self._count(vote)
            self.speaks.ask_why(thread, click.author, WHY, REASONS, click.turn)
        elif before is not None and (before.helpful, before.reason) == (vote.helpful, reason):
            self.speaks.whisper(thread, click.author, NOTED.format(vote=_said(vote)))
        else:
            self._count(vote)
            self.speaks.whisper(thread, click.author, THANKS.format(vote=_said(vote)))

    def _count(self, vote: Vote) -> None:
        # Written down before it is kept: after a failure between the two it is written again.
        for each in self.heard:
            each.voted(vote)
        self.votes.keep(vote)


def _said(vote: Vote) -> str:
    if vote.helpful:
        return "helpful"
    label = next((each.label for each in REASONS if each.id == vote.reason), "")
    return f"not helpful ({label.lower()})" if label else "not helpful"
