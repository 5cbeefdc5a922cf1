"""access.toml: what it gives whom, and what is wrong with it."""

from collections.abc import Collection
from pathlib import Path

import pytest

from bot.access import Right
from bot.access_file import FileRoles, read_access_file
from bot.errors import SettingsError
from retrieval.data_scope import EVERY, WHOLE, DataScope
from retrieval.request import Entity, EntityKind

EXAMPLE = Path(__file__).parents[3] / "deploy" / "access" / "access.toml"
FILE = """
local = "operator"

[roles.operator]
digests = true
admin = true

[roles.hardware]
plugins = ["ipmi", "ganglia_pub"]
racks = ["5-7", "20"]
nodes = ["900"]
cracs = "all"
weather = true
query = false

[roles.student]
plugins = ["ganglia"]
jobs = "own"

[roles.nobody]
jobs = "none"

[platforms.slack.users]
U1 = "operator"
"T1/U2" = { role = "student", jobs_of = ["17", "18"] }

[platforms.slack.groups]
S1 = "hardware"
S2 = "operator"

[platforms.slack.channels]
COPS = "operator"
"T2/COPS" = "nobody"
"""


class Members:
    """Of one person."""

    def of(self, platform: str, author: str, channel: str) -> Collection[str]:
        return {"S2", "S1"} if author == "U3" else ()


@pytest.fixture
def roles(tmp_path: Path) -> FileRoles:
    return read_access_file(written(tmp_path, FILE), Members())


def written(folder: Path, text: str) -> Path:
    path = folder / "access.toml"
    path.write_text(text)
    return path


def test_a_role_names_what_may_be_seen(roles: FileRoles) -> None:
    member = roles.of_person("slack", "U3", "T1/C1")

    assert member is not None
    assert member.role.name == "hardware"
    assert member.role.rights == {Right.ASK}
    things = {Entity(EntityKind.RACK, n) for n in ("5", "6", "7", "20")}
    things |= {Entity(EntityKind.NODE, "900")}
    things |= {Entity(kind, EVERY) for kind in (EntityKind.CRAC, EntityKind.WEATHER)}
    assert member.role.scope == DataScope(
        frozenset({"ipmi_pub", "ganglia_pub"}), frozenset({frozenset(things)})
    )


def test_own_jobs_are_those_of_the_users_in_the_file(roles: FileRoles) -> None:
    member = roles.of_person("slack", "U2", "T1/C1")

    assert member is not None
    scope = member.role.seen_by(member.users)
    assert scope.users == frozenset({"17", "18"})
    assert scope.plugins == frozenset({"ganglia_pub", "job_table"})


def test_a_name_with_its_workspace_is_of_no_other(roles: FileRoles) -> None:
    assert roles.of_person("slack", "U2", "T2/C1") is None
    assert roles.of_person("slack", "U1", "T2/C1") is not None


def test_the_same_id_on_another_platform_is_somebody_else(roles: FileRoles) -> None:
    assert roles.of_person("mattermost", "U1", "C1") is None
    assert roles.of_room("mattermost", "COPS") is None


def test_a_channel_by_its_whole_name_comes_first(roles: FileRoles) -> None:
    ops, other = roles.of_room("slack", "T1/COPS"), roles.of_room("slack", "T2/COPS")

    assert ops is not None
    assert other is not None
    assert (ops.name, other.name) == ("operator", "nobody")
    assert ops.scope == WHOLE
    assert other.scope.users == frozenset()
    assert roles.of_room("slack", "T1/CX") is None


def test_this_machine_has_the_role_that_the_file_gives_it(roles: FileRoles) -> None:
    member = roles.of_person("web", "page", "page")

    assert member is not None
    assert member.role.rights == frozenset(Right)


def test_this_machine_has_none_where_the_file_gives_it_none(tmp_path: Path) -> None:
    assert read_access_file(written(tmp_path, "")).of_person("command", "command", "ask") is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("local = 'boss'", "no role 'boss'"),
        ("[platforms.slack.users]\nU1 = 'boss'", "no role 'boss'"),
        ("[roles.a]\nplugins = ['impi']", "no plugin 'impi'"),
        ("[roles.a]\nrack = ['5']", "roles.a.rack"),
        ("[roles.a]\njobs = 'mine'", "roles.a.jobs"),
        ("[roles.a]\nracks = ['9-5']", "'9-5' is no run of numbers"),
        ("[roles.a]\nnodes = ['0-99999999']", "no run of numbers"),
        ("[platforms.web.users]\npage = 'a'", "'local'"),
        ("[roles.a]\n[platforms.slack.groups]\nS1 = 'a'", "group 'S1' must be listed"),
        ("[users]\nU1 = 'a'", "users"),
        ("roles = 3", "roles"),
        ("[roles.a", "access.toml"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        read_access_file(written(tmp_path, text))


def test_a_group_may_list_its_members(tmp_path: Path) -> None:
    text = """
    [roles.a]
    [roles.b]
    [platforms.slack.users]
    U3 = "b"
    [platforms.slack.groups]
    night = { role = "a", members = ["U1", "T1/U2", "U3"] }
    """

    roles = read_access_file(written(tmp_path, text))

    found = [roles.of_person("slack", name, "T2/C1") for name in ("U1", "U2", "U3", "U4")]
    assert [member and member.role.name for member in found] == ["a", None, "b", None]


def test_a_file_that_is_not_there_is_no_empty_one(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="No such file"):
        read_access_file(tmp_path / "access.toml")


@pytest.mark.parametrize(
    ("platform", "person", "channel"),
    [
        ("slack", "U06ABCDEF", "T0123ABCD/C1"),
        ("mattermost", "w1zi6t3cpfdhzb8cs4y3pqmx9a", "p8bqokqkctyzmgqx1ogsm7bfoy"),
    ],
)
def test_the_example_is_a_whole_file(platform: str, person: str, channel: str) -> None:
    roles = read_access_file(EXAMPLE)

    member = roles.of_person(platform, person, channel)

    assert member is not None
    assert member.role.seen_by(member.users).users == frozenset({"1001"})


def test_a_channel_of_the_example_is_known_by_its_id() -> None:
    roles = read_access_file(EXAMPLE)

    room = roles.of_room("mattermost", "p8bqokqkctyzmgqx1ogsm7bfoy")

    assert room is not None
    assert room.name == "operator"
    assert roles.of_room("slack", "p8bqokqkctyzmgqx1ogsm7bfoy") is None
