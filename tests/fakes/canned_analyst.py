"""Coordinates by a fixed script: canned answers, made up, with real files where asked to."""

import struct
import threading
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from agent import (
    Analyst,
    Answer,
    Answered,
    AnswerTable,
    Artifact,
    Choice,
    Declined,
    DeclineReason,
    Evidence,
    MetricUse,
    NeedsClarification,
    Pending,
    Question,
    Session,
    TimeRange,
    Turn,
)

WINDOW = TimeRange(datetime(2022, 6, 1, tzinfo=UTC), datetime(2022, 6, 2, tzinfo=UTC))
SPARQL = "SELECT (AVG(?v) AS ?average)\nWHERE { ?s a <urn:x> }"
CHOICES = (Choice("ambient", "the air at the inlet"), Choice("gpu", "the GPU cores"))


def a_picture(path: Path, width: int = 640, height: int = 320) -> Path:
    """A valid PNG with a slanted line."""
    rows = b"".join(
        b"\0" + bytes(0 if abs(x * height // width - y) < 2 else 255 for x in range(width))
        for y in range(height)
    )

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )
    return path


@dataclass
class CannedCoordinator:
    """Answers by words of the question; the last settled choice is told back."""

    folder: Path
    release: threading.Event = field(default_factory=threading.Event)
    """A question with "slow" in it waits for this."""
    asked: list[Question] = field(default_factory=list)

    def work_on(
        self, question: Question, session: Session, note: Callable[[str], None]
    ) -> tuple[Answer, Session]:
        """A canned answer; the session grows by a turn, or waits for a choice."""
        self.asked.append(question)
        note("reading the question")
        text = question.text
        if session.pending is not None:
            labels = dict(session.pending.choices)
            if text in labels or text in labels.values():
                return self._settled(text, session)
        if "slow" in text:
            note("waiting to be released")
            self.release.wait(10)
        if "broken" in text:
            raise RuntimeError("a wire is loose at redis://user:hunter2@db")
        turn = Turn(text, question.asked_at, question.settled)
        if "which" in text.lower() and not question.settled:
            asked = NeedsClarification("Which temperature do you mean?", CHOICES)
            pending = Pending(turn, "temperature", tuple((c.id, c.label) for c in CHOICES))
            return asked, replace(session, pending=pending)
        if "1200" in text:
            told = "There is no node 1200; nodes are 0 to 979."
            return Declined(DeclineReason.UNKNOWN_ENTITY, told), session
        return self._found(text), Session((*session.turns, turn))

    def _settled(self, choice: str, session: Session) -> tuple[Answer, Session]:
        assert session.pending is not None
        turn = replace(session.pending.turn, settled=((session.pending.about, choice),))
        return Answered(f"You chose {choice}."), Session((*session.turns, turn))

    def _found(self, text: str) -> Answered:
        self.folder.mkdir(parents=True, exist_ok=True)
        csv = self.folder / "power by node.csv"
        csv.write_text("node,average\n900,812.5\n901,799\n")
        hostile = '<img src=x onerror="document.title=1">'
        table = AnswerTable(
            "Average power",
            ("node", "average (W)", "since", "remark"),
            4_000,
            csv,
            tuple(
                (str(900 + n), 812.5 - n * 7.123456, WINDOW.start, hostile if n == 1 else None)
                for n in range(20)
            ),
        )
        picture = a_picture(self.folder / "plot.png")
        return Answered(
            f"**812.5 W** on average for `node 900`; you asked: {text}\n\n- one\n- two",
            (table,),
            (Artifact(picture, "image/png", "Power of node 900 over time"),) * ("plot" in text),
            Evidence(
                (WINDOW,),
                "Europe/Rome",
                (MetricUse("ipmi_pub", "total_power", "W"),),
                ("node 900",),
                (SPARQL,),
                "virtual",
                4_210,
                4_320,
                ("a whole day ends before the next begins",),
            ),
        )


def a_canned_analyst(folder: Path) -> Analyst:
    """An analyst over the canned coordinator, its files in ``folder``."""
    return Analyst(CannedCoordinator(folder))
