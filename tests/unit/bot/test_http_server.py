import pytest

from bot.http_server import url_of


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8765/"),
        ("::1", "http://[::1]:8765/"),
        ("page.example", "http://page.example:8765/"),
        ("0.0.0.0", "http://localhost:8765/"),
        ("::", "http://localhost:8765/"),
    ],
)
def test_the_url_is_one_that_a_browser_can_open(host: str, url: str) -> None:
    assert url_of(host, 8765) == url
