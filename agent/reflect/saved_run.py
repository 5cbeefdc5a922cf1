"""A request on its way: what a step makes is saved at once, and not made a second time."""

import logging
from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from agent.run_store import RunState, RunStatus, RunStore, Stage
from retrieval.asking import Asking
from retrieval.understanding import Unclear

_log = logging.getLogger(__name__)

Made = TypeVar("Made")

_SETTLED = TypeAdapter(dict[str, str])
_WAITING = TypeAdapter(Unclear)
_ANSWER = TypeAdapter(dict[str, object])


class SavedRun:
    """One request with the store that keeps its state; the state is what counts."""

    def __init__(self, store: RunStore, state: RunState) -> None:
        self._store = store
        self.state = state

    @classmethod
    def begun(cls, store: RunStore, name: str, request: str, asked_at: datetime) -> "SavedRun":
        """A new request, saved as it came in."""
        run = cls(store, RunState(name))
        moment = asked_at.isoformat()
        run._save(run.state.at(Stage.IDLE, asked=request, request=request, asked_at=moment))
        return run

    @property
    def asking(self) -> Asking:
        """The request with the moment it was asked at and the choices made in it since."""
        made = self.state.artefacts
        asked_at = datetime.fromisoformat(str(made["asked_at"]))
        settled = _SETTLED.validate_python(made.get("settled", {}))
        return Asking(str(made["request"]), asked_at, settled)

    @property
    def waiting(self) -> Unclear | None:
        """What was asked back and is not settled yet."""
        asked = self.state.artefacts.get("waiting")
        return None if asked is None else _WAITING.validate_python(asked)

    @property
    def answer(self) -> dict[str, object]:
        """The answer that the request ended with, in plain JSON."""
        return _ANSWER.validate_python(self.state.artefacts["answer"])

    def kept(self, name: str, form: TypeAdapter[Made]) -> Made | None:
        """What was saved under ``name``; None where nothing was, or in no form that is known."""
        saved = self.state.artefacts.get(name)
        if saved is None:
            return None
        try:
            return form.validate_python(saved)
        except ValidationError:
            # Another version of the program may have saved it.
            extra = {"action": "artefact-made-anew", "run": self.state.id}
            _log.warning("A saved %s cannot be read", name, extra=extra)
            return None

    def keep(self, name: str, form: TypeAdapter[Made], made: Made) -> Made:
        """``made``, saved under ``name``."""
        self._save(self._here(**{name: form.dump_python(made, mode="json")}))
        return made

    def once(self, name: str, form: TypeAdapter[Made], make: Callable[[], Made]) -> Made:
        """What was saved under ``name``; else what ``make`` gives, saved."""
        kept = self.kept(name, form)
        return self.keep(name, form, make()) if kept is None else kept

    def enter(self, stage: Stage) -> None:
        """Go on to ``stage``; nothing is saved where the request is there already."""
        if self.state.stage is not stage:
            self._save(self.state.at(stage))

    def wait(self, asked: Unclear) -> None:
        """Wait, where it stands, for an answer to ``asked``."""
        waiting = _WAITING.dump_python(asked, mode="json")
        self._save(self.state.at(self.state.stage, RunStatus.WAITING, waiting=waiting))

    def settle(self, choice: str, more: str = "") -> None:
        """Go on with ``choice`` made, and with what else the answer asked for."""
        asked = self.waiting
        assert asked is not None
        settled = {**self.asking.settled, asked.about: choice}
        request = str(self.state.artefacts["request"])
        whole = f"{request.rstrip(' ?.!')}, {more}" if more else request
        self._save(self._here(settled=settled, waiting=None, request=whole))

    def end(self, status: RunStatus, answer: object) -> None:
        """The request has come to its end, with an answer in plain JSON."""
        self._save(self.state.at(self.state.stage, status, answer=answer))

    def _here(self, **made: object) -> RunState:
        return self.state.at(self.state.stage, RunStatus.RUNNING, **made)

    def _save(self, state: RunState) -> None:
        self._store.save(state)
        self.state = state
