"""Who speaks to the page: whoever is at this machine, or a person who logged in by a token."""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from secrets import token_urlsafe

from bot.access import PAGE_PERSON
from bot.page_logins import Login, Logins


@dataclass(frozen=True, slots=True)
class PageLogin:
    """Lets persons in by the tokens that they were given; without any, everybody is local."""

    tokens: Mapping[str, str]
    """By person."""
    logins: Logins

    @property
    def wanted(self) -> bool:
        """Whether one has to log in."""
        return bool(self.tokens)

    def begin(self, token: str) -> tuple[str, str] | None:
        """The person of ``token`` and the secret of their log-in; None for an unknown token."""
        found = ""
        given = _hashed(token)
        # All are compared, whichever fits: how long it takes tells nothing of any.
        for person, known in self.tokens.items():
            if hmac.compare_digest(_hashed(known), given):
                found = person
        if not found:
            return None
        secret = token_urlsafe(32)
        self.logins.keep(secret, Login(found, given))
        return found, secret

    def person(self, secret: str) -> str | None:
        """Who speaks; None where nobody is logged in by ``secret``, or their token was changed."""
        if not self.wanted:
            return PAGE_PERSON
        login = self.logins.of(secret) if secret else None
        if login is None or login.person not in self.tokens:
            return None
        known = hmac.compare_digest(_hashed(self.tokens[login.person]), login.token)
        return login.person if known else None

    def end(self, secret: str) -> None:
        """Log out."""
        if secret:
            self.logins.end(secret)


def _hashed(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()
