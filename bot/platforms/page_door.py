"""The page's door: logging in by a token, logging out, and who it is that asks."""

from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.access import PAGE, Entry, Granted, Refused, Right
from bot.guard import Guard
from bot.messages import Thread
from bot.platforms.page_login import PageLogin
from bot.platforms.page_request import field_of

COOKIE = "odabot_login"
_UNKNOWN = "That token is not known here."
_NOBODY = "Please log in."


@dataclass(frozen=True, slots=True)
class PageDoor:
    """Knows a browser by its cookie; every request is decided anew."""

    login: PageLogin
    guard: Guard
    seconds: int
    """How long a log-in lasts."""
    secure: bool
    """Whether browsers reach the page by https alone."""

    def routes(self) -> list[Route]:
        """Who is logged in, and how that changes."""
        return [
            Route("/api/session", self.session),
            Route("/api/login", self.begin, methods=["POST"]),
            Route("/api/logout", self.end, methods=["POST"]),
        ]

    def session(self, request: Request) -> Response:
        """Whether one has to log in, who has, and what they may."""
        person = self.login.person(_secret(request))
        rights = [right.value for right in Right if person and self.may(person, right)]
        shown = person if self.login.wanted else None
        return JSONResponse({"login": self.login.wanted, "person": shown, "rights": rights})

    async def begin(self, request: Request) -> Response:
        """Log in; 401 where the token is unknown."""
        token = await field_of(request, "token")
        begun = await run_in_threadpool(self.login.begin, token.strip())
        if begun is None:
            raise HTTPException(401, _UNKNOWN)
        person, secret = begun
        response = JSONResponse({"person": person})
        response.set_cookie(
            COOKIE,
            secret,
            max_age=self.seconds,
            httponly=True,
            samesite="strict",
            secure=self.secure,
        )
        return response

    async def end(self, request: Request) -> Response:
        """Log out."""
        await run_in_threadpool(self.login.end, _secret(request))
        response = JSONResponse({})
        response.delete_cookie(COOKIE, httponly=True, samesite="strict", secure=self.secure)
        return response

    def person(self, request: Request) -> str:
        """Whoever asks; 401 where nobody is logged in, 403 where they may not ask at all.

        To look is not written down, as a page that is open looks every few seconds.
        """
        person = self.login.person(_secret(request))
        if person is None:
            raise HTTPException(401, _NOBODY)
        decision = self.guard.access.decide(_own(person, Right.ASK))
        if isinstance(decision, Refused):
            if request.method == "POST":
                self.guard.opens(Thread(PAGE, person, ""), person)
            raise HTTPException(403, decision.text)
        return person

    def may(self, person: str, right: Right) -> bool:
        """Whether a person has a right in their own threads; that is not written down."""
        return isinstance(self.guard.access.decide(_own(person, right)), Granted)


def _secret(request: Request) -> str:
    return request.cookies.get(COOKIE, "")


def _own(person: str, right: Right) -> Entry:
    return Entry.at(Thread(PAGE, person, ""), person, right, private=True)
