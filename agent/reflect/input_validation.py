"""Stage 1: a request in words to one whose names all exist, or a question back, or a refusal."""

from dataclasses import dataclass

from pydantic import TypeAdapter

from agent.asking_model import AskingModel
from agent.reflect.grounded import Grounded, Part
from agent.reflect.intent import Intent
from agent.reflect.metric_steps import CHECKS, JOBS, MetricSteps
from agent.reflect.reflection import Reflection
from agent.reflect.saved_run import SavedRun
from agent.reflect.time_words import time_words
from agent.tracing import Kind
from retrieval.grounding import Grounding
from retrieval.likeness_rules import TURNING_WORDS
from retrieval.request import EntityKind, TimeWindow
from retrieval.slots import Slots
from retrieval.time_choice import WHICH_TIME
from retrieval.time_reading import LOOK_BACK
from retrieval.understanding import ReadingStops, Why, stop

_OUT_OF_SCOPE = (
    "I answer questions about the telemetry of the machine: its readings, jobs, monitoring checks"
    " and what there is of it. This is none of them."
)

_UNREAD = (
    "I did not understand {}, and leaving it out would answer another question. Please put it in"
    " other words."
)


@dataclass(frozen=True, slots=True)
class Validated:
    """What the next stages work on, and what an answer must say about how it was read."""

    grounded: Grounded
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Times:
    windows: tuple[TimeWindow, ...]
    notes: tuple[str, ...] = ()


_WORDS = TypeAdapter(tuple[str, ...])
_TIMES = TypeAdapter(_Times)
_VALIDATED = TypeAdapter(Validated)


class InputValidation:
    """Takes a request through the steps of the stage; what is done is not done again."""

    def __init__(self, grounding: Grounding, reflection: Reflection) -> None:
        self._grounding = grounding
        self._reflection = reflection

    def validated(self, run: SavedRun, model: AskingModel) -> Validated:
        """The request grounded; raises ReadingStops, or what a call of the model raises."""
        return run.once("grounded", _VALIDATED, lambda: self._validated(run, model))

    def _validated(self, run: SavedRun, model: AskingModel) -> Validated:
        slots = self._things(run, model)
        steps = MetricSteps(self._grounding, self._reflection, model, run)
        intent = steps.intent(slots)
        if intent.about == "other":
            raise stop(Why.OUT_OF_SCOPE, _OUT_OF_SCOPE)
        parts, jobs, notes = self._parts(steps, intent, slots)
        times = self._times(run, model, slots, intent)
        grounded = Grounded(
            request=run.asking.text,
            parts=parts,
            windows=times.windows,
            entities=slots.entities.found,
            jobs=jobs,
            measures=slots.measures,
            groups=slots.groups,
            zone=self._grounding.zone.key,
        )
        return Validated(grounded, (*notes, *times.notes, *_left_to_model(intent, slots)))

    def _things(self, run: SavedRun, model: AskingModel) -> Slots:
        """What the rules read in the request; names that do not exist end it here."""
        asking = run.asking
        with model.tracer.span(Kind.CHECK, "entities", asking.text) as span:
            slots = self._grounding.slots(asking.text, asking.now)
            _refuse_unread(slots)
            span.tell([f"{entity.kind.value} {entity.name}" for entity in slots.entities.found])
        return slots

    def _parts(
        self, steps: MetricSteps, intent: Intent, slots: Slots
    ) -> tuple[tuple[Part, ...], bool, tuple[str, ...]]:
        """What is measured, whether the job table is needed, and what must be said of it."""
        if intent.about == "metric":
            measured, notes = steps.measured(intent)
            of_jobs = any(one.plugin == JOBS for one in measured) or _names_jobs(slots)
            return tuple(one.part for one in measured if one.part is not None), of_jobs, notes
        if intent.about == "checks":
            return (steps.whole_of(CHECKS),), False, ()
        return (), intent.about == "jobs", ()

    def _times(self, run: SavedRun, model: AskingModel, slots: Slots, intent: Intent) -> _Times:
        copied = run.once(
            "time words",
            _WORDS,
            lambda: time_words(model, run.asking.text, self._reflection),
        )
        return run.once("times", _TIMES, lambda: self._windows(run, slots, copied, intent, model))

    def _windows(
        self,
        run: SavedRun,
        slots: Slots,
        copied: tuple[str, ...],
        intent: Intent,
        model: AskingModel,
    ) -> _Times:
        asking = run.asking
        with model.tracer.span(Kind.CHECK, "time", copied) as span:
            windows, notes = self._grounding.windows(slots, copied, asking)
            if not windows and slots.wants_latest:
                windows = (TimeWindow(asking.now - LOOK_BACK, asking.now, True),)
            if not windows and _needs_time(intent, slots):
                raise ReadingStops(WHICH_TIME)
            span.tell([f"{one.start} to {one.end}" for one in windows])
        return _Times(windows, notes)


def _refuse_unread(slots: Slots) -> None:
    """Raises ReadingStops for a word that turns what is asked and that no rule has read."""
    turning = [word for word in slots.leftovers if word.lower() in TURNING_WORDS]
    if turning:
        words = ", ".join(f"'{word}'" for word in dict.fromkeys(turning))
        raise stop(Why.NOT_UNDERSTOOD, _UNREAD.format(words))


def _left_to_model(intent: Intent, slots: Slots) -> tuple[str, ...]:
    """What to say of words that no rule knows; those for a metric are told with what they name."""
    if intent.about == "metric" or not slots.leftovers:
        return ()
    words = ", ".join(f"'{word}'" for word in dict.fromkeys(slots.leftovers))
    return (f"No rule knows {words}: the language model alone read it.",)


def _names_jobs(slots: Slots) -> bool:
    named = any(slots.entities.of(kind) for kind in (EntityKind.JOB, EntityKind.USER))
    return named or slots.jobs.mentioned


def _needs_time(intent: Intent, slots: Slots) -> bool:
    """Whether the answer depends on a time: a job that is named has its own."""
    return intent.about != "topology" and not slots.entities.of(EntityKind.JOB)
