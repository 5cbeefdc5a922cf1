"""Settings to what a process serves over HTTP: health, metrics, events of platforms."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from starlette.routing import BaseRoute

from bot.health import Probe
from bot.http_app import HttpApp
from bot.http_server import HttpServer
from bot.liveness import Connections, Liveness
from bot.probes import try_lake_folder
from bot.prometheus_counters import Depths, PrometheusCounters
from bot.readiness import Readiness
from bot.settings import Settings
from bot.wiring import build_graph_store
from retrieval.settings import RetrievalSettings

_MOST_AT_ONCE = 1000
"""Platforms send bursts, and what is turned away they send again, later: better to take it."""


@dataclass(frozen=True, slots=True)
class Watched:
    """Where the parts of one process report how they are; :meth:`of` makes it."""

    counters: PrometheusCounters
    connections: Connections
    liveness: Liveness = field(default_factory=Liveness)

    @classmethod
    def of(cls, depths: Depths, report_seconds: float = 60.0) -> "Watched":
        """With nothing reported yet; ``depths`` looks into the queue.

        ``report_seconds``: how often a platform reports while all is well.
        """
        connections = Connections(3 * report_seconds)
        return cls(PrometheusCounters(connections, depths), connections)


def readiness_probes(settings: Settings, ping: Callable[[], None]) -> tuple[Probe, ...]:
    """What /readyz tries out, each in a fraction of a second; ``ping`` asks the open Redis."""

    def try_redis() -> str:
        ping()
        return settings.redis_without_password

    return (
        Probe("redis", try_redis, ""),
        Probe("lake", lambda: try_lake_folder(settings.retrieval.lake), ""),
        *_graph_store(settings.retrieval),
    )


@contextmanager
def serve_http(
    settings: Settings,
    port: int,
    watched: Watched,
    probes: Sequence[Probe],
    routes: Sequence[BaseRoute] = (),
) -> Iterator[str]:
    """Serve until the block is left; gives the address. ``routes`` are the platforms' own.

    Raises ListenError where the port is taken.
    """
    readiness = Readiness(probes, watched.connections)
    app = HttpApp(watched.liveness.states, readiness.states, watched.counters.page)
    server = HttpServer(settings.http.host, port, _MOST_AT_ONCE)
    try:
        watched.liveness.watch_thread(server.serve(app.application(routes)))
        yield server.url
    finally:
        server.close()


def _graph_store(settings: RetrievalSettings) -> tuple[Probe, ...]:
    """A probe of the store beyond this process, where there is one."""
    store = build_graph_store(settings.graph_store)
    if store is None:
        return ()

    def try_store() -> str:
        store.has("urn:odabot:trial")
        return settings.graph_store.kind

    return (Probe("graph store", try_store, ""),)
