"""A tiny lake, and the agent over it, for whichever test asks for them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from agent import Analyst
from tests.asking import Thread, analyst_over
from tests.integration.browser import Browser
from tests.integration.page_server import Page, running_page
from tests.integration.page_visit import visit
from tests.lakes import tiny_lake
from tests.stored import NOW, Stored


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_lake(tmp_path_factory.mktemp("lake") / "tiny")


@pytest.fixture(scope="module")
def analyst(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Analyst]:
    with analyst_over(lake, tmp_path_factory.mktemp("answers")) as made:
        yield made


@pytest.fixture
def thread(analyst: Analyst) -> Thread:
    return Thread(analyst, NOW)


@pytest.fixture(scope="module")
def stored(lake: Path) -> Stored:
    return Stored(lake)


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("browser")) as started:
        yield started


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page without log-in."""
    with running_page(tmp_path_factory.mktemp("page")) as running:
        yield running


@pytest.fixture
def browser(chromium: Browser, page: Page) -> Browser:
    """A browser in which the page was just opened."""
    return visit(chromium, page.url)
