"""The rights to digests, as the one function that decides every entry gives them."""

from dataclasses import dataclass

from bot.access import PRIVATE, Entry, Granted, Refused, Right
from bot.guard import Guard
from bot.messages import IncomingMessage, Thread


@dataclass(frozen=True, slots=True)
class GuardedRights:
    """Asks the guard, anew each time: a role that was taken away counts at the next run."""

    guard: Guard

    def refusal(self, message: IncomingMessage) -> str:
        """Why the author of ``message`` may do nothing about digests there; empty if they may."""
        decision = self.guard.commands(message, Right.DIGESTS)
        return decision.text if isinstance(decision, Refused) else ""

    def may_have_digests(self, person: str, place: Thread, *, direct: bool) -> bool:
        """Whether ``person`` may have digests posted to ``place``; ``direct``: to them alone."""
        private = direct or place.platform in PRIVATE
        entry = Entry.at(place, person, Right.DIGESTS, private=private)
        return isinstance(self.guard.access.decide(entry), Granted)

    def is_admin(self, message: IncomingMessage) -> bool:
        """Whether the author of ``message`` may change what belongs to others there."""
        return self.guard.is_admin(message)
