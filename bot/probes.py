"""How the parts that are no adapters are tried out; each gives what was found in a few words."""

import shutil
import tempfile
from pathlib import Path

from bot.errors import SettingsError
from retrieval.settings import RetrievalSettings

_TOLD = 3
"""So many files that cannot be used are named; the rest is counted."""


def try_data_folder(folder: Path) -> str:
    """Whether files can be written to ``folder``, and its free space; raises OSError."""
    with tempfile.TemporaryFile(dir=folder):
        free = shutil.disk_usage(folder).free
    return f"{folder}, {free / 1e9:.1f} GB free"


def try_lake(root: Path | None) -> str:
    """The months and plugins of the lake; raises SettingsError or LakeError."""
    from retrieval.lake import Lake
    from retrieval.lake_profile import LakeProfile

    if root is None:
        raise SettingsError("no lake is configured")
    lake = Lake(root, LakeProfile())
    months = sorted({file.month for group in lake.files.values() for file in group})
    return (
        f"{root}, 20{months[0]} to 20{months[-1]}, {len(lake.files)} metrics of "
        f"{len(lake.plugins)} plugins ({', '.join(lake.plugins)})"
    )


def try_lake_folder(root: Path | None) -> str:
    """Whether the lake's folder is there, without a look at what it holds; raises LakeError."""
    from retrieval.errors import LakeError

    if root is None:
        raise SettingsError("no lake is configured")
    # Where a file system is not mounted its folder is there, and empty.
    if next(root.glob("year_month=*"), None) is None:
        raise LakeError(f"{root} holds no partition year_month=YY-MM")
    return str(root)


def try_lake_files(root: Path | None) -> str:
    """How many files the lake has; raises LakeError where some of them cannot be used."""
    from retrieval.errors import LakeError
    from retrieval.lake import Lake
    from retrieval.lake_check import faults_in
    from retrieval.lake_profile import LakeProfile
    from retrieval.metric_catalog import MetricCatalog

    if root is None:
        raise SettingsError("no lake is configured")
    lake = Lake(root, LakeProfile())
    faults = faults_in(lake, MetricCatalog.load())
    if faults:
        told = "; ".join(str(fault) for fault in faults[:_TOLD])
        rest = len(faults) - _TOLD
        raise LakeError(told + (f"; and {rest} more" if rest > 0 else ""))
    count = sum(len(group) for group in lake.files.values())
    return f"{count} files, their columns as they should be"


def try_site(settings: RetrievalSettings) -> str:
    """What the inventory and the catalogue hold; raises CatalogError."""
    from retrieval.metric_catalog import MetricCatalog
    from retrieval.site import Site

    site, catalog = Site.load(), MetricCatalog.load()
    nodes = sum(len(rack.nodes) for rack in site.racks)
    return (
        f"{site.system}: {nodes} nodes in {len(site.racks)} racks, {len(catalog.metrics)} metrics"
    )


def try_ontology() -> str:
    """The size of the ontology; raises OntologyFileError."""
    from ontology.schema_loader import load_schema

    schema = load_schema()
    return f"{len(schema.classes)} classes, {len(schema.properties)} properties"
