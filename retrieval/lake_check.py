"""Which parts of a lake cannot be used, found out without reading its rows."""

from retrieval.errors import LakeError
from retrieval.lake import JOB_METRIC, JOB_PLUGIN, Lake
from retrieval.lake_files import PartitionFile
from retrieval.lake_schema import checked_schema, job_schema, reading_schema
from retrieval.metric_catalog import MetricCatalog


def faults_in(lake: Lake, catalog: MetricCatalog) -> tuple[LakeError, ...]:
    """One error for each closed directory, and for each file that is damaged or has wrong columns.

    Pages that are damaged in the midst of a file show only when they are read. Raises LakeError
    where there is no lake.
    """
    faults = [directory.error for directory in lake.closed]
    for files in lake.files.values():
        for file in files:
            try:
                _look_at(file, catalog)
            except LakeError as error:
                faults.append(error)
    return tuple(faults)


def _look_at(file: PartitionFile, catalog: MetricCatalog) -> None:
    metric = catalog.find(file.plugin, file.metric)
    if (file.plugin, file.metric) == (JOB_PLUGIN, JOB_METRIC):
        job_schema(file)
    elif metric is not None:
        reading_schema(file, metric)
    else:
        checked_schema(file, set())
