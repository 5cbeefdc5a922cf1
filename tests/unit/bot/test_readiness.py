import threading
from collections.abc import Callable

import pytest

from bot.health import Probe
from bot.liveness import Connections
from bot.readiness import Readiness
from retrieval.errors import LakeError


def probe(name: str, try_out: Callable[[], str]) -> Probe:
    return Probe(name, try_out, "")


def fails() -> str:
    raise LakeError("there is no lake")


def states(readiness: Readiness) -> dict[str, tuple[bool, str]]:
    return {state.name: (state.up, state.found) for state in readiness.states()}


def test_tells_every_probe_and_every_platform() -> None:
    connections = Connections()
    connections.expect("slack")
    readiness = Readiness([probe("redis", lambda: "here"), probe("lake", fails)], connections)

    found = states(readiness)

    assert found == {
        "redis": (True, "here"),
        "lake": (False, "there is no lake"),
        "slack": (False, "not connected yet"),
    }


def test_what_was_found_is_kept_for_a_while() -> None:
    tried: list[str] = []
    now = [0.0]

    def count() -> str:
        tried.append("once")
        return "here"

    readiness = Readiness(
        [probe("redis", count)], Connections(), kept_seconds=5, clock=lambda: now[0]
    )

    readiness.states()
    now[0] = 5.0
    readiness.states()
    at_first = len(tried)
    now[0] = 5.1
    readiness.states()

    assert (at_first, len(tried)) == (1, 2)


def test_a_platform_is_never_told_from_memory() -> None:
    connections = Connections()
    readiness = Readiness([], connections, kept_seconds=1000)
    connections.up("slack")
    readiness.states()

    connections.down("slack", "gone")

    assert states(readiness) == {"slack": (False, "gone")}


def test_a_probe_that_hangs_is_told_and_not_started_again() -> None:
    release, begun = threading.Event(), []

    def hang() -> str:
        begun.append("once")
        release.wait(30)
        return "late"

    readiness = Readiness(
        [probe("lake", hang), probe("redis", lambda: "here")],
        Connections(),
        wait_seconds=0.05,
        kept_seconds=-1,
    )

    first, second = states(readiness), states(readiness)
    release.set()
    patient = Readiness([probe("lake", hang)], Connections(), wait_seconds=30, kept_seconds=-1)
    third = states(patient)

    assert first == second == {"lake": (False, "does not answer"), "redis": (True, "here")}
    assert third == {"lake": (True, "late")}
    assert len(begun) == 2


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_probe_that_breaks_is_no_ready_part() -> None:
    def mistaken() -> str:
        raise ZeroDivisionError

    readiness = Readiness([probe("lake", mistaken)], Connections())

    found = states(readiness)
    # Its end is reported as a warning to whichever test runs then: let it be this one.
    for thread in threading.enumerate():
        if thread.name == "probe of the lake":
            thread.join()

    assert found == {"lake": (False, "its probe broke; the log has the cause")}
