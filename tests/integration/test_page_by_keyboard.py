"""The page by key, on a phone and in the dark, in a real browser; skipped where there is none."""

import pytest

from tests.integration.browser import CHROMIUM, Browser
from tests.integration.page_visit import REPLIES, ask

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium: apt-get install chromium")


def test_threads_are_walked_through_by_key(browser: Browser) -> None:
    ask(browser, "power of the first")
    browser.press("Escape", 27)
    browser.press("n", text="n")
    browser.wait_for("!document.getElementById('welcome').hidden")
    ask(browser, "power of the second")
    question = "document.querySelector('.person')?.textContent"
    browser.press("Escape", 27)

    browser.press("j", text="j")
    browser.wait_for(f"{question} === 'power of the first'")
    browser.press("k", text="k")
    browser.wait_for(f"{question} === 'power of the second'")
    browser.press("/", text="/")

    assert browser.run("document.activeElement.id") == "question"
    assert browser.run("document.activeElement.value") == ""


def test_a_letter_that_is_written_is_no_command(browser: Browser) -> None:
    ask(browser, "power")

    browser.press("n", text="n")
    browser.press("?", text="?")

    assert browser.run("document.getElementById('question').value") == "n?"
    assert not browser.run("document.getElementById('keys').open")
    assert browser.run(REPLIES) == 1


def test_keys_are_listed_and_can_be_turned_off(browser: Browser) -> None:
    browser.press("Escape", 27)
    browser.press("?", text="?")
    listed = browser.run("document.querySelectorAll('#keys[open] kbd').length")
    browser.run("document.getElementById('keys-on').click()")
    browser.press("Escape", 27)
    browser.wait_for("!document.getElementById('keys').open")

    browser.press("?", text="?")
    opened = browser.run("document.getElementById('keys').open")
    browser.run("localStorage.clear()")

    assert listed >= 10
    assert not opened


def test_the_last_question_comes_back_into_an_empty_box(browser: Browser) -> None:
    ask(browser, "power")

    browser.press("ArrowUp", 38)

    assert browser.run("document.getElementById('question').value") == "power"


def test_dark_and_light_follow_the_system_until_chosen(browser: Browser) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    light = browser.run(ground)
    browser.look_like(1280, 900, dark=True)
    dark = browser.run(ground)

    browser.run("document.getElementById('theme').click()")
    browser.run("window.isOld = true, location.reload()")
    browser.wait_for("!window.isOld && document.readyState === 'complete'")
    chosen = browser.run(ground)
    browser.run("localStorage.clear()")

    assert light != dark
    assert chosen == light


def test_on_a_phone_the_list_of_threads_lies_over_the_page(browser: Browser) -> None:
    ask(browser, "power")
    browser.look_like(390, 800)
    shown = "document.getElementById('threads').checkVisibility()"
    before = browser.run(shown)

    browser.run("document.getElementById('menu').click()")
    during = browser.run(shown)
    browser.press("Escape", 27)

    assert (before, during, browser.run(shown)) == (False, True, False)
    assert browser.run("document.activeElement.id") == "menu"


def test_who_stands_in_the_list_of_threads_is_not_thrown_out(browser: Browser) -> None:
    ask(browser, "power")
    browser.run("document.querySelector('#threads a').focus()")

    browser.run(
        "fetch(`/api/threads/${location.hash.slice(1)}/questions`, {method: 'POST',"
        " headers: {'content-type': 'application/json'}, body: '{\"text\": \"power\"}'})"
    )
    browser.wait_for(f"{REPLIES} === 2")

    assert browser.run("document.activeElement.hash === location.hash")


def test_what_was_unfolded_and_sorted_stays_so(browser: Browser) -> None:
    ask(browser, "power")
    browser.run("document.querySelector('.evidence').open = true")
    browser.run("document.querySelectorAll('th button')[1].click()")

    ask(browser, "power once more")

    assert browser.run("document.querySelector('.evidence').open")
    assert browser.run("document.querySelectorAll('th')[1].ariaSort") == "ascending"


def test_the_skip_link_leads_to_the_question_box(browser: Browser) -> None:
    ask(browser, "power")
    hash_before = browser.run("location.hash")

    browser.run("document.getElementById('skip').click()")

    assert browser.run("document.activeElement.id") == "question"
    assert browser.run("location.hash") == hash_before


def test_everything_is_reached_by_keys(browser: Browser) -> None:
    ask(browser, "power")
    browser.press("Escape", 27)

    browser.press("e", 69, "e")
    opened = browser.run("document.querySelector('.facts').open")
    browser.press("n", 78, "n")
    browser.wait_for("!document.getElementById('welcome').hidden")
    browser.press("Escape", 27)
    browser.press("j", 74, "j")
    browser.wait_for(f"{REPLIES} === 1")
    browser.press("?", 191, "?")
    listed = browser.run("document.getElementById('keys').open")

    assert (opened, listed) == (True, True)
