"""Settings to the Reflect Agent: the model's way through the steps of a request."""

from typing import TYPE_CHECKING

from bot.settings import Settings

if TYPE_CHECKING:
    from agent.language_model import LanguageModel
    from agent.query_offers import QueryOffers
    from agent.reflect.query_steps import QuerySteps
    from agent.reflect.reflect_agent import ReflectAgent
    from agent.run_store import RunStore
    from bot.pairs_on_demand import PairsOnDemand
    from retrieval.curated_pairs import NearestPairs
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


def build_query_offers(
    settings: Settings,
    data: "DataService",
    quantities: "QuantityCatalog",
    model: "LanguageModel | None",
) -> "QueryOffers | None":
    """What offers the model's queries beside rules; None where the settings leave that out."""
    if model is None or not settings.agent.model_queries:
        return None
    from agent.query_offers import QueryOffers
    from agent.reflect.query_proposals import QueryProposals
    from bot.memory_runs import MemoryRuns

    queries = build_model_queries(settings, model, data, build_pairs(settings))
    # A query that waits for its yes is kept with its question, in the session.
    agent = build_reflect_agent(settings, data, quantities, model, queries, MemoryRuns())
    return QueryOffers(QueryProposals(agent, data, settings.site.zone))


def build_model_queries(
    settings: Settings, model: "LanguageModel", data: "DataService", pairs: "PairsOnDemand"
) -> "QuerySteps":
    """The stages in which ``model`` writes queries; ``data`` lets them in and runs them."""
    from agent.reflect.model_queries import Bounds, ModelQueries

    agent = settings.agent
    bounds = Bounds(agent.query_attempts, agent.query_repairs, confident_at=agent.query_confidence)
    return ModelQueries(model, data, pairs, settings.site.zone, bounds)


def build_pairs(settings: Settings) -> "PairsOnDemand":
    """The curated pairs by the meaning of their questions; nothing is loaded before one asks."""
    from bot.pairs_on_demand import PairsOnDemand

    return PairsOnDemand(lambda: _nearest_pairs(settings))


def _nearest_pairs(settings: Settings) -> "NearestPairs":
    from ontology.schema_loader import load_schema
    from retrieval.curated_pairs import NearestPairs, documents_of_pairs, load_pairs
    from retrieval.sentence_embedder import SentenceEmbedder
    from retrieval.vector_index import VectorIndex

    pairs = load_pairs(load_schema())
    embedder = SentenceEmbedder(settings.retrieval.embedding_model)
    index = VectorIndex(settings.data / "pair-vectors", embedder, documents_of_pairs(pairs))
    return NearestPairs(pairs, index)


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
