import threading

from bot.liveness import Connections, Liveness


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_platform_that_is_expected_is_down_until_it_connects() -> None:
    connections = Connections()

    connections.expect("slack")
    (before,) = connections.states()
    connections.up("slack", "connected as odabot")
    (after,) = connections.states()

    assert (before.up, before.found) == (False, "not connected yet")
    assert (after.up, after.found) == (True, "connected as odabot")


def test_a_platform_that_says_so_is_down_for_the_reason_it_gives() -> None:
    connections = Connections()
    connections.up("slack")

    connections.down("slack", "auth.test: invalid_auth")

    (state,) = connections.states()
    assert (state.up, state.found) == (False, "auth.test: invalid_auth")


def test_a_platform_reports_with_its_trouble_or_with_none() -> None:
    connections = Connections()
    report = connections.reporter("slack")

    found = [connections.states()[0]]
    for trouble in ("", "nothing came for 700 s", ""):
        report(trouble)
        found.append(connections.states()[0])

    assert [state.up for state in found] == [False, True, False, True]
    assert found[2].found == "nothing came for 700 s"


def test_a_platform_that_falls_silent_counts_as_gone() -> None:
    clock = Clock()
    connections = Connections(fresh_seconds=180, clock=clock)
    connections.up("slack")

    clock.now = 180
    (still,) = connections.states()
    clock.now = 181
    (gone,) = connections.states()

    assert still.up
    assert (gone.up, gone.found) == (False, "not heard of for 181 s")


def test_each_platform_has_a_state_of_its_own() -> None:
    connections = Connections()

    connections.up("slack")
    connections.down("mattermost", "refused")

    assert [(s.name, s.up) for s in connections.states()] == [
        ("mattermost", False),
        ("slack", True),
    ]


def test_a_thread_that_ended_is_told() -> None:
    liveness, end = Liveness(), threading.Event()
    thread = threading.Thread(target=end.wait, name="sweeper")
    thread.start()
    liveness.watch_thread(thread)
    liveness.watch("digests", lambda: True)

    before = {state.name: state.up for state in liveness.states()}
    end.set()
    thread.join()
    after = {state.name: state.up for state in liveness.states()}

    assert before == {"digests": True, "sweeper": True}
    assert after == {"digests": True, "sweeper": False}
