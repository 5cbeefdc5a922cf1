from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.platforms.page_site import PageSite
from bot.platforms.web import WebPlatform


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
def test_the_url_is_one_that_a_browser_can_open(tmp_path: Path, host: str, url: str) -> None:
    platform = WebPlatform(
        host=host,
        port=8765,
        site=PageSite("M100", "UTC"),
        answers=tmp_path / "answers",
        threads=tmp_path / "threads",
        clock=lambda: datetime(2022, 6, 15, tzinfo=UTC),
    )

    assert platform.url == url
