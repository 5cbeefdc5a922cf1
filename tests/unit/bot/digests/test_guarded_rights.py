"""Who may have digests, as an access file says."""

from pathlib import Path

import pytest

from bot.access import RoleAccess
from bot.access_file import read_access_file
from bot.digests.guarded_rights import GuardedRights
from bot.guard import Guard
from bot.messages import IncomingMessage, Thread, Way
from tests.fakes.recording_platform import NOW

FILE = """\
[roles.oncall]
digests = true

[roles.reader]
digests = false

[roles.chief]
digests = true
admin = true

[platforms.slack.users]
UADA = "oncall"
UBEN = "reader"
UROOT = "chief"

[platforms.slack.channels]
COPS = "oncall"
CALL = "reader"
"""
OPS, ALL, DM = (Thread("slack", f"T1/{name}", "") for name in ("COPS", "CALL", "DADA"))


@pytest.fixture
def rights(tmp_path: Path) -> GuardedRights:
    path = tmp_path / "access.toml"
    path.write_text(FILE)
    return GuardedRights(Guard(RoleAccess(read_access_file(path))))


def said_by(author: str, thread: Thread = OPS) -> IncomingMessage:
    return IncomingMessage(
        thread, "m1", author, "digest list", NOW, addressed=True, way=Way.COMMAND
    )


def test_a_role_without_digests_is_refused_with_the_reason(rights: GuardedRights) -> None:
    assert rights.refusal(said_by("UADA")) == ""
    assert "may not do that" in rights.refusal(said_by("UBEN"))
    assert "do not know you" in rights.refusal(said_by("UNOBODY"))


def test_person_and_channel_must_both_have_the_right(rights: GuardedRights) -> None:
    assert rights.may_have_digests("UADA", OPS, direct=False)
    assert not rights.may_have_digests("UADA", ALL, direct=False)
    assert not rights.may_have_digests("UBEN", OPS, direct=False)
    assert not rights.may_have_digests("UADA", Thread("slack", "T1/CX", ""), direct=False)


def test_in_private_the_person_alone_counts(rights: GuardedRights) -> None:
    assert rights.may_have_digests("UADA", DM, direct=True)
    assert not rights.may_have_digests("UBEN", DM, direct=True)


def test_only_an_admin_is_one(rights: GuardedRights) -> None:
    assert rights.is_admin(said_by("UROOT"))
    assert not rights.is_admin(said_by("UADA"))


def test_at_a_terminal_nobody_is_refused() -> None:
    rights = GuardedRights(Guard())
    thread = Thread("command", "ask", "")

    assert rights.refusal(said_by("command", thread)) == ""
    assert rights.may_have_digests("command", thread, direct=False)
