"""Answers posted to our stand-in for Mattermost, as the tests of what goes out want it."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from bot.messages import (
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
from bot.platforms.mattermost_outlet import MattermostOutlet
from bot.platforms.mattermost_rest import MattermostRest
from bot.platforms.mattermost_tokens import ButtonTokens
from bot.turn_store import TurnRecord, TurnStage
from tests.fakes.memory_outbound import KeptTurns, MemoryEngaged, OpenThrottle
from tests.fakes.recording_platform import NOW
from tests.mattermost_stub import ADA, BOT_TOKEN, OPS, MattermostStub, mattermost_stub

PLATFORM = "mattermost"
ACTIONS_URL = "http://127.0.0.1:9/mattermost/action"
_PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 32


@dataclass
class MattermostDesk:
    """A Mattermost, and a folder with the files of answers."""

    stub: MattermostStub
    folder: Path
    tokens: ButtonTokens
    throttle: OpenThrottle = field(default_factory=OpenThrottle)
    engaged: MemoryEngaged = field(default_factory=MemoryEngaged)

    def outlet(self) -> MattermostOutlet:
        """Gives up after a second."""
        rest = MattermostRest(self.stub.url, BOT_TOKEN, seconds=1)
        return MattermostOutlet(rest, self.tokens, ACTIONS_URL)

    def gateway(self, turns: KeptTurns | None = None) -> Gateway:
        """A gateway that does not sleep between its tries."""
        return Gateway(
            {PLATFORM: self.outlet()},
            turns or KeptTurns(),
            self.throttle,
            self.engaged,
            ProgressBoard(self.throttle, seconds=0.02),
            patience=Patience(tries=30, sleep=lambda seconds: None),
        )

    def thread(self, text: str = "power of node 3?") -> Thread:
        """A thread that a person just began."""
        return Thread(PLATFORM, OPS, self.stub.mention(text))

    def turn(self, thread: Thread, **more: Any) -> TurnRecord:
        """An answer with a table, a picture and the table's file."""
        reply = Reply(
            thread,
            Status.COMPLETED,
            "Node 3 drew **812 W** @channel.",
            tables=(self.table(),),
            files=(self._file("plot.png", _PNG, "image/png", "Power of node 3 on 1 June"),),
            facts=(
                Fact("Time", ("2022-06-01 00:00 to 02:00 UTC",)),
                Fact("Query", ("SELECT ?x WHERE {}",), FactKind.SPARQL),
            ),
        )
        message = IncomingMessage(thread, thread.root or "m1", ADA, "power of node 3?", NOW, True)
        return TurnRecord(message, TurnStage.ANSWERED, replace(reply, **more))

    def words(self, thread: Thread, markdown: str, **more: Any) -> TurnRecord:
        """An answer in words alone."""
        return self.turn(thread, markdown=markdown, **{"tables": (), "files": (), **more})

    def table(self) -> ReplyTable:
        """A table of which one row is shown."""
        csv = self._file("nodes.csv", b"node,power\n3,812\n", "text/csv", "nodes")
        return ReplyTable("nodes", ("node", "power"), (("3", "812"),), (False, True), 400, csv)

    def shown(self, root: str) -> list[list[str]]:
        """What the bot posted to a thread: first lines, and the names of the files."""
        return [
            [post["message"].split("\n")[0], *(self._name(f) for f in post.get("file_ids", ()))]
            for post in self.stub.replies(root)
        ]

    def _name(self, file: str) -> str:
        return self.stub.file(file)[0]

    def _file(self, name: str, data: bytes, media_type: str, title: str) -> ReplyFile:
        (self.folder / name).write_bytes(data)
        return ReplyFile(name, self.folder / name, media_type, title)


WHOLE_ANSWER = [
    ["Node 3 drew **812 W** @\N{WORD JOINER}channel."],
    ["Power of node 3 on 1 June", "plot.png", "nodes.csv"],
]
"""What :meth:`MattermostDesk.shown` gives of the answer of :meth:`MattermostDesk.turn`."""


@contextmanager
def mattermost_desk(folder: Path, redis_url: str) -> Iterator[MattermostDesk]:
    """A Mattermost, and tokens over the server at ``redis_url``."""
    with (
        mattermost_stub() as stub,
        closing(ButtonTokens(redis_url, timedelta(hours=1))) as tokens,
    ):
        yield MattermostDesk(stub, folder, tokens)
