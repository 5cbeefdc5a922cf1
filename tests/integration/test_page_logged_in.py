"""The page in the browser of somebody who logs in: votes, steps, stop, and who sees what."""

from collections.abc import Iterator

import pytest
from pydantic import SecretStr

from bot.page_settings import PageSettings
from bot.settings import Settings
from tests.integration.browser import CHROMIUM, Browser
from tests.integration.page_server import SITE, Page, running_page
from tests.integration.page_visit import IDLE, REPLIES, ask, come

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium: apt-get install chromium")

ACCESS = """
[roles.chief]
admin = true

[roles.reader]
query = false

[platforms.web.users]
ada = "chief"
ben = "reader"
"""
TOKENS = {
    "ada": "the long token of ada",
    "ben": "the long token of ben",
    "carl": "the long token of carl",
}
FORM = "document.getElementById('login')?.hidden === false"
READY = "document.querySelectorAll('#examples button').length"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    folder = tmp_path_factory.mktemp("page")
    access = folder / "access.toml"
    access.write_text(ACCESS)
    served = PageSettings(port=0, tokens={who: SecretStr(token) for who, token in TOKENS.items()})
    with running_page(folder, Settings(data=folder, page=served, site=SITE, access=access)) as page:
        yield page


@pytest.fixture
def browser(chromium: Browser, page: Page) -> Browser:
    """A browser in which nobody is logged in."""
    come(chromium, page.url)
    chromium.run(
        "fetch('/api/logout', {method: 'POST', body: '{}',"
        " headers: {'content-type': 'application/json'}})"
    )
    come(chromium, page.url)
    chromium.wait_for(FORM)
    return chromium


def log_in(browser: Browser, token: str) -> None:
    browser.wait_for("document.activeElement.id === 'token'")
    browser.write(token)
    browser.press("Enter", 13, "\r")


@pytest.fixture
def ada(browser: Browser) -> Browser:
    log_in(browser, TOKENS["ada"])
    browser.wait_for(READY)
    return browser


def test_a_wrong_token_is_said_to_be_wrong_and_a_right_one_opens(browser: Browser) -> None:
    locked = browser.run("document.getElementById('question').checkVisibility()")
    log_in(browser, "guessed")
    browser.wait_for("!document.getElementById('login-wrong').hidden")
    wrong = browser.run("document.getElementById('login-wrong').textContent")
    # What was wrong is selected, so that writing replaces it.
    log_in(browser, TOKENS["ada"])
    browser.wait_for(READY)

    assert not locked
    assert wrong == "That token is not known here."
    assert browser.run("document.getElementById('person').textContent") == "ada"
    assert browser.run("document.getElementById('login').hidden")
    assert browser.run("document.getElementById('token').value") == ""


def test_who_logs_out_leaves_nothing_to_the_next(ada: Browser) -> None:
    ask(ada, "power asked by ada")
    ada.run("window.isOld = true, document.getElementById('logout').click()")
    ada.wait_for(f"!window.isOld && {FORM}")
    left = ada.run(
        "document.getElementById('entries').textContent"
        " + document.getElementById('threads').textContent"
    )

    log_in(ada, TOKENS["ben"])
    ada.wait_for(READY)
    ada.wait_for("document.getElementById('person').textContent === 'ben'")

    assert left == ""
    assert "asked by ada" not in ada.run("document.body.textContent")


def test_a_log_in_that_ends_asks_for_a_token_and_keeps_what_is_written(ada: Browser) -> None:
    ask(ada, "power")
    ada.write("a question of many words")
    # From now on the page may find out by itself, before anything is sent.
    ada.run(
        "fetch('/api/logout', {method: 'POST', body: '{}',"
        " headers: {'content-type': 'application/json'}})"
    )
    ada.press("Enter", 13, "\r")
    ada.wait_for(FORM)
    told = ada.run("document.getElementById('login-wrong').textContent")

    log_in(ada, TOKENS["ada"])
    ada.wait_for("document.activeElement.id === 'question'")

    assert told == "Your log-in has ended."
    assert ada.run("document.getElementById('question').value") == "a question of many words"
    ada.wait_for(f"{REPLIES} === 1")


