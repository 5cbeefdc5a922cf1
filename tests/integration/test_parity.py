"""Every kind of reply, button and digest on every platform: none lacks what another one has.

A button counts where pressing it arrives as a click: through the route that Mattermost posts to,
and through what reads Slack's payloads. What a click then does is one for all platforms, and mypy
holds ``bot.buttons.pressed`` to each :class:`Act`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette

from agent import Choice
from bot.buttons.voting import REASONS, WHY
from bot.digests.digest_reply import told
from bot.embedded_redis import EmbeddedRedis
from bot.messages import Act, Click, Fact, FactKind, Reply, ReplyFile, ReplyTable, Status, Thread
from bot.outbound.progress import FIRST_NOTE
from bot.outlet import Part
from bot.platforms.mattermost_actions import ACTIONS_PATH, Actions
from bot.platforms.mattermost_attachments import progress_part as mattermost_progress
from bot.platforms.mattermost_attachments import reply_parts as mattermost_parts
from bot.platforms.mattermost_attachments import settled_part as mattermost_settled
from bot.platforms.mattermost_attachments import why_part as mattermost_why
from bot.platforms.mattermost_outlet import MattermostOutlet
from bot.platforms.mattermost_rest import MattermostRest
from bot.platforms.mattermost_tokens import ButtonTokens
from bot.platforms.slack_blocks import progress_part as slack_progress
from bot.platforms.slack_blocks import reply_parts as slack_parts
from bot.platforms.slack_blocks import settled_part as slack_settled
from bot.platforms.slack_blocks import why_part as slack_why
from bot.platforms.slack_events import read_clicks
from tests.asgi_server import serving
from tests.fakes.recording_intake import RecordingIntake
from tests.fakes.recording_platform import NOW
from tests.mattermost_stub import BOT_TOKEN, OPS, MattermostStub, mattermost_stub

TURN = "0123456789abcdef"
THREAD = Thread("any", "channel", "root")
FOLDER = Path("answers")
EVIDENCE = (
    Fact("Time", ("2022-06-01 00:00 to 02:00 UTC",)),
    Fact("Metrics", ("total_power (ipmi) in W",)),
    Fact("Samples", ("1,230 of 1,240 expected",)),
    Fact("Certified", ("racks-energy-highest",)),
    Fact("Notes", ("node 4 has no samples",)),
    Fact("Query", ("SELECT ?x WHERE {}",), FactKind.SPARQL),
    Fact("Trace", (f"{TURN}, 0.21 s",)),
)


def a_file(name: str, kind: str, title: str) -> ReplyFile:
    return ReplyFile(name, FOLDER / name, kind, title)


def a_table(name: str, rows: int, of: int, columns: int = 2) -> ReplyTable:
    heads = tuple(f"head{number}" for number in range(columns))
    cells = tuple(tuple(f"cell{row}x{number}" for number in range(columns)) for row in range(rows))
    numeric = (False, *(True,) * (columns - 1))
    return ReplyTable(name, heads, cells, numeric, of, a_file(f"{name}.csv", "text/csv", name))


PLOT = a_file("plot.png", "image/png", "Power of node 3 on 1 June")
OTHER = a_file("answer.json", "application/json", "the answer as JSON")


def choices(count: int, length: int = 12) -> tuple[Choice, ...]:
    return tuple(Choice(f"id{n}", f"choice {n} ".ljust(length, "x")) for n in range(count))


def asked(count: int, length: int = 12) -> Reply:
    return Reply(
        THREAD,
        Status.CLARIFICATION,
        "Which do you **mean**?",
        choices=choices(count, length),
        facts=EVIDENCE[-1:],
    )


ANSWER = Reply(THREAD, Status.COMPLETED, "Node 3 drew **812 W**.", facts=EVIDENCE)
REPLIES = {
    "words": ANSWER,
    "words without evidence": replace(ANSWER, facts=()),
    "a table that is shown whole": replace(ANSWER, tables=(a_table("small", 3, 3),)),
    "a table of which a part is shown": replace(ANSWER, tables=(a_table("large", 10, 400),)),
    "a table without rows": replace(ANSWER, tables=(a_table("empty", 0, 0),)),
    "a wide table": replace(ANSWER, tables=(a_table("wide", 2, 2, columns=25),)),
    "several tables": replace(ANSWER, tables=(a_table("one", 3, 3), a_table("two", 3, 90))),
    "a picture": replace(ANSWER, files=(PLOT,), tables=(a_table("large", 10, 400),)),
    "a file that is no picture": replace(ANSWER, files=(OTHER, PLOT)),
    "long words": replace(ANSWER, markdown="\n".join(f"line{n} of the answer" for n in range(900))),
    "a list, code and a link": replace(
        ANSWER, markdown="# Head\n- one\n- two\n```\ncode\n```\n[site](https://example.org)"
    ),
    "few choices": asked(3),
    "as many choices as there are buttons": asked(25),
    "more choices": asked(40),
    "choices with long names": asked(3, 90),
    "a refusal": replace(ANSWER, status=Status.REJECTED, markdown="That is not in the data."),
    "a failure": Reply(THREAD, Status.FAILED, "Something broke.", facts=EVIDENCE[-1:]),
    "a digest": replace(
        ANSWER,
        markdown="**PUE, daily**\n\n**1. PUE?**\n1.2",
        tables=(a_table("large", 10, 400),),
        files=(PLOT,),
        facts=tuple(replace(fact, label=f"1. {fact.label}") for fact in EVIDENCE),
    ),
    "a digest of which one question is asked back": replace(
        ANSWER, choices=choices(25, 30), tables=(a_table("small", 3, 3),)
    ),
    "files alone": Reply(THREAD, Status.COMPLETED, "", files=(OTHER,)),
    "signs that mean something": replace(
        ANSWER, markdown="@all <3 W, a_b_c and *node* <!here> `@channel`"
    ),
    "a word on a digest": told(THREAD, "The digest *PUE* is paused."),
}


def actions_in_slack(parts: tuple[Part, ...]) -> list[Any]:
    blocks: list[Any] = [b for part in parts for b in part.body if b["type"] == "actions"]
    return [element for block in blocks for element in block["elements"]]


def pressed_in_slack(parts: tuple[Part, ...]) -> set[tuple[Act, str, str]]:
    """What arrives when every button is pressed and every option chosen."""
    found = set()
    for element in actions_in_slack(parts):
        for option in element.get("options") or [None]:
            chosen = {"selected_option": option} if option else {}
            body = {
                "channel": {"id": "C1"},
                "message": {"ts": "1.2"},
                "user": {"id": "U1"},
                "actions": [{**element, **chosen, "action_ts": "2.1"}],
            }
            clicks = read_clicks(body, "T1", NOW)
            assert len(clicks) == 1, f"nobody hears {element}"
            found |= {(click.act, click.turn, click.value) for click in clicks}
    return found


@dataclass
class Server:
    """A Mattermost, and where it tells us of what is pressed."""

    stub: MattermostStub
    outlet: MattermostOutlet
    intake: RecordingIntake

    def pressed(self, parts: tuple[Part, ...]) -> set[tuple[Act, str, str]]:
        """What arrives when every button is pressed and every option chosen."""
        thread = Thread("mattermost", OPS, self.stub.mention("which?"))
        self.intake.taken.clear()
        count = 0
        for number, part in enumerate(parts):
            if not part.body:
                continue
            post = self.outlet.post(thread, replace(part, files=()), f"key-{number}-{thread.root}")
            for action in self.stub.actions(post):
                for option in action.get("options") or [None]:
                    self.stub.choose(post, action["id"], option["value"] if option else "")
                    count += 1
                    assert len(self.intake.taken) == count, f"nobody hears {action}"
        return {(c.act, c.turn, c.value) for c in self.intake.taken if isinstance(c, Click)}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    redis = EmbeddedRedis(tmp_path_factory.mktemp("redis"))
    intake = RecordingIntake()
    with closing(ButtonTokens(redis.open(), timedelta(hours=1))) as tokens:
        # A menu is pressed for each of its options here, as nobody can do.
        lasting = _Lasting(tokens)
        route = Actions(lasting, intake.receive, lambda: NOW).route
        with serving(Starlette(routes=[route])) as url, mattermost_stub() as stub:
            rest = MattermostRest(stub.url, BOT_TOKEN)
            yield Server(stub, MattermostOutlet(rest, tokens, f"{url}{ACTIONS_PATH}"), intake)
    redis.close()


@dataclass(frozen=True, slots=True)
class _Lasting:
    """Tokens that count more than once."""

    tokens: ButtonTokens

    def opened(self, token: str, channel: str, user: str) -> Any:
        return self.tokens.opened(token, channel, user)

    def spend(self, token: str, user: str) -> None:
        """It may be pressed again."""


def words_of(text: str) -> set[str]:
    """The words of a text, whatever marks a platform sets around them."""
    plain = re.sub(r"&(amp|lt|gt);", " ", text.replace("\\", ""))
    return {word.strip("_") for word in re.findall(r"\w[\w.,:%-]*\w|\w", plain)}


def text_in(block: object) -> Iterator[str]:
    """All text of a Slack block that people read, buttons aside."""
    if isinstance(block, Mapping):
        if block.get("type") in ("actions", "button"):
            return
        for key, value in block.items():
            if key == "text" and isinstance(value, str):
                yield value
            else:
                yield from text_in(value)
    elif isinstance(block, list | tuple):
        for each in block:
            yield from text_in(each)


def said_in_slack(parts: tuple[Part, ...]) -> set[str]:
    return words_of(" ".join(text for part in parts for text in text_in(part.body)))


def said_in_mattermost(parts: tuple[Part, ...]) -> set[str]:
    return words_of(" ".join(part.text for part in parts if not part.files))


def files_of(parts: tuple[Part, ...]) -> list[tuple[str, str]]:
    return [(file.name, file.title) for part in parts for file in part.files]


@pytest.mark.parametrize("kind", REPLIES)
def test_a_reply_says_the_same_everywhere(kind: str) -> None:
    slack, mattermost = slack_parts(REPLIES[kind], TURN), mattermost_parts(REPLIES[kind], TURN)

    # What is set as a list item, a heading or a link has marks of its own on each.
    assert said_in_slack(slack) - said_in_mattermost(mattermost) == set()
    assert said_in_mattermost(mattermost) - said_in_slack(slack) <= {"*"}


@pytest.mark.parametrize("kind", REPLIES)
def test_no_message_of_a_reply_says_nothing_anywhere(kind: str) -> None:
    for part in (*slack_parts(REPLIES[kind], TURN), *mattermost_parts(REPLIES[kind], TURN)):
        assert words_of(part.text)


@pytest.mark.parametrize("kind", REPLIES)
def test_a_reply_brings_the_same_files_everywhere(kind: str) -> None:
    slack, mattermost = slack_parts(REPLIES[kind], TURN), mattermost_parts(REPLIES[kind], TURN)

    assert files_of(slack) == files_of(mattermost)


@pytest.mark.parametrize("kind", REPLIES)
def test_every_button_of_a_reply_is_heard_and_is_there_everywhere(
    kind: str, server: Server
) -> None:
    slack, mattermost = slack_parts(REPLIES[kind], TURN), mattermost_parts(REPLIES[kind], TURN)

    heard = server.pressed(mattermost)

    assert heard == pressed_in_slack(slack)
    assert all(turn == TURN for _, turn, _ in heard)
    asked_for = {choice.id for choice in REPLIES[kind].choices}
    assert {value for act, _, value in heard if act is Act.CHOOSE} == asked_for


@pytest.mark.parametrize("kind", REPLIES)
def test_without_a_turn_nothing_can_be_pressed_anywhere(kind: str, server: Server) -> None:
    slack, mattermost = slack_parts(REPLIES[kind], ""), mattermost_parts(REPLIES[kind], "")

    assert pressed_in_slack(slack) == server.pressed(mattermost) == set()


def test_all_acts_are_offered_somewhere_and_heard(server: Server) -> None:
    """So that the tests above say something about each of them."""
    offered: set[Act] = set()
    for reply in REPLIES.values():
        offered |= {act for act, _, _ in pressed_in_slack(slack_parts(reply, TURN))}

    assert offered | {Act.STOP} == set(Act)


PLAIN: dict[str, tuple[Callable[[], Part], Callable[[], Part]]] = {
    "progress": (
        lambda: slack_progress(FIRST_NOTE, 12, TURN),
        lambda: mattermost_progress(FIRST_NOTE, 12, TURN),
    ),
    "progress at its beginning": (
        lambda: slack_progress(FIRST_NOTE, 0, TURN),
        lambda: mattermost_progress(FIRST_NOTE, 0, TURN),
    ),
    "why an answer did not help": (
        lambda: slack_why(WHY, REASONS, TURN),
        lambda: mattermost_why(WHY, REASONS, TURN),
    ),
}


@pytest.mark.parametrize("kind", PLAIN)
def test_what_is_shown_in_passing_is_the_same_everywhere(kind: str, server: Server) -> None:
    in_slack, in_mattermost = (make() for make in PLAIN[kind])

    assert said_in_slack((in_slack,)) == said_in_mattermost((in_mattermost,))
    assert pressed_in_slack((in_slack,)) == server.pressed((in_mattermost,)) != set()


@pytest.mark.parametrize("kind", REPLIES)
@pytest.mark.parametrize("by", ["", "ada"])
def test_what_is_settled_is_settled_everywhere(kind: str, by: str, server: Server) -> None:
    note = "chose: the GPU cores"
    before = slack_parts(REPLIES[kind], TURN), mattermost_parts(REPLIES[kind], TURN)

    slack = tuple(slack_settled(part, note, by) for part in before[0])
    mattermost = tuple(mattermost_settled(part, note, by) for part in before[1])

    assert pressed_in_slack(slack) == server.pressed(mattermost)
    assert ("chose" in said_in_slack(slack)) == ("chose" in said_in_mattermost(mattermost))
    assert not any(act is Act.CHOOSE for act, _, _ in pressed_in_slack(slack))
