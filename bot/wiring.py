"""Settings to parts of the service: the one place that knows every adapter by name.

Adapters are imported where they are made: a question that stands alone needs neither Redis nor
a web server, and should not wait for them.
"""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from agent import Analyst, Question
from agent.budget import Budget
from agent.run_context import RunContext
from agent.settings import AgentSettings
from agent.tracing import Tracer
from bot.access_wiring import build_guard
from bot.conversation import Conversation
from bot.embedded_redis import EmbeddedRedis
from bot.errors import SettingsError
from bot.guard import Guard
from bot.messages import Thread
from bot.on_demand import OnDemand
from bot.session_store import SessionStore
from bot.settings import Settings
from bot.trace_wiring import build_tracer

if TYPE_CHECKING:
    from rich.console import Console

    from agent.code_agent import CodeAgent
    from agent.openai_model import OpenAiModel
    from agent.question_steps import QuestionSteps
    from agent.run_store import RunStore
    from bot.platforms.console import ConsoleTalk
    from retrieval.data_service import DataService
    from retrieval.graphdb_store import SparqlStore
    from retrieval.metric_catalog import MetricCatalog
    from retrieval.quantity_catalog import QuantityCatalog
    from retrieval.settings import GraphStoreSettings
    from retrieval.vector_index import VectorIndex


def build_analyst(settings: Settings, answers: Path, runs: "RunStore | None" = None) -> Analyst:
    """The agent over the site's data; files of answers go below ``answers``.

    With ``runs``, a question that was begun goes on from what is saved there of its stages.
    Raises one of ``bot.health.OPERATOR_ERRORS`` where a part that every question needs is broken.
    """
    from agent.analysing import Analysing
    from agent.coordinator import Coordinator
    from agent.deep_code_agent import DeepCodeAgent
    from agent.running import RunningQuestions
    from bot.stage_wiring import saved_stages
    from retrieval.metric_catalog import MetricCatalog
    from retrieval.quantity_catalog import QuantityCatalog

    quantities = QuantityCatalog(MetricCatalog.load())
    index = build_metric_index(settings, quantities)
    model = build_language_model(settings)
    tracer = build_tracer(settings)
    steps = build_question_steps(settings, quantities, index, model)
    code_agent = OnDemand(lambda: build_code_agent(settings))
    programs = None
    if model is not None:
        programs = DeepCodeAgent(model, settings.agent.code_attempts, confirms=True)
    running = RunningQuestions()
    coordinator = Coordinator(
        steps,
        Analysing(code_agent.get, str(settings.site.zone), programs),
        running.noting(
            lambda question, note: run_context(settings.agent, answers, question, note, tracer)
        ),
        saved_stages(runs),
    )

    def warm_up() -> None:
        code_agent.warm_up()
        index.warm_up()

    def close() -> None:
        code_agent.close()
        if model is not None:
            model.close()
        tracer.close()

    return Analyst(coordinator, warm_up, close, tracer, running.stop, running.following)


def build_question_steps(
    settings: Settings,
    quantities: "QuantityCatalog",
    index: "VectorIndex",
    model: "OpenAiModel | None",
) -> "QuestionSteps":
    """Reading, retrieving, presenting; raises one of ``bot.health.OPERATOR_ERRORS``."""
    from agent.question_reading import QuestionReading
    from agent.question_steps import QuestionSteps
    from agent.retriever import Retriever
    from bot.reflect_wiring import build_query_offers

    data = build_data_service(settings, quantities.catalog, quantities, index)
    zone = settings.site.zone
    offers = build_query_offers(settings, data, quantities, model)
    return QuestionSteps(data, Retriever(data), zone, QuestionReading(data, model, offers))


def run_context(
    settings: AgentSettings,
    answers: Path,
    question: Question,
    note: Callable[[str], None],
    tracer: Tracer,
) -> RunContext:
    """What the steps of ``question`` may use; its files go below ``answers``."""
    budget = Budget(settings.question_tokens, settings.question_calls, settings.question_seconds)
    return RunContext(question, _answer_folder(answers, question.trace_id), budget, note, tracer)


def build_metric_index(settings: Settings, quantities: "QuantityCatalog") -> "VectorIndex":
    """The names of metrics by meaning; nothing is loaded before it is asked."""
    from retrieval.quantity_documents import documents_of
    from retrieval.sentence_embedder import SentenceEmbedder
    from retrieval.vector_index import VectorIndex

    embedder = SentenceEmbedder(settings.retrieval.embedding_model)
    return VectorIndex(settings.data / "metric-vectors", embedder, documents_of(quantities))


