"""What other bots got wrong in hearing people, by the symptom; the numbers are those of the issues.

Slack's requests come in as it signs them, through Bolt and our door into a real Valkey server.
"""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest
from slack_bolt.adapter.socket_mode.async_internals import run_async_bolt_app
from slack_sdk.socket_mode.request import SocketModeRequest
from starlette.applications import Starlette

from bot.addressing import Addressing, Follow
from bot.intake.lanes import lane_of
from bot.intake.reception import Reception
from bot.intake_wiring import Kept, build_reception, open_kept
from bot.messages import Act, Click, IncomingMessage, Thread
from bot.platforms.slack import EVENTS_PATH, events_route
from bot.platforms.slack_actions import action_id, action_value
from bot.platforms.slack_app import Listening, SlackApp
from bot.platforms.slack_installations import Installed
from bot.settings import Settings
from tests.asgi_server import serving
from tests.local_slack import ADA, BEN, BOT_USER, OPS, SIGNING_SECRET, TEAM
from tests.slack_requests import Payload, SlackRequests, a_mention, a_message


class TwoWorkspaces:
    """The app in two workspaces."""

    def of(self, team: str, enterprise: str = "") -> Installed | None:
        known = {TEAM: BOT_USER, "T2": "U2BOT"}
        return Installed(team, "xoxb", known[team], "B0BOT") if team in known else None

    def check(self) -> None:
        """Slack is not asked here."""

    def forget(self, team: str, enterprise: str, before: datetime) -> None:
        """Nobody removes the app here."""


@dataclass
class Replica:
    """One process of the service, without workers: what it takes in stays."""

    kept: Kept
    requests: SlackRequests
    app: SlackApp
    engaged: set[Thread]
    follow: dict[str, Follow] = field(default_factory=dict)
    duplicates: int = 0

    def waiting(self, root: str, channel: str = OPS, team: str = TEAM) -> list[str]:
        """The texts that wait in a thread."""
        thread = Thread("slack", f"{team}/{channel}", root)
        probe = IncomingMessage(thread, "m", ADA, "", datetime.now(UTC), addressed=True)
        items = self.kept.inbox.waiting(lane_of(probe))
        return [item.message.text for item in items if not isinstance(item, Click)]


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(data=tmp_path_factory.mktemp("data"))


def replica(settings: Settings, engaged: set[Thread], parts: ExitStack) -> Replica:
    kept = parts.enter_context(open_kept(settings))
    made: list[Replica] = []

    def follow(thread: Thread) -> Follow:
        return made[0].follow.get(thread.channel.rpartition("/")[2], Follow.THREAD)

    def dropped() -> None:
        made[0].duplicates += 1

    addressing = Addressing(follow, engaged.__contains__)
    reception: Reception = build_reception(kept, addressing.is_for_us, lambda _: False, dropped)
    listening = Listening(SIGNING_SECRET)
    app = SlackApp(TwoWorkspaces(), reception.receive, listening, lambda: datetime.now(UTC))
    route = events_route(app, SIGNING_SECRET)
    url = parts.enter_context(serving(Starlette(routes=[route])))
    parts.callback(app.close)
    made.append(Replica(kept, SlackRequests(f"{url}{EVENTS_PATH}"), app, engaged))
    return made[0]


@pytest.fixture(scope="module")
def replicas(settings: Settings) -> Iterator[tuple[Replica, Replica]]:
    """Two processes over one server: Slack sends each event to whichever it likes."""
    engaged: set[Thread] = set()
    with ExitStack() as parts:
        yield replica(settings, engaged, parts), replica(settings, engaged, parts)


_moments = iter(range(1, 10_000))


@pytest.fixture
def ts() -> str:
    """The moment of a message that no other test has."""
    return f"1654041600.{next(_moments):06d}"


