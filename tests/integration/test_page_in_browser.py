"""The page as a person meets it, in a real browser; skipped where there is none."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.page_settings import PageSettings
from bot.settings import Settings
from tests.integration.browser import CHROMIUM, Browser
from tests.integration.page_server import SITE, Page, running_page

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
    assert browser.run("document.title").endswith("</script> · odabot")
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


def test_a_bad_answer_gets_its_reason_and_both_are_still_there_after_a_reload(
    browser: Browser,
) -> None:
    ask(browser, "power")

    browser.run("document.querySelectorAll('.vote')[1].click()")
    browser.wait_for("document.querySelectorAll('.reasons button').length")
    browser.run("document.querySelector('.reasons button').click()")
    browser.wait_for("document.querySelector('.noted')")
    browser.run("window.isOld = true, location.reload()")
    browser.wait_for("!window.isOld && document.querySelector('.noted')")

    assert browser.run("document.querySelector('.noted').textContent") == "Noted: A number is wrong"
    assert browser.run("document.querySelectorAll('.vote')[1].ariaPressed") == "true"


def test_the_steps_of_an_answer_unfold_as_a_tree(browser: Browser) -> None:
    ask(browser, "power")

    browser.run("document.querySelector('.trace > summary').click()")
    browser.wait_for("document.querySelectorAll('.steps .step').length")

    assert browser.run("document.querySelector('.step-name').textContent")
    assert "Trace" in browser.run("document.querySelector('.trace-bar').textContent")


def test_what_is_worked_on_is_stopped_by_a_button(browser: Browser, page: Page) -> None:
    browser.write("a slow question")
    browser.press("Enter", 13, "\r")
    browser.wait_for("!document.getElementById('stop').hidden")

    browser.run("document.getElementById('stop').click()")
    browser.wait_for(IDLE)

    assert page.coordinator.release.is_set()
    assert browser.run("document.getElementById('stop').hidden")


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


def test_the_query_is_copied(browser: Browser) -> None:
    ask(browser, "power")
    browser.run(
        "navigator.clipboard.writeText = async (text) => { window.copied = text; },"
        " document.querySelector('.facts').open = true,"
        " document.querySelector('.code button').click()"
    )

    browser.wait_for("window.copied")
    assert browser.run("window.copied === document.querySelector('.code pre').textContent")


@pytest.mark.parametrize("dark", [False, True])
def test_the_colours_are_those_that_a_person_prefers(browser: Browser, dark: bool) -> None:
    browser.look_like(1280, 900, dark=dark)

    light = browser.run(
        "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3)"
        ".reduce((sum, part) => sum + Number(part), 0)"
    )

    assert (light < 300) == dark


def test_one_logs_in_by_a_token_and_sees_ones_own_threads(
    chromium: Browser, tmp_path: Path
) -> None:
    access = tmp_path / "access.toml"
    access.write_text('[roles.all]\n[platforms.web.users]\nada = "all"\nben = "all"\n')
    tokens = {"ada": SecretStr("ada's own token, 1"), "ben": SecretStr("ben's own token, 2")}
    page = PageSettings(port=0, tokens=tokens)
    settings = Settings(data=tmp_path, page=page, site=SITE, access=access)
    with running_page(tmp_path, settings) as served:
        served.logged_in("ben's own token, 2").ask("power asked by ben")
        chromium.look_like(1280, 900)
        chromium.go(served.url)
        chromium.wait_for(f"location.href.startsWith('{served.url}')")
        chromium.wait_for("document.activeElement && document.activeElement.id === 'token'")

        chromium.write("guessed")
        chromium.press("Enter", 13, "\r")
        chromium.wait_for("!document.getElementById('login-wrong').hidden")
        chromium.run("document.getElementById('token').value = ''")
        chromium.write("ada's own token, 1")
        chromium.press("Enter", 13, "\r")
        chromium.wait_for("document.querySelectorAll('#examples button').length")
        ask(chromium, "power asked by ada")
        listed = chromium.run("document.getElementById('threads').textContent")
        name = chromium.run("document.getElementById('person').textContent")
        chromium.run("document.getElementById('logout').click()")
        chromium.wait_for("!document.getElementById('login').hidden")

        assert name == "ada"
        assert "asked by ada" in listed
        assert "ben" not in listed
        assert chromium.run(REPLIES) == 0
