"""Settings to the agent whose every step the model decides, over tools that are called by name."""

from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

from agent import Analyst
from agent.errors import ModelRefused
from bot import tool_wiring, wiring
from bot.settings import Settings
from bot.trace_wiring import build_tracer

if TYPE_CHECKING:
    from agent.deep.layers import Configuration
    from agent.deep.sub_agent import SubAgent
    from agent.language_model import LanguageModel
    from agent.retrieval_tools import RetrievalTools
    from agent.run_store import RunStore
    from retrieval.data_service import DataService
    from retrieval.quantity_catalog import QuantityCatalog

MakesRetrieval = Callable[
    ["LanguageModel", "DataService", "QuantityCatalog", ExitStack], "SubAgent"
]
"""Makes the sub-agent of retrieval; what must be closed goes onto the stack."""


def build_deep_analyst(settings: Settings, answers: Path) -> Analyst:
    """Our own configuration, the Reflect Agent behind exasage_query.

    Raises one of ``bot.health.OPERATOR_ERRORS``.
    """

    def reflecting(
        model: "LanguageModel",
        data: "DataService",
        quantities: "QuantityCatalog",
        open_parts: ExitStack,
    ) -> "SubAgent":
        from bot.reflect_wiring import build_model_queries, build_pairs, build_reflect_agent

        queries = build_model_queries(settings, model, data, build_pairs(settings))
        return called_by_name(
            settings,
            model,
            lambda runs: build_reflect_agent(settings, data, quantities, model, queries, runs),
            open_parts,
        )

    return build_analyst_over(settings, answers, "nsa", reflecting)


def called_by_name(
    settings: Settings,
    model: "LanguageModel",
    tools: Callable[["RunStore"], "RetrievalTools"],
    open_parts: ExitStack,
) -> "SubAgent":
    """The sub-agent that calls ``tools`` over their protocol."""
    from agent.deep.retrieval_agent import retrieval_agent

    desk = tool_wiring.open_desk_over(settings, tools)
    called = open_parts.enter_context(tool_wiring.open_retrieval_tools(settings, desk))
    return retrieval_agent(model, called)


def build_analyst_over(
    settings: Settings, answers: Path, configuration: "Configuration", retrieval: MakesRetrieval
) -> Analyst:
    """The analyst whose tasks of retrieval go to ``retrieval``; raises like the one above."""
    from agent.deep.analysis_agent import AnalysisAgent
    from agent.deep.coordinator import DeepCoordinator
    from agent.deep.layers import Layers
    from agent.deep_code_agent import DeepCodeAgent
    from agent.metrics_expert import MetricsExpert
    from agent.running import RunningQuestions
    from retrieval.metric_catalog import MetricCatalog
    from retrieval.quantity_catalog import QuantityCatalog

    with ExitStack() as open_parts:
        model = wiring.build_language_model(settings)
        if model is None:
            raise ModelRefused(
                "the model is to take every step: name it in ODABOT_AGENT__MODEL_URL"
            )
        open_parts.callback(model.close)
        tracer = open_parts.enter_context(closing(build_tracer(settings)))
        quantities = QuantityCatalog(MetricCatalog.load())
        index = wiring.build_metric_index(settings, quantities)
        data = wiring.build_data_service(settings, quantities.catalog, quantities, index)
        code_tools = open_parts.enter_context(tool_wiring.open_sandbox_tools(settings))
        programs = DeepCodeAgent(model, settings.agent.code_attempts)
        agents: dict[str, SubAgent] = {
            "retrieval": retrieval(model, data, quantities, open_parts),
            "code": AnalysisAgent(programs, code_tools),
        }
        running = RunningQuestions()
        coordinator = DeepCoordinator(
            model,
            Layers(configuration, agents),
            MetricsExpert(quantities.catalog, data.restatements.matcher.near).excerpt,
            running.noting(
                lambda question, note: wiring.run_context(
                    settings.agent, answers, question, note, tracer
                )
            ),
            is_time=data.is_time,
            guarded=configuration == "nsa",
        )
        kept = open_parts.pop_all()
    return Analyst(coordinator, index.warm_up, kept.close, tracer, running.stop, running.following)
