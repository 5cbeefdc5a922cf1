"""A lake seen by a role, and the same lake from which everything else was deleted."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from shutil import copytree
from uuid import uuid4
from zoneinfo import ZoneInfo

import polars as pl

from agent.analysing import Analysing
from agent.answer import Answer, NeedsClarification
from agent.budget import Budget
from agent.code_agent import CodeAgent
from agent.coordinator import Coordinator
from agent.question_reading import QuestionReading
from agent.question_steps import QuestionSteps
from agent.retriever import Retriever
from agent.run_context import RunContext
from agent.session import Question, Session
from ontology.schema_loader import load_schema
from retrieval.assembly import Doors, Parts
from retrieval.check_names import check_names
from retrieval.data_scope import WHOLE, DataScope
from retrieval.data_service import DataService
from retrieval.embedded_store import EmbeddedStore
from retrieval.graph_cache import GraphCache
from retrieval.lake import Lake
from retrieval.lake_profile import LakeProfile
from retrieval.metric_catalog import MetricCatalog
from retrieval.metric_matcher import MetricMatcher
from retrieval.metric_mentions import MetricReader
from retrieval.quantity_catalog import QuantityCatalog
from retrieval.quantity_documents import documents_of
from retrieval.site import Site
from retrieval.vector_index import VectorIndex
from sandbox.job import Limits
from tests.fakes.canned_sandbox import CannedSandbox
from tests.fakes.hash_embedder import HashEmbedder

_LONG = re.compile(r"\d+\.\d{6,}")
_LIST = re.compile(r"\b\d+(?: \d+)+\b")
CATALOG = MetricCatalog.load()
QUANTITIES = QuantityCatalog(CATALOG)
MOST_KEPT = 1 << 30


@dataclass(frozen=True)
class Kept:
    """What of a lake stays, said a second time and without our scopes."""

    plugins: Collection[str] | None = None
    nodes: Collection[str] | None = None
    cracs: Collection[str] = ()
    users: Collection[str] | None = None

    def of(self, plugin: str, frame: pl.DataFrame) -> pl.DataFrame | None:
        """The rows of one file that stay; None where the file goes."""
        if self.plugins is not None and plugin not in self.plugins:
            return None
        if plugin == "job_table":
            return self._jobs(frame)
        if self.users is not None and "user_id" in frame.columns:
            frame = frame.filter(pl.col("user_id").cast(pl.String).is_in(list(self.users)))
        if self.nodes is None:
            return frame
        if "node" in frame.columns:
            return frame.filter(pl.col("node").cast(pl.String).is_in(list(self.nodes)))
        if "panel" not in frame.columns and "device" in frame.columns and self.cracs:
            return frame.filter(pl.col("device").cast(pl.String).is_in(list(self.cracs)))
        return frame if "partition" in frame.columns else None

    def _jobs(self, frame: pl.DataFrame) -> pl.DataFrame:
        rows = []
        for nodes, user in frame.select("nodes", "user_id").iter_rows():
            ids = [n.strip() for n in str(nodes or "").strip("[]").split(",") if n.strip()]
            inside = self.nodes is None or all(n in self.nodes for n in ids)
            rows.append(inside and (self.users is None or str(user) in self.users))
        return frame.filter(pl.Series(rows, dtype=pl.Boolean))

    def site(self) -> Site:
        """What is known of the site before the lake is looked at."""
        site = Site.load()
        if self.nodes is None:
            return site
        racks = [
            replace(r, seen=frozenset(int(n) for n in self.nodes) & set(r.nodes))
            for r in site.racks
        ]
        logins = tuple(n for n in site.login_nodes if str(n) in self.nodes)
        return replace(
            site,
            racks=tuple(rack for rack in racks if rack.nodes),
            cracs=tuple(name for name in site.cracs if name in self.cracs),
            panels=(),
            pumps=(),
            valves=(),
            rooms=(site.main_room,),
            weather_stations=(),
            login_nodes=logins,
        )


def without_the_rest(lake: Path, to: Path, kept: Kept) -> Path:
    """A copy of ``lake`` with what is ``kept``."""
    copytree(lake, to)
    for path in sorted(to.glob("*/plugin=*/metric=*/*.parquet")):
        plugin = path.parent.parent.name.removeprefix("plugin=")
        frame = kept.of(plugin, pl.read_parquet(path, hive_partitioning=False))
        if frame is None:
            path.unlink()
        else:
            frame.write_parquet(path)
    return to


def parts_over(lake: Path, folder: Path, site: Site | None = None) -> Parts:
    """What doors to ``lake`` are made of, with a cache of graphs of their own."""
    metrics = MetricReader(QUANTITIES)
    index = VectorIndex(folder / "vectors", HashEmbedder(), documents_of(QUANTITIES))
    graphs = GraphCache(EmbeddedStore(), MOST_KEPT)
    return Parts(
        lake=Lake(lake, LakeProfile()),
        planned=site or Site.load(),
        catalog=CATALOG,
        schema=load_schema(),
        checks=check_names(),
        metrics=metrics,
        matcher=MetricMatcher(metrics, QUANTITIES, index),
        graphs=graphs,
        function_graphs=graphs,
        zone=ZoneInfo("UTC"),
    )


@dataclass
class World:
    """Questions to one lake, each in a thread of its own, under a scope."""

    data: DataService
    folder: Path
    now: datetime
    _asker: Callable[[Question], Answer] = field(init=False)

    @classmethod
    def over(cls, lake: Path, folder: Path, now: datetime, site: Site | None = None) -> "World":
        return cls(Doors(parts_over(lake, folder, site)).whole, folder, now)

    def __post_init__(self) -> None:
        zone = ZoneInfo("UTC")
        steps = QuestionSteps(
            self.data, Retriever(self.data), zone, QuestionReading(self.data, None)
        )
        coordinator = Coordinator(
            steps,
            Analysing(lambda: CodeAgent(CannedSandbox(), Limits()), "UTC"),
            lambda question, note: RunContext(
                question, self._answers(question.trace_id), Budget(0, 0, 60)
            ),
        )
        self._asker = lambda question: coordinator.work_on(question, Session(), lambda n: None)[0]

    def _answers(self, trace: str) -> Path:
        folder = self.folder / "answers" / trace
        folder.mkdir(parents=True)
        return folder

    def ask(self, text: str, scope: DataScope = WHOLE) -> Answer:
        """The answer to ``text`` for whoever sees ``scope``."""
        return self._asker(Question(text, self.now, uuid4().hex, scope=scope))


def all_of(answer: Answer) -> dict[str, object]:
    """Everything in ``answer`` that a person may come to read, files as their text."""
    evidence = answer.evidence
    told: dict[str, object] = {
        "kind": type(answer).__name__,
        "text": answer.text,
        "evidence": (
            evidence.time_ranges,
            evidence.metrics,
            evidence.entities,
            evidence.queries,
            evidence.samples_got,
            evidence.samples_expected,
            evidence.notes,
        ),
    }
    if isinstance(answer, NeedsClarification):
        told["choices"] = [(choice.id, choice.label) for choice in answer.choices]
    for number, table in enumerate(getattr(answer, "tables", ())):
        told[f"table {number}"] = (table.name, table.columns, plain(table.csv.read_text()))
    return {**told, "text": plain(answer.text)}


def plain(text: str) -> str:
    """``text`` without what differs from run to run: last digits, and the order of nodes."""
    text = _LONG.sub(lambda found: f"{float(found[0]):.9g}", text)
    return _LIST.sub(lambda found: " ".join(sorted(found[0].split(), key=int)), text)
