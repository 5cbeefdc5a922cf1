"""What ``odabot evaluate`` asks: the analyst of people, or another that it is compared with."""

from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, assert_never

from agent import Analyst
from bot import tool_wiring
from bot.analyst_wiring import build_chosen_analyst
from bot.deep_wiring import build_analyst_over
from bot.errors import SettingsError
from bot.settings import Settings
from bot.wiring import build_language_model

if TYPE_CHECKING:
    from agent.deep.sub_agent import SubAgent
    from agent.language_model import LanguageModel
    from retrieval.data_service import DataService
    from retrieval.quantity_catalog import QuantityCatalog

Config = Literal["nsa", "exasage", "datalake"]
"""What stands behind the tools of retrieval."""
Steps = Literal["open", "every"]
"""What the model does: what rules leave open, or every step."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """One of the configurations that are compared."""

    config: Config
    steps: Steps


def configuration(config: Config, steps: Steps | None, settings: Settings) -> Configuration:
    """``config`` with ``steps``, or with those that it is meant to be run with."""
    usual: Steps = settings.agent.steps if config == "nsa" else "every"
    return Configuration(config, steps or usual)


def build_configured(settings: Settings, chosen: Configuration, answers: Path) -> Analyst:
    """The analyst of ``chosen``; files of answers go below ``answers``.

    All have the same coordinator, code agent and model; they differ in what retrieves. Raises
    SettingsError where there is none such, else like ``build_analyst``.
    """
    if chosen.config != "nsa" and chosen.steps == "open":
        raise SettingsError(f"{chosen.config} has the model do every step: use --steps every")
    if chosen.steps == "every" and settings.agent.model_url is None:
        raise SettingsError("without a model no step can be done by it: name one with --model")
    settings = settings.with_steps(chosen.steps)
    match chosen.config:
        case "nsa":
            return build_chosen_analyst(settings, answers)
        case "exasage":
            return build_analyst_over(settings, answers, "exasage", partial(_exasage, settings))
        case "datalake":
            return build_analyst_over(settings, answers, "datalake", _datalake)
        case _:
            assert_never(chosen.config)


def _exasage(
    settings: Settings,
    model: "LanguageModel",
    data: "DataService",
    quantities: "QuantityCatalog",
    open_parts: ExitStack,
) -> "SubAgent":
    from agent.baselines.exasage_query_tool import ExasageQueryTool
    from agent.deep.retrieval_agent import retrieval_agent
    from retrieval.ungrounded_run import UngroundedRun

    run = UngroundedRun(data.source.schema, data.source.execution)
    tool = ExasageQueryTool(model, quantities.catalog, run)
    # A server that the settings name would answer in its stead.
    here = settings.model_copy(
        update={"mcp": settings.mcp.model_copy(update={"retrieval_url": None})}
    )
    desk = tool_wiring.open_desk_over(here, lambda runs: tool)
    tools = open_parts.enter_context(tool_wiring.open_retrieval_tools(here, desk))
    return replace(retrieval_agent(model, tools), prompt_name="retrieve-exasage")


def _datalake(
    model: "LanguageModel",
    data: "DataService",
    quantities: "QuantityCatalog",
    open_parts: ExitStack,
) -> "SubAgent":
    from agent.baselines.datalake_agent import datalake_agent
    from agent.baselines.datalake_query_tool import DatalakeQueryTool

    return datalake_agent(model, DatalakeQueryTool(data.source.lake))


def model_name(settings: Settings) -> str:
    """The model of ``settings`` as its endpoint calls it now, else ``none``; raises ModelError."""
    model = build_language_model(settings)
    if model is None:
        return "none"
    try:
        model.must_answer()
        return model.name
    finally:
        model.close()
