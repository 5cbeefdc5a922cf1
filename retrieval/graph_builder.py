"""The part of the lake that a graph stands for, as N-Triples."""

from collections.abc import Collection, Iterator

import polars as pl

from ontology.vocabulary import DATA, JOB, ODA, RDF_TYPE, XSD
from retrieval.lake import Lake
from retrieval.mapping import (
    JOB_KEY,
    JOB_PROPERTIES,
    NODE_IDS,
    reading_classes,
    reading_properties,
)
from retrieval.query_result import Kind
from retrieval.request import Metric
from retrieval.scope import GraphScope
from retrieval.sensors import owner_tags, reading_iris, sensor_table, time_text
from retrieval.site import Site
from retrieval.site_graph import CLASSES, sensor_triples

_CHUNK = 100_000
"""Readings or jobs that are turned into one chunk."""
_DATATYPES = {
    Kind.INTEGER: "integer",
    Kind.DOUBLE: "double",
    Kind.BOOLEAN: "boolean",
    Kind.DATE_TIME: "dateTime",
}


def graph_triples(
    lake: Lake, site: Site, scope: GraphScope, nodes: Collection[str] | None = None
) -> Iterator[bytes]:
    """Chunks of N-Triples: sensors, readings and jobs of ``scope``.

    With ``nodes``, only the sensors and readings of those nodes, and of what is not a node.
    The topology is not among them. Raises LakeError.
    """
    for metric in scope.metrics:
        table = sensor_table(metric, site)
        if nodes is not None and owner_tags(metric) == ("node",):
            table = table.filter(pl.col("node").cast(pl.String).is_in(list(nodes)))
        yield sensor_triples(metric, table)
        yield from _reading_triples(lake, metric, table, scope)
    if scope.jobs:
        yield from _job_triples(lake)


def count_readings(lake: Lake, scope: GraphScope) -> int:
    """How many readings ``scope`` holds."""
    scans = [lake.readings(m, scope.windows).select(pl.len()) for m in scope.metrics]
    return int(sum(lake.collected(scan).item() for scan in scans))


def count_jobs(lake: Lake, scope: GraphScope) -> int:
    """How many jobs ``scope`` holds."""
    return int(lake.collected(lake.jobs([JOB_KEY]).select(pl.len())).item()) if scope.jobs else 0


def _reading_triples(
    lake: Lake, metric: Metric, table: pl.DataFrame, scope: GraphScope
) -> Iterator[bytes]:
    scan = lake.readings(metric, scope.windows, metric.tags)
    owners = table.lazy().select("sensor", "reading", *owner_tags(metric))
    how = owner_tags(metric)
    joined = scan.join(owners, on=list(how)) if how else scan.join(owners, how="cross")
    frame = lake.collected(joined.filter(pl.col("timestamp").is_not_null()))
    subject = pl.col(".subject")
    lines = [
        _triple(pl.col("sensor"), ODA + "hasReading", _resource(subject)),
        _triple(subject, ODA + "isReadingOf", _resource(pl.col("sensor"))),
        *(
            _triple(subject, RDF_TYPE, _resource(pl.lit(name)))
            for name in sorted(reading_classes(metric))
        ),
    ]
    for name, mapped in reading_properties(metric).items():
        lines.append(_triple(subject, name, _literal(mapped.value, mapped.kind)))
    iris = reading_iris(metric, pl.col("reading"), pl.col("timestamp")).alias(".subject")
    yield from _chunks(frame, iris, lines)


def _job_triples(lake: Lake) -> Iterator[bytes]:
    columns = {JOB_KEY, *NODE_IDS.columns}
    for mapped in JOB_PROPERTIES.values():
        columns |= set(mapped.columns)
    frame = lake.collected(lake.jobs(columns).filter(pl.col(JOB_KEY).is_not_null()))
    subject = pl.col(".subject")
    iris = pl.concat_str([pl.lit(DATA + "job/"), pl.col(JOB_KEY).cast(pl.String)])
    lines = [
        _triple(subject, RDF_TYPE, _resource(pl.lit(name)))
        for name in (JOB, *(ODA + name for name in CLASSES["Job"]))
    ]
    for name, mapped in JOB_PROPERTIES.items():
        lines.append(_triple(subject, name, _literal(mapped.value, mapped.kind)))
    yield from _chunks(frame, iris.alias(".subject"), lines)
    runs = frame.select(JOB_KEY, NODE_IDS.value.list.unique().alias(".node")).explode(".node")
    runs = runs.filter(pl.col(".node").is_not_null())
    node = pl.concat_str([pl.lit(DATA + "node/"), pl.col(".node")])
    both = [
        _triple(subject, ODA + "runsOn", _resource(node)),
        _triple(node, ODA + "runs", _resource(subject)),
    ]
    yield from _chunks(runs, iris.alias(".subject"), both)
    users = frame.select(pl.col("user_id").cast(pl.String).alias(".user").unique()).drop_nulls()
    user = pl.concat_str([pl.lit(DATA + "user/"), pl.col(".user")]).alias(".subject")
    about = [
        _triple(subject, RDF_TYPE, _resource(pl.lit(ODA + name)))
        for name in ("User", *CLASSES["User"])
    ]
    about.append(_triple(subject, ODA + "userId", _literal(pl.col(".user"), Kind.STRING)))
    yield from _chunks(users, user, about)


def _chunks(frame: pl.DataFrame, subject: pl.Expr, lines: list[pl.Expr]) -> Iterator[bytes]:
    for part in frame.iter_slices(_CHUNK):
        texts = part.lazy().with_columns(subject).select(pl.concat_str(lines).alias("t")).collect()
        yield "".join(texts["t"]).encode()


def _triple(subject: pl.Expr, prop: str, target: pl.Expr) -> pl.Expr:
    """One line, or an empty text where ``target`` is null."""
    line = pl.concat_str([pl.lit("<"), subject, pl.lit(f"> <{prop}> "), target, pl.lit(" .\n")])
    return line.fill_null("")


def _resource(name: pl.Expr) -> pl.Expr:
    return pl.concat_str([pl.lit("<"), name.cast(pl.String), pl.lit(">")])


def _literal(value: pl.Expr, kind: Kind) -> pl.Expr:
    match kind:
        case Kind.DATE_TIME:
            text = time_text(value)
        case Kind.DOUBLE:
            text = (
                pl.when(value.is_infinite())
                .then(pl.when(value > 0).then(pl.lit("INF")).otherwise(pl.lit("-INF")))
                .otherwise(value.cast(pl.String))
            )
        case Kind.STRING:
            text = value.cast(pl.String)
            for plain, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r")):
                text = text.str.replace_all(plain, escaped, literal=True)
        case _:
            text = value.cast(pl.String)
    datatype = f'"^^<{XSD}{_DATATYPES[kind]}>' if kind in _DATATYPES else '"'
    return pl.concat_str([pl.lit('"'), text, pl.lit(datatype)])
