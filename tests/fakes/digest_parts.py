"""What digests need around them: rights and channels by name, and answers by a script."""

from dataclasses import dataclass, field
from pathlib import Path

from agent import (
    Answer,
    Answered,
    AnswerTable,
    Declined,
    DeclineReason,
    Session,
    Turn,
)
from agent.answer import Cell
from bot.digests.asking import Note
from bot.messages import Fact, IncomingMessage, Thread
from bot.outcome import Failed, Outcome
from bot.rendering import render


@dataclass
class NamedRights:
    """Everybody may have digests but those ``without``."""

    without: set[str] = field(default_factory=set)
    admins: set[str] = field(default_factory=set)

    def refusal(self, message: IncomingMessage) -> str:
        """Refuses those from whom it was taken."""
        return "You may not have digests." if message.author in self.without else ""

    def may_have_digests(self, person: str, place: Thread, *, direct: bool) -> bool:
        """Whether nobody took it from them; a channel "no-digests" lets none be posted."""
        return person not in self.without and not place.channel.endswith("/no-digests")

    def is_admin(self, message: IncomingMessage) -> bool:
        """Whether they are named as such."""
        return message.author in self.admins


class NamedPlaces:
    """Channels "TEAM/name"; those called "secret" cannot be written to."""

    def find(self, said: str, near: IncomingMessage) -> Thread | str:
        """The channel of that name in the team of ``near``."""
        name = said.lstrip("#~")
        if name == "secret":
            return f"I cannot post to {said}."
        return Thread(near.thread.platform, f"{_team(near.thread)}/{name}", "")

    def together(self, one: Thread, other: Thread) -> bool:
        """Whether they are of one team."""
        return (one.platform, _team(one)) == (other.platform, _team(other))


def _team(thread: Thread) -> str:
    return thread.channel.split("/")[0]


@dataclass
class ScriptedAnswers:
    """AsksAlone by a script: for each question the answers that it gets, the last one for ever."""

    folder: Path
    script: dict[str, list[Answer | Failed]]
    asked_as: list[IncomingMessage] = field(default_factory=list)

    def asked(
        self,
        message: IncomingMessage,
        session: Session,
        settled: tuple[tuple[str, str], ...],
        note: Note,
        part_of: str = "",
    ) -> tuple[Outcome, Session]:
        """The next answer of the script; what is not in it is not understood."""
        self.asked_as.append(message)
        answers = self.script.get(message.text)
        if not answers:
            told = f"I do not understand {message.text!r}."
            return _outcome(Declined(DeclineReason.NOT_UNDERSTOOD, told), message), session
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        turns = (Turn(message.text, message.sent_at, settled),)
        after = Session(turns) if isinstance(answer, Answered) else session
        return _outcome(answer, message), after

    def table(
        self, columns: tuple[str, ...], *rows: tuple[Cell, ...], name: str = "power"
    ) -> Answered:
        """An answer with one table, and its file."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{name}-{len(list(self.folder.iterdir()))}.csv"
        lines = [columns, *(["" if cell is None else str(cell) for cell in row] for row in rows)]
        path.write_text("".join(",".join(line) + "\n" for line in lines))
        return Answered("Found.", (AnswerTable(name, columns, len(rows), path, rows[:20]),))


def _outcome(answer: Answer | Failed, message: IncomingMessage) -> Outcome:
    reply = render(answer, message.thread, "UTC", Fact("Trace", (message.trace_id,)))
    return Outcome(answer, reply, message.trace_id, 0.1)


def no_note(text: str) -> None:
    """Tell nobody."""
