"""What ``odabot evaluate`` asks: the analyst of people, or another that it is compared with."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, assert_never

from agent import Analyst
from agent.baselines.datalake_agent import datalake_agent
from agent.baselines.datalake_query_tool import DatalakeQueryTool
from agent.baselines.exasage_query_tool import ExasageQueryTool
from agent.deep.sub_agent import SubAgent
from agent.language_model import LanguageModel
from bot.deep_wiring import (
    MakesRetrieval,
    build_analyst_over,
    build_deep_analyst,
    called_by_name,
)
from bot.errors import SettingsError
from bot.settings import Settings
from bot.wiring import build_analyst, build_language_model
from retrieval.data_service import DataService
from retrieval.quantity_catalog import QuantityCatalog
from retrieval.ungrounded_run import UngroundedRun

Config = Literal["nsa", "exasage", "datalake"]
"""What stands behind the tools of retrieval."""
Steps = Literal["open", "every"]
"""What the model does: what rules leave open, or every step."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """One of the configurations that are compared."""

    config: Config
    steps: Steps


def configuration(config: Config, steps: Steps | None) -> Configuration:
    """``config`` with ``steps``, or with those that it is meant to be run with."""
    return Configuration(config, steps or ("open" if config == "nsa" else "every"))


def build_configured(settings: Settings, chosen: Configuration, answers: Path) -> Analyst:
    """The analyst of ``chosen``; files of answers go below ``answers``.

    Raises SettingsError where there is none such, else like ``build_analyst``.
    """
    if chosen.config != "nsa" and chosen.steps == "open":
        raise SettingsError(f"{chosen.config} has the model do every step: use --steps every")
    if chosen.steps == "every" and settings.agent.model_url is None:
        raise SettingsError("without a model no step can be done by it: name one with --model")
    match chosen.config:
        case "nsa":
            return (build_deep_analyst if chosen.steps == "every" else build_analyst)(
                settings, answers
            )
        case "exasage":
            return build_analyst_over(settings, answers, "exasage", _exasage(settings))
        case "datalake":
            return build_analyst_over(settings, answers, "datalake", _datalake)
        case _:
            assert_never(chosen.config)


def _exasage(settings: Settings) -> MakesRetrieval:
    """The EXASAGE Query Tool behind the same tools as ours."""

    def build(
        model: LanguageModel, data: DataService, quantities: QuantityCatalog, open_parts: ExitStack
    ) -> SubAgent:
        run = UngroundedRun(data.source.schema, data.source.execution)
        tool = ExasageQueryTool(model, quantities.catalog, run)
        return called_by_name(settings, model, lambda runs: tool, open_parts)

    return build


def _datalake(
    model: LanguageModel, data: DataService, quantities: QuantityCatalog, open_parts: ExitStack
) -> SubAgent:
    """The Datalake Query Tool, with tools of its own."""
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
