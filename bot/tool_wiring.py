"""Settings to tools: what stands behind our MCP servers, and the clients of such servers."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from bot import wiring
from bot.settings import Settings
from bot.trace_wiring import build_tracer

if TYPE_CHECKING:
    from agent.run_store import RunStore
    from bot.mcp.retrieval_desk import RetrievalDesk


@contextmanager
def open_retrieval_desk(settings: Settings, runs: "RunStore") -> Iterator["RetrievalDesk"]:
    """The retrieval tools over the lake; raises one of ``bot.health.OPERATOR_ERRORS``."""
    from agent.symbolic_retrieval import SymbolicRetrieval
    from bot.mcp.retrieval_desk import RetrievalDesk
    from retrieval.metric_catalog import MetricCatalog
    from retrieval.quantity_catalog import QuantityCatalog

    quantities = QuantityCatalog(MetricCatalog.load())
    index = wiring.build_metric_index(settings, quantities)
    folder = settings.data / "requests"
    with ExitStack() as open_parts:
        tracer = build_tracer(settings)
        open_parts.callback(tracer.close)
        model = wiring.build_language_model(settings)
        if model is not None:
            open_parts.callback(model.close)
        steps = wiring.build_question_steps(settings, quantities, index, model)
        yield RetrievalDesk(
            SymbolicRetrieval(steps, runs),
            runs,
            lambda question, note: wiring.run_context(
                settings.agent, folder, question, note, tracer
            ),
            folder,
            settings.site.zone,
        )
