"""The channel that a digest is for, found as people on a Mattermost server name it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.errors import PlatformError, PostRefused
from bot.messages import IncomingMessage, Thread
from bot.platforms.mattermost_channels import MattermostChannels
from tests.fakes.recording_platform import NOW

ADA = "ada"
CHANNELS = {
    "here": {"id": "here", "team_id": "m100", "type": "O"},
    "direct": {"id": "direct", "team_id": "", "type": "D"},
}
NAMED: Mapping[tuple[str, str], dict[str, object]] = {
    ("m100", "ops"): {"id": "ops-of-m100", "type": "O", "delete_at": 0},
    ("m100", "night"): {"id": "night", "type": "P", "delete_at": 0},
    ("m100", "old"): {"id": "old", "type": "O", "delete_at": 1650000000000},
    ("m100", "quiet"): {"id": "quiet", "type": "O", "delete_at": 0},
    ("m200", "night"): {"id": "night-of-m200", "type": "P", "delete_at": 0},
}
INSIDE = {
    "me": {"ops-of-m100", "night", "old", "night-of-m200", "direct"},
    ADA: {"ops-of-m100", "night", "old", "night-of-m200", "quiet", "direct"},
    "ben": {"quiet"},
}


@dataclass
class Server:
    """What a server answers to GET, after the API of 5.37."""

    down: bool = False
    asked: list[str] = field(default_factory=list)

    def get(self, path: str) -> Any:
        self.asked.append(path)
        if self.down:
            raise PlatformError("Mattermost does not answer")
        match path.strip("/").split("/"):
            case ["users", "me", "teams"]:
                return [{"id": "m100"}, {"id": "m200"}]
            case ["channels", channel] if channel in CHANNELS:
                return CHANNELS[channel]
            case ["teams", team, "channels", "name", name] if (team, name) in NAMED:
                return NAMED[(team, name)]
            case ["channels", channel, "members", who] if channel in INSIDE.get(who, ()):
                return {"channel_id": channel, "user_id": who}
        raise PostRefused("Mattermost refused it: 404")


@pytest.fixture
def channels() -> MattermostChannels:
    return MattermostChannels(Server().get)


def near(channel: str = "here", author: str = ADA) -> IncomingMessage:
    thread = Thread("mattermost", channel, "root")
    return IncomingMessage(thread, "m1", author, "", NOW, addressed=True)


@pytest.mark.parametrize("said", ["~ops", "#ops", "ops", "~Ops"])
def test_a_channel_is_found_by_its_name(channels: MattermostChannels, said: str) -> None:
    assert channels.find(said, near()) == Thread("mattermost", "ops-of-m100", "")


def test_a_private_channel_that_both_are_in_is_found(channels: MattermostChannels) -> None:
    assert channels.find("~night", near()) == Thread("mattermost", "night", "")


@pytest.mark.parametrize("said", ["~nowhere", "~old", "~quiet"])
def test_where_nobody_may_write_is_said(channels: MattermostChannels, said: str) -> None:
    assert channels.find(said, near()) == f"There is no channel {said} that you and I are both in."


def test_who_is_not_in_a_channel_learns_as_little(channels: MattermostChannels) -> None:
    stranger = channels.find("~ops", near(author="ben"))
    nowhere = channels.find("~nowhere", near(author="ben"))

    assert stranger == str(nowhere).replace("nowhere", "ops")


def test_from_a_direct_message_all_teams_are_looked_through(channels: MattermostChannels) -> None:
    assert channels.find("~ops", near("direct")) == Thread("mattermost", "ops-of-m100", "")


def test_of_two_channels_none_is_taken_unasked(channels: MattermostChannels) -> None:
    found = channels.find("~night", near("direct"))

    assert isinstance(found, str)
    assert "More than one of your teams has a channel ~night" in found


def test_a_name_cannot_lead_elsewhere_on_the_server() -> None:
    server = Server()

    MattermostChannels(server.get).find("~../../users/me", near())

    assert server.asked[-1] == "/teams/m100/channels/name/..%2F..%2Fusers%2Fme"


def test_people_of_one_server_are_the_same_people(channels: MattermostChannels) -> None:
    here, slack = near().thread, Thread("slack", "T1/C1", "1.1")

    assert channels.together(here, Thread("mattermost", "night-of-m200", ""))
    assert not channels.together(here, slack)


def test_a_server_that_is_away_is_no_missing_channel() -> None:
    with pytest.raises(PlatformError, match="does not answer"):
        MattermostChannels(Server(down=True).get).find("~ops", near())
