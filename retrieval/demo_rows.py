"""Writes matrices of samples as one metric's partition files, in the order of the real ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from retrieval.demo_profile import DAY, Flags, Seconds
from retrieval.request import Metric

Codes = npt.NDArray[np.int16]
_ARROW: Mapping[str, pa.DataType] = {
    "int32": pa.int32(),
    "int64": pa.int64(),
    "float32": pa.float32(),
    "float64": pa.float64(),
    "string": pa.string(),
}
_PLAIN_TAGS = frozenset({"nagiosdrained", "state_type"})
"""The published files keep these two as plain strings."""
_SLACK = 180
"""No sample is further than this from its nominal time, in seconds."""
_SITE_ZONE = ZoneInfo("Europe/Rome")


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag column: its values, and which of them each entity (matrix row) has."""

    values: tuple[str, ...]
    codes: Codes

    @classmethod
    def of(cls, per_entity: Sequence[str]) -> "Tag":
        """The tag of entities that are named one by one."""
        values = tuple(dict.fromkeys(per_entity))
        place = {value: code for code, value in enumerate(values)}
        return cls(values, np.array([place[v] for v in per_entity], dtype=np.int16))


@dataclass(frozen=True, slots=True)
class Samples:
    """A matrix of values: one row an entity, one column a moment."""

    times: Seconds
    values: npt.NDArray[Any]
    """Floats; of a metric of texts, places in ``texts`` (-1 for null)."""
    shift: npt.NDArray[np.int32] | None = None
    """Seconds that each entity, or each single sample, lies after its moment."""
    keep: Flags | None = None
    """False where the sample is missing."""
    varying: Mapping[str, Codes] = field(default_factory=dict)
    """Tags that change from sample to sample: codes into the tag's values."""
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Piece:
    times: Seconds
    values: npt.NDArray[Any]
    codes: Mapping[str, Codes]


def write_metric(
    root: Path,
    metric: Metric,
    tags: Mapping[str, Tag],
    samples: Sequence[Samples],
    rng: np.random.Generator,
) -> int:
    """Write ``metric`` below ``root``, one file a month; gives the number of rows.

    Days are cut at midnight of the site and stand in any order; in a day, the rows of one entity
    stand together, the entities in any order.
    """
    pieces: dict[str, list[_Piece]] = {}
    for block in samples:
        for month, start, end in _days_in(block.times):
            if (piece := _piece(block, tags, start, end, rng)) is not None:
                pieces.setdefault(month, []).append(piece)
    texts = next((block.texts for block in samples if block.texts), ())
    rows = 0
    for month, parts in sorted(pieces.items()):
        order = rng.permutation(len(parts))
        table = _table(metric, tags, [parts[k] for k in order], texts)
        write_table(root, month, metric.plugin, metric.name, table)
        rows += table.num_rows
    return rows


def write_table(root: Path, month: str, plugin: str, metric: str, table: pa.Table) -> None:
    """Write ``table`` as the file of one metric and month."""
    folder = root / f"year_month={month}" / f"plugin={plugin}" / f"metric={metric}"
    folder.mkdir(parents=True)
    names = table.schema.names
    pq.write_table(
        table,
        folder / "a_0.parquet",
        compression="zstd",
        compression_level=3,
        version="2.6",
        data_page_version="2.0",
        row_group_size=250_000,
        use_dictionary=[name for name in names if name != "timestamp"],
        column_encoding={"timestamp": "DELTA_BINARY_PACKED"} if "timestamp" in names else None,
    )


def _days_in(times: Seconds) -> list[tuple[str, int, int]]:
    """Month, start and end of the site's days that ``times`` touch, cut at the months (UTC)."""
    if not times.size:
        return []
    first = datetime.fromtimestamp(int(times[0]), _SITE_ZONE).replace(hour=0, minute=0, second=0)
    cuts = []
    day = first
    while day.timestamp() < int(times[-1]) + DAY + _SLACK:
        cuts.append(int(day.timestamp()))
        day += timedelta(days=1)
    for cut in tuple(cuts):
        month = datetime.fromtimestamp(cut + DAY, UTC).replace(day=1, hour=0, minute=0, second=0)
        cuts.append(int(month.timestamp()))
    cuts = sorted({cut for cut in cuts if cuts[0] <= cut})
    return [(datetime.fromtimestamp(a, UTC).strftime("%y-%m"), a, b) for a, b in pairwise(cuts)]


def _piece(
    block: Samples, tags: Mapping[str, Tag], start: int, end: int, rng: np.random.Generator
) -> _Piece | None:
    low, high = np.searchsorted(block.times, (start - _SLACK, end + _SLACK))
    if low == high:
        return None
    order = rng.permutation(block.values.shape[0])
    times = np.broadcast_to(block.times[low:high], (len(order), high - low))
    keep = np.ones(times.shape, dtype=np.bool_)
    if block.keep is not None:
        keep = block.keep[order, low:high]
    if block.shift is not None:
        shift = block.shift[order]
        times = times + (shift[:, None] if shift.ndim == 1 else shift[:, low:high])
    keep = keep & (times >= start) & (times < end)
    if not keep.any():
        return None
    codes: dict[str, Codes] = {}
    for name, tag in tags.items():
        per_row = block.varying.get(name)
        wide = (
            np.broadcast_to(tag.codes[order][:, None], keep.shape)
            if per_row is None
            else per_row[order, low:high]
        )
        codes[name] = wide[keep]
    return _Piece(times[keep], block.values[order, low:high][keep], codes)


def _table(
    metric: Metric, tags: Mapping[str, Tag], pieces: Sequence[_Piece], texts: tuple[str, ...]
) -> pa.Table:
    times = np.concatenate([piece.times for piece in pieces]) * 1000
    values = np.concatenate([piece.values for piece in pieces])
    columns = {
        "timestamp": pa.array(times).view(pa.timestamp("ms", "UTC")),
        "value": _values(metric, values, texts),
    }
    for name, tag in tags.items():
        codes = np.concatenate([piece.codes[name] for piece in pieces])
        column = pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(tag.values, pa.string()))
        columns[name] = column.cast(pa.string()) if name in _PLAIN_TAGS else column
    return pa.table(columns)


def _values(metric: Metric, values: npt.NDArray[Any], texts: tuple[str, ...]) -> pa.Array:
    kind = _ARROW[metric.dtype]
    if metric.dtype == "string":
        codes = pa.array(values.astype(np.int16), mask=values < 0)
        words = pa.array(texts or ("",), pa.string())
        return pa.DictionaryArray.from_arrays(codes, words).cast(kind)
    if metric.dtype.startswith("int"):
        values = np.rint(values)
    return pa.array(values.astype(metric.dtype))
