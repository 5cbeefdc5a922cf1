"""What the faults did, as a table at the end: fault, messages, lost, answered twice."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chaos.faults import Row, Tell
from tests.chaos.worker_processes import Site, open_site

_ROWS: list[Row] = []


@pytest.fixture
def tell() -> Tell:
    """Takes what became of a fault's messages; the test fails where one was lost or came twice."""

    def told(row: Row) -> None:
        _ROWS.append(row)
        assert (row.lost, row.twice) == (0, 0)

    return told


@pytest.fixture(scope="module")
def one_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with open_site(tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.fixture
def site(one_site: Site) -> Iterator[Site]:
    yield one_site
    one_site.clear()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--chaos"):
        here = Path(__file__).parent
        skip = pytest.mark.skip(reason="make chaos runs every fault")
        for item in items:
            if item.path.is_relative_to(here) and item.get_closest_marker("every_fault"):
                item.add_marker(skip)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not _ROWS:
        return
    width = max(len(row.fault) for row in _ROWS)
    terminalreporter.section("faults")
    terminalreporter.write_line(f"{'fault':{width}}  messages  lost  twice")
    for row in sorted(_ROWS, key=lambda row: row.fault):
        told = f"{row.fault:{width}}  {row.messages:8}  {row.lost:4}  {row.twice:5}"
        terminalreporter.write_line(told)
