"""What a person does on the page, in a browser."""

from tests.integration.browser import Browser

REPLIES = "document.querySelectorAll('.bot').length"
IDLE = "document.getElementById('working').hidden"


def visit(browser: Browser, url: str) -> Browser:
    """Come to the page anew, at a large screen; ``browser``, once it takes questions."""
    come(browser, url)
    browser.wait_for("document.querySelectorAll('#examples button').length")
    return browser


def come(browser: Browser, url: str) -> None:
    """Come to the page anew, whatever it shows then."""
    browser.look_like(1280, 900)
    browser.go("about:blank")
    browser.go(url)
    browser.wait_for(f"location.href.startsWith('{url}') && document.readyState === 'complete'")


def ask(browser: Browser, text: str) -> None:
    """Write a question and wait for the reply."""
    replies = browser.run(REPLIES)
    browser.wait_for("document.activeElement.id === 'question'")
    browser.write(text)
    browser.press("Enter", 13, "\r")
    browser.wait_for(f"{REPLIES} > {replies} && {IDLE}")
