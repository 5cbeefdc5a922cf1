"""What the commands share: the analyst they are given, their clock, and readable failures."""

import logging
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from agent import Analyst
from agent.run_store import RunStore
from bot.errors import SettingsError
from bot.health import OPERATOR_ERRORS
from bot.settings import Settings
from bot.telemetry import log_to
from bot.trace_values import secrets_in

log = logging.getLogger(__name__)

BuildAnalyst = Callable[[Settings, Path], Analyst]
BuildResuming = Callable[[Settings, Path, RunStore], Analyst]
"""Builds an analyst that goes on with the questions whose stages are saved."""
Clock = Callable[[], datetime]
_LOADING_SECONDS = 10.0
_LOOK_SECONDS = 0.2


def begin(settings: Settings) -> None:
    """Make the data folder and send the log there; raises SettingsError."""
    try:
        settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        settings.answers.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise SettingsError(
            f"the data folder {settings.data} cannot be used ({error.strerror}); "
            "ODABOT_DATA names another one"
        ) from error
    path = None if settings.log_to_stderr else settings.data / "log.jsonl"
    log_to(path, settings.log_level, secrets_in(settings))


@contextmanager
def warmed(analyst: Analyst) -> Iterator[None]:
    """Load meanwhile what takes long and hardly any question needs at once."""
    warming = threading.Thread(target=_warm_up, args=(analyst,), name="warm-up", daemon=True)
    warming.start()
    try:
        yield
    finally:
        # For the sandbox, which is closed next; what takes longer ends with the process.
        warming.join(_LOADING_SECONDS)


def _warm_up(analyst: Analyst) -> None:
    try:
        analyst.warm_up()
    except OPERATOR_ERRORS as error:
        # Most questions are answered all the same; odabot check tells what is missing for others.
        log.warning("%s", error, extra={"action": "not_warmed_up"})


def clock_from(now: datetime | None) -> Clock:
    """A clock that shows ``now`` at this moment and goes on from there, or the real one, in UTC."""
    if now is None:
        return clock_at(None)
    begun, started = now.astimezone(UTC), datetime.now(UTC)
    return lambda: begun + (datetime.now(UTC) - started)


def clock_at(now: datetime | None) -> Clock:
    """A clock that stands at ``now``, or the real one, in UTC."""
    if now is not None:
        return lambda: now
    return lambda: datetime.now(UTC)


def wait_for(stopping: threading.Event) -> None:
    """Return once ``stopping`` is set, also where a handler of signals sets it."""
    # A handler interrupts this very thread: while that waits on the event it holds the event's
    # lock, and the handler would wait for the lock for ever. In slices, as a signal may reach
    # another thread than this one, which has to hear of it.
    while not stopping.is_set():
        time.sleep(_LOOK_SECONDS)


@contextmanager
def told_to_stop() -> Iterator[threading.Event]:
    """Set when the process is asked to end; what it was told before counts again afterwards."""
    stopping = threading.Event()
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: stopping.set()) for number in numbers]
    try:
        yield stopping
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
