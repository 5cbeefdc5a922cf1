"""Asks each part whether it can do its work, and says what to do where it cannot."""

import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from agent.errors import AgentError
from bot.errors import BotError
from ontology.errors import OntologyError
from retrieval.errors import RetrievalError
from sandbox.errors import SandboxError

log = logging.getLogger(__name__)

OPERATOR_ERRORS = (BotError, AgentError, RetrievalError, SandboxError, OntologyError)
"""What our packages raise for an operator to act on."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One part, and how to try it."""

    name: str
    try_out: Callable[[], str]
    """What was found, in a few words; raises one of :data:`OPERATOR_ERRORS`, or OSError."""
    remedy: str
    """What to do where it fails."""
    needed: bool = True
    """Whether no question can be answered without it."""


@dataclass(frozen=True, slots=True)
class Health:
    """One part's state."""

    name: str
    ok: bool
    found: str
    remedy: str
    needed: bool
    seconds: float


def health_of(probe: Probe) -> Health:
    """The state of one part, tried out now."""
    started = time.perf_counter()
    try:
        found, ok = probe.try_out(), True
    except (*OPERATOR_ERRORS, OSError, ImportError) as error:
        found, ok = str(error) or type(error).__name__, False
        log.warning("%s does not work: %s", probe.name, error)
    remedy = "" if ok else probe.remedy
    return Health(probe.name, ok, found, remedy, probe.needed, time.perf_counter() - started)


def can_serve(states: Iterable[Health]) -> bool:
    """Whether every part that is needed works."""
    return all(state.ok or not state.needed for state in states)
