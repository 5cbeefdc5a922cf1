"""What ``odabot evaluate`` asks: the analyst of people, or another that it is compared with."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from agent import Analyst
from bot.errors import SettingsError
from bot.settings import Settings
from bot.wiring import build_analyst, build_language_model

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
    if chosen != Configuration("nsa", "open"):
        raise SettingsError(
            f"the configuration {chosen.config} with steps {chosen.steps} is not built yet"
        )
    return build_analyst(settings, answers)


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
