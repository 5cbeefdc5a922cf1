"""The analyst that the settings ask for: rules first, or every step by the model."""

from pathlib import Path

from agent import Analyst
from bot.deep_wiring import build_deep_analyst
from bot.settings import Settings
from bot.wiring import build_analyst


def build_chosen_analyst(settings: Settings, answers: Path) -> Analyst:
    """The analyst of ``settings``; raises one of ``bot.health.OPERATOR_ERRORS``."""
    build = build_deep_analyst if settings.agent.steps == "every" else build_analyst
    return build(settings, answers)
