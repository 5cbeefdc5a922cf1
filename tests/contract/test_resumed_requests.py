"""A request whose worker died is finished by another one, and nothing is done twice."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from itertools import count

import pytest

from agent.answer import Answered, NeedsClarification
from agent.run_store import RunStore
from bot.memory_runs import MemoryRuns
from bot.redis_runs import RedisRuns
from tests.fakes.canned_likeness import CannedLikeness
from tests.fakes.cut_off_runs import CutOffRuns, WorkerDied
from tests.reflecting import PLAIN, Reflecting, a_context, intent, parts, plugin, saying

TEXT = "average total power of node 5 and guzzle of node 6 on 1 June 2022"
SPLIT = parts(
    "average total power of node 5 on 1 June 2022", "average guzzle of node 6 on 1 June 2022"
)
REPLIES = {
    **PLAIN,
    "intent": [intent(cardinality="multi", confidence=60), intent(cardinality="multi")],
    "decompose": [SPLIT],
    "plugin": [plugin("ipmi_pub", 50), plugin("ipmi_pub")],
}
STEPS = ["intent", "intent", "decompose", "plugin", "plugin", "plugin", "time-words"]


@pytest.fixture(params=["memory", "redis"])
def store(request: pytest.FixtureRequest) -> Iterator[RunStore]:
    if request.param == "memory":
        yield MemoryRuns()
        return
    runs = RedisRuns(request.getfixturevalue("address"), timedelta(days=1))
    yield runs
    runs.close()


def reflecting(store: RunStore, likeness: float) -> Reflecting:
    near = (("inlet_temperature", likeness), ("fan_speed", likeness - 0.12))
    return Reflecting(saying(REPLIES), CannedLikeness(guzzle=near), runs=store)


def asking(one: Reflecting, trace: str) -> None:
    one.agent().query(TEXT, a_context(trace))


def choosing(one: Reflecting, trace: str) -> None:
    one.agent().clarify(trace, "1", a_context(trace))


def cut_off(whole: Reflecting, saves: int, work: Callable[[Reflecting], object]) -> bool:
    """Whether the worker died before it was done."""
    store = whole.runs
    whole.runs = CutOffRuns(store, saves)
    try:
        work(whole)
    except WorkerDied:
        return True
    finally:
        whole.runs = store
    return False


def test_whatever_was_saved_last_the_next_worker_goes_on_from_there(store: RunStore) -> None:
    for saves in count(1):
        one = reflecting(store, 0.9)
        trace = f"one {saves}"

        died = cut_off(one, saves, partial(asking, trace=trace))
        answer = one.agent().resume(trace, a_context(trace))

        assert isinstance(answer, Answered)
        assert one.steps == STEPS
        assert len(one.queries.written) == len(one.queries.ran) == 1
        assert [m.name for m in one.queries.written[0].metrics] == ["total_power", "ambient"]
        if not died:
            break
    assert saves > 12


def test_a_request_that_waits_is_settled_by_another_worker(store: RunStore) -> None:
    for saves in count(1):
        one = reflecting(store, 0.6)
        trace = f"waiting {saves}"
        back = one.agent().query(TEXT, a_context(trace))
        assert isinstance(back, NeedsClarification)

        died = cut_off(one, saves, partial(choosing, trace=trace))
        answer = one.agent().resume(trace, a_context(trace))

        assert isinstance(answer, Answered)
        assert one.steps == STEPS
        assert [m.name for m in one.queries.written[0].metrics] == ["total_power", "ambient"]
        if not died:
            break
    assert saves > 5
