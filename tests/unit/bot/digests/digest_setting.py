"""A desk, runs and a scheduler over one store in memory, with a clock that a test moves."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from agent import Answer
from bot.digests.asking import AsksAlone
from bot.digests.digest_creation import DigestCreation
from bot.digests.digest_desk import DigestDesk
from bot.digests.digest_runs import DigestRun, DigestRuns
from bot.digests.digest_scheduler import DigestScheduler
from bot.digests.digest_store import DigestStore, Limits
from bot.digests.drafting import Drafting
from bot.messages import IncomingMessage, Reply, Thread
from bot.outcome import Failed
from tests.fakes.digest_parts import NamedPlaces, NamedRights, ScriptedAnswers, no_note
from tests.fakes.memory_digests import MemoryDigests

NOW = datetime(2022, 6, 10, 10, tzinfo=UTC)
HERE = Thread("test", "T1/general", "100")


@dataclass
class Setting:
    """All parts of digests; what is handed in is kept by its name, once."""

    asks: AsksAlone
    store: DigestStore = field(default_factory=MemoryDigests)
    now: datetime = NOW
    rights: NamedRights = field(default_factory=NamedRights)
    taken: dict[str, IncomingMessage] = field(default_factory=dict)
    of_one_owner: int = 3
    number: int = 0

    def receive(self, message: IncomingMessage) -> None:
        self.taken.setdefault(message.message_id, message)

    @property
    def runs(self) -> DigestRuns:
        return DigestRuns(self.store, self.asks, self.rights, self.clock, timedelta(hours=6))

    @property
    def scheduler(self) -> DigestScheduler:
        return DigestScheduler(self.store, self.receive, self.clock)

    @property
    def desk(self) -> DigestDesk:
        creation = DigestCreation(
            self.store,
            Drafting(self.asks, ZoneInfo("UTC")),
            self.rights,
            NamedPlaces(),
            self.clock,
            Limits(self.of_one_owner, 5),
            timedelta(minutes=15),
        )
        return DigestDesk(creation, self.receive)

    def clock(self) -> datetime:
        return self.now

    def say(self, text: str, author: str = "ada", thread: Thread = HERE) -> Reply | None:
        """What the desk replies to a message, each one another."""
        self.number += 1
        return self.desk.reply_to(self.message(text, author, thread), no_note)

    def told(self, text: str, author: str = "ada", thread: Thread = HERE) -> str:
        """The same where it must be about digests: the words of the reply."""
        reply = self.say(text, author, thread)
        assert reply is not None
        return reply.markdown

    def message(self, text: str, author: str = "ada", thread: Thread = HERE) -> IncomingMessage:
        return IncomingMessage(thread, f"m{self.number}", author, text, self.now, addressed=True)

    def at(self, moment: datetime) -> list[DigestRun | None]:
        """What comes of everything that is handed in as the clock shows ``moment``."""
        self.now = moment
        before = set(self.taken)
        self.scheduler.look()
        new = [message for name, message in self.taken.items() if name not in before]
        return [self.runs.run(message, no_note) for message in new]


def a_setting(folder: Path, **script: list[Answer | Failed]) -> tuple[Setting, ScriptedAnswers]:
    """A setting in which PUE and power can be asked for."""
    asks = ScriptedAnswers(folder, {})
    power = asks.table(("average (W)",), (800.0,))
    asks.script = {"PUE of yesterday": [power], "power": [power], **script}
    return Setting(asks), asks
