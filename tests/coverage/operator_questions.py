"""What people on call ask: the entries of the lists beside this file, and how each came out."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from uuid import uuid4
from zoneinfo import ZoneInfo

import yaml

from agent import Analyst
from agent.analysing import Analysing
from agent.answer import Answered, Declined, NeedsClarification
from agent.budget import Budget
from agent.code_agent import CodeAgent
from agent.coordinator import Coordinator
from agent.plan import Plan
from agent.planner import make_plan
from agent.question_reading import QuestionReading
from agent.question_steps import QuestionSteps
from agent.retriever import Retriever
from agent.run_context import RunContext
from agent.session import Question, Session, Turn
from bot.settings import Settings
from bot.wiring import build_data_service
from retrieval.asking import Asking
from retrieval.data_service import DataService
from retrieval.demo_profile import DemoProfile, Span, at
from retrieval.metric_catalog import MetricCatalog
from retrieval.quantity_catalog import QuantityCatalog
from retrieval.quantity_documents import documents_of
from retrieval.settings import RetrievalSettings
from retrieval.understanding import NotUnderstood, Unclear, Understanding
from retrieval.vector_index import VectorIndex
from tests.fakes.canned_sandbox import CannedSandbox
from tests.fakes.no_embedder import NoEmbedder
from tests.unit.retrieval.reading_words import Told, told

NOW = datetime(2022, 6, 15, 10, tzinfo=UTC)
NODES = 40
_START, _END = at("2022-05-28T00:00"), at("2022-06-15T12:00")


class Verdict(StrEnum):
    """What should come of a question."""

    ANSWER = "answer"
    CLARIFY = "clarify"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class Entry:
    """One question, and what should come of it."""

    id: str
    topic: str
    asks: str
    verdict: Verdict
    expects: Told = field(default_factory=dict)
    """For an answer: the parts of its reading that must be so, as ``reading_words.told`` has them.

    A metric may be a pattern: ``Gpu*_gpu_temp``.
    """
    reason: str = ""
    """For a refusal: what would be needed."""
    not_yet: str = ""
    """What is missing, where the verdict is not reached today."""
    misread: bool = False
    """True where the question is answered today, but as another one."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a question came out, and as what it was read."""

    verdict: Verdict
    text: str
    reading: Told
    choices: int = 0


@cache
def entries() -> tuple[Entry, ...]:
    """All entries, in the order of the files and of their lines."""
    found = []
    for path in sorted(Path(__file__).parent.glob("operators_*.yaml")):
        for row in yaml.safe_load(path.read_text("utf-8")):
            expects = {key: str(words) for key, words in row.pop("expects", {}).items()}
            found.append(Entry(**row | {"verdict": Verdict(row["verdict"]), "expects": expects}))
    return tuple(found)


def operators_profile() -> DemoProfile:
    """Racks 0 and 1 with every metric, sampled each hour or two from 28 May to 15 June 2022."""
    return DemoProfile(
        nodes=NODES,
        logins=0,
        hosts=NODES + 6,
        first=_START,
        last=at("2022-06-16T00:00"),
        dense=Span(at("2022-06-01T08:00"), at("2022-06-01T10:00"), 1800),
        recent=None,
        coarse=Span(_START, _END, 3600),
        busy=(_START, _END),
        jobs_a_day=70,
        shared_nodes=range(NODES - 4, NODES),
        debug_nodes=range(0),
    )


@dataclass(frozen=True)
class _Overheard(DataService):
    """The data service, and all that it has read."""

    heard: list[Understanding] = field(default_factory=list)

    def read(self, asking: Asking) -> Understanding:
        self.heard.append(super().read(asking))
        return self.heard[-1]


