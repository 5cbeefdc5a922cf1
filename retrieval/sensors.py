"""The sensors of a metric: which thing owns each, and which tag values its readings carry."""

from urllib.parse import quote

import polars as pl

from ontology.vocabulary import DATA
from retrieval.request import EntityKind, Metric
from retrieval.site import Site

_PLAIN = "!$&'()*+,;=:@~/"


def iri(*parts: str) -> str:
    """The IRI of a thing of the site: ``iri("node", "900")``."""
    return DATA + "/".join(quote(part, safe=_PLAIN) for part in parts)


def owner_kind(metric: Metric) -> EntityKind:
    """What kind of thing owns the sensors of ``metric``."""
    if "node" in metric.tags:
        return EntityKind.NODE
    if "device" in metric.tags:
        return EntityKind.METER if "panel" in metric.tags else EntityKind.CRAC
    if "panel" in metric.tags:
        return EntityKind.PANEL
    if "partition" in metric.tags:
        return EntityKind.PARTITION
    return EntityKind.WEATHER if metric.plugin.startswith("weather") else EntityKind.SYSTEM


def owner_tags(metric: Metric) -> tuple[str, ...]:
    """The tags that tell the owners of ``metric`` apart; the others tell readings apart."""
    return {
        EntityKind.NODE: ("node",),
        EntityKind.METER: ("panel", "device"),
        EntityKind.CRAC: ("device",),
        EntityKind.PANEL: ("panel",),
        EntityKind.PARTITION: ("partition",),
    }.get(owner_kind(metric), ())


def reading_tags(metric: Metric) -> tuple[str, ...]:
    """The tags that tell apart readings of one sensor at one instant."""
    owned = owner_tags(metric)
    return tuple(tag for tag in metric.tags if tag not in owned)


def owner_names(metric: Metric, site: Site) -> tuple[str, ...]:
    """Names of the things that own a sensor of ``metric``."""
    kind = owner_kind(metric)
    if kind is EntityKind.NODE:
        return (*site.names(kind), *site.hosts_by_plugin.get(metric.plugin, ()))
    if kind is EntityKind.METER:
        return site.meters_of_metric.get(metric.name, ())
    return site.names(kind)


def sensor_iri(metric: Metric, owner: str) -> str:
    """The IRI of the sensor of ``metric`` on the thing named ``owner``."""
    return iri("sensor", metric.plugin, metric.name, owner_kind(metric).value, owner)


def owner_of(sensor: str) -> str:
    """The name of the owner in the IRI of a sensor, as it is written there."""
    return sensor.removeprefix(DATA).split("/", 4)[4]


def reading_iri(metric: Metric, owner: str) -> str:
    """How the IRIs of the readings of that sensor begin; an instant follows, then tags."""
    return iri("reading", metric.plugin, metric.name, owner_kind(metric).value, owner)


def sensor_table(metric: Metric, site: Site) -> pl.DataFrame:
    """One row a sensor: the IRIs ``sensor``, ``reading`` and ``owner``, and the owner's tags.

    ``reading`` is how the IRIs of its readings begin. Tags are Categorical, the rest String.
    """
    kind = owner_kind(metric).value
    names = owner_names(metric, site)
    tags = owner_tags(metric)
    columns = {
        "sensor": [sensor_iri(metric, name) for name in names],
        "reading": [reading_iri(metric, name) for name in names],
        "owner": [iri(kind, name) for name in names],
    }
    if len(tags) == 1:
        columns[tags[0]] = list(names)
    elif tags:
        parts = [name.partition("/") for name in names]
        columns[tags[0]] = [part[0] for part in parts]
        columns[tags[1]] = [part[2] for part in parts]
    schema = dict.fromkeys(("sensor", "reading", "owner", *tags), pl.String())
    return pl.DataFrame(columns, schema=schema).with_columns(
        pl.col(tag).cast(pl.Categorical) for tag in tags
    )


def reading_iris(metric: Metric, beginning: pl.Expr, time: pl.Expr) -> pl.Expr:
    """IRIs of readings, from those of ``beginning``, their ``time`` and the tag columns."""
    parts = [beginning.cast(pl.String), pl.lit("/"), time_text(time)]
    for tag in reading_tags(metric):
        # What may stand in a tag but not in an IRI is written as percent escapes.
        text = pl.col(tag).cast(pl.String).fill_null("")
        parts += [pl.lit("/"), text.str.replace_many(list(_ESCAPED), list(_ESCAPED.values()))]
    return pl.concat_str(parts)


def time_text(time: pl.Expr) -> pl.Expr:
    """The canonical text of instants in UTC: seconds, a fraction only where there is one."""
    whole = time.dt.strftime("%Y-%m-%dT%H:%M:%S")
    fraction = time.dt.strftime("%.3f").str.strip_chars_end("0")
    return (
        pl.when(time.dt.millisecond() == 0)
        .then(whole + "Z")
        .otherwise(pl.concat_str([whole, fraction, pl.lit("Z")]))
    )


_ESCAPED = {character: quote(character, safe="") for character in ' "%<>\\^`{|}'}
