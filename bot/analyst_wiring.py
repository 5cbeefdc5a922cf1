"""The analyst that the settings ask for: rules first, or every step by the model."""

from pathlib import Path

from agent import Analyst
from agent.run_store import RunStore
from bot.deep_wiring import build_deep_analyst
from bot.settings import Settings
from bot.wiring import build_analyst


def build_chosen_analyst(
    settings: Settings, answers: Path, runs: RunStore | None = None
) -> Analyst:
    """The analyst of ``settings``; raises one of ``bot.health.OPERATOR_ERRORS``.

    With ``runs``, the one that goes by rules first goes on with questions that were begun.
    """
    if settings.agent.steps == "every":
        return build_deep_analyst(settings, answers)
    return build_analyst(settings, answers, runs)
