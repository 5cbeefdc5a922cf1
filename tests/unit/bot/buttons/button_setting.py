"""Buttons over what is kept in memory, and a platform that records what stands there."""

from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

from agent import Choice, Session
from bot.buttons.choosing import Choosing
from bot.buttons.evidence import EvidenceDesk
from bot.buttons.pressed import Buttons
from bot.buttons.retiring import Retiring
from bot.buttons.voting import Voting
from bot.messages import (
    Act,
    Click,
    Fact,
    FactKind,
    IncomingMessage,
    Reply,
    ReplyFile,
    ReplyTable,
    Status,
    Thread,
)
from bot.outbound import Gateway, Patience
from bot.outbound.progress import ProgressBoard
from bot.turn_store import TurnRecord, TurnStage
from tests.fakes.memory_outbound import MemoryEngaged, OpenThrottle
from tests.fakes.memory_turns import MemoryTurns
from tests.fakes.memory_votes import HeardVotes, MemoryChoices, MemoryVotes
from tests.fakes.recording_outlet import RecordingOutlet
from tests.fakes.recording_platform import NOW, a_message, a_thread

CHOICES = (Choice("ambient", "the air at the inlet"), Choice("gpu", "the GPU cores"))
ADA, BEN = "ada", "ben"
DAY = timedelta(days=1)


@dataclass
class Setting:
    """One process's buttons; ``elsewhere`` makes those of another."""

    outlet: RecordingOutlet = field(default_factory=RecordingOutlet)
    turns: MemoryTurns = field(default_factory=MemoryTurns)
    received: list[IncomingMessage] = field(default_factory=list)
    votes: MemoryVotes = field(default_factory=MemoryVotes)
    heard: HeardVotes = field(default_factory=HeardVotes)
    refuses: dict[str, str] = field(default_factory=dict)
    tree: str = ""

    def __post_init__(self) -> None:
        throttle = OpenThrottle()
        self.gateway = Gateway(
            {a_thread().platform: self.outlet},
            self.turns,
            throttle,
            MemoryEngaged(),
            ProgressBoard(throttle),
            patience=Patience(tries=1, sleep=lambda seconds: None),
        )
        choosing = Choosing(self.turns, self.gateway, self.received.append, DAY)
        evidence = EvidenceDesk(self.turns, self.gateway, lambda turn: self.tree)
        voting = Voting(self.votes, (self.heard,), self.gateway)
        self.buttons = Buttons(self.turns, self.gateway, self._refusal, choosing, evidence, voting)
        self.retiring = Retiring(self.turns, self.gateway, MemoryChoices())

    def elsewhere(self) -> "Setting":
        """Another process over the same stores and platform."""
        return Setting(self.outlet, self.turns, self.received, self.votes, self.heard, self.refuses)

    def posted(self, reply: Reply, number: int = 1, session: Session | None = None) -> TurnRecord:
        """The turn of that number, answered by ``reply`` and done."""
        message = replace(a_message("?", reply.thread), message_id=str(number))
        record = TurnRecord(message, TurnStage.ANSWERED, reply, session)
        done = self.gateway.deliver(record)
        self.turns.save(replace(done, session=None))
        return done

    def asked_back(self, number: int = 1, session: Session | None = None) -> TurnRecord:
        """A turn that asks back."""
        reply = Reply(a_thread(), Status.CLARIFICATION, "Which one?", choices=CHOICES)
        return self.posted(reply, number, session)

    def answered(self, **more: object) -> TurnRecord:
        """A turn with an answer."""
        reply = Reply(a_thread(), Status.COMPLETED, "812 W")
        return self.posted(replace(reply, **more))  # type: ignore[arg-type]

    def told(self, user: str) -> list[str]:
        """What that person alone was told."""
        return [text for _, to, text in self.outlet.whispers if to == user]

    def _refusal(self, click: Click, message: IncomingMessage) -> str:
        return self.refuses.get(click.author, "")


def a_click(
    record: TurnRecord,
    act: Act = Act.CHOOSE,
    value: str = "",
    *,
    author: str = ADA,
    number: int = 1,
    thread: Thread | None = None,
) -> Click:
    """The click of that number on a button of ``record``."""
    where = thread or record.message.thread
    at = NOW + timedelta(seconds=10)
    return Click(where, f"click-{number}", author, act, record.trace_id, at, value)


def a_table(folder: Path, name: str = "power") -> ReplyTable:
    """A table of 40 rows in a file."""
    path = folder / f"{name}.csv"
    path.write_text("node,W\n1,812\n")
    file = ReplyFile(path.name, path, "text/csv", name)
    return ReplyTable(name, ("node", "W"), (("1", "812"),), (False, True), 40, file)


QUERY = Fact("Query", ("SELECT ?v WHERE { ?s a <urn:x> }",), FactKind.SPARQL)
