"""What stands behind an answer, shown on demand: its query, its steps, its tables as files."""

import logging
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bot.buttons.places import place_of
from bot.buttons.speaking import Speaks
from bot.messages import Click, Fact, FactKind, Reply, ReplyFile, Status
from bot.turn_store import TurnRecord, TurnStore

log = logging.getLogger(__name__)

_WHISPERED = 6000
"""Characters of a tree of steps; what is longer is a file."""
_LANGUAGES = {FactKind.SPARQL: "sparql", FactKind.PYTHON: "python"}
NOTHING_KEPT = "What was done for that question is not kept any more. Please ask again."
NO_TABLE = "That answer has no table."
THERE_ALREADY = "It was posted in this thread already; you find it above."


@dataclass(frozen=True, slots=True)
class EvidenceDesk:
    """Shows it from the turn's record, and from the trace that is kept of it."""

    turns: TurnStore
    speaks: Speaks
    steps_of: Callable[[str], str]
    """The steps of a turn as a tree of text; empty where they are not kept."""

    def show_query(self, click: Click, record: TurnRecord) -> None:
        """Show its author all facts of the answer, the queries among them."""
        if record.reply is None or not record.reply.facts:
            self.speaks.whisper(place_of(click, record), click.author, NOTHING_KEPT)
            return
        self.speaks.whisper(place_of(click, record), click.author, facts_markdown(record.reply))

    def show_work(self, click: Click, record: TurnRecord) -> None:
        """Show what was done step by step; raises PlatformError."""
        tree = self.steps_of(click.turn)
        if not tree:
            self.speaks.whisper(place_of(click, record), click.author, NOTHING_KEPT)
        elif len(tree) <= _WHISPERED:
            self.speaks.whisper(place_of(click, record), click.author, _fenced(tree, ""))
        else:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / f"steps-{click.turn}.txt"
                path.write_text(tree, "utf-8")
                title = "What was done, step by step"
                self._post(click, record, (ReplyFile(path.name, path, "text/plain", title),))

    def send_tables(self, click: Click, record: TurnRecord) -> None:
        """Post the whole tables of the answer as files; raises PlatformError."""
        tables = record.reply.tables if record.reply else ()
        if tables:
            self._post(click, record, tuple(table.csv for table in tables))
        else:
            self.speaks.whisper(place_of(click, record), click.author, NO_TABLE)

    def _post(self, click: Click, record: TurnRecord, files: tuple[ReplyFile, ...]) -> None:
        """Post ``files``, once for the turn whoever asks for them."""
        thread, what = place_of(click, record), click.act.value
        if self.turns.claim(click.turn, what, click.click_id) != click.click_id:
            self.speaks.whisper(thread, click.author, THERE_ALREADY)
            return
        reply = Reply(thread, Status.COMPLETED, "", files=files)
        self.speaks.say(thread, reply, f"{click.turn}-{what}")


def facts_markdown(reply: Reply) -> str:
    """The facts of ``reply`` under their headings, with the rows of its tables."""
    return "\n".join(_lines(reply))


def _lines(reply: Reply) -> Iterator[str]:
    facts = list(reply.facts)
    if reply.tables:
        rows = tuple(f"{table.name}: {table.row_count:,}" for table in reply.tables)
        facts.append(Fact("Rows", rows))
    # What is read in a line first, queries and programs last.
    for fact in sorted(facts, key=lambda fact: fact.kind in _LANGUAGES):
        yield f"**{fact.label}**"
        for line in fact.lines:
            yield _fenced(line, _LANGUAGES[fact.kind]) if fact.kind in _LANGUAGES else line


def _fenced(code: str, language: str) -> str:
    # A fence inside would end the code early.
    return f"```{language}\n{code.replace('```', '` ` `')}\n```"
