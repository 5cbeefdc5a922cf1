"""The port to saved runs: where a request stands, so that another worker can go on with it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Protocol


class Stage(StrEnum):
    """The working states of a request's life."""

    IDLE = "idle"
    INPUT_VALIDATION = "input validation"
    GENERATION = "query and graph generation"
    EXECUTION = "query execution"


class RunStatus(StrEnum):
    """How far a request came in its stage, or how it ended."""

    RUNNING = "running"
    WAITING = "waiting for clarification"
    COMPLETED = "completed"
    REJECTED = "rejected"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class RunState:
    """One request: stage, status, and what has been made so far."""

    id: str
    stage: Stage = Stage.IDLE
    status: RunStatus = RunStatus.RUNNING
    artefacts: Mapping[str, object] = field(default_factory=dict)
    """Plain JSON by name: entities, metrics, times, query, tables."""

    def at(self, stage: Stage, status: RunStatus = RunStatus.RUNNING, **made: object) -> "RunState":
        """The same request further on, with what was ``made`` since."""
        return replace(self, stage=stage, status=status, artefacts={**self.artefacts, **made})


class RunStore(Protocol):
    """Keeps the state of requests for a while; RunStoreError where it cannot."""

    def save(self, state: RunState) -> None:
        """Keep ``state`` in place of what was kept of the same request."""
        ...

    def load(self, request_id: str) -> RunState | None:
        """What was kept last; None where nothing is known of the request."""
        ...
