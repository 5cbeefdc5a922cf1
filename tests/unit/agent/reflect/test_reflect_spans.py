"""What is traced of a request: its stages, each reply, and what the rules made of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from agent.answer import Usage
from agent.session import Question
from agent.tracing import Kind
from tests.reflecting import PLAIN, Reflecting, a_context, plugin, saying

POWER = "average total power of node 5 on 1 June 2022"


class Step:
    """One step under way."""

    id = ""

    def __init__(self, kind: str, name: str, depth: int) -> None:
        self.kind, self.name, self.depth = kind, name, depth
        self.output: object = None
        self.problem = ""

    def tell(
        self,
        output: object = None,
        *,
        usage: Usage | None = None,
        model: str = "",
        problem: str = "",
    ) -> None:
        self.output, self.problem = output, problem


class Steps:
    """Keeps the steps in the order in which they began."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._depth = 0

    @contextmanager
    def question(self, question: Question) -> Iterator[Step]:
        yield Step(Kind.AGENT, "question", 0)

    @contextmanager
    def span(self, kind: Kind, name: str, given: object = None, parent: str = "") -> Iterator[Step]:
        step = Step(kind, name, self._depth)
        self.steps.append(step)
        self._depth += 1
        try:
            yield step
        finally:
            self._depth -= 1


def traced(replies: dict[str, list[str]], text: str = POWER) -> list[Step]:
    tracer = Steps()
    reflecting = Reflecting(saying({**PLAIN, **replies}))
    reflecting.agent().query(text, replace(a_context(), tracer=tracer))
    return tracer.steps


def test_the_stages_are_nested_sub_agents_with_their_replies_and_checks() -> None:
    steps = traced({})

    assert [(step.depth, step.kind, step.name) for step in steps] == [
        (0, "agent", "reflect agent"),
        (1, "agent", "input validation"),
        (2, "check", "entities"),
        (2, "generation", "intent"),
        (2, "check", "intent"),
        (2, "generation", "plugin"),
        (2, "check", "plugin"),
        (2, "check", "metric"),
        (2, "generation", "time-words"),
        (2, "check", "time-words"),
        (2, "check", "time"),
        (1, "agent", "query and graph generation"),
        (1, "agent", "query execution"),
    ]


def test_a_reply_that_is_rejected_is_traced_with_the_reason() -> None:
    steps = traced({"plugin": [plugin("ganglia_pub"), plugin("ipmi_pub", 50), plugin("ipmi_pub")]})

    checks = [step for step in steps if (step.kind, step.name) == ("check", "plugin")]
    assert [step.output for step in checks] == ["rejected", "rejected", "accepted"]
    assert [step.problem for step in checks] == [
        "'total power' is measured by ipmi_pub.",
        "you are only 50 % sure of it.",
        "",
    ]
