"""An endpoint that speaks OpenAI's protocol: asked patiently, read strictly, its failures told."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

import openai
from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception,
    stop_after_attempt,
    wait_random_exponential,
)

from agent.bounded_http import WithoutEnd, bounded_client
from agent.errors import ModelRefused, ModelUnavailable
from agent.model_replies import Completion, Listed, completion_in, models_in
from agent.settings import AgentSettings

_LONGEST_WAIT = 20.0
"""Seconds between two attempts; who asks for more is not asked again."""
_NO_KEY = "none"
"""The library wants a key, most endpoints of one's own do not."""
_GROWING = wait_random_exponential(multiplier=0.5, max=_LONGEST_WAIT)
_HIDDEN = "***"


class OpenAiEndpoint:
    """Gives whole replies; what may succeed in a moment is asked for again."""

    def __init__(self, settings: AgentSettings) -> None:
        """Nothing is sent before the first call; ``settings`` must name an address."""
        key = settings.model_key
        self._key = key.get_secret_value() if key is not None else ""
        self._seconds = settings.model_seconds
        self._attempts = settings.model_attempts
        self._where = urlsplit(settings.model_url or "").netloc.rpartition("@")[2]
        self._client = openai.OpenAI(
            base_url=settings.model_url,
            api_key=self._key or _NO_KEY,
            timeout=settings.model_seconds,
            max_retries=0,
            http_client=bounded_client(settings.model_seconds),
        )

    def models(self) -> tuple[Listed, ...]:
        """What it lists; raises ModelUnavailable or ModelRefused."""
        return models_in(self._tried(lambda: self._client.models.with_raw_response.list().content))

    def complete(
        self, model: str, turns: Sequence[Any], longest: int, extra: Mapping[str, Any]
    ) -> Completion:
        """The reply to ``turns``; raises ModelUnavailable or ModelRefused."""
        asked = self._client.chat.completions.with_raw_response
        return completion_in(
            self._tried(
                lambda: (
                    asked.create(
                        model=model,
                        messages=list(turns),
                        temperature=0,
                        max_tokens=longest,
                        stream=False,
                        **extra,
                    ).content
                )
            )
        )

    def close(self) -> None:
        """Give the connections back."""
        self._client.close()

    def _tried(self, call: Callable[[], bytes]) -> bytes:
        """What ``call`` gives; repeated where that can help and cannot be paid for twice."""
        tries = Retrying(
            retry=retry_if_exception(_may_be_repeated),
            stop=stop_after_attempt(self._attempts),
            wait=_pause,
            reraise=True,
        )
        try:
            return tries(call)
        except openai.APITimeoutError as error:
            limit = f"{self._seconds:g} s"
            raise ModelUnavailable(f"the model did not reply within {limit}") from error
        except openai.APIConnectionError as error:
            if isinstance(error.__cause__, WithoutEnd):
                raise ModelUnavailable("the reply of the model's endpoint has no end") from error
            told = f"the model's endpoint {self._where} cannot be reached"
            raise ModelUnavailable(told) from error
        except openai.APIStatusError as error:
            told = f"the model's endpoint answered {error.status_code}"
            if _may_pass(error):
                raise ModelUnavailable(told) from error
            raise ModelRefused(f"{told}: {self._reason(error)}") from error
        except openai.OpenAIError as error:
            raise ModelUnavailable("the model's endpoint does not speak its protocol") from error

    def _reason(self, error: openai.APIStatusError) -> str:
        body = error.body
        text = body.get("message") if isinstance(body, dict) else body
        said = " ".join(str(text or error.message).split())
        # There are endpoints that repeat the key which they do not take.
        return (said.replace(self._key, _HIDDEN) if self._key else said)[:300]


def _may_pass(error: openai.APIStatusError) -> bool:
    """Whether the same call may be taken in a moment."""
    return error.status_code == 429 or error.status_code >= 500


def _may_be_repeated(error: BaseException) -> bool:
    """Whether the same call may succeed soon; a time-out is not waited for twice."""
    if isinstance(error, openai.APIStatusError):
        return _may_pass(error) and _asked_wait(error) <= _LONGEST_WAIT
    if isinstance(error, openai.APITimeoutError):
        return False
    return isinstance(error, openai.APIConnectionError) and not isinstance(
        error.__cause__, WithoutEnd
    )


def _pause(state: RetryCallState) -> float:
    """Seconds before the next attempt: a growing random time, behind what the endpoint asks for.

    Random in either case: else all that were turned away would come back at one moment.
    """
    error = state.outcome.exception() if state.outcome is not None else None
    asked = _asked_wait(error) if isinstance(error, openai.APIStatusError) else 0.0
    return asked + float(_GROWING(state))


def _asked_wait(error: openai.APIStatusError) -> float:
    """Seconds for which the endpoint wants to be left alone, told as a number or a date."""
    asked = error.response.headers.get("retry-after", "")
    try:
        wait = float(asked)
    except ValueError:
        try:
            until = parsedate_to_datetime(asked)
        except ValueError:
            return 0.0
        until = until if until.tzinfo is not None else until.replace(tzinfo=UTC)
        wait = (until - datetime.now(UTC)).total_seconds()
    return max(0.0, wait) if wait == wait else 0.0
