"""Counters for Prometheus, and the text that it reads them from."""

import logging
from collections.abc import Callable, Iterator, Mapping

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    PlatformCollector,
    ProcessCollector,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from agent.answer import Usage
from bot.errors import BotError
from bot.liveness import Connections
from bot.messages import Act, Status, Way

log = logging.getLogger(__name__)

Depths = Callable[[], Mapping[str, int]]
"""How much is in the queue, by state, as "waiting" or "running"; raises a BotError."""

_SECONDS = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600)


class PrometheusCounters:
    """What one process did since it began."""

    def __init__(self, connections: Connections, depths: Depths) -> None:
        self._registry = registry = CollectorRegistry()
        self._received = Counter(
            "odabot_questions", "Questions and commands taken in.", ["way"], registry=registry
        )
        self._duplicates = Counter(
            "odabot_duplicates", "Messages and clicks that came again, dropped.", registry=registry
        )
        self._clicks = Counter(
            "odabot_clicks", "Buttons that were pressed.", ["act"], registry=registry
        )
        self._outcomes = Counter(
            "odabot_outcomes", "Turns that ended, by how.", ["status"], registry=registry
        )
        self._seconds = Histogram(
            "odabot_turn_seconds",
            "How long turns took, without the wait in the queue.",
            buckets=_SECONDS,
            registry=registry,
        )
        self._calls = Counter("odabot_model_calls", "Calls of the model.", registry=registry)
        self._tokens = Counter("odabot_tokens", "Tokens of the model.", ["kind"], registry=registry)
        self._limits = Counter(
            "odabot_rate_limits",
            "Times that a platform wanted to be asked later.",
            ["platform"],
            registry=registry,
        )
        self._digests = Counter(
            "odabot_digests",
            "Digests that were due, by what became of them.",
            ["outcome"],
            registry=registry,
        )
        self._begin_at_zero()
        registry.register(_Now(connections, depths))
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)

    def _begin_at_zero(self) -> None:
        """Have every label there from the start: a rate misses the step from nothing to one."""
        for way in Way:
            self._received.labels(way.value)
        for act in Act:
            self._clicks.labels(act.value)
        for status in Status:
            self._outcomes.labels(status.value)
        for kind in ("prompt", "completion"):
            self._tokens.labels(kind)

    def received(self, way: Way) -> None:
        """A question or a command was taken in."""
        self._received.labels(way.value).inc()

    def duplicate(self) -> None:
        """A message, click or command came once more and was dropped."""
        self._duplicates.inc()

    def clicked(self, act: Act) -> None:
        """A button was pressed."""
        self._clicks.labels(act.value).inc()

    def ended(self, status: Status, seconds: float, usage: Usage) -> None:
        """A turn ended so, after so long, and cost so much of the model."""
        self._outcomes.labels(status.value).inc()
        self._seconds.observe(seconds)
        self._calls.inc(usage.llm_calls)
        self._tokens.labels("prompt").inc(usage.prompt_tokens)
        self._tokens.labels("completion").inc(usage.completion_tokens)

    def limited(self, platform: str) -> None:
        """A platform wanted to be asked again later."""
        self._limits.labels(platform).inc()

    def digest(self, outcome: str) -> None:
        """A digest was due."""
        self._digests.labels(outcome).inc()

    def page(self, accept: str) -> tuple[bytes, str]:
        """All of it in the form that ``accept``, a header, asks for, and that form's media type."""
        encode, media_type = choose_encoder(accept)
        return encode(self._registry), media_type


class _Now(Collector):
    """What is not counted but looked at whenever Prometheus asks."""

    def __init__(self, connections: Connections, depths: Depths) -> None:
        self._connections = connections
        self._depths = depths

    def collect(self) -> Iterator[Metric]:
        """The queue's depth, where the store answers, and who is connected."""
        try:
            depths = self._depths()
        except BotError as error:
            # Without the number: a zero would say that nobody waits.
            log.warning("the queue's depth is not known: %s", error)
        else:
            yield _gauge("odabot_queue_depth", "Turns in the queue.", "state", depths)
        states = {state.name: int(state.up) for state in self._connections.states()}
        yield _gauge("odabot_connected", "Whether a platform is connected.", "platform", states)


def _gauge(name: str, meaning: str, label: str, values: Mapping[str, int]) -> Metric:
    gauge = GaugeMetricFamily(name, meaning, labels=[label])
    for value, number in values.items():
        gauge.add_metric([value], number)
    return gauge
