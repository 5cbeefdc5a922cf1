from collections.abc import Mapping

from prometheus_client.parser import text_string_to_metric_families

from agent.answer import Usage
from bot.counters import Counters, Uncounted
from bot.errors import TurnStoreError
from bot.liveness import Connections
from bot.messages import Act, Status, Way
from bot.prometheus_counters import PrometheusCounters
from tests.fakes.recording_counters import RecordingCounters

Samples = dict[tuple[str, str], float]
"""By name and the value of the one label, where there is one."""


def waiting() -> Mapping[str, int]:
    return {"waiting": 3, "running": 1}


def unknown() -> Mapping[str, int]:
    raise TurnStoreError("the queue does not answer")


def read(counters: PrometheusCounters) -> Samples:
    body, media_type = counters.page("text/plain")
    assert media_type.startswith("text/plain")
    return {
        (sample.name, next(iter(sample.labels.values()), "")): sample.value
        for family in text_string_to_metric_families(body.decode())
        for sample in family.samples
        if sample.name.startswith("odabot_")
    }


def count_all(counters: Counters) -> None:
    counters.received(Way.MESSAGE)
    counters.received(Way.DIGEST)
    counters.duplicate()
    counters.clicked(Act.STOP)
    counters.ended(Status.COMPLETED, 0.4, Usage(2, 700, 30))
    counters.ended(Status.REJECTED, 700.0, Usage())
    counters.limited("slack")
    counters.digest("unchanged")


def test_what_happened_is_read_back() -> None:
    counters = PrometheusCounters(Connections(), waiting)

    count_all(counters)

    samples = read(counters)
    assert samples["odabot_questions_total", "message"] == 1
    assert samples["odabot_questions_total", "digest"] == 1
    assert samples["odabot_duplicates_total", ""] == 1
    assert samples["odabot_clicks_total", "stop"] == 1
    assert samples["odabot_outcomes_total", "completed"] == 1
    assert samples["odabot_outcomes_total", "rejected"] == 1
    assert samples["odabot_turn_seconds_bucket", "0.25"] == 0
    assert samples["odabot_turn_seconds_bucket", "0.5"] == 1
    assert samples["odabot_turn_seconds_bucket", "+Inf"] == 2
    assert samples["odabot_model_calls_total", ""] == 2
    assert samples["odabot_tokens_total", "prompt"] == 700
    assert samples["odabot_tokens_total", "completion"] == 30
    assert samples["odabot_rate_limits_total", "slack"] == 1
    assert samples["odabot_digests_total", "unchanged"] == 1


def test_what_never_happened_is_zero_and_not_missing() -> None:
    samples = read(PrometheusCounters(Connections(), waiting))

    assert {samples["odabot_questions_total", way.value] for way in Way} == {0}
    assert {samples["odabot_outcomes_total", status.value] for status in Status} == {0}
    assert {samples["odabot_clicks_total", act.value] for act in Act} == {0}
    assert samples["odabot_duplicates_total", ""] == 0


def test_the_queue_and_the_connections_are_looked_at_when_asked() -> None:
    connections = Connections()
    counters = PrometheusCounters(connections, waiting)
    connections.up("slack")

    up = read(counters)
    connections.down("slack", "gone")
    down = read(counters)

    assert up["odabot_queue_depth", "waiting"] == 3
    assert up["odabot_queue_depth", "running"] == 1
    assert (up["odabot_connected", "slack"], down["odabot_connected", "slack"]) == (1, 0)


def test_a_depth_that_is_not_known_is_left_out_and_the_rest_stays() -> None:
    counters = PrometheusCounters(Connections(), unknown)
    counters.duplicate()

    samples = read(counters)

    assert not [name for name, _ in samples if name == "odabot_queue_depth"]
    assert samples["odabot_duplicates_total", ""] == 1


def test_two_of_them_share_nothing() -> None:
    first, second = (PrometheusCounters(Connections(), waiting) for _ in range(2))

    first.duplicate()

    assert read(second)["odabot_duplicates_total", ""] == 0


def test_the_others_take_the_same_calls() -> None:
    recording = RecordingCounters()

    count_all(recording)
    count_all(Uncounted())

    assert len(recording.counted) == 8
