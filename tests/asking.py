"""Questions put to the whole agent over a lake, and what came back."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from uuid import uuid4

import polars as pl

from agent import Analyst
from agent.answer import Answer, Answered, Declined, NeedsClarification
from agent.session import Question, Session
from agent.settings import AgentSettings
from bot.settings import Settings, SiteSettings
from bot.wiring import build_analyst
from retrieval.settings import RetrievalSettings


class Thread:
    """One thread: each answer replaces its session."""

    def __init__(self, analyst: Analyst, now: datetime) -> None:
        self._analyst = analyst
        self._now = now
        self.session = Session()
        self.notes: list[str] = []
        self.trace_id = ""

    def ask(self, text: str) -> Answer:
        self.trace_id = uuid4().hex
        question = Question(text, self._now, self.trace_id)
        answer, self.session = self._analyst.answer(question, self.session, self.notes.append)
        return answer

    def found(self, text: str) -> Answered:
        """The finding on ``text``; anything else fails the test with what was said."""
        answer = self.ask(text)
        assert isinstance(answer, Answered), answer.text
        return answer

    def declined(self, text: str) -> Declined:
        answer = self.ask(text)
        assert isinstance(answer, Declined), answer.text
        return answer

    def asked_back(self, text: str) -> NeedsClarification:
        answer = self.ask(text)
        assert isinstance(answer, NeedsClarification), answer.text
        return answer


@contextmanager
def analyst_over(
    lake: Path,
    folder: Path,
    zone: str = "UTC",
    model_url: str | None = None,
    model_queries: bool = False,
) -> Iterator[Analyst]:
    """The agent as it is wired for people, its files below ``folder``."""
    settings = Settings(
        site=SiteSettings(time_zone=zone),
        agent=AgentSettings(
            model_url=model_url, model_attempts=1, model_seconds=10, model_queries=model_queries
        ),
        retrieval=RetrievalSettings(lake=lake),
        data=folder / "data",
    )
    analyst = build_analyst(settings, folder / "answers")
    try:
        yield analyst
    finally:
        analyst.close()


def table_of(answer: Answered, number: int = 0) -> pl.DataFrame:
    """All rows of a table, as whoever downloads its CSV reads them."""
    table = answer.tables[number]
    frame = pl.read_csv(table.csv, try_parse_dates=True, infer_schema_length=None)
    assert frame.height == table.row_count
    assert tuple(frame.columns) == table.columns
    return frame


def number_of(answer: Answered, column: str) -> float:
    """The number under ``column`` of the only row."""
    value = table_of(answer)[column].item()
    assert isinstance(value, int | float)
    return float(value)
