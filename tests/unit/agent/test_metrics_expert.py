"""The skill is made from the catalogue: every metric is in it, and the excerpt has exact names."""

from agent.metrics_expert import MetricsExpert, metrics_skill
from retrieval.metric_catalog import MetricCatalog
from retrieval.quantity_catalog import QuantityCatalog

CATALOG = MetricCatalog.load()
QUANTITIES = QuantityCatalog(CATALOG)


def test_every_plugin_and_family_has_its_place() -> None:
    written = metrics_skill(CATALOG)

    for plugin in CATALOG.plugins:
        assert f"## {plugin}" in written
    families = {(metric.plugin, metric.family) for metric in CATALOG.metrics}
    rows = [line for line in written.splitlines() if line.startswith("| ")]
    assert len(rows) == len(families) + len(CATALOG.plugins)
    assert "| total_power | W | " in written


def test_each_row_has_as_many_cells_as_the_heading() -> None:
    rows = [line for line in metrics_skill(CATALOG).splitlines() if line.startswith("|")]

    assert {line.count("|") for line in rows} == {5}


def test_an_excerpt_names_the_metrics_that_a_question_may_mean() -> None:
    quantity = QUANTITIES.of_metric(CATALOG.members("total_power")[0])
    expert = MetricsExpert(CATALOG, lambda texts: (quantity,) if texts == ("watts?",) else ())

    assert "- ipmi_pub/total_power [W]: " in expert.excerpt("watts?")
    assert "total_power" not in expert.excerpt("degrees?")
