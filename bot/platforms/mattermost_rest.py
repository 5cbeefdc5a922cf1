"""Mattermost's REST API: one request at a time, never tried again here.

The driver leaves to us: a bound on time, answers that are no JSON by their header, what a limit
says, and a ``~/.netrc`` that would speak in place of the token.
"""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import requests
from mattermostdriver import Driver, exceptions

from bot.errors import PlatformError, PostRefused, RateLimited

# The driver logs each refusal as an error; it is raised to us, and may be none.
logging.getLogger("mattermostdriver").setLevel(logging.CRITICAL)

_SECONDS = 10.0
_LONGEST_MESSAGE = 300
_PORTS = {"https": 443, "http": 80}
_STATUS: Mapping[type[Exception], int] = {
    exceptions.InvalidOrMissingParameters: 400,
    exceptions.NotEnoughPermissions: 403,
    exceptions.ResourceNotFound: 404,
    exceptions.MethodNotAllowed: 405,
    exceptions.ContentTooLarge: 413,
    exceptions.FeatureDisabled: 501,
}


class MattermostRefused(PostRefused):
    """The server will never do what was asked of it."""

    def __init__(self, message: str, status: int) -> None:
        """``status``: of HTTP."""
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class _Bearer:
    """Proves who we are; as a header of ours it would give way to a ``~/.netrc``."""

    token: str

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self.token}"
        return request


class MattermostRest:
    """Asks as the bot account of one server; called from any thread.

    Each method takes the path behind ``/api/v4``, with its query, and gives the JSON of the answer.
    It raises RateLimited, MattermostRefused where it is of no use to ask again, and PlatformError
    where what was asked for may have been done or not.
    """

    def __init__(
        self, url: str, token: str, ca_file: Path | None = None, seconds: float = _SECONDS
    ) -> None:
        """``url``: of the server. ``seconds``: the longest that it may be silent."""
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        driver = Driver(
            {
                "scheme": parts.scheme,
                "url": host.removesuffix(f":{parts.port}"),
                "port": parts.port or _PORTS[parts.scheme],
                "basepath": f"{parts.path.rstrip('/')}/api/v4",
                "verify": str(ca_file) if ca_file else True,
                "request_timeout": seconds,
                "auth": lambda: _Bearer(token),
            }
        )
        self._client = driver.client

    def get(self, path: str) -> Any:
        """What the server has there."""
        return self._asked("get", path)

    def post(self, path: str, body: object) -> Any:
        """Have it make something of ``body``."""
        return self._asked("post", path, options=body)

    def put(self, path: str, body: object) -> Any:
        """Have it change something to ``body``."""
        return self._asked("put", path, options=body)

    def delete(self, path: str) -> Any:
        """Have it take away what is there."""
        return self._asked("delete", path)

    def upload(self, channel: str, name: str, data: bytes) -> str:
        """The id of a file that a post in ``channel`` may then have."""
        told = self._asked(
            "post", "/files", data={"channel_id": channel}, files={"files": (name, data)}
        )
        try:
            return str(told["file_infos"][0]["id"])
        except (LookupError, TypeError) as error:
            raise PlatformError("Mattermost did not say which file it keeps") from error

    def _asked(self, method: str, path: str, **sent: object) -> Any:
        with translated():
            response: requests.Response = self._client.make_request(method, path, **sent)
            return response.json()


@contextmanager
def translated() -> Iterator[None]:
    """Raise as :class:`MattermostRest` does for whatever the driver raises."""
    try:
        yield
    except tuple(_STATUS) as error:
        status = _STATUS[type(error)]
        raise MattermostRefused(
            f"Mattermost refused it: {status} {_said(error)}", status
        ) from error
    except exceptions.NoAccessTokenProvided as error:
        # For an operator to mend: the message itself may be taken yet.
        raise PlatformError(f"Mattermost does not take the bot's token: {_said(error)}") from error
    except requests.HTTPError as error:
        raise _of_status(error) from error
    except (requests.RequestException, ValueError, OSError) as error:
        words = f"{type(error).__name__}: {_said(error)}"
        raise PlatformError(f"Mattermost does not answer: {words}") from error


def _of_status(error: requests.HTTPError) -> PlatformError:
    assert error.response is not None
    status = error.response.status_code
    if status == 429:
        return RateLimited("Mattermost wants to be asked later", _seconds(error.response))
    if status >= 500 or status == 408:
        return PlatformError(f"Mattermost failed: {status}")
    return MattermostRefused(f"Mattermost refused it: {status}", status)


def _seconds(response: requests.Response) -> float:
    for name in ("Retry-After", "X-Ratelimit-Reset"):
        try:
            return max(float(response.headers[name]), 0.1)
        except (KeyError, ValueError):
            continue
    return 1.0


def _said(error: Exception) -> str:
    return str(error)[:_LONGEST_MESSAGE]