def build_data_service(
    settings: Settings,
    catalog: "MetricCatalog",
    quantities: "QuantityCatalog",
    index: "VectorIndex",
) -> "DataService":
    """The door to the lake; raises one of ``bot.health.OPERATOR_ERRORS``."""
    from ontology.schema_loader import load_schema
    from retrieval.assembly import Doors, Parts
    from retrieval.check_names import check_names
    from retrieval.embedded_store import EmbeddedStore
    from retrieval.graph_cache import GraphCache
    from retrieval.lake import Lake
    from retrieval.lake_profile import LakeProfile
    from retrieval.metric_matcher import MetricMatcher, Thresholds
    from retrieval.metric_mentions import MetricReader
    from retrieval.site import Site

    if settings.retrieval.lake is None:
        raise SettingsError("no lake is named: set ODABOT_RETRIEVAL__LAKE, or use --lake")
    graph_store = settings.retrieval.graph_store
    here = GraphCache(EmbeddedStore(), graph_store.most_kept_bytes)
    elsewhere = build_graph_store(graph_store)
    metrics = MetricReader(quantities)
    thresholds = Thresholds(
        accept=settings.retrieval.accept_metric_at, ask=settings.retrieval.ask_about_metric_at
    )
    parts = Parts(
        lake=Lake(settings.retrieval.lake, LakeProfile(settings.data / "lake-profile.json")),
        planned=Site.load(),
        catalog=catalog,
        schema=load_schema(),
        checks=check_names(),
        metrics=metrics,
        matcher=MetricMatcher(metrics, quantities, index, thresholds),
        graphs=GraphCache(elsewhere, graph_store.most_kept_bytes) if elsewhere else here,
        function_graphs=here,
        zone=settings.site.zone,
        seconds=graph_store.query_seconds,
    )
    return Doors(parts).whole


def build_graph_store(settings: "GraphStoreSettings") -> "SparqlStore | None":
    """The store of ``settings`` beyond this process; None where it is the embedded one."""
    if settings.kind == "embedded":
        return None
    from retrieval.graphdb_store import GraphDBStore, Places, SparqlStore
    from retrieval.store_http import StoreHttp

    http, seconds = StoreHttp.of(settings), settings.query_seconds
    if settings.kind == "graphdb":
        return GraphDBStore(settings.url, settings.repository, http, seconds)
    places = Places(settings.query_url, settings.update_url, settings.graphs_url)
    return SparqlStore(places, http, seconds)


def build_code_agent(settings: Settings) -> "CodeAgent":
    """The part that runs programs; raises SandboxUnavailable where none can be isolated."""
    from agent.code_agent import CodeAgent
    from sandbox.choose import first_working

    return CodeAgent(first_working(settings.sandbox), settings.sandbox.limits())


def build_language_model(settings: Settings) -> "OpenAiModel | None":
    """The model of ``settings``; None where none is configured. Nothing is sent yet."""
    if settings.agent.model_url is None:
        return None
    from agent.openai_model import OpenAiModel

    return OpenAiModel(settings.agent)


def _answer_folder(answers: Path, trace: str) -> Path:
    folder = answers / trace
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def open_sessions(settings: Settings) -> Iterator[SessionStore]:
    """The session store of ``settings``, until the block is left; raises SessionStoreError."""
    from bot.redis_sessions import RedisSessions

    with redis_address(settings) as url:
        sessions = RedisSessions(url, timedelta(days=settings.session_days))
        with closing(sessions):
            sessions.ping()
            yield sessions


@contextmanager
def open_runs(settings: Settings) -> Iterator["RunStore"]:
    """Where requests are kept that wait or were begun, until the block is left.

    Raises SessionStoreError where no server can be started, RunStoreError where it fails.
    """
    from bot.redis_runs import RedisRuns

    with (
        redis_address(settings) as url,
        closing(RedisRuns(url, timedelta(days=settings.session_days))) as runs,
    ):
        yield runs


@contextmanager
def redis_address(settings: Settings) -> Iterator[str]:
    """The configured server's address, or that of the data folder's own, kept running."""
    if settings.redis_url is not None:
        yield settings.redis_url.get_secret_value()
        return
    embedded = EmbeddedRedis(settings.data / "sessions")
    try:
        yield embedded.open()
    finally:
        embedded.close()


def console_talk(
    thread: Thread,
    console: "Console",
    read_line: Callable[[str], str],
    clock: Callable[[], datetime],
) -> "ConsoleTalk":
    """A conversation at a terminal."""
    from bot.platforms.console import ConsoleTalk

    return ConsoleTalk(thread, read_line, console, clock)


def build_conversation(
    settings: Settings, analyst: Analyst, sessions: SessionStore, guard: Guard | None = None
) -> Conversation:
    """One turn at a time, over ``analyst`` and ``sessions``; raises SettingsError."""
    stands = guard or build_guard(settings)
    return Conversation(analyst, sessions, settings.site.time_zone, stands)
