"""Waits for what a question has begun, but no longer than anybody wants its answer."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from typing import TypeVar

from agent.budget import Budget

_LOOK_SECONDS = 0.1
Made = TypeVar("Made")


def result_of(begun: "Future[Made]", budget: Budget) -> Made:
    """What ``begun`` gives; raises Stopped at once where the question is stopped meanwhile."""
    while not wait((begun,), _LOOK_SECONDS).done:
        budget.require_going_on()
    return begun.result()


def unless_stopped(work: Callable[[], Made], budget: Budget) -> Made:
    """What ``work`` gives, done in a thread of its own; raises Stopped like :func:`result_of`.

    What a stopped question has begun ends by itself; nothing of it is read.
    """
    pool = ThreadPoolExecutor(1, thread_name_prefix="begun")
    try:
        return result_of(pool.submit(copy_context().run, work), budget)
    finally:
        pool.shutdown(wait=False)
