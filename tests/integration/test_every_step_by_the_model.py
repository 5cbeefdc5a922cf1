"""The retrieval tools where a model takes every step, over a tiny lake and a stand-in endpoint."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from agent.answer import Answered
from agent.answer_codec import decode
from agent.settings import AgentSettings
from bot.mcp.retrieval_desk import Asker, RetrievalDesk
from bot.settings import Settings
from bot.tool_wiring import open_retrieval_desk
from retrieval.settings import RetrievalSettings
from tests.fakes.model_server import ModelServer, in_turn, serving
from tests.reflecting import intent, plugin, times
from tests.stored import NOW, Stored
from tests.unit.agent.reflect.test_model_queries import GOOD, review

POWER = "average and maximum power of node 5 on 1 June 2022"
FIRST_STAGE = (intent(), plugin("ipmi_pub"), times("on 1 June 2022"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Kept for all tests: the names of metrics are embedded once."""
    return tmp_path_factory.mktemp("every")


@contextmanager
def desk(lake: Path, folder: Path, *replies: str) -> Iterator[tuple[RetrievalDesk, ModelServer]]:
    with serving(in_turn(*replies)) as server:
        agent = AgentSettings(steps="every", model_url=server.url, model_attempts=1)
        settings = Settings(
            agent=agent, retrieval=RetrievalSettings(lake=lake), data=folder / "data"
        )
        with open_retrieval_desk(settings, lambda: NOW) as opened:
            yield opened, server


def test_a_request_goes_from_words_to_a_table(lake: Path, folder: Path, stored: Stored) -> None:
    with desk(lake, folder, *FIRST_STAGE, GOOD, review()) as (tools, server):
        reply = tools.query(POWER, None, Asker())

    power = stored.on_1_june("total_power", "5")["value"]
    assert reply["status"] == "completed", reply["text"]
    read = decode(reply, folder.joinpath)
    assert isinstance(read, Answered)
    ((average, maximum),) = read.tables[0].preview
    assert average == pytest.approx(power.mean())
    assert maximum == pytest.approx(power.max())
    assert len(server.asked) == 5
    assert read.cost.retrieval.llm_calls == 5


def test_a_request_that_waited_goes_on_in_another_process(lake: Path, folder: Path) -> None:
    untimed = "average and maximum power of node 5"
    with desk(lake, folder, *FIRST_STAGE[:2], times()) as (tools, _):
        back = tools.query(untimed, None, Asker())
    assert back["status"] == "clarification", back["text"]

    with desk(lake, folder, GOOD, review()) as (tools, server):
        reply = tools.clarify(str(back["request_id"]), "1 June 2022", Asker())

    assert reply["status"] == "completed", reply["text"]
    assert len(server.asked) == 2


def test_a_query_about_another_node_is_never_run(lake: Path, folder: Path) -> None:
    other = GOOD.replace('"5"', '"6"')
    assert other != GOOD
    with desk(lake, folder, *FIRST_STAGE, other) as (tools, _):
        reply = tools.query(POWER, None, Asker())

    assert reply["status"] == "rejected"
    assert reply["tables"] == []
