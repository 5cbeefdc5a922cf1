"""What goes wrong between us and Slack, as errors of our own."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException

from slack_sdk.errors import SlackApiError, SlackClientError

from bot.errors import PlatformError, PostRefused, RateLimited

_LIMITED = {"ratelimited", "rate_limited", "message_limit_exceeded"}
# Slack's own trouble, or a token that an operator has to mend: the message itself may be taken yet.
_PASSING = set(
    "internal_error fatal_error service_unavailable request_timeout team_added_to_org accesslimited"
    " not_authed invalid_auth account_inactive token_revoked token_expired".split()
)
_CODE = re.compile(r"[a-z0-9_]+")


@contextmanager
def translated() -> Iterator[None]:
    """Raise RateLimited, PostRefused or PlatformError for whatever the client raises."""
    try:
        yield
    except SlackApiError as error:
        raise _of_response(error) from error
    except (SlackClientError, OSError, HTTPException, ValueError) as error:
        raise PlatformError(f"Slack does not answer: {type(error).__name__}: {error}") from error


def code_of(error: SlackApiError) -> str:
    """Slack's name for what went wrong; empty where it gave none."""
    code = str(error.response.get("error", ""))
    return code if _CODE.fullmatch(code) else ""


def _of_response(error: SlackApiError) -> PlatformError:
    code, status = code_of(error), int(error.response.status_code)
    if status == 429 or code in _LIMITED:
        return RateLimited("Slack wants to be asked later", _seconds(error))
    if status >= 500 or not code or code in _PASSING:
        return PlatformError(f"Slack failed: {code or status}")
    return PostRefused(f"Slack refused it: {code}")


def _seconds(error: SlackApiError) -> float:
    given = error.response.headers.get("Retry-After") or error.response.headers.get("retry-after")
    try:
        return max(float(given), 0.1)
    except (TypeError, ValueError):
        return 1.0
