"""Reads access.toml: roles, and whom of which platform they are given to."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from bot.access import Groups, Member, NoGroups, Right, Role, is_local
from bot.errors import SettingsError
from retrieval.data_scope import EVERY, DataScope
from retrieval.metric_catalog import PLUGINS
from retrieval.request import Entity, EntityKind

_LONGEST_RUN = 100_000
_JOBS = "job_table"


def _as_list(value: object) -> object:
    return [EVERY] if value == "all" else value


Names = Annotated[list[str], BeforeValidator(_as_list)]
"""Names one by one, "5-8" for a run of numbers, or "all"."""
_STRICT = ConfigDict(frozen=True, extra="forbid")


class _Role(BaseModel):
    """A table ``[roles.NAME]``; what it does not name is not narrowed."""

    model_config = _STRICT
    plugins: Names | None = None
    racks: Names | None = None
    nodes: Names | None = None
    cracs: Names | None = None
    panels: Names | None = None
    meters: Names | None = None
    weather: bool | None = None
    system: bool | None = None
    partitions: Names | None = None
    jobs: Literal["all", "own", "none"] | None = None
    digests: bool = False
    query: bool = True
    admin: bool = False

    def role(self, name: str) -> Role:
        """The role of that name; raises ValueError for a plugin that there is none of."""
        given = {Right.DIGESTS: self.digests, Right.QUERY: self.query, Right.ADMIN: self.admin}
        scope = DataScope(
            plugins=self._plugins(),
            things=self._things(),
            partitions=_expanded(self.partitions) if self.partitions != [EVERY] else None,
            users=frozenset() if self.jobs == "none" else None,
        )
        rights = frozenset({Right.ASK, *(right for right, has in given.items() if has)})
        return Role(name, scope, self.jobs == "own", rights)

    def _plugins(self) -> frozenset[str] | None:
        if self.plugins is None or self.plugins == [EVERY]:
            return None
        found = set()
        for name in self.plugins:
            known = next((p for p in PLUGINS if name in (p, p.removesuffix("_pub"))), None)
            if known is None:
                raise ValueError(f"there is no plugin {name!r}; they are {', '.join(PLUGINS)}")
            found.add(known)
        # Whoever names jobs beside plugins wants them seen.
        return frozenset(found | ({_JOBS} if self.jobs in ("all", "own") else set()))

    def _things(self) -> frozenset[frozenset[Entity]] | None:
        """The things that are named; a role that names any sees those alone."""
        named = {
            EntityKind.RACK: self.racks,
            EntityKind.NODE: self.nodes,
            EntityKind.CRAC: self.cracs,
            EntityKind.PANEL: self.panels,
            EntityKind.METER: self.meters,
            EntityKind.WEATHER: [EVERY] if self.weather else None,
            EntityKind.SYSTEM: [EVERY] if self.system else None,
        }
        if all(names is None for names in named.values()):
            return None
        listed = ((kind, _expanded(names) or ()) for kind, names in named.items())
        return frozenset({frozenset(Entity(k, name) for k, names in listed for name in names)})


class _Member(BaseModel):
    """A person: the role, and the ids in the job table that are theirs."""

    model_config = _STRICT
    role: str
    jobs_of: list[str] = Field(default_factory=list)


_Person = str | _Member


class _Group(BaseModel):
    """Persons who share a role."""

    model_config = _STRICT
    role: str
    members: list[str]


class _Platform(BaseModel):
    """A table ``[platforms.NAME]``."""

    model_config = _STRICT
    users: dict[str, _Person] = Field(default_factory=dict)
    groups: dict[str, str | _Group] = Field(default_factory=dict)
    channels: dict[str, str] = Field(default_factory=dict)


class _File(BaseModel):
    """The whole file."""

    model_config = _STRICT
    local: _Person | None = None
    roles: dict[str, _Role] = Field(default_factory=dict)
    platforms: dict[str, _Platform] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Group:
    """The role of a group, and its members as far as the file lists them."""

    role: Role
    members: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class FileRoles:
    """The roles of one access file; a name that it does not have has no role."""

    local: Member | None
    persons: Mapping[tuple[str, str], Member] = field(default_factory=dict)
    """By platform and id."""
    groups: Mapping[str, Mapping[str, Group]] = field(default_factory=dict)
    """By platform, then id in the order of the file."""
    rooms: Mapping[tuple[str, str], Role] = field(default_factory=dict)
    members: Groups = field(default_factory=NoGroups)

    def of_person(self, platform: str, author: str, channel: str) -> Member | None:
        """The person's own role, else that of the first group in the file that they are in."""
        if is_local(platform, author):
            return self.local
        names = _qualified(author, channel)
        for name in names:
            if (platform, name) in self.persons:
                return self.persons[(platform, name)]
        groups = self.groups.get(platform, {})
        inside = set(self.members.of(platform, author, channel)) if groups else set()
        for name, group in groups.items():
            if name in inside or group.members.intersection(names):
                return Member(group.role)
        return None

    def of_room(self, platform: str, channel: str) -> Role | None:
        """The role of a channel by its whole name, else by the part behind the workspace."""
        names = (channel, channel.rpartition("/")[2])
        return next((r for n in names if (r := self.rooms.get((platform, n))) is not None), None)


