"""The groups of people of a Mattermost server, which it has with a licence alone."""

from dataclasses import dataclass, field
from typing import Any

from bot.errors import PlatformError, PostRefused
from bot.platforms.mattermost_groups import MattermostGroups


@dataclass
class Server:
    """What a server answers to GET, after the API of 5.37."""

    groups: dict[str, list[str]] = field(default_factory=lambda: {"ada": ["g1", "g2"], "ben": []})
    licensed: bool = True
    down: bool = False
    asked: list[str] = field(default_factory=list)
    now: float = 1000.0

    def get(self, path: str) -> Any:
        self.asked.append(path)
        if self.down:
            raise PlatformError("Mattermost does not answer")
        if not self.licensed:
            raise PostRefused("Mattermost refused it: api.ldap_groups.license_error")
        _, users, person, groups = path.split("/")
        assert (users, groups) == ("users", "groups")
        return [{"id": group, "name": f"the {group}"} for group in self.groups[person]]


def of(groups: MattermostGroups, person: str) -> tuple[str, ...]:
    return tuple(groups.of("mattermost", person, "c1"))


def groups_of(server: Server) -> MattermostGroups:
    return MattermostGroups(server.get, clock=lambda: server.now)


def test_a_person_is_in_the_groups_that_have_them() -> None:
    groups = groups_of(Server())

    assert of(groups, "ada") == ("g1", "g2")
    assert of(groups, "ben") == ()
    assert tuple(groups.of("slack", "ada", "T1/C1")) == ()


def test_the_server_is_not_asked_for_each_message() -> None:
    server = Server()
    groups = groups_of(server)

    for _ in range(5):
        of(groups, "ada")

    assert server.asked == ["/users/ada/groups"]


def test_who_leaves_a_group_is_out_of_it_soon() -> None:
    server = Server()
    groups = groups_of(server)
    of(groups, "ada")
    server.groups["ada"] = ["g2"]
    server.now += 61

    assert of(groups, "ada") == ("g2",)


def test_what_is_not_told_for_long_opens_nothing() -> None:
    server = Server()
    groups = groups_of(server)
    of(groups, "ada")
    server.down = True
    server.now += 120
    soon = of(groups, "ada")
    server.now += 600

    assert (soon, of(groups, "ada")) == (("g1", "g2"), ())


def test_a_server_without_groups_is_not_asked_over_and_over() -> None:
    server = Server(licensed=False)
    groups = groups_of(server)

    assert (of(groups, "ada"), of(groups, "ada")) == ((), ())
    assert len(server.asked) == 1


def test_groups_that_are_taken_away_open_nothing() -> None:
    server = Server()
    groups = groups_of(server)
    of(groups, "ada")
    server.licensed = False
    server.now += 61

    assert of(groups, "ada") == ()