def follow_up(text: str, root: str, **changed: object) -> Payload:
    """A message in a thread, half a second after another one."""
    second, _, digits = root.partition(".")
    return a_message(text, f"{second}.{int(digits) + 500_000:06d}") | {"thread_ts": root} | changed


def test_bolt_693_764_rasa_3882_a_slow_reply_is_not_asked_for_again(
    replicas: tuple[Replica, Replica], ts: str
) -> None:
    one, _ = replicas

    for retry in range(4):
        assert one.requests.event(a_mention(ts=ts), event_id="Ev7", retry=retry).status_code == 200

    assert one.waiting(ts) == ["what is the PUE?"]


def test_the_two_events_of_one_mention_are_one_question(
    replicas: tuple[Replica, Replica], ts: str
) -> None:
    one, other = replicas

    one.requests.event(a_mention(ts=ts))
    other.requests.event(a_message(f"<@{BOT_USER}> what is the PUE?", ts))

    assert one.waiting(ts) == ["what is the PUE?"]


def test_bolt_js_2188_socket_mode_sends_again_too(
    replicas: tuple[Replica, Replica], ts: str
) -> None:
    one, _ = replicas
    event: Payload = {
        "type": "event_callback",
        "team_id": TEAM,
        "event_id": "Ev8",
        "event": a_mention(ts=ts),
        "authorizations": [{"team_id": TEAM, "user_id": BOT_USER, "is_bot": True}],
    }
    command: Payload = {
        "command": "/odabot",
        "text": f"ask what is the PUE at {ts}?",
        "channel_id": OPS,
        "user_id": ADA,
        "team_id": TEAM,
        "trigger_id": f"trigger of {ts}",
    }
    before = one.duplicates

    async def twice(kind: str, payload: Payload) -> list[int]:
        told = []
        for attempt in (None, 1):
            request = SocketModeRequest(
                type=kind,
                envelope_id="e1",
                payload=payload,
                retry_attempt=attempt,
                retry_reason="timeout",
            )
            told.append((await run_async_bolt_app(one.app.bolt, request)).status)
        return told

    assert asyncio.run(twice("events_api", event)) == [200, 200]
    assert asyncio.run(twice("slash_commands", command)) == [200, 200]

    assert one.waiting(ts) == ["what is the PUE?"]
    assert one.duplicates == before + 2


def test_errbot_slackv3_22_a_reconnect_repeats_nothing(
    replicas: tuple[Replica, Replica], ts: str
) -> None:
    one, other = replicas

    one.requests.event(a_mention(ts=ts))
    # The other process has never seen it, and knows it all the same.
    other.requests.event(a_mention(ts=ts))

    assert other.waiting(ts) == ["what is the PUE?"]


def test_bolt_448_replicas_share_what_they_know(replicas: tuple[Replica, Replica], ts: str) -> None:
    one, other = replicas

    one.requests.event(a_mention(ts=ts))
    one.engaged.add(Thread("slack", f"{TEAM}/{OPS}", ts))
    other.requests.event(follow_up("and yesterday?", ts))

    assert one.waiting(ts) == ["what is the PUE?", "and yesterday?"]


def test_slack_sdk_390_it_does_not_answer_itself_or_other_bots(
    replicas: tuple[Replica, Replica], ts: str
) -> None:
    one, _ = replicas
    text = f"<@{BOT_USER}> what is the PUE?"

    for who in (
        {"user": BOT_USER},
        {"bot_id": "B0BOT"},
        {"bot_id": "B9OTHER"},
        {"subtype": "bot_message", "bot_id": "B9OTHER", "user": None},
    ):
        assert one.requests.event(a_message(text, ts) | who).status_code == 200

    assert one.waiting(ts) == []


