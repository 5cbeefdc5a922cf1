"""The inventory of a site: what exists, and how refusals name it."""

import csv
import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.resources import files
from pathlib import Path

from retrieval.errors import CatalogError, LakeError
from retrieval.request import Entity, EntityKind, Metric

_HOST = re.compile(r"(?P<prefix>[a-z]+\d+)n(?P<slot>\d+)", re.IGNORECASE)
_PLURALS = {
    EntityKind.NODE: "nodes",
    EntityKind.RACK: "racks",
    EntityKind.ROOM: "rooms",
    EntityKind.CRAC: "CRAC units",
    EntityKind.PANEL: "cooling panels",
    EntityKind.PUMP: "pumps",
    EntityKind.METER: "power meters",
    EntityKind.PARTITION: "partitions",
    EntityKind.SYSTEM: "systems",
    EntityKind.DATA_CENTER: "data centres",
    EntityKind.WEATHER: "weather stations",
}
_LISTED = 24
"""Longer lists of names are cut in refusals."""


@dataclass(frozen=True, slots=True)
class Rack:
    """One rack: its name, its place in the room, and its nodes by slot."""

    name: str
    x: int
    y: int
    first_node: int
    last_node: int
    host_prefix: str = ""
    seen: frozenset[int] | None = None
    """The nodes that are known of, where that is not all of them."""

    @property
    def nodes(self) -> Sequence[int]:
        """Ids of the nodes, lowest slot first."""
        there = range(self.first_node, self.last_node + 1)
        return there if self.seen is None else [node for node in there if node in self.seen]

    def slot(self, node: int) -> int:
        """The slot of ``node``, from 0."""
        return node - self.first_node

    def holding(self, nodes: Collection[str]) -> "Rack":
        """The rack as it looks to whoever knows of ``nodes`` alone."""
        return replace(self, seen=frozenset(node for node in self.nodes if str(node) in nodes))


@dataclass(frozen=True, slots=True)
class Unread:
    """What kept the lake from telling of a site, in the words of the errors."""

    partitions: str = ""
    """Why there may be more partitions than are known; empty: there are none."""
    meters: Mapping[str, str] = field(default_factory=dict)
    """The metrics whose meters are not known, by name, and why."""


