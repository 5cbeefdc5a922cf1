"""Settings to the Reflect Agent: the model's way through the steps of a request."""

from typing import TYPE_CHECKING

from bot.settings import Settings

if TYPE_CHECKING:
    from agent.language_model import LanguageModel
    from agent.reflect.query_steps import QuerySteps
    from agent.reflect.reflect_agent import ReflectAgent
    from agent.run_store import RunStore
    from retrieval.data_service import DataService
    from retrieval.grounding import Grounding
    from retrieval.quantity_catalog import QuantityCatalog


def build_reflect_agent(
    settings: Settings,
    data: "DataService",
    quantities: "QuantityCatalog",
    model: "LanguageModel",
    queries: "QuerySteps",
    runs: "RunStore",
) -> "ReflectAgent":
    """RetrievalTools in which ``model`` takes every step and ``data``'s rules check it."""
    from agent.reflect.input_validation import InputValidation
    from agent.reflect.reflect_agent import ReflectAgent
    from agent.reflect.reflection import Reflection

    validation = InputValidation(build_grounding(settings, data, quantities), Reflection())
    return ReflectAgent(model, validation, queries, data, runs)


def build_grounding(
    settings: Settings, data: "DataService", quantities: "QuantityCatalog"
) -> "Grounding":
    """The doors by which names are tied to what ``data`` has; raises LakeError."""
    from retrieval.grounding import Grounding

    rules, source = data.restatements, data.source
    lines = quantities.catalog.plugins
    plugins = {name: lines[name] for name in source.lake.plugins if name in lines}
    site = source.execution.site
    return Grounding(rules.filler, rules.matcher, quantities, site, settings.site.zone, plugins)
