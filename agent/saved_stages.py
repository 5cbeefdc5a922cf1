"""What the steps of a question have made, saved so that another worker goes on from there."""

import hashlib
import json
import logging
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import agent
import ontology
import retrieval
from agent.question_steps import Run
from agent.run_store import RunState, RunStatus, RunStore, Stage
from agent.whole_json import Check, NotPlain, from_plain, to_plain

_log = logging.getLogger(__name__)

_MADE = ("turn", "plan", "results", "drawn")
_MOST_CHARACTERS = 1_000_000
"""What is larger is not saved: to retrieve it again costs less than to carry it about."""


@dataclass(frozen=True, slots=True)
class SavedStages:
    """Where stages are saved, and the gate: no query comes back past it."""

    runs: RunStore
    check: Check

    def of(self, run: Run) -> "SavedRun":
        """The place of a run that no step was done of yet."""
        question = run.context.question
        try:
            whole = to_plain((question, run.turn, run.earlier, str(run.context.folder)))
        except NotPlain as error:
            extra = {"action": "stage-not-saved"}
            _log.warning("A question cannot be told from others: %s", error, extra=extra)
            whole = uuid4().hex
        about = hashlib.sha256((json.dumps(whole) + _program()).encode()).hexdigest()
        return SavedRun(f"stages-{question.trace_id}", about, self)


@dataclass(frozen=True, slots=True)
class SavedRun:
    """Saves after each step; a run that cannot be had again as it was is begun anew."""

    name: str
    about: str
    """A digest of what the steps depend on beside the data: question, thread, and this program."""
    saved: SavedStages

    def resumed(self, run: Run) -> Run:
        """``run`` with what was made of it before; as it is where nothing fits.

        Raises RunStoreError.
        """
        state = self.saved.runs.load(self.name)
        if state is None or state.artefacts.get("about") != self.about:
            return run
        try:
            made: dict[str, Any] = from_plain(state.artefacts["made"], self.saved.check)
            cost = from_plain(state.artefacts["cost"], self.saved.check)
            resumed = replace(run, **made)
        except (NotPlain, KeyError, TypeError) as error:
            extra = {"action": "stage-made-anew", "run": state.id}
            _log.warning("A saved stage cannot be used: %s", error, extra=extra)
            return run
        run.context.budget.charge_all(cost)
        return resumed

    def keep(self, run: Run, stage: Stage) -> None:
        """Save what was made so far; raises RunStoreError."""
        if run.answer is not None:
            # What ends a run is not worked on any more.
            return
        try:
            made = to_plain({name: getattr(run, name) for name in _MADE})
            cost = to_plain(run.context.budget.cost)
        except NotPlain as error:
            _log.warning("A stage cannot be saved: %s", error, extra={"action": "stage-not-saved"})
            return
        if len(json.dumps(made)) <= _MOST_CHARACTERS:
            state = RunState(self.name).at(stage, about=self.about, made=made, cost=cost)
            self.saved.runs.save(state)

    def forget(self) -> None:
        """The run has its answer: what it was made of is needed no more; raises RunStoreError."""
        self.saved.runs.save(RunState(self.name, status=RunStatus.COMPLETED))


@lru_cache(maxsize=1)
def _program() -> str:
    """A digest of what makes the stages: another version may mean something else by them."""
    digest = hashlib.sha256()
    for package in (agent, retrieval, ontology):
        folder = Path(str(package.__file__)).parent
        for path in sorted(folder.rglob("*.*")):
            if path.suffix in {".py", ".toml", ".ttl", ".json", ".csv", ".md"}:
                digest.update(path.read_bytes())
    return digest.hexdigest()