@dataclass(frozen=True)
class Site:
    """Everything that exists apart from readings, jobs and users; names are as in the lake."""

    data_center: str
    system: str
    main_room: str
    rooms: tuple[str, ...]
    racks: tuple[Rack, ...]
    cracs: tuple[str, ...] = ()
    panels: tuple[str, ...] = ()
    pumps: tuple[str, ...] = ()
    valves: tuple[str, ...] = ()
    weather_stations: tuple[str, ...] = ()
    login_nodes: Sequence[int] = ()
    meters: tuple[str, ...] = ()
    """Power meters as ``panel/device``."""
    partitions: tuple[str, ...] = ()
    service_hosts: tuple[str, ...] = ()
    """Ids of monitored hosts that are neither compute nor login nodes."""
    hosts_by_plugin: dict[str, tuple[str, ...]] = field(default_factory=dict, compare=False)
    """Which hosts beside the compute nodes a plugin reports on."""
    meters_of_metric: dict[str, tuple[str, ...]] = field(default_factory=dict, compare=False)
    """Which power meters have a metric, by its name."""
    unread: Unread = field(default_factory=Unread, compare=False)
    """What of the lake could not be read to find all of this out."""
    in_part: bool = False
    """Whether this is what somebody may see of the site."""

    @classmethod
    def load(cls, path: Path | None = None) -> "Site":
        """The built-in site, or the one that a site's own TOML file describes.

        Raises CatalogError where the file, or a table that it names, cannot be used.
        """
        folder = files("retrieval").joinpath("data") if path is None else path.parent
        source = folder.joinpath("site.toml" if path is None else path.name)
        try:
            data = tomllib.loads(source.read_text("utf-8"))
            racks = folder.joinpath(data["racks"]).read_text("utf-8")
            hosts = folder.joinpath(data["host_names"]).read_text("utf-8")
            first, last = data["login_nodes"]
            return cls(
                data_center=data["data_center"],
                system=data["system"],
                main_room=data["main_room"],
                rooms=tuple(data["rooms"]),
                racks=_racks(racks, hosts),
                cracs=tuple(data["cracs"]),
                panels=tuple(data["panels"]),
                pumps=tuple(data["pumps"]),
                valves=tuple(data["valves"]),
                weather_stations=tuple(data["weather_stations"]),
                login_nodes=range(first, last + 1),
            )
        except (OSError, KeyError, ValueError, TypeError) as error:
            raise CatalogError(f"the site file {source} cannot be used: {error}") from error

    def found(
        self,
        meters_of_metric: dict[str, tuple[str, ...]],
        partitions: tuple[str, ...],
        hosts_by_plugin: dict[str, tuple[str, ...]],
        unread: Unread | None = None,
    ) -> "Site":
        """The site with what only the lake tells: meters, partitions and further hosts."""
        known = self.nodes_by_id.keys() | {str(n) for n in self.login_nodes}
        hosts = {h for group in hosts_by_plugin.values() for h in group} - known
        meters = {m for group in meters_of_metric.values() for m in group}
        return replace(
            self,
            meters=tuple(sorted(set(self.meters) | meters)),
            partitions=tuple(sorted(set(self.partitions) | set(partitions), key=_natural)),
            service_hosts=tuple(sorted(set(self.service_hosts) | hosts, key=_natural)),
            hosts_by_plugin=dict(hosts_by_plugin),
            meters_of_metric=dict(meters_of_metric),
            unread=unread or Unread(),
        )

    @staticmethod
    def is_metered(room: str, meter: str) -> bool:
        """Whether ``meter`` measures in ``room``, which the name of its panel begins with."""
        return meter.upper().startswith(f"{room}-")

    def must_know_all(self, kind: EntityKind) -> None:
        """Raise LakeError where the lake may have more of ``kind`` than could be found out."""
        if kind is EntityKind.PARTITION and self.unread.partitions:
            raise LakeError(self.unread.partitions)

    def must_know_owners(self, metric: Metric) -> None:
        """Raise LakeError where it could not be found out what ``metric`` is measured at."""
        if metric.name in self.unread.meters:
            raise LakeError(self.unread.meters[metric.name])

    @cached_property
    def nodes_by_id(self) -> dict[str, tuple[Rack, int]]:
        """Rack and slot of each compute node."""
        return {str(node): (rack, rack.slot(node)) for rack in self.racks for node in rack.nodes}

    @cached_property
    def _names(self) -> dict[EntityKind, tuple[str, ...]]:
        return {
            EntityKind.DATA_CENTER: (self.data_center,),
            EntityKind.SYSTEM: (self.system,),
            EntityKind.ROOM: self.rooms,
            EntityKind.RACK: tuple(rack.name for rack in self.racks),
            EntityKind.NODE: tuple(self.nodes_by_id),
            EntityKind.CRAC: self.cracs,
            EntityKind.PANEL: self.panels,
            EntityKind.PUMP: self.pumps,
            EntityKind.METER: self.meters,
            EntityKind.PARTITION: self.partitions,
            EntityKind.WEATHER: self.weather_stations,
        }

    def names(self, kind: EntityKind) -> tuple[str, ...]:
        """Names of the things of ``kind``; empty for jobs and users, which only the lake knows."""
        return self._names.get(kind, ())

    def exists(self, entity: Entity) -> bool:
        """Whether the site has ``entity``; jobs and users are not looked up here."""
        if entity.kind in (EntityKind.JOB, EntityKind.USER):
            return entity.name.isdecimal()
        if entity.kind is EntityKind.NODE:
            return entity.name in self.nodes_by_id
        return entity.name in self.names(entity.kind)

    def listing(self, kind: EntityKind) -> str:
        """What exists of ``kind``, as a refusal says it: "nodes are 0 to 979"."""
        names = self.names(kind)
        plural = _PLURALS.get(kind, f"{kind.value}s")
        if not names:
            return f"no {plural} are known"
        numbers = [int(name) for name in names if name.isdecimal()]
        if len(numbers) == len(names) > 1 and max(numbers) - min(numbers) == len(names) - 1:
            return f"{plural} are {min(numbers)} to {max(numbers)}"
        listed = ", ".join(names[:_LISTED])
        return f"{plural} are {listed}" + (" and others" if len(names) > _LISTED else "")

    def rack_of(self, node: str) -> str | None:
        """Name of the rack that holds compute node ``node``."""
        place = self.nodes_by_id.get(node)
        return place[0].name if place else None

    def node_of_host(self, host: str) -> str | None:
        """Id of the compute node with host name ``host`` ("r206n17"), if there is one."""
        match = _HOST.fullmatch(host.strip())
        if match is None:
            return None
        rack = self._racks_by_prefix.get(match["prefix"].lower())
        node = rack.first_node + int(match["slot"]) - 1 if rack else -1
        return str(node) if rack and node in rack.nodes else None

    def rack_of_name(self, name: str) -> str | None:
        """Name of the rack whose hosts' names begin with ``name`` ("r207"), if there is one."""
        rack = self._racks_by_prefix.get(name.lower())
        return None if rack is None else rack.name

    def host_of_node(self, node: str) -> str | None:
        """Host name of compute node ``node``, where host names are known."""
        place = self.nodes_by_id.get(node)
        if place is None or not place[0].host_prefix:
            return None
        return f"{place[0].host_prefix}n{place[1] + 1:02d}"

    @cached_property
    def _racks_by_prefix(self) -> dict[str, Rack]:
        return {rack.host_prefix.lower(): rack for rack in self.racks if rack.host_prefix}


def _racks(text: str, hosts: str) -> tuple[Rack, ...]:
    prefixes = {row["rack"]: row["host_prefix"] for row in csv.DictReader(hosts.splitlines())}
    return tuple(
        Rack(
            row["rack"],
            int(row["x"]),
            int(row["y"]),
            int(row["first_node"]),
            int(row["last_node"]),
            prefixes.get(row["rack"], ""),
        )
        for row in csv.DictReader(text.splitlines())
    )


def _natural(name: str) -> tuple[int, str]:
    return (int(name), "") if name.isdecimal() else (1 << 62, name)
