"""Is this message meant for us? Every reason to stay silent, in one place."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from bot.messages import IncomingMessage, Thread


class Follow(StrEnum):
    """What is answered in a channel besides slash commands."""

    OFF = "off"
    """Nothing."""
    MENTION = "mention"
    """What mentions us."""
    THREAD = "thread"
    """That, and what is written in threads where we were asked or have posted."""
    ALL = "all"
    """Whatever people write."""


@dataclass(frozen=True, slots=True)
class Addressing:
    """Whom a message is meant for, by the ways of its channel."""

    follow: Callable[[Thread], Follow]
    engaged: Callable[[Thread], bool]
    """Whether we take part in a thread; may raise TurnStoreError."""

    def is_for_us(self, message: IncomingMessage) -> bool:
        """Whether to answer ``message``; raises TurnStoreError where that cannot be known."""
        if message.direct:
            return True
        follow = self.follow(message.thread)
        if follow is Follow.OFF:
            return False
        if message.addressed:
            return True
        if message.to_others or not message.text:
            return False
        return follow is Follow.ALL or (follow is Follow.THREAD and self.engaged(message.thread))
