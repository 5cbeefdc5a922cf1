"""What ``odabot check`` tries out: every part, adapters included, quickest first."""

from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

from pydantic import SecretStr

from agent.errors import ModelRefused
from agent.settings import AgentSettings
from bot.errors import SettingsError
from bot.health import Probe
from bot.mcp_settings import McpSettings
from bot.probes import try_data_folder, try_lake, try_lake_files, try_ontology, try_site
from bot.settings import Settings
from bot.slack_wiring import try_slack
from bot.trace_wiring import try_traces
from bot.wiring import build_graph_store, build_language_model, open_sessions
from retrieval.settings import GraphStoreSettings

if TYPE_CHECKING:
    from agent.openai_model import Abilities

_ENOUGH_CONTEXT = 8_192
"""Ample for our longest prompts (2,117 tokens in the recordings), an error to mend, and a reply."""


def health_probes(settings: Settings) -> tuple[Probe, ...]:
    """What ``odabot check`` tries out, quickest first."""
    return (*_own_parts(settings), *_adapters(settings))


def _own_parts(settings: Settings) -> tuple[Probe, ...]:
    return (
        Probe(
            "data folder",
            lambda: try_data_folder(settings.data),
            "Make it writable, or name another one in ODABOT_DATA.",
        ),
        Probe(
            "lake",
            lambda: try_lake(settings.retrieval.lake),
            "Name it in ODABOT_RETRIEVAL__LAKE; `odabot lake demo OUT` makes one to try out.",
        ),
        Probe(
            "lake files",
            lambda: try_lake_files(settings.retrieval.lake),
            "Until then questions that need these files fail, and no others.",
            needed=False,
        ),
        Probe("site files", lambda: try_site(settings.retrieval), "Mend the file that is named."),
        Probe("ontology", try_ontology, "Install odabot again; its ontology is damaged."),
    )


def _adapters(settings: Settings) -> tuple[Probe, ...]:
    return (
        Probe(
            "graph store",
            lambda: _try_graph_store(settings.retrieval.graph_store),
            "Start it, or mend the settings ODABOT_RETRIEVAL__GRAPH_STORE__...;"
            " deploy/graphdb/README.md has the steps.",
        ),
        Probe(
            "session store",
            lambda: _try_sessions(settings),
            "Without ODABOT_REDIS_URL one is embedded, for Linux and macOS on x86-64 or ARM64.",
        ),
        Probe(
            "language model",
            lambda: _try_model(settings),
            "Until then questions are read by rules alone. Start it, or mend the settings"
            " ODABOT_AGENT__MODEL_...",
            needed=False,
        ),
        *_tools(settings.mcp),
        *_slack(settings),
        *_mattermost(settings),
        Probe(
            "traces",
            lambda: try_traces(settings),
            "Questions are answered, and traced in the data folder, all the same. Start Langfuse,"
            " or mend the settings ODABOT_TRACE__LANGFUSE_...",
            needed=False,
        ),
        Probe(
            "sandbox",
            lambda: _try_sandbox(settings),
            "Until then no charts are drawn. Install bubblewrap or gVisor (runsc).",
            needed=False,
        ),
        Probe(
            "analysis libraries",
            lambda: _try_libraries(settings),
            "Until then programs that the language model writes do without. Install"
            " odabot[analysis] where ODABOT_SANDBOX__PYTHON points.",
            needed=False,
        ),
        Probe(
            "embedding model",
            lambda: _try_embedding(settings.retrieval.embedding_model),
            "Until then only metrics called by a known name are found. Install odabot[minilm].",
            needed=False,
        ),
    )


def _tools(settings: McpSettings) -> tuple[Probe, ...]:
    """A probe for each server of tools that is named."""
    named = {"retrieval tools": settings.retrieval_url, "code tools": settings.sandbox_url}
    remedy = "Start it (odabot mcp), or mend the settings ODABOT_MCP__..."
    return tuple(
        Probe(name, partial(_try_tools, url, settings.token), remedy, needed=False)
        for name, url in named.items()
        if url is not None
    )


def _slack(settings: Settings) -> tuple[Probe, ...]:
    """A probe of Slack, where one token serves it."""
    if settings.slack.bot_token is None:
        return ()
    remedy = "Mend the settings ODABOT_SLACK__...; deploy/slack/README.md has the steps."
    return (Probe("Slack", lambda: try_slack(settings), remedy, needed=False),)


