"""Which of the site's data whoever asks may see; put together, scopes only become narrower."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256

from retrieval.request import Entity, EntityKind

EVERY = "*"
"""The name that stands for all things of a kind."""


@dataclass(frozen=True, slots=True)
class DataScope:
    """What may be seen of plugins, things and jobs; None leaves one of them whole.

    It says nothing of a site: names in it need not exist. Beside compute nodes, the kind NODE
    has login nodes and service hosts.
    """

    plugins: frozenset[str] | None = None
    """Partition names, as in ``ipmi_pub``."""
    things: frozenset[frozenset[Entity]] | None = None
    """A thing must be in every one of these sets; a rack brings its nodes in."""
    partitions: frozenset[str] | None = None
    """Partitions of the scheduler, and of the jobs that may be seen."""
    users: frozenset[str] | None = None
    """Whose jobs may be seen, by the ids in the job table; none of them: no job at all."""

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left out."""
        return self == WHOLE

    @property
    def key(self) -> str:
        """The same for scopes that say the same, and for no others; empty for the whole."""
        if self.is_whole:
            return ""
        things = self.things and sorted(sorted((e.kind, e.name) for e in s) for s in self.things)
        parts = [_listed(self.plugins), things, _listed(self.partitions), _listed(self.users)]
        return sha256(json.dumps(parts).encode("utf-8", "replace")).hexdigest()[:32]

    def __and__(self, other: "DataScope") -> "DataScope":
        """What both let be seen."""
        return DataScope(
            _both(self.plugins, other.plugins),
            _either(self.things, other.things),
            _both(self.partitions, other.partitions),
            _both(self.users, other.users),
        )

    def covers(self, other: "DataScope") -> bool:
        """Whether all that ``other`` lets be seen may be seen here; False also where unsure."""
        return self & other == other

    def of_jobs(self, users: frozenset[str]) -> "DataScope":
        """The same with the jobs of ``users`` alone."""
        return replace(self, users=_both(self.users, users))

    @property
    def told(self) -> str:
        """The scope in words; empty for the whole."""
        parts = []
        if self.plugins is not None:
            names = (name.removesuffix("_pub") for name in self.plugins)
            parts.append(f"the plugins {_named(names)}" if self.plugins else "no plugin")
        if self.things is not None:
            # Few sets stand here: one of the person's role, and one of the room's.
            sets = sorted(_things_told(each) for each in self.things)
            parts.append(", of these ".join(sets))
        if self.partitions is not None:
            named = f"the partitions {_named(self.partitions)}"
            parts.append(named if self.partitions else "no partition")
        if self.users is not None:
            parts.append(f"the jobs of user {_named(self.users)}" if self.users else "no jobs")
        return "; ".join(parts)


WHOLE = DataScope()
"""Everything."""


def _both(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    if one is None or other is None:
        return other if one is None else one
    return one & other


def _either(
    one: frozenset[frozenset[Entity]] | None, other: frozenset[frozenset[Entity]] | None
) -> frozenset[frozenset[Entity]] | None:
    if one is None or other is None:
        return other if one is None else one
    return one | other


def _listed(names: frozenset[str] | None) -> list[str] | None:
    return None if names is None else sorted(names)


def _things_told(things: frozenset[Entity]) -> str:
    """By kind, in an order that stays the same: "rack 5, 6, every crac"."""
    told = []
    for kind in EntityKind:
        names = {thing.name for thing in things if thing.kind is kind}
        if EVERY in names:
            told.append(f"every {kind.value}")
        elif names:
            told.append(f"{kind.value} {_named(names)}")
    return ", ".join(told) or "no thing"


def _named(names: Iterable[str]) -> str:
    """Names in their natural order, longer runs of numbers as one: "5 to 8, 12"."""
    runs: list[list[str]] = []
    for name in sorted(set(names), key=_natural):
        last = runs[-1][-1] if runs else ""
        if name.isdecimal() and last.isdecimal() and int(name) == int(last) + 1:
            runs[-1].append(name)
        else:
            runs.append([name])
    return ", ".join(f"{r[0]} to {r[-1]}" if len(r) > 2 else ", ".join(r) for r in runs)


def _natural(name: str) -> tuple[int, str]:
    return (int(name), "") if name.isdecimal() else (1 << 62, name)
