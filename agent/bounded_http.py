"""An HTTP client whose replies are bounded as a whole, in time and in bytes.

The library bounds the wait for each byte alone: whoever sends one now and then is never late.
"""

import time
from collections.abc import Iterator

import httpx2

_BYTES = 8_000_000
"""A reply of as many tokens as a model has is far smaller."""
_UNTIL = "odabot_until"


class WithoutEnd(httpx2.TransportError):
    """A reply of more bytes than any has."""


def bounded_client(seconds: float) -> httpx2.Client:
    """A client that gives up a reply which is not whole after ``seconds``, or does not end.

    It raises httpx2.ReadTimeout or WithoutEnd then.
    """

    def begun(request: httpx2.Request) -> None:
        request.extensions = {**request.extensions, _UNTIL: time.monotonic() + seconds}

    def answered(response: httpx2.Response) -> None:
        assert isinstance(response.stream, httpx2.SyncByteStream)
        until = response.request.extensions[_UNTIL]
        response.stream = _Bounded(response.stream, until, response.request)

    return _Client(
        event_hooks={"request": [begun], "response": [answered]},
        timeout=seconds,
        follow_redirects=True,
    )


class _Client(httpx2.Client):
    def __del__(self) -> None:
        # As the library's own: connections end with whoever held them.
        self.close()


class _Bounded(httpx2.SyncByteStream):
    def __init__(
        self, stream: httpx2.SyncByteStream, until: float, request: httpx2.Request
    ) -> None:
        self._stream = stream
        self._until = until
        self._request = request

    def __iter__(self) -> Iterator[bytes]:
        got = 0
        for part in self._stream:
            got += len(part)
            if time.monotonic() > self._until:
                raise httpx2.ReadTimeout("the reply did not come whole", request=self._request)
            if got > _BYTES:
                raise WithoutEnd("the reply does not end", request=self._request)
            yield part

    def close(self) -> None:
        self._stream.close()
