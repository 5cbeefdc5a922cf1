"""Settings to tools: what stands behind our MCP servers, and the clients of such servers."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bot import wiring
from bot.on_demand import OnDemand
from bot.reflect_wiring import build_model_queries, build_pairs, build_reflect_agent
from bot.settings import Settings
from bot.trace_wiring import build_tracer

if TYPE_CHECKING:
    from agent.openai_model import OpenAiModel
    from agent.retrieval_tools import RetrievalTools
    from agent.run_store import RunStore
    from agent.tools import ToolSet
    from bot.mcp.retrieval_desk import RetrievalDesk
    from bot.mcp.sandbox_desk import SandboxDesk

Clock = Callable[[], datetime]


@contextmanager
def open_retrieval_desk(
    settings: Settings, clock: Clock = lambda: datetime.now(UTC)
) -> Iterator["RetrievalDesk"]:
    """The retrieval tools over the lake; raises one of ``bot.health.OPERATOR_ERRORS``.

    ``clock`` gives the moment of requests that name none.
    """
    with ExitStack() as open_parts:
        model = wiring.build_language_model(settings)
        if model is not None:
            open_parts.callback(model.close)
        yield open_parts.enter_context(
            open_desk_over(settings, lambda runs: _retrieval(settings, model, runs), clock)
        )


@contextmanager
def open_desk_over(
    settings: Settings,
    tools: Callable[["RunStore"], "RetrievalTools"],
    clock: Clock = lambda: datetime.now(UTC),
) -> Iterator["RetrievalDesk"]:
    """A desk at which ``tools`` work, given where their requests wait."""
    from bot.mcp.retrieval_desk import RetrievalDesk

    folder = settings.data / "requests"
    with wiring.open_runs(settings) as runs, closing(build_tracer(settings)) as tracer:
        yield RetrievalDesk(
            tools(runs),
            runs,
            lambda question, note: wiring.run_context(
                settings.agent, folder, question, note, tracer
            ),
            folder,
            settings.site.zone,
            clock,
            settings.workers,
        )


def _retrieval(
    settings: Settings, model: "OpenAiModel | None", runs: "RunStore"
) -> "RetrievalTools":
    """What stands behind the retrieval tools: the rules, or a model that takes every step."""
    from agent.symbolic_retrieval import SymbolicRetrieval
    from retrieval.metric_catalog import MetricCatalog
    from retrieval.quantity_catalog import QuantityCatalog

    quantities = QuantityCatalog(MetricCatalog.load())
    index = wiring.build_metric_index(settings, quantities)
    if model is None or settings.agent.steps == "open":
        steps = wiring.build_question_steps(settings, quantities, index, model)
        return SymbolicRetrieval(steps, runs)
    data = wiring.build_data_service(settings, quantities.catalog, quantities, index)
    queries = build_model_queries(settings, model, data, build_pairs(settings))
    return build_reflect_agent(settings, data, quantities, model, queries, runs)


@contextmanager
def open_sandbox_desk(settings: Settings) -> Iterator["SandboxDesk"]:
    """The tools that run code; a sandbox is looked for when the first session starts."""
    from bot.mcp.sandbox_desk import SandboxDesk
    from sandbox.sessions import CodeSessions

    code_agent = OnDemand(lambda: wiring.build_code_agent(settings))
    with (
        closing(code_agent),
        closing(build_tracer(settings)) as tracer,
        closing(CodeSessions(lambda: code_agent.get().sandbox, settings.sandbox)) as sessions,
    ):
        yield SandboxDesk(sessions, tracer)


@contextmanager
def open_retrieval_tools(
    settings: Settings, here: AbstractContextManager["RetrievalDesk"]
) -> Iterator["ToolSet"]:
    """The retrieval tools of the server that the settings name, else those of the desk ``here``."""
    from bot.mcp.retrieval_server import retrieval_server
    from bot.mcp.tools_client import McpTools

    with ExitStack() as open_parts:
        if settings.mcp.retrieval_url is None:
            desk = open_parts.enter_context(here)
            tools = McpTools(retrieval_server(desk), "the retrieval tools", settings.mcp.seconds)
        else:
            tools = McpTools.at(
                settings.mcp.retrieval_url, settings.mcp.token, settings.mcp.seconds
            )
        yield open_parts.enter_context(closing(tools))


@contextmanager
def open_sandbox_tools(settings: Settings) -> Iterator["ToolSet"]:
    """The tools that run code, of this process or of the server that the settings name."""
    from bot.mcp.sandbox_server import sandbox_server
    from bot.mcp.tools_client import McpTools

    with ExitStack() as open_parts:
        if settings.mcp.sandbox_url is None:
            desk = open_parts.enter_context(open_sandbox_desk(settings))
            tools = McpTools(sandbox_server(desk), "the code tools", settings.mcp.seconds)
        else:
            tools = McpTools.at(settings.mcp.sandbox_url, settings.mcp.token, settings.mcp.seconds)
        yield open_parts.enter_context(closing(tools))
