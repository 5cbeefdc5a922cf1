"""A grounded request: what its parts rest on."""

from agent.reflect.grounded import Grounded, Part
from retrieval.metric_catalog import MetricCatalog

CATALOG = MetricCatalog.load()


def test_a_metric_of_two_parts_counts_once() -> None:
    gpus = CATALOG.members("gpu_utilization")
    power = CATALOG.find("ipmi_pub", "total_power")
    assert power is not None

    grounded = Grounded("gpus and power", (Part("gpus", gpus), Part("power", (power, gpus[0]))))

    assert grounded.metrics == (*gpus, power)
    assert [part.plugin for part in grounded.parts] == ["ganglia_pub", "ipmi_pub"]