def read_access_file(path: Path, members: Groups | None = None) -> FileRoles:
    """The roles of the file; raises SettingsError that says what is wrong with it."""
    try:
        data = _File.model_validate(tomllib.loads(path.read_text("utf-8")))
        return _Linking(data).roles(members or NoGroups())
    except OSError as error:
        raise SettingsError(f"the access file {path} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise SettingsError(f"the access file {path}: {place}: {first['msg']}") from error
    except ValueError as error:
        raise SettingsError(f"the access file {path}: {error}") from error


@dataclass(frozen=True, slots=True)
class _Linking:
    """Turns names of roles into the roles themselves."""

    data: _File

    def roles(self, members: Groups) -> FileRoles:
        known = {name: role.role(name) for name, role in self.data.roles.items()}

        def role(name: str) -> Role:
            if name not in known:
                raise ValueError(
                    f"there is no role {name!r}; there are {', '.join(known) or 'none'}"
                )
            return known[name]

        def member(person: _Person) -> Member:
            if isinstance(person, str):
                return Member(role(person))
            return Member(role(person.role), frozenset(person.jobs_of))

        persons: dict[tuple[str, str], Member] = {}
        rooms: dict[tuple[str, str], Role] = {}
        groups: dict[str, dict[str, Group]] = {}
        for platform, table in self.data.platforms.items():
            if any(is_local(platform, person) for person in table.users):
                raise ValueError(
                    "the terminal and a page without log-in get their role from 'local'"
                )
            persons |= {(platform, name): member(each) for name, each in table.users.items()}
            rooms |= {(platform, name): role(each) for name, each in table.channels.items()}
            unlisted = next((n for n, each in table.groups.items() if isinstance(each, str)), None)
            if unlisted is not None and isinstance(members, NoGroups):
                told = f'{unlisted} = {{ role = "...", members = [...] }}'
                raise ValueError(f"who is in group {unlisted!r} must be listed: {told}")
            groups[platform] = {
                name: Group(role(each))
                if isinstance(each, str)
                else Group(role(each.role), frozenset(each.members))
                for name, each in table.groups.items()
            }
        local = None if self.data.local is None else member(self.data.local)
        return FileRoles(local, persons, groups, rooms, members)


def _qualified(author: str, channel: str) -> tuple[str, ...]:
    """The names that a person may have in the file: with the workspace first."""
    team, mark, _ = channel.partition("/")
    return (f"{team}/{author}", author) if mark else (author,)


def _expanded(names: list[str] | None) -> frozenset[str] | None:
    """``names`` with every run of numbers written out; raises ValueError for one without end."""
    if names is None:
        return None
    found = set()
    for name in names:
        first, mark, last = name.partition("-")
        if not (mark and first.isdecimal() and last.isdecimal()):
            found.add(name)
            continue
        run = range(int(first), int(last) + 1)
        if not 0 < len(run) <= _LONGEST_RUN:
            raise ValueError(f"{name!r} is no run of numbers")
        found |= {str(number) for number in run}
    return frozenset(found)
