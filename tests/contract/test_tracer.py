"""The promises of a tracer, whichever keeper its steps end in."""

import threading
from collections.abc import Iterator
from contextvars import copy_context
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol
from uuid import uuid4

import pytest

from agent.answer import Usage
from agent.session import Question
from agent.tracing import Kind, Tracer
from bot.langfuse_traces import LangfuseTraces
from bot.step_tracer import StepTracer
from bot.trace_files import TraceFiles
from bot.trace_step import trace_id_of
from bot.trace_values import PlainValues
from tests.fakes.langfuse_server import LangfuseServer, Received, receiving

NOW = datetime(2022, 6, 15, 10, tzinfo=UTC)
SECRET = "hunter2-hunter2"


@dataclass(frozen=True)
class Kept:
    """A step as a keeper has it, whichever it is."""

    span: str
    parent: str
    kind: str
    name: str
    given: object
    output: object
    usage: Usage
    model: str
    problem: str
    user: str
    conversation: str


class Place(Protocol):
    @property
    def tracer(self) -> StepTracer: ...

    def beside(self) -> "Place":
        """The same place as another process has it."""
        ...

    def kept(self, trace_id: str) -> list[Kept]:
        """All steps of a trace, once the tracer is closed."""
        ...


class InFiles:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.files = TraceFiles(folder / "traces", 30, 1 << 20)
        self.tracer = StepTracer([self.files], PlainValues(frozenset({SECRET})))

    def beside(self) -> Place:
        return InFiles(self._folder)

    def kept(self, trace_id: str) -> list[Kept]:
        self.tracer.close()
        return [
            Kept(
                s.span,
                s.parent,
                s.kind.value,
                s.name,
                s.given,
                s.output,
                s.usage,
                s.model,
                s.problem,
                s.owner.user,
                s.owner.conversation,
            )
            for s in self.files.read(trace_id)
        ]


class InLangfuse:
    """What the SDK really sends, over HTTP, to a server that is not Langfuse."""

    def __init__(self, server: LangfuseServer) -> None:
        self._server = server
        keeper = LangfuseTraces(server.url, server.public_key, server.secret_key)
        self.tracer = StepTracer([keeper], PlainValues(frozenset({SECRET})))

    def beside(self) -> Place:
        return InLangfuse(self._server)

    def kept(self, trace_id: str) -> list[Kept]:
        self.tracer.close()
        return [_kept(each) for each in self._server.of(trace_id_of(trace_id))]


def _kept(received: Received) -> Kept:
    kind = received.attribute("type")
    used = received.attribute("usage_details") or {}
    calls = received.attribute("metadata.llm_calls") or bool(used)
    read, written = (
        used.get(name) or received.attribute(f"metadata.{name}") or 0
        for name in ("input", "output")
    )
    return Kept(
        received.span,
        received.parent,
        {"span": "question", "guardrail": "check"}.get(kind, kind),
        received.name,
        received.attribute("input"),
        received.attribute("output"),
        Usage(int(calls), read, written),
        received.attribute("model.name") or "",
        received.attribute("status_message") or "",
        received.attributes.get("user.id", ""),
        received.attributes.get("session.id", ""),
    )