def test_nearform_983_a_link_that_unfolds_asks_nothing(
    replicas: tuple[Replica, Replica], ts: str
) -> None:
    one, _ = replicas
    inner = a_message(f"<@{BOT_USER}> see <https://example.org>", ts)
    unfolded = {
        "type": "message",
        "subtype": "message_changed",
        "hidden": True,
        "channel": OPS,
        "ts": f"{ts}9",
        "message": inner | {"attachments": [{"title": "Example"}]},
        "previous_message": inner,
    }

    assert one.requests.event(dict(unfolded)).status_code == 200
    assert one.requests.event(a_message("", ts)).status_code == 200

    assert one.waiting(ts) == []
    assert one.waiting(f"{ts}9") == []


def test_errbot_slackv3_36_an_edit_asks_nothing_again(
    replicas: tuple[Replica, Replica], ts: str
) -> None:
    one, _ = replicas
    one.requests.event(a_mention(ts=ts))
    edited = {"edited": {"user": ADA, "ts": f"{ts}1"}}

    one.requests.event(a_mention("what was the power?", ts) | edited)
    one.requests.event(
        {
            "type": "message",
            "subtype": "message_changed",
            "channel": OPS,
            "ts": f"{ts}2",
            "message": a_message("what was the power?", ts) | edited,
        }
    )

    assert one.waiting(ts) == ["what is the PUE?"]


def test_chatgpt_in_slack_10_a_mention_in_somebodys_thread_is_heard(
    replicas: tuple[Replica, Replica], ts: str
) -> None:
    one, _ = replicas
    one.requests.event(a_message("node 12 looks hot", ts))

    one.requests.event(follow_up(f"<@{BOT_USER}> how hot is node 12?", ts))

    assert one.waiting(ts) == ["how hot is node 12?"]


def test_multica_5741_a_follow_up_is_not_dropped_for_want_of_a_mention(
    replicas: tuple[Replica, Replica], ts: str
) -> None:
    one, _ = replicas
    one.engaged.add(Thread("slack", f"{TEAM}/{OPS}", ts))

    one.requests.event(follow_up("and of node 13?", ts, user=BEN))

    assert one.waiting(ts) == ["and of node 13?"]


def test_yguy_42_not_every_word_in_a_thread_is_for_the_bot(
    replicas: tuple[Replica, Replica], ts: str
) -> None:
    one, _ = replicas
    one.engaged.add(Thread("slack", f"{TEAM}/{OPS}", ts))

    one.requests.event(follow_up(f"<@{BEN}> can you look?", ts))
    one.follow[OPS] = Follow.MENTION
    one.requests.event(follow_up("I think it is the fan", ts))
    one.follow.clear()

    assert one.waiting(ts) == []


def test_bolt_1013_the_second_workspace_is_heard(
    replicas: tuple[Replica, Replica], ts: str
) -> None:
    one, _ = replicas

    told = one.requests.event(a_message("<@U2BOT> what is the PUE?", ts), team="T2")

    assert told.status_code == 200
    assert one.waiting(ts, team="T2") == ["what is the PUE?"]


def test_hermes_100408_the_first_click_after_a_restart_is_taken(
    replicas: tuple[Replica, Replica], ts: str
) -> None:
    _, fresh = replicas
    click: Payload = {
        "type": "block_actions",
        "team": {"id": TEAM},
        "user": {"id": ADA},
        "channel": {"id": OPS},
        "container": {"type": "message", "message_ts": f"{ts}1", "channel_id": OPS},
        "message": {"ts": f"{ts}1", "thread_ts": ts},
        "actions": [
            {
                "action_id": action_id(Act.CHOOSE, 1),
                "value": action_value("0123456789abcdef", "gpu"),
                "action_ts": f"{ts}2",
            }
        ],
    }
    before = fresh.duplicates

    first, again = fresh.requests.interaction(click), fresh.requests.interaction(click)

    assert (first.status_code, again.status_code) == (200, 200)
    lane = f"quick slack:{TEAM}%2F{OPS}:{ts} {ts}1 {ts}2"
    (kept,) = fresh.kept.inbox.waiting(lane)
    assert isinstance(kept, Click)
    assert kept.value == "gpu"
    assert fresh.duplicates == before + 1
