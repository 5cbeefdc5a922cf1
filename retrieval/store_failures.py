"""What an answer of a remote graph store means: the error that it stands for, in words."""

import re
from dataclasses import dataclass

from retrieval.errors import (
    AccessDenied,
    GraphStoreError,
    GraphStoreUnavailable,
    QueryTimedOut,
    RequestRefused,
)

COME_AGAIN = frozenset({429, 502, 503, 504})
"""Statuses that say nothing about the request, only that now is not the time."""
_FULL = re.compile(
    r"no space left|disk (space|is full|full)|not enough .{0,20}space|insufficient storage|quota",
    re.IGNORECASE,
)
_LATE = re.compile(
    r"took too long|time[d-]?[ -]?out|exceeded .{0,40}time|query ?interrupted", re.IGNORECASE
)
_SHOWN = 200
UNAUTHORIZED, NOT_FOUND = 401, 404
_BAD_REQUEST, _FORBIDDEN, _STORAGE = 400, 403, 507


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for one request."""

    status: int
    content_type: str
    body: bytes
    location: str = ""
    """Where a redirection leads."""

    @property
    def is_web_page(self) -> bool:
        """Whether it was made for a browser."""
        return "html" in self.content_type or self.body[:200].lstrip().lower().startswith(
            (b"<!doctype html", b"<html")
        )

    @property
    def excerpt(self) -> str:
        """Its first words, on one line."""
        return " ".join(self.body[: 4 * _SHOWN].decode("utf-8", "replace").split())[:_SHOWN]


def failure_in(answer: Answer, address: str) -> GraphStoreError | None:
    """The error that ``answer`` of the store at ``address`` stands for; None where it is none."""
    status, text = answer.status, answer.excerpt
    told = f" ({text})" if text and not answer.is_web_page else ""
    at = f"the graph store at {address}"
    if status < 300:
        if answer.is_web_page:
            return GraphStoreError(
                f"{at} answered with a web page: the address must lead to the store itself,"
                " past any login page or proxy"
            )
        return None
    if status < 400:
        return GraphStoreError(f"{at} redirects to {_bare(answer.location)}: name that address")
    if status in (UNAUTHORIZED, _FORBIDDEN):
        return AccessDenied(
            f"{at} does not let us in (status {status}): look at the user, the password and what"
            " the user may do there"
        )
    if status == _STORAGE or (status >= 500 and _FULL.search(text)):
        return GraphStoreError(f"{at} is full: free space on its disk{told}")
    if status >= 500 and _LATE.search(text):
        return QueryTimedOut(f"{at} gave up on a query{told}")
    if status in COME_AGAIN:
        return GraphStoreUnavailable(f"{at} is down or too busy (status {status}){told}")
    if status == NOT_FOUND:
        return GraphStoreError(
            f"{at} has no such place (status 404){told}: look at the address, and whether the"
            " repository was made there"
        )
    refusal = RequestRefused if status == _BAD_REQUEST else GraphStoreError
    return refusal(f"{at} refused (status {status}){told}")


def _bare(location: str) -> str:
    """``location`` without what may be a secret in it."""
    return re.sub(r"//[^/@]*@", "//", location.partition("?")[0]) or "nowhere"