def test_who_logs_in_after_somebody_else_finds_nothing_of_theirs(ada: Browser) -> None:
    ask(ada, "power asked by ada")
    ada.write("written by ada")
    # From now on the page may find out by itself, before anything is sent.
    ada.run(
        "fetch('/api/logout', {method: 'POST', body: '{}',"
        " headers: {'content-type': 'application/json'}})"
    )
    ada.press("Enter", 13, "\r")
    ada.wait_for(FORM)

    ada.run("window.isOld = true")
    log_in(ada, TOKENS["ben"])
    ada.wait_for(f"!window.isOld && {READY}")

    assert "by ada" not in ada.run("document.body.textContent")
    assert ada.run("document.getElementById('question').value") == ""


def test_a_person_without_a_role_is_told_so(browser: Browser) -> None:
    log_in(browser, TOKENS["carl"])

    browser.wait_for("!document.getElementById('trouble').hidden")
    assert "You are known as carl here" in browser.run(
        "document.getElementById('trouble').textContent"
    )


def test_who_may_not_see_queries_is_offered_none(browser: Browser) -> None:
    log_in(browser, TOKENS["ben"])
    ask(browser, "power")

    assert browser.run("document.querySelectorAll('.vote').length") == 2
    assert browser.run("document.querySelectorAll('.facts, .trace, .code').length") == 0


def test_a_bad_answer_gets_its_reason_which_can_be_changed(ada: Browser) -> None:
    ask(ada, "power")
    ada.run("document.querySelector('.facts').open = true")

    ada.run("document.querySelectorAll('.vote')[1].click()")
    ada.wait_for("document.querySelectorAll('.reasons button').length")
    ada.run("document.querySelector('.reasons button').click()")
    ada.wait_for("document.querySelector('.noted')")
    noted = ada.run("document.querySelector('.noted').textContent")
    ada.run("document.querySelector('.noted + button').click()")
    ada.run("document.querySelectorAll('.reasons button')[1].click()")
    ada.wait_for("document.querySelector('.noted')?.textContent.includes('another question')")

    assert noted == "Noted: A number is wrong"
    assert ada.run("document.querySelectorAll('.vote')[1].ariaPressed") == "true"
    assert ada.run("document.querySelector('.facts').open")
    # Why it did not help is asked below the answer, and nowhere else.
    assert "What was not helpful" not in ada.run("document.body.innerText")


def test_a_vote_leaves_the_focus_where_it_was(ada: Browser) -> None:
    ask(ada, "power")

    ada.run("document.querySelector('.vote').focus(), document.querySelector('.vote').click()")
    ada.wait_for("document.querySelector('.noted')")

    assert ada.run("document.activeElement === document.querySelector('.vote')")


def test_the_steps_of_an_answer_unfold_as_a_tree(ada: Browser) -> None:
    ask(ada, "power step by step")

    ada.run("document.querySelector('.trace > summary').click()")
    ada.wait_for("document.querySelectorAll('.step').length")
    folded = ada.run("document.querySelector('.steps pre').checkVisibility()")
    ada.run("document.querySelectorAll('.trace-bar button')[0].click()")

    assert not folded
    assert "power step by step" in ada.run("document.querySelector('.steps pre').textContent")
    assert ada.run("document.querySelectorAll('.steps details:not([open])').length") == 0
    assert ada.run("parseFloat(document.querySelector('.bar-part').style.width)") > 99


@pytest.mark.parametrize("by_key", [False, True])
def test_what_is_worked_on_is_stopped(ada: Browser, page: Page, by_key: bool) -> None:
    page.coordinator.release.clear()
    ada.write("a slow question")
    ada.press("Enter", 13, "\r")
    ada.wait_for("!document.getElementById('stop').hidden")
    ada.wait_for("document.getElementById('working').textContent.includes('to be released')")

    if by_key:
        ada.press("Escape", 27)
        ada.press("s", text="s")
    else:
        ada.run("document.getElementById('stop').click()")
    ada.wait_for(IDLE)

    assert page.coordinator.release.is_set()
    assert ada.run("document.getElementById('stop').hidden")
