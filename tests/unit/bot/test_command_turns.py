from dataclasses import dataclass, field, replace

import pytest

from bot.access import Entry, Granted, Refused, Right, Why
from bot.command_turns import HELP, CommandTurns, Note, is_read_by_the_asker_alone
from bot.guard import Guard
from bot.messages import IncomingMessage, Reply, Status, Thread, Way
from bot.turn_store import TurnRecord, TurnStage
from retrieval.data_scope import WHOLE
from tests.fakes.recording_platform import NOW


@dataclass
class Others:
    asked: list[str] = field(default_factory=list)

    def answered(self, record: TurnRecord, note: Note) -> TurnRecord:
        self.asked.append(record.message.text)
        return replace(record, stage=TurnStage.ANSWERED)

    def told(self, record: TurnRecord, status: Status, text: str) -> TurnRecord:
        return replace(record, reply=Reply(record.message.thread, status, text))

    def keep_session(self, record: TurnRecord) -> None:
        raise AssertionError


class Roles:
    def decide(self, entry: Entry) -> Granted | Refused:
        if entry.author == "eve":
            return Refused(Why.UNKNOWN, "I may not answer you.")
        return Granted(WHOLE, frozenset({Right.ASK, Right.DIGESTS}), ("operator",))


def turn(text: str, way: Way = Way.MESSAGE, author: str = "ada") -> TurnRecord:
    thread = Thread("test", "channel", "" if way is Way.COMMAND else "1")
    return TurnRecord(IncomingMessage(thread, "m1", author, text, NOW, addressed=True, way=way))


def said(record: TurnRecord) -> tuple[str | None, list[str]]:
    """What a command is answered, and what was left to others."""
    others = Others()
    after = CommandTurns(others, Guard(Roles()), lambda: "All is well.").answered(record, print)
    assert after.stage is TurnStage.ANSWERED
    assert after.message == record.message
    return after.reply.markdown if after.reply else None, others.asked


@pytest.mark.parametrize("way", [Way.MESSAGE, Way.COMMAND])
@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("help", HELP),
        ("Help", HELP),
        ("", HELP),
        ("status", "All is well."),
        ("whoami", "You are `ada`, asked here as: operator. You may: ask, digests."),
    ],
)
def test_a_command_is_the_same_typed_or_by_slash(way: Way, text: str, answer: str) -> None:
    assert said(turn(text, way)) == (answer, [])


def test_what_follows_ask_is_the_question() -> None:
    assert said(turn("ask what is the PUE?", Way.COMMAND)) == (None, ["what is the PUE?"])


def test_ask_alone_is_told_how() -> None:
    assert said(turn("ask", Way.COMMAND)) == (HELP, [])


def test_digests_are_left_to_others() -> None:
    assert said(turn("digest list", Way.COMMAND)) == (None, ["digest list"])


@pytest.mark.parametrize(
    "text", ["status of node 3 yesterday", "help me with the PUE", "what is the PUE?", "ask ada"]
)
def test_a_question_that_begins_like_a_command_is_a_question(text: str) -> None:
    assert said(turn(text)) == (None, [text])


@pytest.mark.parametrize("text", ["what is the PUE?", "status of node 3"])
def test_a_slash_command_that_is_none_is_told_how_to_ask(text: str) -> None:
    answer, left = said(turn(text, Way.COMMAND))

    assert answer is not None
    assert f"/odabot ask {text}" in answer
    assert not left


def test_a_digest_called_help_is_a_question() -> None:
    assert said(turn("help", Way.DIGEST)) == (None, ["help"])


@pytest.mark.parametrize("text", ["help", "status", "whoami"])
def test_who_has_no_role_learns_nothing(text: str) -> None:
    assert said(turn(text, author="eve")) == ("I may not answer you.", [])


def test_only_a_slash_command_is_read_alone() -> None:
    assert is_read_by_the_asker_alone(turn("whoami", Way.COMMAND).message)
    assert not is_read_by_the_asker_alone(turn("ask what is the PUE?", Way.COMMAND).message)
    assert not is_read_by_the_asker_alone(turn("whoami").message)
