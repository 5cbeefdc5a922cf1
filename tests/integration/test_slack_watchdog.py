"""A connection that went deaf, or whose other end went away, is made anew."""

import time
from dataclasses import replace
from pathlib import Path

from bot.messages import IncomingMessage
from tests.fakes.recording_intake import RecordingIntake
from tests.free_port import free_port
from tests.local_slack import LocalSlack, local_slack
from tests.slack_listening import BRISK, Reports, over_socket, socket_to
from tests.tcp_relay import relay


def hears(intake: RecordingIntake, slack: LocalSlack, seconds: float = 40) -> bool:
    """Whether something that is said, again and again, arrives."""
    give_up = time.monotonic() + seconds
    while time.monotonic() < give_up:
        slack.say("can you hear me?")
        if any(isinstance(m, IncomingMessage) for m in intake.taken):
            return True
        time.sleep(0.2)
    return False


def wait_for_trouble(reports: Reports, *, there: bool, seconds: float = 40) -> None:
    give_up = time.monotonic() + seconds
    while bool(reports.trouble) is not there:
        assert time.monotonic() < give_up, reports.told
        time.sleep(0.05)


def connections(slack: LocalSlack) -> int:
    return sum("socket connected" in entry["summary"] for entry in slack.log())


def test_after_slack_was_away_it_is_heard_again(tmp_path: Path) -> None:
    port, intake = free_port(), RecordingIntake()
    with local_slack(tmp_path, port=port) as before:
        platform, reports = socket_to(before.api_url, intake)
        platform.open()
    wait_for_trouble(reports, there=True)
    with local_slack(tmp_path, port=port) as after:
        wait_for_trouble(reports, there=False)
        heard = hears(intake, after)
        platform.close()

    assert heard


def test_a_connection_that_fell_silent_is_made_anew(tmp_path: Path) -> None:
    intake = RecordingIntake()
    with local_slack(tmp_path) as slack, relay(int(slack.url.rpartition(":")[2])) as between:
        through = replace(slack, url=f"http://127.0.0.1:{between.port}")
        with over_socket(through, intake, replace(BRISK, ping=0.5)):
            assert hears(intake, slack)
            intake.taken.clear()
            between.silence()

            assert hears(intake, slack)


def test_a_connection_on_which_nothing_comes_is_not_trusted_for_ever(tmp_path: Path) -> None:
    intake = RecordingIntake()
    with (
        local_slack(tmp_path) as slack,
        over_socket(slack, intake, replace(BRISK, quiet=0.5)) as reports,
    ):
        give_up = time.monotonic() + 30
        while connections(slack) < 3:
            assert time.monotonic() < give_up
            time.sleep(0.1)

        assert hears(intake, slack)
        assert reports.trouble == ""