def _mattermost(settings: Settings) -> tuple[Probe, ...]:
    """Probes of what can be wrong with a server of Mattermost, where one is served."""
    if not settings.mattermost.is_served:
        return ()
    from bot.mattermost_trials import MattermostTrials

    trials = MattermostTrials(settings)
    steps = "deploy/mattermost/README.md has the steps."
    return (
        Probe(
            "Mattermost",
            trials.account,
            f"Mend the settings ODABOT_MATTERMOST__..., or the bot account; {steps}",
            needed=False,
        ),
        Probe(
            "Mattermost settings",
            trials.setup,
            f"Mend them in the System Console of Mattermost; {steps}",
            needed=False,
        ),
        Probe(
            "Mattermost buttons",
            trials.callback,
            "Until then buttons and slash commands fail. Mend ODABOT_MATTERMOST__CALLBACK_URL, or"
            f" the way from Mattermost to it; {steps}",
            needed=False,
        ),
        Probe(
            "Mattermost whispers",
            trials.whispers,
            f"Until then what is for one person comes as a direct message; {steps}",
            needed=False,
        ),
    )


def _try_tools(url: str, token: SecretStr | None) -> str:
    from bot.mcp.tools_client import McpTools

    with closing(McpTools.at(url, token, 10)) as tools:
        return f"{url}: {', '.join(tool.name for tool in tools.tools())}"


def _try_sessions(settings: Settings) -> str:
    with open_sessions(settings):
        return settings.redis_without_password


def _try_graph_store(settings: GraphStoreSettings) -> str:
    store = build_graph_store(settings)
    return "embedded" if store is None else store.found()


def _try_sandbox(settings: Settings) -> str:
    from sandbox.choose import first_working

    sandbox = first_working(settings.sandbox)
    sandbox.close()
    return sandbox.name


def _try_libraries(settings: Settings) -> str:
    from agent.code_execution import LIBRARIES, InSandbox, libraries_there
    from sandbox.choose import first_working

    sandbox = first_working(settings.sandbox)
    try:
        there = libraries_there(InSandbox(sandbox, settings.sandbox.limits()))
    finally:
        sandbox.close()
    missing = [name for name in LIBRARIES if name not in there]
    if missing:
        raise SettingsError(f"not in the sandbox: {', '.join(missing)}")
    return ", ".join(there)


def _try_embedding(model: str) -> str:
    from retrieval.sentence_embedder import SentenceEmbedder

    embedder = SentenceEmbedder(model)
    (vector,) = embedder.embed(["power of a node"])
    return f"{embedder.name}, {len(vector)} dimensions"


def _try_model(settings: Settings) -> str:
    model = build_language_model(settings)
    if model is None:
        return "none is configured: questions are read by rules alone"
    try:
        found = model.abilities()
    finally:
        model.close()
    context = f"{found.context} tokens of context" if found.context else "context unknown"
    told = f"{model.name}, {context}"
    if missing := _missing_in(found, settings.agent):
        raise ModelRefused(f"{told}; {'; '.join(missing)}")
    tools = "calls tools by itself" if found.calls_tools else "calls tools by schema"
    return f"{told}, keeps to schemas, {tools}"


def _missing_in(found: "Abilities", settings: AgentSettings) -> list[str]:
    """What an endpoint lacks, each with what to do about it."""
    missing = []
    if settings.model_schema not in found.schemas:
        sent = f"it does not keep to a schema sent as {settings.model_schema}"
        missing.append(
            f"{sent}, but as {found.schemas[0]}: set ODABOT_AGENT__MODEL_SCHEMA={found.schemas[0]}"
            if found.schemas
            else f"{sent}, nor in any other form of ODABOT_AGENT__MODEL_SCHEMA: most of its replies"
            " will be refused"
        )
    if settings.model_tools == "native" and not found.calls_tools:
        missing.append("it does not call tools by itself: set ODABOT_AGENT__MODEL_TOOLS=schema")
    if found.context is not None and found.context < _ENOUGH_CONTEXT:
        missing.append(
            f"our longest prompts and their replies need {_ENOUGH_CONTEXT} tokens of context: serve"
            " it with more"
        )
    if not found.counts_tokens:
        missing.append(
            "it does not say how many tokens a reply took: ODABOT_AGENT__QUESTION_TOKENS bounds"
            " nothing"
        )
    return missing
