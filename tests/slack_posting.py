"""Answers posted to local-slack through the fault proxy, as the tests of what goes out want it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bot.messages import Fact, IncomingMessage, Reply, ReplyFile, ReplyTable, Status, Thread
from bot.outbound import Gateway, Patience
from bot.outbound.progress import ProgressBoard
from bot.platforms.slack_outlet import SlackOutlet, slack_client
from bot.turn_store import TurnRecord, TurnStage
from tests.fakes.memory_outbound import KeptTurns, MemoryEngaged, OpenThrottle
from tests.fakes.recording_platform import NOW
from tests.fault_proxy import FaultProxy, fault_proxy
from tests.local_slack import ADA, BOT_TOKEN, OPS, TEAM, LocalSlack, local_slack

CHANNEL = f"{TEAM}/{OPS}"
_PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 32


@dataclass
class SlackDesk:
    """A Slack, the way there, and a folder with the files of answers."""

    slack: LocalSlack
    proxy: FaultProxy
    folder: Path
    throttle: OpenThrottle = field(default_factory=OpenThrottle)
    engaged: MemoryEngaged = field(default_factory=MemoryEngaged)

    def outlet(self) -> SlackOutlet:
        """Slack behind the proxy; gives up after a second."""
        client = slack_client(BOT_TOKEN, f"{self.proxy.url}/api/", seconds=1)
        return SlackOutlet(lambda team: client)

    def gateway(self, turns: KeptTurns | None = None) -> Gateway:
        """A gateway that does not sleep between its tries."""
        return Gateway(
            {"slack": self.outlet()},
            turns or KeptTurns(),
            self.throttle,
            self.engaged,
            ProgressBoard(self.throttle, seconds=0.02),
            patience=Patience(tries=30, sleep=lambda seconds: None),
        )

    def thread(self, text: str = "power of node 3?") -> Thread:
        """A thread that a person just began."""
        return Thread("slack", CHANNEL, self.slack.mention(text))

    def turn(self, thread: Thread, **more: Any) -> TurnRecord:
        """An answer with a table, a picture and the table's file."""
        reply = Reply(
            thread,
            Status.COMPLETED,
            "Node 3 drew **812 W** <!channel>.",
            tables=(self.table(),),
            files=(self._file("plot.png", _PNG, "image/png", "Power of node 3 on 1 June"),),
            facts=(Fact("Time", ("2022-06-01 00:00 to 02:00 UTC",)),),
        )
        message = IncomingMessage(thread, thread.root or "m1", ADA, "power of node 3?", NOW, True)
        return TurnRecord(message, TurnStage.ANSWERED, replace(reply, **more))

    def words(self, thread: Thread, markdown: str, **more: Any) -> TurnRecord:
        """An answer in words alone."""
        return self.turn(thread, markdown=markdown, **{"tables": (), "files": (), **more})

    def table(self, cell: str = "812", rows: int = 400) -> ReplyTable:
        """A table of which one row is shown."""
        csv = self._file("nodes.csv", b"node,power\n3,812\n", "text/csv", "nodes")
        return ReplyTable("nodes", ("node", "power"), (("3", cell),), (False, True), rows, csv)

    def shown(self, root: str) -> list[str]:
        """What the bot posted to a thread: first lines, and names of files."""
        return [
            message["files"][0]["name"] if message.get("files") else message["text"].split("\n")[0]
            for message in self.slack.thread(root)[1:]
        ]

    def blocks(self, root: str) -> list[list[str]]:
        """The kinds of blocks of each message of the bot in a thread."""
        return [
            [block["type"] for block in message.get("blocks") or ()]
            for message in self.slack.thread(root)[1:]
        ]

    def sent(self, *methods: str) -> list[dict[str, Any]]:
        """What the requests to these methods brought along, their blocks as blocks."""
        return [
            {**asked, "blocks": json.loads(asked["blocks"])}
            if isinstance(asked.get("blocks"), str)
            else asked
            for asked in self.proxy.arguments(*methods)
        ]

    def _file(self, name: str, data: bytes, media_type: str, title: str) -> ReplyFile:
        (self.folder / name).write_bytes(data)
        return ReplyFile(name, self.folder / name, media_type, title)


def whole_answer(turn: TurnRecord) -> list[str]:
    """What :meth:`SlackDesk.shown` gives of the answer of :meth:`SlackDesk.turn`."""
    trace = turn.trace_id
    answer = "Node 3 drew 812 W &lt;!channel&gt;."
    return [answer, f"plot-{trace}-1.png", f"nodes-{trace}-2.csv"]


@contextmanager
def slack_desk(folder: Path) -> Iterator[SlackDesk]:
    """A Slack with a proxy before it."""
    with local_slack(folder) as slack, fault_proxy(slack.url) as proxy:
        yield SlackDesk(slack, proxy, folder)
