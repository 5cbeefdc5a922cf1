"""The page as a person meets it, in a real browser; skipped where there is none."""

import pytest

from tests.integration.browser import CHROMIUM, Browser
from tests.integration.page_visit import IDLE, REPLIES, ask

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium: apt-get install chromium")


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
    assert browser.run("document.title").endswith("</script> · odabot")
    assert "<script>" in browser.run("document.querySelector('.person').textContent")


def test_a_table_is_sorted_by_a_click_on_its_heading(browser: Browser) -> None:
    ask(browser, "power")
    first = "document.querySelector('tbody tr').firstElementChild.textContent"
    before = browser.run(first)

    browser.run("document.querySelectorAll('th button')[1].click()")

    assert (before, browser.run(first)) == ("900", "919")
    assert browser.run("document.querySelectorAll('th')[1].ariaSort") == "ascending"
    assert "Sorted are only these 20." in browser.run(
        "document.querySelector('.table-foot').textContent"
    )


def test_a_table_goes_back_to_the_order_of_the_answer(browser: Browser) -> None:
    ask(browser, "power")
    firsts = []

    for _ in range(3):
        browser.run("document.querySelectorAll('th button')[0].click()")
        firsts.append(browser.run("document.querySelector('td').textContent"))

    assert firsts == ["900", "919", "900"]
    assert browser.run("document.querySelector('th').ariaSort") == "none"
    assert "Sorted" not in browser.run("document.querySelector('.table-foot').textContent")


@pytest.mark.parametrize(
    ("button", "copied"),
    [
        (".code .copy", "SELECT (AVG(?v) AS ?average)\nWHERE { ?s a <urn:x> }"),
        (".foot > button", "**812.5 W** on average for `node 900`; you asked: power\n\n- one"),
        (".table-foot button", "node\taverage (W)\tsince\tremark\n900\t812.5\t2022"),
    ],
)
def test_what_is_shown_can_be_copied(browser: Browser, button: str, copied: str) -> None:
    ask(browser, "power")
    browser.run("document.querySelector('.evidence').open = true")

    browser.run(f"document.querySelector('{button}').click()")
    browser.wait_for(f"document.querySelector('{button}').textContent === 'Copied'")

    assert browser.run("navigator.clipboard.readText()").startswith(copied)


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
    browser.wait_for("document.activeElement.className === 'thumb'")


def test_arrows_go_from_one_large_picture_to_the_next(browser: Browser) -> None:
    ask(browser, "plot the power")
    ask(browser, "plot it again")
    shown = "new URL(document.getElementById('large-picture').src).pathname"
    urls = browser.run(
        "[...document.querySelectorAll('.thumb img')].map(e => new URL(e.src).pathname)"
    )

    browser.run("document.querySelector('.thumb').click()")
    seen = [browser.run(shown)]
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        browser.press(key)
        seen.append(browser.run(shown))

    assert seen == [urls[0], urls[1], urls[1], urls[0]]


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
