import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import (
    AccessDenied,
    GraphStoreError,
    GraphStoreUnavailable,
    QueryTimedOut,
    RequestRefused,
)
from retrieval.store_failures import Answer, failure_in

AT = "http://db:7200/repositories/odabot"


def failure(status: int, text: str = "", kind: str = "text/plain") -> GraphStoreError | None:
    return failure_in(Answer(status, kind, text.encode()), AT)


@pytest.mark.parametrize("status", [200, 201, 204])
def test_what_succeeded_is_no_failure(status: int) -> None:
    assert failure(status, "{}", "application/json") is None


@pytest.mark.parametrize(
    ("status", "text", "error", "words"),
    [
        (400, "MALFORMED QUERY: x", RequestRefused, "MALFORMED QUERY: x"),
        (401, "", AccessDenied, "user, the password"),
        (403, "", AccessDenied, "user, the password"),
        (404, "Unknown repository: a", GraphStoreError, "whether the repository was made"),
        (409, "busy", GraphStoreError, "refused (status 409) (busy)"),
        (429, "", GraphStoreUnavailable, "too busy"),
        (500, "No space left on device", GraphStoreError, "is full"),
        (500, "Disk quota exceeded", GraphStoreError, "is full"),
        (500, "Query evaluation exceeded specified timeout", QueryTimedOut, "gave up"),
        (502, "", GraphStoreUnavailable, "down or too busy (status 502)"),
        (503, "Query evaluation took too long", QueryTimedOut, "gave up"),
        (503, "", GraphStoreUnavailable, "down or too busy (status 503)"),
        (504, "", GraphStoreUnavailable, "down or too busy (status 504)"),
        (507, "", GraphStoreError, "is full"),
    ],
)
def test_a_status_stands_for_an_error(
    status: int, text: str, error: type[GraphStoreError], words: str
) -> None:
    found = failure(status, text)

    assert type(found) is error
    assert words in str(found)
    assert AT in str(found)


@pytest.mark.parametrize("kind", ["text/html", "application/octet-stream"])
def test_a_web_page_is_no_answer(kind: str) -> None:
    found = failure(200, " <!doctype HTML><title>Log in</title>", kind)

    assert "web page" in str(found)
    assert "Log in" not in str(found)


def test_a_redirection_is_told_without_what_may_be_secret() -> None:
    found = failure_in(Answer(302, "", b"", "https://ada:pw@other/login?ticket=1"), AT)

    assert "redirects to https://other/login: name" in str(found)


@given(st.integers(100, 599), st.text(), st.binary(max_size=2000))
def test_whatever_is_not_a_success_is_an_error_on_one_line(
    status: int, kind: str, body: bytes
) -> None:
    found = failure_in(Answer(status, kind, body), AT)

    assert (found is None) <= (status < 300)
    assert "\n" not in str(found)
    assert len(str(found)) < 600
