"""The port to who is logged in on the page."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Login:
    """A person, and the hash of the token by which they came in."""

    person: str
    token: str


class Logins(Protocol):
    """Keeps log-ins for as long as they last; raises TurnStoreError."""

    def keep(self, secret: str, login: Login) -> None:
        """Know ``login`` by ``secret`` from now on."""
        ...

    def of(self, secret: str) -> Login | None:
        """The log-in that is known by ``secret``; None where it has ended."""
        ...

    def end(self, secret: str) -> None:
        """Know it no more."""
        ...
