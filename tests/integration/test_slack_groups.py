"""The user groups of a workspace; no Slack that runs here has them, so this stand-in is ours."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.platforms.slack_groups import SlackGroups
from bot.platforms.slack_outlet import slack_client
from tests.asgi_server import serving


@dataclass
class Stand:
    """What Slack knows of user groups, as its documentation has it."""

    groups: dict[str, list[str]] = field(default_factory=lambda: {"S1": ["U1", "U2"], "S2": []})
    refuses: bool = False
    asked: int = 0
    now: float = 1000.0

    async def list(self, request: Request) -> Response:
        self.asked += 1
        if self.refuses:
            return JSONResponse({"ok": False, "error": "internal_error"})
        form = await request.form()
        assert form["include_users"] in {"1", "true"}
        rows = [{"id": name, "users": users} for name, users in self.groups.items()]
        return JSONResponse({"ok": True, "usergroups": rows})


@pytest.fixture
def stand() -> Stand:
    return Stand()


@pytest.fixture
def groups(stand: Stand) -> Iterator[SlackGroups]:
    routes = [Route("/api/usergroups.list", stand.list, methods=["POST", "GET"])]
    with serving(Starlette(routes=routes)) as url:
        yield SlackGroups(lambda team: slack_client("xoxb", f"{url}/api/"), clock=lambda: stand.now)


def test_a_person_is_in_the_groups_that_have_them(groups: SlackGroups) -> None:
    assert groups.of("slack", "U1", "T1/C1") == ("S1",)
    assert groups.of("slack", "U3", "T1/C1") == ()
    assert groups.of("mattermost", "U1", "T1/C1") == ()


def test_slack_is_not_asked_for_each_message(groups: SlackGroups, stand: Stand) -> None:
    for _ in range(5):
        groups.of("slack", "U1", "T1/C1")

    assert stand.asked == 1


def test_who_leaves_a_group_is_out_of_it_soon(groups: SlackGroups, stand: Stand) -> None:
    groups.of("slack", "U1", "T1/C1")
    stand.groups["S1"] = ["U2"]
    stand.now += 61

    assert groups.of("slack", "U1", "T1/C1") == ()


def test_what_slack_does_not_tell_for_long_opens_nothing(groups: SlackGroups, stand: Stand) -> None:
    groups.of("slack", "U1", "T1/C1")
    stand.refuses = True
    stand.now += 120
    soon = groups.of("slack", "U1", "T1/C1")
    stand.now += 600
    later = groups.of("slack", "U1", "T1/C1")

    assert (soon, later) == (("S1",), ())
