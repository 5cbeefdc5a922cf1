import re
from dataclasses import replace

import pyoxigraph

from ontology.schema_loader import load_schema
from ontology.vocabulary import DATA, ODA
from retrieval.mapping import JOB_PROPERTIES, READING_PROPERTIES
from retrieval.metric_catalog import MetricCatalog
from retrieval.request import Metric
from retrieval.sensors import sensor_table
from retrieval.site import Site
from retrieval.site_graph import CLASSES, catalogue, sensor_triples, topology

CATALOG = MetricCatalog.load()
METERS = ("generals/pue", "f-a/chiller1-1")
SITE = Site.load().found({"Tot": METERS}, ("0", "1"), {"nagios_pub": ("980", "1101")})


def _metric(name: str) -> Metric:
    metric = CATALOG.by_name(name)
    assert metric is not None
    return metric


def _sensors(name: str) -> bytes:
    metric = _metric(name)
    return sensor_triples(metric, sensor_table(metric, SITE))


def _counted(pattern: str, *graphs: bytes) -> int:
    store = pyoxigraph.Store()
    for graph in graphs:
        store.load(graph, pyoxigraph.RdfFormat.N_TRIPLES)
    query = f"PREFIX oda: <{ODA}> PREFIX d: <{DATA}> SELECT * {{ {pattern} }}"
    found = store.query(query)
    assert isinstance(found, pyoxigraph.QuerySolutions)
    return len(list(found))


def test_holds_every_node_in_its_rack_its_room_and_its_data_centre() -> None:
    graph = topology(SITE)

    assert _counted("?rack a oda:Rack ; oda:contains ?n . ?n a oda:ComputeNode", graph) == 980
    assert _counted('?n oda:nodeId "900" ; oda:isContainedIn ?place', graph) == 3
    assert _counted("<https://odabot.example/data/datacenter/CINECA> oda:contains ?x", graph) > 1000


def test_tells_kinds_of_hosts_apart() -> None:
    graph = topology(SITE)

    assert _counted("?n a oda:LoginNode", graph) == 8
    assert _counted("?n a oda:ServiceHost", graph) == 1
    assert _counted("?n a oda:Node", graph) == 980 + 8 + 1


def test_puts_a_meter_into_the_room_that_its_panel_names() -> None:
    graph = topology(SITE)

    assert _counted('?r a oda:Room ; oda:contains ?m . ?m oda:deviceName "chiller1-1"', graph) == 1
    assert _counted('?r a oda:Room ; oda:contains ?m . ?m oda:deviceName "pue"', graph) == 0


def test_gives_each_panel_its_own_pumps() -> None:
    assert _counted("?p a oda:CoolingPanel ; oda:contains ?x . ?x a oda:Pump", topology(SITE)) == 8


def test_describes_every_metric_of_the_catalogue() -> None:
    described = "?m a oda:Metric ; oda:metricName ?n ; oda:scaleFactor ?f ; oda:providedBy ?p"

    assert _counted(described, catalogue(CATALOG)) == len(CATALOG.metrics) == 573


def test_makes_one_sensor_for_each_owner() -> None:
    assert _counted("?n oda:hasSensor ?s . ?s a oda:Sensor", _sensors("total_power")) == 980
    assert _counted("?s a oda:Sensor", _sensors("state")) == 982
    assert _counted("?s a oda:Sensor", _sensors("Tot")) == 2
    assert _counted("?s a oda:Sensor", _sensors("Supply_Air_Temperature")) == 6
    assert _counted("?s a oda:Sensor", _sensors("s21.totals.total_nodes_idle")) == 2
    assert _counted("d:weather/outdoor oda:hasSensor ?s".replace("/", "\\/"), _sensors("temp")) == 1


def test_numbers_the_sensors_of_a_family() -> None:
    sensors = _sensors("Gpu3_gpu_utilization")

    assert _counted('?s oda:familyName "gpu_utilization" ; oda:componentIndex "3"', sensors) == 980


def test_escapes_what_may_not_stand_in_a_name() -> None:
    odd = replace(SITE, cracs=('a "b" <c>\n',))

    assert _counted("?c a oda:CRAC ; oda:deviceName ?name", topology(odd)) == 1


def test_states_the_classes_that_the_ontology_has_and_all_above_them() -> None:
    ancestors = load_schema().ancestors

    stated = {name: {name, *above} for name, above in CLASSES.items()}

    assert stated == {
        name: {term.removeprefix(ODA) for term in ancestors[ODA + name]} for name in CLASSES
    }


def test_fills_every_property_that_the_ontology_calls_recorded() -> None:
    text = (topology(SITE) + catalogue(CATALOG) + _sensors("Gpu0_gpu_utilization")).decode()
    written = set(re.findall(r"> <(\S+oda#\w+)> [<\"]", text))
    mapped = {*JOB_PROPERTIES, *READING_PROPERTIES}
    linked = {ODA + name for name in ("hasReading", "isReadingOf", "runsOn", "runs")}

    recorded = {iri for iri, prop in load_schema().properties.items() if prop.is_recorded}

    assert recorded <= written | mapped | linked
