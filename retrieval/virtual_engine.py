"""Runs a query over the lake without building its graph."""

import threading
from functools import lru_cache

import polars as pl
from rdflib.plugins.sparql.sparql import Query

from ontology.sparql import algebra
from retrieval.lake import JOB_METRIC, JOB_PLUGIN
from retrieval.query_result import DTYPES, Kind, QueryResult, result_kind
from retrieval.virtual_algebra import Evaluator
from retrieval.virtual_groups import Sources
from retrieval.virtual_patterns import sorted_patterns
from retrieval.virtual_rows import NotTranslatable, Rows
from retrieval.virtual_tree import patterns_in

_PARSING = threading.Lock()


@lru_cache(maxsize=256)
def plan(text: str) -> Query:
    """The algebra of a query that passed the gate, remembered by its text."""
    with _PARSING:
        return algebra(text)


def is_about_topology(text: str, with_jobs: bool) -> bool:
    """Whether a query asks of the topology alone, and of nothing that the lake may hold."""
    try:
        patterns = [sorted_patterns(b.triples, with_jobs) for b in patterns_in(plan(text).algebra)]
    except NotTranslatable:
        return False
    return not any(pattern.stars for pattern in patterns)


def run(text: str, sources: Sources) -> QueryResult:
    """The result of a query; raises NotTranslatable where it would not be provably right.

    Raises LakeError, with its name, for a file that cannot be read.
    """
    try:
        return _result(text, sources)
    except (pl.exceptions.PolarsError, OSError) as error:
        keys = [(metric.plugin, metric.name) for metric in sources.scope.metrics]
        if sources.scope.jobs:
            keys.append((JOB_PLUGIN, JOB_METRIC))
        files = [file for key in keys for file in sources.lake.files.get(key, ())]
        raise sources.lake.broken(error, files) from error


def _result(text: str, sources: Sources) -> QueryResult:
    tree = plan(text).algebra
    if tree.name == "AskQuery":
        rows = Evaluator(sources).rows(tree.p, set())
        found = rows.frame.head(1).collect(engine="streaming").height > 0
        return QueryResult(pl.DataFrame({"ask": [found]}), {"ask": Kind.BOOLEAN.value})
    if tree.name != "SelectQuery":
        raise NotTranslatable(tree.name)
    names = [str(name) for name in tree.PV]
    rows = Evaluator(sources).rows(tree.p, set(names))
    frame = _projected(rows, names).collect(engine="streaming")
    kinds = {
        name: result_kind(rows.columns[name].kind if name in rows.columns else Kind.NOTHING)
        for name in names
    }
    return QueryResult(frame, kinds)


def _projected(rows: Rows, names: list[str]) -> pl.LazyFrame:
    parts = []
    for name in names:
        column = rows.columns.get(name)
        if column is None:
            parts.append(pl.lit(None, pl.String).alias(name))
        elif column.kind not in DTYPES:
            raise NotTranslatable(f"?{name} is a {column.kind}")
        elif column.kind is Kind.DATE_TIME:
            parts.append(pl.col(name).dt.convert_time_zone("UTC").dt.cast_time_unit("ms"))
        else:
            parts.append(rows.plain(name).cast(DTYPES[column.kind]).alias(name))
    return rows.frame.with_columns(parts).select(names)
