"""Places of a platform whose channels cannot be looked up: digests are posted where they began."""

from bot.messages import IncomingMessage, Thread


class NoPlaces:
    """Knows no channel by name."""

    def find(self, said: str, near: IncomingMessage) -> Thread | str:
        """That there is no such channel."""
        return f"I cannot find {said} from here. Leave it out, and it is posted here."

    def together(self, one: Thread, other: Thread) -> bool:
        """Whether both are of one platform."""
        return one.platform == other.platform
