"""Who may do what: persons, rooms, digests, and the buttons of other people's answers."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.access import (
    Access,
    Entry,
    Granted,
    LocalAccess,
    Member,
    Refused,
    Right,
    Role,
    RoleAccess,
    Why,
)
from bot.access_file import FileRoles
from bot.guard import Guard
from bot.messages import Act, Click, IncomingMessage, Thread, Way
from retrieval.data_scope import WHOLE, DataScope
from retrieval.request import Entity, EntityKind

NOW = datetime(2022, 6, 15, 10, tzinfo=UTC)
RACK = DataScope(things=frozenset({frozenset({Entity(EntityKind.RACK, "5")})}))
AIR = DataScope(plugins=frozenset({"vertiv_pub"}))
ADMIN = Role("admin")
RACKS = Role("racks", RACK, rights=frozenset({Right.ASK, Right.DIGESTS}))
STUDENT = Role("student", own_jobs=True, rights=frozenset({Right.ASK}))
ROLES = FileRoles(
    None,
    {
        ("slack", "ADA"): Member(ADMIN),
        ("slack", "BOB"): Member(RACKS),
        ("slack", "CAT"): Member(STUDENT, frozenset({"17"})),
        ("slack", "EVE"): Member(RACKS),
    },
    rooms={
        ("slack", "T/OPS"): ADMIN,
        ("slack", "T/AIR"): Role("air", AIR, rights=frozenset({Right.ASK})),
        ("slack", "T/OWN"): Role("own", own_jobs=True, rights=frozenset({Right.ASK})),
    },
)


def said(author: str, channel: str = "T/OPS", *, direct: bool = False) -> IncomingMessage:
    thread = Thread("slack", channel, "1.0")
    return IncomingMessage(thread, "1.0", author, "how hot is it?", NOW, True, direct=direct)


def clicked(author: str, act: Act, channel: str = "T/OPS") -> Click:
    return Click(Thread("slack", channel, "1.0"), "c1", author, act, "turn", NOW)


def granted(entry: Entry, access: Access | None = None) -> Granted:
    decision = (access or RoleAccess(ROLES)).decide(entry)
    assert isinstance(decision, Granted)
    return decision


def refused(entry: Entry, access: Access | None = None) -> Refused:
    decision = (access or RoleAccess(ROLES)).decide(entry)
    assert isinstance(decision, Refused)
    return decision


def test_a_person_without_a_role_is_refused() -> None:
    assert refused(Entry.of(said("MALLORY"))).why is Why.UNKNOWN


def test_a_channel_without_a_role_is_refused() -> None:
    assert refused(Entry.of(said("ADA", "T/LOUNGE"))).why is Why.ROOM


def test_a_direct_message_needs_no_role_of_a_channel() -> None:
    assert granted(Entry.of(said("BOB", "T/D1", direct=True))).scope == RACK


@pytest.mark.parametrize(
    ("author", "channel", "scope"),
    [
        ("ADA", "T/OPS", WHOLE),
        ("ADA", "T/AIR", AIR),
        ("BOB", "T/OPS", RACK),
        ("BOB", "T/AIR", RACK & AIR),
        ("CAT", "T/OPS", DataScope(users=frozenset({"17"}))),
        ("CAT", "T/AIR", AIR & DataScope(users=frozenset({"17"}))),
        ("ADA", "T/OWN", DataScope(users=frozenset())),
    ],
)
def test_an_answer_in_a_channel_is_what_person_and_channel_may_see(
    author: str, channel: str, scope: DataScope
) -> None:
    assert granted(Entry.of(said(author, channel))).scope == scope


def test_a_question_by_slash_command_is_answered_in_the_channel_and_so_within_its_role() -> None:
    def command(channel: str) -> IncomingMessage:
        return replace(said("ADA", channel), way=Way.COMMAND)

    assert granted(Entry.of(command("T/AIR"))).scope == AIR
    assert refused(Entry.of(command("T/LOUNGE"))).why is Why.ROOM


def test_a_command_whose_reply_is_whispered_needs_no_role_of_the_channel() -> None:
    command = replace(said("ADA", "T/LOUNGE"), way=Way.COMMAND)

    assert isinstance(Guard(RoleAccess(ROLES)).commands(command, Right.ASK), Granted)
    assert isinstance(
        Guard(RoleAccess(ROLES)).commands(replace(command, way=Way.MESSAGE), Right.ASK), Refused
    )


def test_a_digest_has_the_rights_of_its_owner_and_of_the_channel_when_it_runs() -> None:
    def due(owner: str, channel: str) -> Entry:
        return Entry.of(replace(said(owner, channel), way=Way.DIGEST))

    assert granted(due("BOB", "T/OPS")).scope == RACK
    assert refused(due("BOB", "T/AIR")).why is Why.RIGHT
    assert refused(due("CAT", "T/OPS")).why is Why.RIGHT
    assert refused(due("GONE", "T/OPS")).why is Why.UNKNOWN


def test_a_right_that_the_role_does_not_have_is_refused() -> None:
    assert refused(Entry.of_click(clicked("BOB", Act.QUERY), said("BOB"))).why is Why.RIGHT
    assert granted(Entry.of_click(clicked("ADA", Act.QUERY), said("BOB"))).rights


@pytest.mark.parametrize("act", [Act.CSV, Act.CHOOSE, Act.HELPFUL])
def test_buttons_of_an_answer_are_for_those_who_may_see_as_much(act: Act) -> None:
    assert granted(Entry.of_click(clicked("EVE", act), said("BOB")))
    assert granted(Entry.of_click(clicked("ADA", act), said("BOB")))
    assert refused(Entry.of_click(clicked("BOB", act), said("ADA"))).why is Why.OTHERS
    assert refused(Entry.of_click(clicked("MALLORY", act), said("ADA"))).why is Why.UNKNOWN


def test_nobody_acts_on_the_answer_of_someone_who_lost_their_role() -> None:
    assert refused(Entry.of_click(clicked("ADA", Act.CSV), said("GONE"))).why is Why.OTHERS


def test_a_run_is_stopped_by_whoever_asked_or_an_administrator() -> None:
    assert granted(Entry.of_click(clicked("BOB", Act.STOP), said("BOB")))
    assert granted(Entry.of_click(clicked("ADA", Act.STOP), said("GONE")))
    assert refused(Entry.of_click(clicked("EVE", Act.STOP), said("BOB"))).why is Why.RIGHT


def test_an_administrator_is_one_in_every_room() -> None:
    guard = Guard(RoleAccess(ROLES))

    assert guard.is_admin(said("ADA", "T/AIR"))
    assert guard.is_admin(clicked("ADA", Act.STOP, "T/AIR"))
    assert not guard.is_admin(said("BOB"))
    assert not guard.is_admin(said("MALLORY"))


@pytest.mark.parametrize("platform", ["command", "web"])
def test_without_an_access_file_this_machine_may_do_all(platform: str) -> None:
    message = replace(said("page"), thread=Thread(platform, "page", "1"))

    assert granted(Entry.of(message), LocalAccess()) == Granted(WHOLE, frozenset(Right), ("local",))


@pytest.mark.parametrize("platform", ["slack", "mattermost", ""])
def test_without_an_access_file_no_chat_platform_is_served(platform: str) -> None:
    message = replace(said("ADA", direct=True), thread=Thread(platform, "T/OPS", "1"))

    assert refused(Entry.of(message), LocalAccess()).why is Why.CLOSED
    assert not Guard().is_admin(message)


@pytest.mark.parametrize("entry", [Entry.of(said("MALLORY")), Entry.of(said("ADA", "T/LOUNGE"))])
def test_a_refusal_names_no_role_and_nothing_that_exists(entry: Entry) -> None:
    told = refused(entry).text.lower()

    for word in ("admin", "rack", "air", "student", "plugin"):
        assert word not in told
