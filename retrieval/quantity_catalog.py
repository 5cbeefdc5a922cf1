"""The curated quantities with the words that name them, read from a file."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from retrieval.errors import CatalogError
from retrieval.metric_catalog import MetricCatalog
from retrieval.quantity import Quantity, Transform
from retrieval.request import EntityKind, Metric

_OWNERS: Mapping[str, frozenset[EntityKind]] = {
    "ipmi_pub": frozenset({EntityKind.NODE}),
    "ganglia_pub": frozenset({EntityKind.NODE}),
    "nagios_pub": frozenset({EntityKind.NODE}),
    "vertiv_pub": frozenset({EntityKind.CRAC}),
    "schneider_pub": frozenset({EntityKind.PANEL}),
    "logics_pub": frozenset({EntityKind.METER, EntityKind.DATA_CENTER, EntityKind.ROOM}),
    "weather_pub": frozenset({EntityKind.WEATHER}),
    "slurm_pub": frozenset({EntityKind.PARTITION, EntityKind.SYSTEM}),
    "job_table": frozenset({EntityKind.JOB}),
}


@dataclass(frozen=True, slots=True)
class QuantityWords:
    """The words of one quantity, as the file has them."""

    quantity: Quantity
    phrases: tuple[str, ...]
    also: tuple[str, ...]
    patterns: tuple[str, ...]
    energy: bool
    counted: bool
    copy: bool


@dataclass(frozen=True, slots=True)
class PlainWord:
    """Words whose quantity depends on whose readings are asked for."""

    phrases: tuple[str, ...]
    any: tuple[str, ...]
    """Ids of quantities, for a question that names no owner."""
    by_owner: Mapping[EntityKind, tuple[str, ...]]
    energy: bool
    guard: str


class QuantityCatalog:
    """Every quantity of a metric catalogue; each metric belongs to at least one."""

    def __init__(self, catalog: MetricCatalog, path: Path | None = None) -> None:
        """Reads the built-in file, or a site's own; raises CatalogError where it cannot."""
        data = _read(path)
        self.catalog = catalog
        self.words: tuple[QuantityWords, ...] = tuple(_quantity_words(data, catalog))
        listed = {words.quantity.id: words.quantity for words in self.words}
        covered = {m for q in listed.values() if _plain(q) for m in q.members}
        rest = [m for m in catalog.metrics if m not in covered]
        unnamed = _by_family(rest)
        self.quantities: Mapping[str, Quantity] = listed | {q.id: q for q in unnamed}
        self.unnamed: tuple[Quantity, ...] = unnamed
        """Quantities that have no words beside the name of their family."""
        self.plain_words: tuple[PlainWord, ...] = tuple(_plain_words(data, self.quantities))
        self.unmeasured: tuple[str, ...] = _all_phrases(data, "unmeasured")
        self.ignored: tuple[str, ...] = _all_phrases(data, "ignored")
        self.opposed: tuple[tuple[frozenset[str], ...], ...] = tuple(
            tuple(map(frozenset, entry["sides"])) for entry in data.get("opposed", ())
        )
        """Groups of words that exclude each other."""
        self._of_metric: dict[Metric, Quantity] = {}
        for quantity in self.quantities.values():
            if _plain(quantity):
                for metric in quantity.members:
                    self._of_metric.setdefault(metric, quantity)

    def of_metric(self, metric: Metric) -> Quantity:
        """The quantity whose values are those of the metric itself."""
        return self._of_metric[metric]

    def __getitem__(self, quantity_id: str) -> Quantity:
        return self.quantities[quantity_id]


def _plain(quantity: Quantity) -> bool:
    return quantity.transform is Transform.IDENTITY


def _read(path: Path | None) -> dict[str, Any]:
    try:
        if path is None:
            text = files("retrieval").joinpath("data", "quantities.toml").read_text("utf-8")
        else:
            text = path.read_text("utf-8")
        return tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CatalogError(f"the file of quantities cannot be read: {error}") from error


def _quantity_words(data: dict[str, Any], catalog: MetricCatalog) -> Iterator[QuantityWords]:
    for entry in data.get("quantity", ()):
        try:
            members = _members(entry, catalog)
            if members:  # a site's own catalogue need not have all that we know of
                yield QuantityWords(
                    quantity=_quantity(entry, members),
                    phrases=tuple(entry["phrases"]),
                    also=tuple(entry.get("also", ())),
                    patterns=tuple(entry.get("patterns", ())),
                    energy=bool(entry.get("energy", False)),
                    counted=bool(entry.get("counted", False)),
                    copy=bool(entry.get("copy", False)),
                )
        except (KeyError, ValueError) as error:
            raise CatalogError(f"quantity {entry.get('id', '?')}: {error!r}") from error


def _members(entry: dict[str, Any], catalog: MetricCatalog) -> tuple[Metric, ...]:
    plugin = entry["plugin"]
    found = [catalog.find(plugin, name) for name in entry.get("metrics", ())]
    families = [m for family in entry.get("families", ()) for m in catalog.members(family, plugin)]
    return tuple(m for m in [*found, *families] if m is not None)


def _quantity(entry: dict[str, Any], members: tuple[Metric, ...]) -> Quantity:
    owners = entry.get("owners")
    return Quantity(
        id=entry["id"],
        label=entry["label"],
        members=members,
        transform=Transform(entry.get("transform", "identity")),
        note=entry.get("note", ""),
        owners=frozenset(map(EntityKind, owners)) if owners else _OWNERS[members[0].plugin],
        index_noun=entry.get("index", ""),
        outer_noun=entry.get("outer", ""),
    )


def _by_family(metrics: list[Metric]) -> tuple[Quantity, ...]:
    families: dict[tuple[str, str], list[Metric]] = {}
    for metric in metrics:
        families.setdefault((metric.plugin, metric.family), []).append(metric)
    return tuple(
        Quantity(
            id=f"{plugin.removesuffix('_pub')}/{family}",
            label=family.replace("_", " ").strip(),
            members=tuple(members),
            transform=Transform.IDENTITY,
            note="",
            owners=_OWNERS.get(plugin, frozenset(EntityKind)),
            index_noun=_noun_of(members[0].index),
        )
        for (plugin, family), members in families.items()
    )


def _noun_of(index: str | None) -> str:
    if index is None:
        return ""
    return {"P": "pump", "T": "valve", "L": "phase"}.get(index[0], "number")


def _plain_words(data: dict[str, Any], known: Mapping[str, Quantity]) -> Iterator[PlainWord]:
    for entry in data.get("word", ()):
        lists = {
            key: tuple(name for name in ids if name in known)
            for key, ids in entry.items()
            if key not in ("phrases", "energy", "guard")
        }
        try:
            by_owner = {EntityKind(key): ids for key, ids in lists.items() if key != "any" and ids}
        except ValueError as error:
            raise CatalogError(f"word {entry.get('phrases')}: {error}") from error
        yield PlainWord(
            phrases=tuple(entry["phrases"]),
            any=lists.get("any", ()),
            by_owner=by_owner,
            energy=bool(entry.get("energy", False)),
            guard=entry.get("guard", ""),
        )


def _all_phrases(data: dict[str, Any], key: str) -> tuple[str, ...]:
    return tuple(phrase for entry in data.get(key, ()) for phrase in entry["phrases"])
