"""The page as a person meets it, in a real browser; skipped where there is none."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.browser import CHROMIUM, Browser
from tests.integration.page_server import Page, running_page

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium: apt-get install chromium")

REPLIES = "document.querySelectorAll('.bot').length"
IDLE = "document.getElementById('working').hidden"


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    with running_page(tmp_path) as running:
        yield running


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("browser")) as started:
        yield started


@pytest.fixture
def browser(chromium: Browser, page: Page) -> Browser:
    chromium.look_like(1280, 900)
    chromium.go(page.url)
    chromium.wait_for(f"location.href.startsWith('{page.url}')")
    chromium.wait_for("document.querySelectorAll('#examples button').length")
    return chromium


def ask(browser: Browser, text: str) -> None:
    replies = browser.run(REPLIES)
    browser.wait_for("document.activeElement.id === 'question'")
    browser.write(text)
    browser.press("Enter", 13, "\r")
    browser.wait_for(f"{REPLIES} > {replies} && {IDLE}")


def test_a_newcomer_clicks_an_example_and_reads_the_answer(browser: Browser) -> None:
    browser.run("document.querySelector('#examples button').click()")
    browser.wait_for(f"{REPLIES} && {IDLE}")

    assert browser.run("document.querySelector('.words strong').textContent") == "812.5 W"
    assert browser.run("document.getElementById('welcome').hidden")
    browser.wait_for("document.querySelectorAll('#threads a[aria-current]').length === 1")


def test_nothing_that_was_said_becomes_part_of_the_page(browser: Browser) -> None:
    ask(browser, "power <img src=x onerror='document.title=1'><script>document.title=2</script>")

    assert (
        browser.run("document.querySelectorAll('.bot img, .bot script, .person *:not(p)').length")
        == 0
    )
    assert browser.run("document.title") == "odabot · M100"
    assert "<script>" in browser.run("document.querySelector('.person').textContent")


def test_a_table_is_sorted_by_a_click_on_its_heading(browser: Browser) -> None:
    ask(browser, "power")
    first = "document.querySelector('tbody tr').firstElementChild.textContent"
    before = browser.run(first)

    browser.run("document.querySelectorAll('th button')[1].click()")

    assert (before, browser.run(first)) == ("900", "919")
    assert browser.run("document.querySelectorAll('th')[1].ariaSort") == "ascending"


def test_a_choice_is_a_button_that_works_once(browser: Browser) -> None:
    ask(browser, "which temperature")

    browser.run("document.querySelectorAll('.choice')[1].click()")
    browser.wait_for(f"{REPLIES} === 2 && {IDLE}")

    assert browser.run("document.querySelectorAll('.choice:enabled').length") == 0
    assert browser.run("document.querySelector('.chosen').textContent") == "✓ the GPU cores"
    assert "You chose gpu" in browser.run("document.querySelectorAll('.bot')[1].textContent")


def test_a_picture_opens_large_and_closes_with_escape(browser: Browser) -> None:
    ask(browser, "plot the power")
    browser.wait_for("document.querySelector('.thumb img').naturalWidth === 640")

    browser.run("document.querySelector('.thumb').click()")
    opened = browser.run("document.getElementById('large').open")
    browser.press("Escape", 27)
    browser.wait_for("!document.getElementById('large').open")

    assert opened


def test_a_thread_survives_a_reload_with_its_evidence(browser: Browser) -> None:
    ask(browser, "power")

    browser.run("window.isOld = true, location.reload()")
    browser.wait_for(f"!window.isOld && document.readyState === 'complete' && {REPLIES} === 1")

    assert browser.run("document.querySelectorAll('.evidence dt').length") >= 6
    assert "SELECT" in browser.run("document.querySelector('.code pre').textContent")


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_sticks_out_at_the_side(browser: Browser, width: int) -> None:
    browser.look_like(width, 800)
    ask(browser, "plot the power " + "endless" * 60)
    browser.run("document.querySelector('.evidence').open = true")

    assert browser.run("document.documentElement.scrollWidth") == width
    assert browser.run(
        "[...document.querySelectorAll('#scroll, .bot')].every(e => e.scrollWidth <= e.clientWidth)"
    )
