"""The life of a request: validated, written as a query, executed; saved wherever it stands."""

from dataclasses import replace
from typing import Protocol

from pydantic import TypeAdapter

from agent.answer import Answer, Answered, Declined, DeclineReason
from agent.answer_codec import decode, encode
from agent.clarification import Chosen, choice_in
from agent.language_model import LanguageModel
from agent.reflect.input_validation import InputValidation, Validated
from agent.reflect.query_steps import QuerySteps, Written
from agent.reflect.saved_run import SavedRun
from agent.run_context import RunContext
from agent.run_store import RunStatus, RunStore, Stage
from agent.stopped_reading import answer_to
from agent.tracing import Kind
from retrieval.understanding import NotUnderstood, ReadingStops, Unclear

_WRITTEN = TypeAdapter(Written)
_NOTHING_WAITS = "No request waits for this answer any more. Please ask the question again."


class ReadsTimes(Protocol):
    """Tells whether a text is a time."""

    def is_time(self, text: str) -> bool:
        """Whether ``text`` says nothing but a time."""
        ...


class ReflectAgent:
    """RetrievalTools by the model: each step is small, typed, checked by rules, and saved."""

    def __init__(
        self,
        model: LanguageModel,
        validation: InputValidation,
        queries: QuerySteps,
        times: ReadsTimes,
        runs: RunStore,
    ) -> None:
        self._model = model
        self._validation = validation
        self._queries = queries
        self._times = times
        self._runs = runs

    def query(self, request: str, context: RunContext) -> Answer:
        """The tables that answer ``request``, a question back, or why there are none.

        A request that was begun before, by whichever worker, goes on where it was.
        """
        question = context.question
        state = self._runs.load(question.trace_id)
        if state is not None and state.artefacts.get("asked") == request:
            return self._traced(SavedRun(self._runs, state), context)
        run = SavedRun.begun(self._runs, question.trace_id, request, question.asked_at)
        return self._traced(run, context)

    def written(self, request: str, context: RunContext) -> tuple[Validated, Written] | None:
        """``request`` as it was read, and the query for it, which is not run.

        None where it ends before that, by a question back or a refusal. Raises ModelError,
        BudgetSpent or Stopped.
        """
        question = context.question
        run = SavedRun.begun(self._runs, question.trace_id, request, question.asked_at)
        with context.tracer.span(Kind.AGENT, "reflect agent", request) as span:
            try:
                validated = self._validate(run, context)
            except ReadingStops as stopped:
                span.tell(_stopped(run, stopped.outcome).text)
                return None
            written = self._write(run, validated, context)
            if isinstance(written, Declined):
                span.tell(_ended(run, RunStatus.FAILED, written).text)
                return None
            span.tell(written.query)
        return validated, written

    def resume(self, request_id: str, context: RunContext) -> Answer:
        """Go on with a request that another worker began; nothing that is done is repeated."""
        state = self._runs.load(request_id)
        if state is None:
            return Declined(DeclineReason.NOT_UNDERSTOOD, _NOTHING_WAITS)
        return self._traced(SavedRun(self._runs, state), context)

    def clarify(self, request_id: str, choice: str, context: RunContext) -> Answer:
        """Go on with a request that waits, at the step where it stopped."""
        state = self._runs.load(request_id)
        if state is None:
            return Declined(DeclineReason.NOT_UNDERSTOOD, _NOTHING_WAITS)
        run = SavedRun(self._runs, state)
        waiting = run.waiting
        if state.status is RunStatus.WAITING and waiting is not None:
            chosen = self._chosen(waiting, choice, run)
            if chosen is None:
                text = f"{choice!r} is none of the options. {waiting.question}"
                return answer_to(replace(waiting, question=text))
            run.settle(chosen.id, chosen.more)
        return self._traced(run, context)

    def _chosen(self, waiting: Unclear, choice: str, run: SavedRun) -> Chosen | None:
        made = choice_in(choice, waiting.choices, run.asking.text)
        if made is None and waiting.free and self._times.is_time(choice):
            return Chosen(choice)
        return made

    def _traced(self, run: SavedRun, context: RunContext) -> Answer:
        with context.tracer.span(Kind.AGENT, "reflect agent", run.asking.text) as span:
            answer = self._answered(run, context)
            span.tell(answer.text)
        return replace(answer, cost=context.budget.cost)

    def _answered(self, run: SavedRun, context: RunContext) -> Answer:
        """Every transition of a request's life, from wherever it stands."""
        state = run.state
        if state.status is RunStatus.WAITING and run.waiting is not None:
            return answer_to(run.waiting)
        if state.status is not RunStatus.RUNNING:
            return decode(run.answer, context.folder.joinpath)
        try:
            validated = self._validate(run, context)
        except ReadingStops as stopped:
            return _stopped(run, stopped.outcome)
        written = self._write(run, validated, context)
        if isinstance(written, Declined):
            return _ended(run, RunStatus.FAILED, written)
        answer = self._run(run, validated, written, context)
        return _ended(run, _status_of(answer), answer)

    def _validate(self, run: SavedRun, context: RunContext) -> Validated:
        run.enter(Stage.INPUT_VALIDATION)
        context.note("checking what is asked")
        with context.tracer.span(Kind.AGENT, Stage.INPUT_VALIDATION, run.asking.text) as span:
            model = context.asking(self._model, "retrieval")
            validated = self._validation.validated(run, model)
            span.tell(validated)
        return validated

    def _write(
        self, run: SavedRun, validated: Validated, context: RunContext
    ) -> Written | Declined:
        run.enter(Stage.GENERATION)
        context.note("writing the query")
        with context.tracer.span(Kind.AGENT, Stage.GENERATION, validated.grounded) as span:
            written = run.kept("query", _WRITTEN)
            if written is None:
                made = self._queries.write(validated.grounded, context)
                if isinstance(made, Declined):
                    span.tell(problem=made.text)
                    return made
                written = run.keep("query", _WRITTEN, made)
            span.tell(written.query)
        return written

    def _run(
        self, run: SavedRun, validated: Validated, written: Written, context: RunContext
    ) -> Answer:
        run.enter(Stage.EXECUTION)
        context.note("running the query")
        with context.tracer.span(Kind.AGENT, Stage.EXECUTION, written.query) as span:
            answer = self._queries.run(validated.grounded, written, validated.notes, context)
            span.tell(answer.text)
        return answer


def _status_of(answer: Answer) -> RunStatus:
    """How a request ends whose query was run: that there are no data is a finding too."""
    sound = isinstance(answer, Answered) or (
        isinstance(answer, Declined) and answer.reason is DeclineReason.NO_DATA
    )
    return RunStatus.COMPLETED if sound else RunStatus.FAILED


def _stopped(run: SavedRun, outcome: Unclear | NotUnderstood) -> Answer:
    """The request waits for a choice, or is rejected."""
    answer = answer_to(outcome)
    if isinstance(outcome, Unclear):
        run.wait(outcome)
        return answer
    return _ended(run, RunStatus.REJECTED, answer)


def _ended(run: SavedRun, status: RunStatus, answer: Answer) -> Answer:
    run.end(status, encode(answer, run.state.id))
    return answer
