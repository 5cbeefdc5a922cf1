"""The topology, plugins, metrics and sensors of a site as N-Triples."""

from collections.abc import Iterable

import polars as pl

from ontology.vocabulary import ODA, RDF_TYPE, XSD
from retrieval.metric_catalog import MetricCatalog
from retrieval.request import EntityKind, Metric
from retrieval.sensors import iri
from retrieval.site import Site

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"})
_PHYSICAL = "PhysicalEntity"
_COOLING = ("CoolingEquipment", "Equipment", _PHYSICAL)
CLASSES: dict[str, tuple[str, ...]] = {
    "DataCenter": (_PHYSICAL,),
    "Room": (_PHYSICAL,),
    "Rack": (_PHYSICAL,),
    "ComputeNode": ("Node", _PHYSICAL),
    "LoginNode": ("Node", _PHYSICAL),
    "ServiceHost": ("Node", _PHYSICAL),
    "CRAC": _COOLING,
    "CoolingPanel": _COOLING,
    "Pump": _COOLING,
    "Valve": _COOLING,
    "PowerMeter": ("PowerEquipment", "Equipment", _PHYSICAL),
    "HPCSystem": ("LogicalEntity",),
    "Partition": ("LogicalEntity",),
    "Plugin": ("LogicalEntity",),
    "Metric": ("LogicalEntity",),
    "User": ("LogicalEntity",),
    "Job": ("LogicalEntity",),
    "Weather": ("ExternalEntity",),
    "Sensor": (),
    "Reading": (),
    "CheckResult": ("Reading",),
    "SchedulerReading": ("Reading",),
}
"""Classes of individuals with all their superclasses, which the graph states too."""

_CLASS_OF = {
    EntityKind.CRAC: ("CRAC", "deviceName"),
    EntityKind.PARTITION: ("Partition", "partitionId"),
    EntityKind.SYSTEM: ("HPCSystem", "systemName"),
    EntityKind.WEATHER: ("Weather", "weatherStation"),
}


