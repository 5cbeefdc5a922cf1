"""The Parquet lake: lazy scans of one metric or of the job table, normalised and pruned."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path

import polars as pl

from retrieval.errors import LakeError
from retrieval.lake_files import ClosedDirectory, Listing, PartitionFile
from retrieval.lake_profile import LakeProfile
from retrieval.lake_schema import first_line, job_schema, reading_schema, unreadable
from retrieval.metric_catalog import MetricCatalog
from retrieval.request import Metric, TimeWindow
from retrieval.sight import Sight

TIME = pl.Datetime("ms", "UTC")
JOB_PLUGIN = "job_table"
JOB_METRIC = "job_info_marconi100"
_NAMED = 3
"""So many files are named where it is not known which of them is at fault."""


@dataclass(frozen=True)
class Lake:
    """Partitions ``year_month=YY-MM/plugin=P/metric=M/*.parquet`` below ``root``.

    ``profile`` remembers which files hold repeated samples, so that clean ones are read as they
    are and others without their repetitions. Through a ``sight``, a lake is one that holds no
    more than what is seen: whatever reads rows here cannot get at others.
    """

    root: Path
    profile: LakeProfile
    sight: Sight | None = None
    seen_metrics: frozenset[tuple[str, str]] | None = None
    """Plugin and name of the metrics that a sight lets be seen."""
    whole: "Lake | None" = None
    """The lake that is seen in part here."""

    def seen(self, sight: Sight, catalog: MetricCatalog) -> "Lake":
        """The part that ``sight`` lets be seen, of the metrics of ``catalog`` alone."""
        names = frozenset((metric.plugin, metric.name) for metric in catalog.metrics)
        return replace(self, sight=sight, seen_metrics=names, whole=self)

    @cached_property
    def files(self) -> dict[tuple[str, str], tuple[PartitionFile, ...]]:
        """The files of every (plugin, metric), oldest month first. Raises LakeError.

        What lies in a directory that cannot be listed is not among them: whoever needs it asks
        :meth:`must_list` before.
        """
        found: dict[tuple[str, str], list[PartitionFile]] = {}
        for file in self._listing.files:
            if (
                self.seen_metrics is not None
                and (file.plugin, file.metric) not in self.seen_metrics
            ):
                continue
            found.setdefault((file.plugin, file.metric), []).append(file)
        if not found and self.sight is None:
            if self.closed:
                raise self.closed[0].error
            raise LakeError(
                f"{self.root} holds no partition year_month=YY-MM/plugin=P/metric=M/*.parquet"
            )
        return {key: tuple(sorted(files)) for key, files in found.items()}

    @property
    def closed(self) -> tuple[ClosedDirectory, ...]:
        """The directories that cannot be listed."""
        return self._listing.closed

    @cached_property
    def _listing(self) -> Listing:
        if self.whole is not None:
            return self.whole._listing
        if not self.root.is_dir():
            raise LakeError(f"there is no lake at {self.root}: no such directory")
        return Listing.of(self.root)

    def must_list(self, plugin: str, metric: str, windows: Sequence[TimeWindow] = ()) -> None:
        """Raise LakeError where a closed directory may hold the metric's rows of ``windows``."""
        for directory in self.closed:
            if directory.may_hold(plugin, metric) and (
                not windows or any(directory.may_hold_rows(w.start, w.end) for w in windows)
            ):
                raise directory.error

    @cached_property
    def plugins(self) -> tuple[str, ...]:
        """The plugins that have data, in alphabetical order."""
        return tuple(sorted({plugin for plugin, _ in self.files}))

    def months(self, plugin: str, metric: str) -> tuple[str, ...]:
        """The months ``YY-MM`` that have data of a metric, oldest first."""
        return tuple(dict.fromkeys(f.month for f in self.files.get((plugin, metric), ())))

    def readings(
        self,
        metric: Metric,
        windows: Sequence[TimeWindow] = (),
        as_category: Collection[str] = (),
    ) -> pl.LazyFrame:
        """Readings of ``metric`` in any of ``windows`` (all of them where there is no window).

        Columns: the metric's tags (String, or Categorical), ``timestamp`` (ms, UTC) and
        ``value`` (Float64 in the metric's unit, or String for a metric of texts). Rows are in no
        order; of several for the same tags and millisecond the first counts, and those without
        an instant do not. A file whose columns are not as they should be, or that cannot be
        read, is a LakeError that names it.
        """
        self.must_list(metric.plugin, metric.name, windows)
        files = [
            f
            for f in self.files.get((metric.plugin, metric.name), ())
            if not windows or any(f.may_hold(w.start, w.end) for w in windows)
        ]
        schemas = {file: reading_schema(file, metric) for file in files}
        tags: dict[str, pl.DataType] = {
            tag: pl.Categorical() if tag in as_category else pl.String() for tag in metric.tags
        }
        scans = []
        time = pl.col("timestamp")
        for group in self.profile.overlapping(files):
            samples = [self._samples_of(file, metric, schemas[file], tags) for file in group]
            scan = pl.concat(samples) if len(samples) > 1 else samples[0]
            scan = scan.filter(in_windows(time, windows) if windows else time.is_not_null())
            # Last, so that only what lies in the windows is looked through for repetitions.
            scans.append(self._once(scan, group, metric))
        empty = _no_readings(metric).cast(pl.Schema(tags))
        return pl.concat(scans) if scans else empty.lazy()

    def _samples_of(
        self,
        file: PartitionFile,
        metric: Metric,
        schema: pl.Schema,
        tags: Mapping[str, pl.DataType],
    ) -> pl.LazyFrame:
        value = pl.col("value").cast(pl.String)
        if metric.dtype != "string":
            value = pl.col("value").cast(pl.Float64)
            if schema["value"].is_float():
                # Zero has one sign here, as it has for whoever reads an answer.
                value = pl.when(value == 0).then(0.0).otherwise(value).alias("value")
            if metric.scale != 1:
                # Dividing by the whole number keeps 182 tenths at 18.2; times 0.1 does not.
                value = value / round(1 / metric.scale)
        return self.rows_of(file, metric).select(
            *(pl.col(tag).cast(dtype) for tag, dtype in tags.items()),
            _as_time(pl.col("timestamp"), schema["timestamp"]),
            value,
        )

    def rows_of(self, file: PartitionFile, metric: Metric) -> pl.LazyFrame:
        """The stored rows of ``file``, which is one of ``metric``, that may be seen."""
        rows = self.sight.rows(metric) if self.sight is not None else None
        return _scan(file) if rows is None else _scan(file).filter(rows)

    def _once(
        self, scan: pl.LazyFrame, files: Sequence[PartitionFile], metric: Metric
    ) -> pl.LazyFrame:
        if self.profile.repeats(files, ("timestamp", *metric.tags)):
            keys = ["timestamp", *metric.tags]
            scan = scan.unique(subset=keys, keep="first", maintain_order=True)
        return scan

    def jobs(self, columns: Iterable[str]) -> pl.LazyFrame:
        """The job table with just ``columns``, as stored but for times (ms, UTC); a job once."""
        wanted = sorted(set(columns))
        if self._jobs_repeat:
            read = sorted({*wanted, "job_id"})
            all_rows = self._all_jobs(read)
            once = all_rows.unique(subset="job_id", keep="first", maintain_order=True)
            return once.select(wanted)
        return self._all_jobs(wanted)

    @cached_property
    def _jobs_repeat(self) -> bool:
        if self.whole is not None and not self.whole._jobs_repeat:
            return False
        ids = self._all_jobs(["job_id"]).select(pl.col("job_id").drop_nulls())
        return bool(self.collected(ids.select(pl.all().n_unique() != pl.len())).item())

    def _all_jobs(self, wanted: Sequence[str]) -> pl.LazyFrame:
        # A job that ended in any month may be among those that are asked about.
        self.must_list(JOB_PLUGIN, JOB_METRIC)
        scans = []
        for file in self.files.get((JOB_PLUGIN, JOB_METRIC), ()):
            schema = job_schema(file)
            scan = _scan(file)
            seen = self.sight.jobs(frozenset(schema.names())) if self.sight is not None else None
            if seen is not None:
                scan = scan.filter(seen)
            scans.append(scan.select(_job_column(name, schema) for name in wanted))
        if not scans:
            raise LakeError(f"{self.root} has no job table (plugin={JOB_PLUGIN})")
        return pl.concat(scans, how="vertical_relaxed")

    def tags(self, metric: Metric) -> pl.DataFrame:
        """The distinct tag values of ``metric`` over its newest two months, one row each."""
        files = self.files.get((metric.plugin, metric.name), ())[-2:]
        if not files or not metric.tags:
            return _no_readings(metric).select(metric.tags)
        return self.collected(
            pl.concat(
                [
                    self.rows_of(f, metric).select(pl.col(t).cast(pl.String) for t in metric.tags)
                    for f in files
                ]
            )
            .unique()
            .sort(metric.tags),
            files,
        )

    def collected(self, scan: pl.LazyFrame, files: Sequence[PartitionFile] = ()) -> pl.DataFrame:
        """``scan`` run by the streaming engine; what cannot be read is a LakeError by name."""
        try:
            return scan.collect(engine="streaming")
        except (pl.exceptions.PolarsError, OSError) as error:
            raise self.broken(error, files) from error

    def broken(self, error: Exception, files: Sequence[PartitionFile] = ()) -> LakeError:
        """The error that names which of ``files`` (else of all) caused ``error``."""
        found = unreadable(files or [f for group in self.files.values() for f in group])
        named = " or ".join(str(file.path) for file in files[:_NAMED])
        return LakeError(f"cannot read {found or named or self.root}: {first_line(error)}")

    @cached_property
    def span(self) -> tuple[datetime, datetime]:
        """First instant of the oldest month and first instant after the newest one, UTC."""
        months = [f for files in self.files.values() for f in files]
        return min(f.first for f in months), max(f.last for f in months)


def in_windows(time: pl.Expr, windows: Sequence[TimeWindow]) -> pl.Expr:
    """Whether ``time`` lies in any of ``windows``, each with its own kind of end."""
    parts = [
        (time >= w.start) & ((time <= w.end) if w.includes_end else (time < w.end)) for w in windows
    ]
    return pl.any_horizontal(parts) if len(parts) > 1 else parts[0]


def overall(windows: Sequence[TimeWindow], margin: timedelta = timedelta(0)) -> TimeWindow:
    """The one window from the first start to the last end, widened by ``margin``."""
    return TimeWindow(
        min(w.start for w in windows) - margin, max(w.end for w in windows) + margin, True
    )


def _scan(file: PartitionFile) -> pl.LazyFrame:
    return pl.scan_parquet(file.path, hive_partitioning=False, glob=False)


def _as_time(column: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    if isinstance(dtype, pl.Datetime) and dtype.time_zone is None:
        column = column.dt.replace_time_zone("UTC")
    return column.cast(TIME)


def _job_column(name: str, schema: pl.Schema) -> pl.Expr:
    if name not in schema:
        return pl.lit(None, dtype=pl.Null).alias(name)
    if isinstance(schema[name], pl.Datetime):
        return _as_time(pl.col(name), schema[name])
    if isinstance(schema[name], pl.Categorical | pl.Enum):
        return pl.col(name).cast(pl.String)
    return pl.col(name)


def _no_readings(metric: Metric) -> pl.DataFrame:
    value = pl.String() if metric.dtype == "string" else pl.Float64()
    return pl.DataFrame(
        schema={**dict.fromkeys(metric.tags, pl.String()), "timestamp": TIME, "value": value}
    )
