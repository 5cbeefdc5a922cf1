"""Commands end at their limits and leave nothing behind."""

import time

import pytest

from sandbox.process import Conversation, DeadlinePassed, Ended, Stopped, run_command


def soon() -> float:
    return time.monotonic() + 20


def test_gives_what_a_command_printed_and_its_status() -> None:
    ended = run_command(["/bin/sh", "-c", "echo out; echo err >&2; exit 3"], 20, 1000)

    assert (ended.code, ended.stdout, ended.stderr) == (3, b"out\n", b"err")


def test_a_command_does_not_see_our_environment() -> None:
    ended = run_command(["/usr/bin/env"], 20, 1000)

    assert {line.partition(b"=")[0] for line in ended.stdout.splitlines()} <= {b"PATH", b"LANG"}


def test_stops_a_command_at_its_deadline() -> None:
    ended = run_command(["/bin/sleep", "60"], 0.1, 1000)

    assert ended.code is None


def test_stops_a_command_that_prints_too_much() -> None:
    ended = run_command(["/bin/sh", "-c", "while :; do echo flood; done"], 20, 100)

    assert ended.code is None
    assert len(ended.stdout) == 100


def test_what_is_no_command_is_an_error() -> None:
    with pytest.raises(OSError, match="nowhere"):
        run_command(["/nowhere"], 1, 10)


def test_talks_with_a_program() -> None:
    talk = Conversation(["/bin/cat"])

    talk.write(b"hello", soon())
    heard = talk.read(5, soon())
    talk.kill()

    assert heard == b"hello"


def test_a_program_that_ends_too_early_is_told_with_its_complaint() -> None:
    talk = Conversation(["/bin/sh", "-c", "echo 12; echo sorry >&2"])

    with pytest.raises(Ended, match="sorry"):
        talk.read(100, soon())

    talk.kill()


def test_a_silent_program_is_not_waited_for() -> None:
    talk = Conversation(["/bin/sleep", "60"])

    with pytest.raises(DeadlinePassed):
        talk.read(1, time.monotonic() + 0.1)

    talk.kill()


def test_a_program_that_uses_too_much_is_stopped() -> None:
    talk = Conversation(["/bin/sleep", "60"], exceeds=lambda process: process > 0)

    with pytest.raises(Stopped):
        talk.read(1, soon())

    talk.kill()


def test_a_flood_of_complaints_is_cut() -> None:
    talk = Conversation(["/bin/sh", "-c", "yes | head -c 900000 >&2; echo done"])

    heard = talk.read(4, soon())
    talk.kill()

    assert heard == b"done"
    assert len(talk.complaint()) <= 65536