class Operators:
    """Asks each question once, on its own, with neither a sandbox to draw in nor a model.

    What only a likeness of words decides is for the tests of the matcher.
    """

    def __init__(self, lake: Path, folder: Path) -> None:
        settings = Settings(retrieval=RetrievalSettings(lake=lake), data=folder / "data")
        catalog = MetricCatalog.load()
        quantities = QuantityCatalog(catalog)
        index = VectorIndex(folder / "vectors", NoEmbedder(), documents_of(quantities))
        data = build_data_service(settings, catalog, quantities, index)
        self._data = _Overheard(data.reader, data.source)
        self._answers = folder / "answers"
        limits = settings.sandbox.limits()
        zone = ZoneInfo("UTC")
        reading = QuestionReading(self._data, None)
        coordinator = Coordinator(
            QuestionSteps(self._data, Retriever(self._data), zone, reading),
            Analysing(lambda: CodeAgent(CannedSandbox(), limits), "UTC"),
            lambda question, note: RunContext(
                question, self._folder(question.trace_id), Budget(0, 0, 1)
            ),
        )
        self._analyst = Analyst(coordinator)
        self._asked: dict[str, Outcome] = {}

    def _folder(self, trace: str) -> Path:
        folder = self._answers / trace
        folder.mkdir(parents=True)
        return folder

    def outcome(self, entry: Entry) -> Outcome:
        """What came of ``entry``; a question is put only once."""
        if entry.id not in self._asked:
            readable = entry.expects and entry.id not in one_of_each_shape()
            self._asked[entry.id] = self._read(entry) if readable else self._answered(entry)
        return self._asked[entry.id]

    def _read(self, entry: Entry) -> Outcome:
        plan = make_plan(self._data, Turn(entry.asks, NOW), ())
        reading = told(self._data.heard[-1])
        match plan:
            case Plan():
                return Outcome(Verdict.ANSWER, "", reading)
            case Unclear():
                return Outcome(Verdict.CLARIFY, plan.question, reading, len(plan.choices))
            case NotUnderstood():
                return Outcome(Verdict.REFUSE, plan.text, reading)

    def _answered(self, entry: Entry) -> Outcome:
        question = Question(entry.asks, NOW, uuid4().hex)
        answer, _ = self._analyst.answer(question, Session(), lambda note: None)
        reading = told(self._data.heard[-1])
        match answer:
            case Answered():
                return Outcome(Verdict.ANSWER, answer.text, reading)
            case NeedsClarification():
                return Outcome(Verdict.CLARIFY, answer.text, reading, len(answer.choices))
            case Declined():
                return Outcome(Verdict.REFUSE, answer.text, reading)


@cache
def one_of_each_shape() -> frozenset[str]:
    """The first entry of each kind of request: the data are retrieved for these alone.

    A query takes a hundred times as long as a reading.
    """
    shapes: dict[tuple[str, ...], str] = {}
    for entry in entries():
        said = (entry.expects.get(key, "") for key in ("is", "lists", "measures", "by"))
        shapes.setdefault((*said, *sorted(entry.expects)), entry.id)
    return frozenset(shapes.values())


def is_as_wanted(entry: Entry, outcome: Outcome) -> bool:
    """Whether ``outcome`` is the verdict of ``entry``, and the answer one to that question."""
    asked_back = outcome.verdict is Verdict.CLARIFY
    right = outcome.verdict is entry.verdict and not differing(entry, outcome.reading)
    return right and (outcome.choices > 1 or not asked_back)


def differing(entry: Entry, reading: Told) -> Told:
    """The parts of ``reading`` that are not as ``entry`` expects them."""
    return {
        key: reading.get(key, "")
        for key, words in entry.expects.items()
        if not _same(key, words, reading.get(key, ""))
    }


def _same(key: str, expected: str, found: str) -> bool:
    if key != "metrics":
        return expected == found
    patterns, names = expected.split(", "), found.split(", ")
    used = all(any(fnmatchcase(name, pattern) for name in names) for pattern in patterns)
    return used and all(any(fnmatchcase(name, p) for p in patterns) for name in names)


def words_of(text: str) -> frozenset[str]:
    """The words of a question, for telling two of them apart."""
    return frozenset(re.findall(r"[a-z0-9]+", text.lower()))