class _Writer:
    """Collects the lines of a graph."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def typed(self, subject: str, kind: str) -> None:
        for name in (kind, *CLASSES[kind]):
            self.lines.append(f"<{subject}> <{RDF_TYPE}> <{ODA}{name}> .")

    def link(self, subject: str, prop: str, target: str) -> None:
        self.lines.append(f"<{subject}> <{ODA}{prop}> <{target}> .")

    def text(self, subject: str, prop: str, value: str) -> None:
        self.lines.append(f'<{subject}> <{ODA}{prop}> "{value.translate(_ESCAPES)}" .')

    def number(self, subject: str, prop: str, value: float, kind: str) -> None:
        self.lines.append(f'<{subject}> <{ODA}{prop}> "{value}"^^<{XSD}{kind}> .')

    def contained(self, inner: str, *outer: str) -> None:
        """States containment in every one of ``outer``, since it is transitive, both ways."""
        for thing in outer:
            self.link(thing, "contains", inner)
            self.link(inner, "isContainedIn", thing)

    def bytes(self) -> bytes:
        return ("\n".join(self.lines) + "\n").encode()


def topology(site: Site) -> bytes:
    """N-Triples of everything in ``site``: classes, names, positions and containment."""
    out = _Writer()
    centre = iri("datacenter", site.data_center)
    out.typed(centre, "DataCenter")
    out.text(centre, "dataCenterName", site.data_center)
    for name in site.rooms:
        room = iri("room", name)
        out.typed(room, "Room")
        out.text(room, "roomName", name)
        out.contained(room, centre)
    main = iri("room", site.main_room)
    _racks(out, site, main, centre)
    for name in (*map(str, site.login_nodes), *site.service_hosts):
        node = iri("node", name)
        login = name.isdecimal() and int(name) in site.login_nodes
        out.typed(node, "LoginNode" if login else "ServiceHost")
        out.text(node, "nodeId", name)
        out.contained(node, main, centre)
    for kind, (cls, prop) in _CLASS_OF.items():
        for name in site.names(kind):
            thing = iri(kind.value, name)
            out.typed(thing, cls)
            out.text(thing, prop, name)
            if kind is EntityKind.CRAC:
                out.contained(thing, main, centre)
    _cooling(out, site, main, centre)
    for name in site.meters:
        meter = iri("meter", name)
        panel, _, device = name.partition("/")
        out.typed(meter, "PowerMeter")
        out.text(meter, "panelName", panel)
        out.text(meter, "deviceName", device)
        rooms = [room for room in site.rooms if site.is_metered(room, panel)]
        out.contained(meter, *(iri("room", room) for room in rooms), centre)
    return out.bytes()


def _racks(out: _Writer, site: Site, room: str, centre: str) -> None:
    for rack in site.racks:
        holder = iri("rack", rack.name)
        out.typed(holder, "Rack")
        out.text(holder, "rackId", rack.name)
        out.contained(holder, room, centre)
        for number in rack.nodes:
            node = iri("node", str(number))
            out.typed(node, "ComputeNode")
            out.text(node, "nodeId", str(number))
            host = site.host_of_node(str(number))
            if host:
                out.text(node, "hostName", host)
            out.number(node, "slot", rack.slot(number), "integer")
            out.contained(node, holder, room, centre)
        for thing in (holder, *(iri("node", str(n)) for n in rack.nodes)):
            out.number(thing, "positionX", rack.x, "integer")
            out.number(thing, "positionY", rack.y, "integer")


def _cooling(out: _Writer, site: Site, room: str, centre: str) -> None:
    for name in site.panels:
        panel = iri("panel", name)
        out.typed(panel, "CoolingPanel")
        out.text(panel, "panelName", name)
        out.contained(panel, room, centre)
        for kind, cls, prop, parts in (
            ("pump", "Pump", "pumpName", site.pumps),
            ("valve", "Valve", "valveName", site.valves),
        ):
            for part in parts:
                thing = iri(kind, name, part)
                out.typed(thing, cls)
                out.text(thing, prop, part)
                out.contained(thing, panel, room, centre)


def catalogue(catalog: MetricCatalog) -> bytes:
    """N-Triples of the plugins and metrics of ``catalog``."""
    out = _Writer()
    for name, description in catalog.plugins.items():
        plugin = iri("plugin", name)
        out.typed(plugin, "Plugin")
        out.text(plugin, "pluginName", name)
        out.text(plugin, "description", description)
    for metric in catalog.metrics:
        thing = iri("metric", metric.name)
        out.typed(thing, "Metric")
        for prop, value in _described(metric):
            out.text(thing, prop, value)
        if metric.ucum:
            out.text(thing, "ucumCode", metric.ucum)
        if metric.description:
            out.text(thing, "description", metric.description)
        if metric.period is not None:
            out.number(thing, "samplingPeriod", float(metric.period), "double")
        out.number(thing, "scaleFactor", float(metric.scale), "double")
        out.link(thing, "providedBy", iri("plugin", metric.plugin))
        out.link(iri("plugin", metric.plugin), "provides", thing)
    return out.bytes()


def sensor_triples(metric: Metric, table: pl.DataFrame) -> bytes:
    """N-Triples of the sensors of ``metric``; ``table`` is its sensor table."""
    measured = iri("metric", metric.name)
    facts = [
        f"<{RDF_TYPE}> <{ODA}Sensor>",
        *(f'<{ODA}{prop}> "{value.translate(_ESCAPES)}"' for prop, value in _described(metric)),
        f"<{ODA}measures> <{measured}>",
    ]
    parts: list[pl.Expr] = []
    sensor = pl.col("sensor")
    for fact in facts:
        parts += [pl.lit("<"), sensor, pl.lit(f"> {fact} .\n")]
    owner = pl.col("owner")
    for subject, predicate, target in (
        (owner, "hasSensor", sensor),
        (sensor, "isSensorOf", owner),
        (pl.lit(measured), "isMeasuredBy", sensor),
    ):
        link = pl.lit(f"> <{ODA}{predicate}> <")
        parts += [pl.lit("<"), subject, link, target, pl.lit("> .\n")]
    lines = "".join(table.select(pl.concat_str(parts))[:, 0])
    return lines.encode()


def _described(metric: Metric) -> Iterable[tuple[str, str]]:
    yield "metricName", metric.name
    yield "pluginName", metric.plugin
    yield "familyName", metric.family
    if metric.unit:
        yield "unit", metric.unit
    if metric.index is not None:
        yield "componentIndex", metric.index