@pytest.fixture(params=["files", "langfuse"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    if request.param == "files":
        yield InFiles(tmp_path)
        return
    with receiving() as server:
        yield InLangfuse(server)


def a_question(trace_id: str = "", text: str = "power of node 3") -> Question:
    return Question(text, NOW, trace_id or uuid4().hex[:16], "ann", "web:ops:1")


def by_name(place: Place, question: Question) -> dict[str, Kept]:
    return {step.name: step for step in place.kept(question.trace_id)}


def test_steps_nest_as_they_were_opened(place: Place) -> None:
    question, tracer = a_question(), place.tracer

    with (
        tracer.question(question),
        tracer.span(Kind.AGENT, "coordinator"),
        tracer.span(Kind.AGENT, "retriever", {"task": "read"}) as retriever,
    ):
        with tracer.span(Kind.TOOL, "query", {"sparql": "SELECT *"}) as query:
            query.tell({"rows": 3})
        with tracer.span(Kind.GENERATION, "restate") as reply:
            reply.tell("power", usage=Usage(1, 100, 10), model="small")
        retriever.tell("done")

    steps = by_name(place, question)
    assert {name: step.kind for name, step in steps.items()} == {
        "question": "question",
        "coordinator": "agent",
        "retriever": "agent",
        "query": "tool",
        "restate": "generation",
    }
    assert steps["question"].parent == ""
    assert steps["coordinator"].parent == steps["question"].span
    assert steps["retriever"].parent == steps["coordinator"].span
    assert steps["query"].parent == steps["restate"].parent == steps["retriever"].span
    assert steps["query"].given == {"sparql": "SELECT *"}
    assert steps["query"].output == {"rows": 3}
    assert steps["restate"].usage == Usage(1, 100, 10)
    assert steps["restate"].model == "small"


def test_every_step_knows_whose_question_it_is(place: Place) -> None:
    question = a_question()

    with place.tracer.question(question), place.tracer.span(Kind.AGENT, "coordinator"):
        pass

    owners = {(s.user, s.conversation) for s in place.kept(question.trace_id)}
    assert owners == {("ann", "web:ops:1")}


def test_what_is_raised_is_the_problem_of_the_steps_it_goes_through(place: Place) -> None:
    question, tracer = a_question(), place.tracer

    def fail() -> None:
        with tracer.span(Kind.AGENT, "coordinator"):
            with tracer.span(Kind.CHECK, "gate") as check:
                check.tell(problem="no such class")
            raise LookupError("no lake")

    with tracer.question(question), pytest.raises(LookupError):
        fail()

    steps = by_name(place, question)
    assert steps["coordinator"].problem == "LookupError: no lake"
    assert steps["gate"].problem == "no such class"
    assert steps["question"].problem == ""


def test_a_thread_hangs_its_steps_below_the_step_that_it_is_told(place: Place) -> None:
    question, tracer = a_question(), place.tracer

    def work(parent: str) -> None:
        with tracer.span(Kind.TOOL, "elsewhere", parent=parent), tracer.span(Kind.TOOL, "below"):
            pass

    with tracer.question(question), tracer.span(Kind.AGENT, "coordinator") as span:
        alone = threading.Thread(target=work, args=(span.id,))
        context = copy_context()
        with_context = threading.Thread(target=lambda: context.run(work, ""))
        for thread in (alone, with_context):
            thread.start()
            thread.join()

    steps = place.kept(question.trace_id)
    (coordinator,) = [s for s in steps if s.name == "coordinator"]
    outer = [s for s in steps if s.name == "elsewhere"]
    assert [s.parent for s in outer] == [coordinator.span] * 2
    assert {s.parent for s in steps if s.name == "below"} == {s.span for s in outer}
    assert {s.user for s in steps} == {"ann"}


def test_questions_in_several_threads_do_not_mix(place: Place) -> None:
    questions = [a_question(text=f"question {n}") for n in range(6)]
    together = threading.Barrier(len(questions))

    def ask(question: Question) -> None:
        with place.tracer.question(question):
            together.wait(10)
            for n in range(20):
                with place.tracer.span(Kind.AGENT, f"step {n}", question.text):
                    pass

    threads = [threading.Thread(target=ask, args=(q,)) for q in questions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    for question in questions:
        steps = place.kept(question.trace_id)
        assert len(steps) == 21
        assert {s.given for s in steps if s.parent} == {question.text}


def test_a_second_tracer_of_the_process_knows_whose_question_it_is(place: Place) -> None:
    question, other = a_question(), place.beside()

    def serve(parent: str) -> None:
        with other.tracer.span(Kind.GENERATION, "reply", parent=parent) as reply:
            reply.tell(usage=Usage(1, 100, 10))

    with place.tracer.question(question), place.tracer.span(Kind.TOOL, "exasage_query") as span:
        thread = threading.Thread(target=serve, args=(span.id,))
        thread.start()
        thread.join()

    steps = by_name(place, question)
    assert steps["reply"].user == "ann"
    assert steps["question"].usage == Usage(1, 100, 10)


def test_the_root_has_the_tokens_of_all_replies_where_none_are_told(place: Place) -> None:
    question = a_question()

    with place.tracer.question(question) as root:
        for _ in range(3):
            with place.tracer.span(Kind.GENERATION, "reply") as reply:
                reply.tell(usage=Usage(1, 100, 10))
        root.tell({"status": "failed"}, problem="it broke")

    assert by_name(place, question)["question"].usage == Usage(3, 300, 30)


@pytest.mark.parametrize(
    "said",
    [
        f"the key {SECRET} is wrong",
        "redis://user:hunter2-hunter2@db/0",
        "http://ann:hunter2-hunter2@host/v1?x=1",
        {"headers": {"Authorization": "Bearer hunter2-other"}},
        "Authorization: Basic aHVudGVyMi1odW50ZXIy, hunter",
        "curl -H 'authorization: Bearer hunter2.x.y'",
        ["sk-lf-hunter2-hunter2-hunter2"],
        {"api_key": "hunter2"},
    ],
    ids=str,
)
def test_no_secret_is_kept(place: Place, said: object) -> None:
    question, tracer = a_question(text=f"what is {SECRET}"), place.tracer

    with tracer.question(question), tracer.span(Kind.TOOL, "call", said) as span:
        span.tell(said, problem=str(said))

    kept = str(place.kept(question.trace_id))
    assert "hunter2" not in kept
    assert "aHVudGVy" not in kept
    assert "***" in kept


def test_what_is_long_is_cut_and_what_is_no_plain_value_is_named(place: Place) -> None:
    question, tracer = a_question(), place.tracer
    given = {"text": "x" * 100_000, "many": list(range(500)), "odd": object(), "none": None}

    with tracer.question(question), tracer.span(Kind.TOOL, "call", given) as span:
        span.tell([["cell " * 3_000] * 40] * 40)

    step = by_name(place, question)["call"]
    assert isinstance(step.given, dict)
    assert len(step.given["text"]) < 25_000
    assert step.given["text"].endswith("(100000 characters)")
    assert step.given["many"][-1] == "and 400 more"
    assert step.given["odd"] == "object"
    assert len(str(step.output)) < 100_000
    assert "more" in str(step.output)


def test_a_value_that_never_ends_is_cut(place: Place) -> None:
    question, tracer = a_question(), place.tracer
    deep: object = "x"
    for _ in range(12):
        deep = [deep] * 100
    round_about: list[object] = []
    round_about += [round_about] * 3

    with tracer.question(question), tracer.span(Kind.TOOL, "call", deep) as span:
        span.tell({"round": round_about, "odd": [float("nan"), float("inf"), b"bytes", {1: 2}]})

    step = by_name(place, question)["call"]
    assert len(str(step.given)) < 200_000
    assert isinstance(step.output, dict)
    assert step.output["odd"] == ["nan", "inf", "5 bytes", {"1": 2}]


@dataclass(frozen=True)
class Request:
    metric: str
    names: tuple[str, ...] = ()
    unit: str = "W"
    frame: object = None
    rows: tuple[tuple[int, ...], ...] = ()


def test_a_dataclass_is_kept_by_its_fields_and_tables_only_by_their_size(place: Place) -> None:
    question, tracer = a_question(), place.tracer
    request = Request("power", ("3",), frame=Uncomparable(), rows=((4711,), (4712,)))

    with tracer.question(question), tracer.span(Kind.TOOL, "call", request) as span:
        span.tell({"tables": [{"name": "power", "rows": [[4711], [4712]]}], "csv": "4711\n"})

    step = by_name(place, question)["call"]
    assert step.given == {
        "metric": "power",
        "names": ["3"],
        "frame": "Uncomparable",
        "rows": "2 rows",
    }
    assert "4711" not in str(step)


class Uncomparable:
    """As a table is that compares cell by cell."""

    def __eq__(self, other: object) -> bool:
        raise TypeError("the truth of a table is ambiguous")

    __hash__ = None  # type: ignore[assignment]


def test_another_process_hangs_its_steps_below_a_traceparent(place: Place) -> None:
    here, there = place, place.beside()
    question = a_question()

    with here.tracer.question(question), here.tracer.span(Kind.TOOL, "exasage_query") as span:
        parent = span.id
        thread = threading.Thread(target=lambda: _serve(there.tracer, parent))
        thread.start()
        thread.join()

    steps = by_name(here, question)
    assert steps["retrieval"].parent == steps["exasage_query"].span
    assert steps["query"].parent == steps["retrieval"].span


def _serve(tracer: Tracer, parent: str) -> None:
    with tracer.span(Kind.AGENT, "retrieval", parent=parent), tracer.span(Kind.TOOL, "query"):
        pass
