"""The port to whoever counts what the service does; each process counts for itself."""

from typing import Protocol

from agent.answer import Usage
from bot.messages import Act, Status, Way


class Counters(Protocol):
    """Counts; never raises, and may be called from any thread."""

    def received(self, way: Way) -> None:
        """A question or a command was taken in."""
        ...

    def duplicate(self) -> None:
        """A message, click or command came once more and was dropped."""
        ...

    def clicked(self, act: Act) -> None:
        """A button was pressed."""
        ...

    def ended(self, status: Status, seconds: float, usage: Usage) -> None:
        """A turn ended so, after so long, and cost so much of the model."""
        ...

    def limited(self, platform: str) -> None:
        """A platform wanted to be asked again later."""
        ...

    def digest(self, outcome: str) -> None:
        """A digest was put; ``outcome`` is "silent", or how its reply ended ("completed")."""
        ...


class Uncounted:
    """Counters of a process that nobody asks: the console's, say."""

    def received(self, way: Way) -> None:
        """Nothing."""

    def duplicate(self) -> None:
        """Nothing."""

    def clicked(self, act: Act) -> None:
        """Nothing."""

    def ended(self, status: Status, seconds: float, usage: Usage) -> None:
        """Nothing."""

    def limited(self, platform: str) -> None:
        """Nothing."""

    def digest(self, outcome: str) -> None:
        """Nothing."""
