"""The configurations that are compared, each over a tiny lake with a scripted model."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from agent.answer import Answer, Answered, Declined
from agent.session import Question, Session
from agent.settings import AgentSettings
from bot.evaluation_wiring import Configuration, build_configured
from bot.settings import Settings
from retrieval.settings import RetrievalSettings
from tests.fakes.model_server import ModelServer, Said, serving
from tests.stored import NOW, Stored

REQUEST = "Maximum of total_power of node 5 from [2022-06-01 08:00:00] to [2022-06-01 09:00:00]"
QUERY = (
    'SELECT (MAX(?v) AS ?most) WHERE { ?n a oda:ComputeNode ; oda:nodeId "5" ; oda:hasSensor ?s .'
    ' ?s oda:pluginName "ipmi_pub" ; oda:metricName "total_power" ; oda:hasReading ?r .'
    " ?r oda:value ?v }"
)
INVENTED = "It drew 9,999 W at most."


def called(tool: str, **arguments: object) -> str:
    return json.dumps({"tool": tool, "arguments": arguments})


def offers(server: ModelServer) -> str:
    """All that the model was told and might call."""
    return json.dumps([body for body in server.asked if "response_format" in body])


def script(**replies: list[str]) -> Callable[[Mapping[str, Any]], Said | None]:
    """Replies by the name of the prompt; what is asked for in free text says INVENTED."""
    waiting = {name: list(texts) for name, texts in replies.items()}

    def respond(body: Mapping[str, Any]) -> Said | None:
        shape = body.get("response_format")
        if shape is None:
            return Said(INVENTED)
        name = shape["json_schema"]["name"]
        return Said(waiting[name].pop(0)) if waiting.get(name) else None

    return respond


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the vectors of metrics are kept: they take long to make."""
    return tmp_path_factory.mktemp("data")


@contextmanager
def asking(
    lake: Path, data: Path, config: Any, respond: Callable[[Mapping[str, Any]], Said | None]
) -> Iterator[tuple[Callable[[str], Answer], ModelServer]]:
    with serving(respond) as server:
        settings = Settings(
            agent=AgentSettings(model_url=server.url, model_attempts=1, model_seconds=10),
            retrieval=RetrievalSettings(lake=lake),
            data=data,
        )
        built = build_configured(settings, Configuration(config, "every"), data / "answers")
        with closing(built) as analyst:

            def ask(text: str) -> Answer:
                question = Question(text, NOW, uuid4().hex[:16])
                return analyst.answer(question, Session(), lambda note: None)[0]

            yield ask, server


def test_the_query_tool_answers_in_one_shot_and_nothing_holds_its_numbers(
    lake: Path, data: Path, stored: Stored
) -> None:
    replies = script(
        coordinate=[json.dumps({"tasks": [{"agent": "retrieval", "task": REQUEST}]})],
        **{
            "retrieve-exasage": [called("exasage_query", request=REQUEST)],
            "exasage-query": [json.dumps({"query": QUERY})],
        },
    )

    with asking(lake, data, "exasage", replies) as (ask, server):
        answer = ask(REQUEST)

    assert isinstance(answer, Answered), answer
    assert INVENTED in answer.text
    assert not server.missing
    power = stored.hour("ipmi_pub", "total_power", 8, 9)
    most = power.filter(power["node"] == "5")["value"].max()
    assert float(answer.tables[0].csv.read_text().splitlines()[1]) == most
    assert [m.metric for m in answer.evidence.metrics] == ["total_power"]
    offered = offers(server)
    assert "exasage_query" in offered
    assert "datalake" not in offered
    # Planning and summary; the call of the tool, the query and its answer.
    assert answer.cost.coordinator.llm_calls == 2
    assert answer.cost.retrieval.llm_calls == 3
    assert answer.cost.code.llm_calls == 0


def test_the_query_tool_gives_up_on_words_that_are_no_names(lake: Path, data: Path) -> None:
    task = "the power drawn in the last 10 hours"
    replies = script(
        coordinate=[json.dumps({"tasks": [{"agent": "retrieval", "task": task}]})],
        refine=[json.dumps({"task": ""})],
        **{"retrieve-exasage": [called("exasage_query", request=task)]},
    )

    with asking(lake, data, "exasage", replies) as (ask, _):
        answer = ask(task)

    assert isinstance(answer, Declined)
    assert "Malformed input" in answer.text
    assert answer.cost.retries == 1


def test_the_datalake_tool_reads_raw_rows_and_nothing_holds_its_numbers(
    lake: Path, data: Path, stored: Stored
) -> None:
    window = {"start": "2022-06-01T08:00:00Z", "end": "2022-06-01T09:00:00Z"}
    metric = {"plugin": "ipmi_pub", "metric": "total_power"}
    replies = script(
        coordinate=[json.dumps({"tasks": [{"agent": "retrieval", "task": REQUEST}]})],
        **{
            "retrieve-datalake": [
                called("datalake_query", **metric, **window, nodes=["5"], aggregate="max"),
                called("finish", report=INVENTED),
            ]
        },
    )

    with asking(lake, data, "datalake", replies) as (ask, server):
        answer = ask(REQUEST)

    assert isinstance(answer, Answered), answer
    assert INVENTED in answer.text
    assert not server.missing
    power = stored.hour("ipmi_pub", "total_power", 8, 9)
    most = power.filter(power["node"] == "5")["value"].max()
    assert float(answer.tables[0].csv.read_text().splitlines()[1]) == most
    assert answer.evidence.queries == ()
    assert [m.metric for m in answer.evidence.metrics] == ["total_power"]
    offered = offers(server)
    assert "datalake_query" in offered
    assert "exasage" not in offered
