"""The first stage of the Reflect Agent over a lake, metrics found by meaning."""

from pathlib import Path

import pytest

from agent.answer import Answer, Answered, Declined, NeedsClarification
from agent.reflect.reflect_agent import ReflectAgent
from bot.memory_runs import MemoryRuns
from bot.reflect_wiring import build_grounding, build_reflect_agent
from bot.settings import Settings
from bot.wiring import build_data_service, build_metric_index
from retrieval.data_service import DataService
from retrieval.metric_catalog import MetricCatalog
from retrieval.quantity_catalog import QuantityCatalog
from retrieval.settings import RetrievalSettings
from tests.fakes.canned_queries import CannedQueries
from tests.reflecting import a_context, intent, parts, plugin, saying, times

QUANTITIES = QuantityCatalog(MetricCatalog.load())


@pytest.fixture(scope="module")
def settings(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder = tmp_path_factory.mktemp("grounding")
    return Settings(retrieval=RetrievalSettings(lake=lake), data=folder)


@pytest.fixture(scope="module")
def data(settings: Settings) -> DataService:
    index = build_metric_index(settings, QUANTITIES)
    return build_data_service(settings, QUANTITIES.catalog, QUANTITIES, index)


class Asking:
    """Puts requests to an agent whose model says what a test tells it."""

    def __init__(self, settings: Settings, data: DataService) -> None:
        self.queries = CannedQueries()
        self._runs = MemoryRuns()
        self._settings, self._data = settings, data

    def agent(self, **replies: list[str]) -> ReflectAgent:
        model = saying({step.replace("_", "-"): said for step, said in replies.items()})
        return build_reflect_agent(
            self._settings, self._data, QUANTITIES, model, self.queries, self._runs
        )

    def ask(self, text: str, of: str, words: str, **replies: list[str]) -> Answer:
        told = {"intent": [intent()], "plugin": [plugin(of)], "time_words": [times(words)]}
        return self.agent(**{**told, **replies}).query(text, a_context())

    @property
    def metrics(self) -> list[str]:
        return sorted(m.name for m in self.queries.written[-1].metrics)


@pytest.fixture
def asking(settings: Settings, data: DataService) -> Asking:
    return Asking(settings, data)


def test_the_plugins_are_those_of_the_lake(settings: Settings, data: DataService) -> None:
    grounding = build_grounding(settings, data, QUANTITIES)

    assert set(grounding.plugins) == set(data.source.lake.plugins)
    assert all(line != name for name, line in grounding.plugins.items())


@pytest.mark.parametrize(
    ("text", "of", "metrics"),
    [
        ("average total power of node 5 on 1 June 2022", "ipmi_pub", ["total_power"]),
        ("how much wattage did node 5 draw on 1 June 2022", "ipmi_pub", ["total_power"]),
        (
            "GPU 2 utilisation of node 5 on 1 June 2022",
            "ganglia_pub",
            ["Gpu2_gpu_utilization"],
        ),
        ("outdoor humidity on 1 June 2022", "weather_pub", ["humidity"]),
    ],
)
def test_words_are_tied_to_the_metric_that_they_mean(
    asking: Asking, text: str, of: str, metrics: list[str]
) -> None:
    answer = asking.ask(text, of, "on 1 June 2022")

    assert isinstance(answer, Answered), answer.text
    assert asking.metrics == metrics


@pytest.mark.parametrize(
    ("text", "of", "first"),
    [
        ("breeze of node 5 on 1 June 2022", "ipmi_pub", "fan_speed"),
        ("how warm did the GPUs of node 5 run on 1 June 2022", "ipmi_pub", "gpu_core_temperature"),
        ("memory footprint of node 3 on 1 June 2022", "ganglia_pub", "memory_total"),
    ],
)
def test_words_that_are_only_somewhat_alike_are_asked_about(
    asking: Asking, text: str, of: str, first: str
) -> None:
    back = asking.ask(text, of, "on 1 June 2022")

    assert isinstance(back, NeedsClarification), back.text
    assert back.choices[0].id == first

    told = {"plugin": [plugin(of)], "time_words": [times()]}
    answer = asking.agent(**told).clarify("trace", back.choices[0].label, a_context())

    assert isinstance(answer, Answered), answer.text
    assert {QUANTITIES.of_metric(m).id for m in asking.queries.written[-1].metrics} == {first}


def test_words_that_nothing_is_near_to_end_the_request(asking: Asking) -> None:
    answer = asking.ask("the thing of node 5 on 1 June 2022", "ipmi_pub", "on 1 June 2022")

    assert isinstance(answer, Declined)
    assert "other words" in answer.text


def test_two_metrics_are_found_in_their_plugins(asking: Asking) -> None:
    one, other = (
        f"average {what} of node 5 on 1 June 2022" for what in ("load", "inlet temperature")
    )
    answer = asking.ask(
        "average load and inlet temperature of node 5 on 1 June 2022",
        "",
        "on 1 June 2022",
        intent=[intent(cardinality="multi")],
        decompose=[parts(one, other)],
        plugin=[plugin("ganglia_pub"), plugin("ipmi_pub")],
    )

    assert isinstance(answer, Answered), answer.text
    assert asking.metrics == ["ambient", "load_one"]


def test_what_is_computed_from_other_readings_is_refused(asking: Asking) -> None:
    answer = asking.ask("average CPU utilisation of node 5 on 1 June 2022", "ganglia_pub", "")

    assert isinstance(answer, Declined)
    assert "computed from other readings" in answer.text
