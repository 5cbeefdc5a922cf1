"""The strongest sandbox that holds is taken; one that was asked for by name is never replaced."""

import json
from collections.abc import Callable
from typing import Literal

import pytest

from sandbox.choose import Maker, first_working
from sandbox.errors import SandboxUnavailable
from sandbox.job import JobResult, JobStatus
from sandbox.settings import SandboxSettings
from tests.fakes.canned_sandbox import CannedSandbox

SOUND = JobResult(JobStatus.FINISHED, stdout=json.dumps([]))
LEAKING = JobResult(JobStatus.FINISHED, stdout=json.dumps(["host_file"]))
BROKEN = JobResult(JobStatus.FAILED, stderr="no user namespaces")


def missing(settings: SandboxSettings) -> CannedSandbox:
    raise SandboxUnavailable("not installed")


def making(sandbox: CannedSandbox) -> Callable[[SandboxSettings], CannedSandbox]:
    return lambda settings: sandbox


def choose(
    gvisor: Maker, bubblewrap: Maker, isolation: Literal["auto", "gvisor", "bubblewrap"] = "auto"
) -> object:
    candidates = (("gvisor", "gvisor", gvisor), ("bubblewrap", "bubblewrap", bubblewrap))
    return first_working(SandboxSettings(isolation=isolation), candidates)


def test_takes_the_first_that_holds() -> None:
    first, second = CannedSandbox([SOUND]), CannedSandbox([SOUND])

    chosen = choose(making(first), making(second))

    assert chosen is first
    assert not first.closed
    assert second.jobs == []


def test_takes_the_next_when_the_first_is_not_installed() -> None:
    second = CannedSandbox([SOUND])

    assert choose(missing, making(second)) is second


@pytest.mark.parametrize("result", [LEAKING, BROKEN, JobResult(JobStatus.FINISHED, stdout="x")])
def test_passes_over_and_closes_one_that_does_not_hold(result: JobResult) -> None:
    first, second = CannedSandbox([result]), CannedSandbox([SOUND])

    chosen = choose(making(first), making(second))

    assert chosen is second
    assert first.closed


def test_a_named_isolation_is_never_replaced() -> None:
    weaker = CannedSandbox([SOUND])

    with pytest.raises(SandboxUnavailable, match="gvisor: not installed"):
        choose(missing, making(weaker), "gvisor")

    assert weaker.jobs == []


def test_says_of_each_why_it_does_not_serve() -> None:
    leaking = CannedSandbox([LEAKING])

    with pytest.raises(SandboxUnavailable, match=r"not installed.*got out by host_file"):
        choose(missing, making(leaking))
