"""Of what the catalogue knows: what the lake has files of, and of which months."""

from collections.abc import Sequence
from datetime import timedelta

import polars as pl

from retrieval.lake import Lake
from retrieval.lake_files import PartitionFile
from retrieval.site_request import SiteRequest, Subject
from retrieval.tables import Shaped

_LISTS = {Subject.PLUGINS: ["plugin"], Subject.METRICS: ["plugin", "metric"]}


def with_holdings(table: Shaped, request: SiteRequest, lake: Lake) -> tuple[Shaped, str]:
    """A list of plugins or metrics, and what the lake has of them, in words.

    Where only what has data is asked for, the rest is taken out; raises LakeError where that is
    not known, as some of it may lie in a directory that cannot be listed. No words then without
    that wish, and none for any other table.
    """
    names = _LISTS.get(request.subject)
    if names is None or request.count:
        return table, ""
    if lake.closed:
        if request.held:
            raise lake.closed[0].error
        return table, ""
    held: dict[tuple[str, ...], list[PartitionFile]] = {}
    for key, files in lake.files.items():
        held.setdefault(key[: len(names)], []).extend(files)
    listed = list(table.frame.select(names).iter_rows())
    found = pl.Series([key in held for key in listed], dtype=pl.Boolean)
    months = _months([file for key in listed for file in held.get(key, ())])
    if request.held:
        kept = Shaped(table.name, table.columns, table.frame.filter(found))
        return kept, f"The files are of {months}." if months else ""
    if not months:
        return table, "The lake has no data of them."
    which = "all of them" if found.all() else f"{found.sum()} of them"
    return table, f"The lake has data of {which}, in files of {months}."


def _months(files: Sequence[PartitionFile]) -> str:
    """``May to June 2022``, or nothing of no files."""
    if not files:
        return ""
    first = min(file.first for file in files)
    last = max(file.last for file in files) - timedelta(days=1)
    if (first.year, first.month) == (last.year, last.month):
        return f"{first:%B %Y}"
    return f"{first:%B %Y} to {last:%B %Y}"
