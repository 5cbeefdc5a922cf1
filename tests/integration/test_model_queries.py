"""Queries by the model over a tiny lake: what they give is what our own give."""

from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from agent.answer import Answered
from agent.budget import Budget
from agent.reflect.grounded import Grounded, Part
from agent.reflect.model_queries import ModelQueries
from agent.reflect.query_steps import Written
from agent.run_context import RunContext
from agent.session import Question
from bot.settings import Settings
from bot.wiring import build_data_service
from retrieval.data_service import DataService
from retrieval.measures import Group, Measure
from retrieval.metric_catalog import MetricCatalog
from retrieval.quantity_catalog import QuantityCatalog
from retrieval.quantity_documents import documents_of
from retrieval.request import Entity, EntityKind, TimeWindow
from retrieval.settings import RetrievalSettings
from retrieval.vector_index import VectorIndex
from tests.curated_asking import Asker
from tests.fakes.no_embedder import NoEmbedder
from tests.fakes.scripted_model import ScriptedModel
from tests.stored import JUNE_1, NOW
from tests.unit.agent.reflect.test_model_queries import GOOD, Examples, review

[POWER] = MetricCatalog.load().members("total_power")
DAY = TimeWindow(JUNE_1, NOW)
FIVE = Entity(EntityKind.NODE, "5")
BOTH = Grounded(
    "average and maximum power of node 5 on 1 June 2022",
    (Part("power", (POWER,)),),
    (DAY,),
    (FIVE,),
    measures=(Measure.AVERAGE, Measure.MAXIMUM),
)
HOURLY = Grounded(
    "average power of node 5 on 1 June 2022 for each hour",
    BOTH.parts,
    (DAY,),
    (FIVE,),
    measures=(Measure.AVERAGE,),
    groups=(Group.HOUR,),
)
BY_HOUR = (
    "SELECT ?hour (AVG(?v) AS ?average) "
    + GOOD[GOOD.index("WHERE") : -1]
    + 'BIND(odaf:floorTime(?t, "PT1H", "UTC") AS ?hour) } GROUP BY ?hour ORDER BY ?hour'
)


@pytest.fixture(scope="module")
def data(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> DataService:
    folder = tmp_path_factory.mktemp("data")
    settings = Settings(retrieval=RetrievalSettings(lake=lake), data=folder / "data")
    catalog = MetricCatalog.load()
    quantities = QuantityCatalog(catalog)
    index = VectorIndex(folder / "vectors", NoEmbedder(), documents_of(quantities))
    return build_data_service(settings, catalog, quantities, index)


@pytest.mark.parametrize(("grounded", "query"), [(BOTH, GOOD), (HOURLY, BY_HOUR)])
def test_what_the_model_writes_gives_the_rows_of_our_own(
    data: DataService, lake: Path, tmp_path: Path, grounded: Grounded, query: str
) -> None:
    queries = ModelQueries(ScriptedModel([query, review()]), data, Examples(), ZoneInfo("UTC"))
    context = RunContext(Question("", NOW, "trace"), tmp_path / "a", Budget(100_000, 100, 60))

    written = queries.write(grounded, context)
    assert isinstance(written, Written)
    answer = queries.run(grounded, written, (), context)

    assert isinstance(answer, Answered)
    [own] = Asker(lake, tmp_path).ran(grounded.request, NOW).results
    width = len(answer.tables[0].columns)
    assert answer.tables[0].row_count == own.tables[0].row_count
    for row, other in zip(answer.tables[0].preview, own.tables[0].rows, strict=False):
        for cell, same in zip(row, other[:width], strict=True):
            assert cell == (pytest.approx(same) if isinstance(same, float) else same)
    assert "virtual" in answer.evidence.execution
    assert answer.evidence.samples_got
