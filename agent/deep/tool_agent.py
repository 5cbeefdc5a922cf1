"""A sub-agent that has the model call tools, one at a time, until its task is done."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from agent.answer import AnswerTable
from agent.answer_codec import cost_of
from agent.asking_model import AskingModel
from agent.deep.sub_agent import Report
from agent.errors import ModelReplyUnusable
from agent.language_model import LanguageModel
from agent.prompt_files import prompt
from agent.run_context import RunContext
from agent.tools import Tool, ToolResult, ToolSet
from agent.tracing import Kind

_FINISH = Tool(
    "finish",
    "The task is done, or cannot be done: say in a sentence what was found, or why not.",
    {
        "type": "object",
        "properties": {"report": {"type": "string", "maxLength": 400}},
        "required": ["report"],
        "additionalProperties": False,
    },
)
_CLARIFY = "exasage_clarify"
_LONGEST_RESULT = 700
"""Characters of a result that the model is shown."""
_MOST_TOKENS = 300
_NO_REQUEST = "the language model made no request that could be used"


@dataclass(frozen=True, slots=True)
class Made:
    """A call that was made, and what it gave."""

    tool: str
    arguments: Mapping[str, object]
    result: ToolResult


Settle = Callable[[Made, RunContext], Report | None]
"""What a call settles; None where the work goes on."""
Conclude = Callable[[str, Sequence[Made], RunContext], Report]
"""The report of a task that the model calls finished, from its words and the calls so far."""


@dataclass(frozen=True, slots=True)
class ToolAgent:
    """Calls are bounded, the same call is not made twice, and what failed is told to the model."""

    model: LanguageModel
    tools: ToolSet
    offered: tuple[str, ...]
    """Names of the tools that the model may call."""
    description: str
    settle: Settle
    conclude: Conclude
    prompt_name: str = "retrieve"
    vet: Callable[[str, Mapping[str, object]], str] = lambda task, arguments: ""
    """What is wrong with the arguments of a call for a task, before it is made."""
    fixed: Callable[[RunContext], Mapping[str, object]] = lambda context: {}
    """Arguments that are given to each call and never left to the model."""
    most_calls: int = 6

    def work(self, words: str, tables: Sequence[AnswerTable], context: RunContext) -> Report:
        """Call tools until one settles the task, the model finishes, or the calls are used up."""
        course = _Course(words)
        model = context.asking(self.model, "retrieval")
        fixed = self.fixed(context)
        known = {tool.name: tool for tool in self.tools.tools() if tool.name in self.offered}
        offered = [replace(tool, parameters=_left(tool, fixed)) for tool in known.values()]
        for _ in range(self.most_calls):
            context.budget.require_going_on()
            wanted = self._next_call(model, course, [*offered, _FINISH])
            if wanted is None:
                continue
            name, arguments = wanted
            if name == _FINISH.name:
                report = self.conclude(str(arguments.get("report", "")), course.made, context)
                is_told = bool(report.problem and course.problem)
                return replace(report, problem=course.problem) if is_told else report
            if not course.is_new(name, arguments):
                course.repeat(name, arguments)
                continue
            given = {key: fixed[key] for key in _properties(known[name]) if key in fixed}
            if wrong := _unknown(arguments, known[name]) or self.vet(words, arguments):
                course.add(name, arguments, f"refused: {wrong}")
                continue
            made = self._called(name, {**arguments, **given}, context)
            settled = None if made.result.problem else self.settle(made, context)
            if settled is not None:
                return settled
            course.made.append(made)
            course.problem = made.result.problem
            told = made.result.problem or json.dumps(made.result.content, default=str)
            course.add(name, arguments, told[:_LONGEST_RESULT])
        return Report(problem=course.problem or _NO_REQUEST, error=course.last)

    def resume(self, request_id: str, choice: str, context: RunContext) -> Report:
        """Hand ``choice`` to the request that waits for it."""
        given = {"request_id": request_id, "choice": choice}
        known = next((tool for tool in self.tools.tools() if tool.name == _CLARIFY), None)
        taken = _properties(known) if known is not None else {}
        fixed = {key: value for key, value in self.fixed(context).items() if key in taken}
        made = self._called(_CLARIFY, {**fixed, **given}, context)
        if made.result.problem:
            return Report(problem=made.result.problem)
        return self.settle(made, context) or Report(problem="the choice settled nothing")

    def _next_call(
        self, model: AskingModel, course: "_Course", offered: Sequence[Tool]
    ) -> tuple[str, Mapping[str, object]] | None:
        """The call that the model wants; None where its reply is of no use."""
        calls = "\n".join(course.lines) or "none"
        asked = prompt(self.prompt_name, longest=_MOST_TOKENS, task=course.task, calls=calls)
        try:
            called = model.call(asked, offered)
        except ModelReplyUnusable as error:
            course.last = _NO_REQUEST
            course.lines.append(f"your reply was of no use: {error}")
            return None
        return called.tool, called.arguments

    def _called(self, name: str, arguments: Mapping[str, object], context: RunContext) -> Made:
        with context.tracer.span(Kind.TOOL, name, arguments) as span:
            result = self.tools.call(name, arguments, span.id, context.budget)
            # A call is paid for whatever came of it.
            context.budget.charge_all(cost_of(result.content))
            span.tell(sorted(result.content), problem=result.problem)
        return Made(name, arguments, result)


@dataclass(slots=True)
class _Course:
    """The calls of one task so far, as the model is told of them."""

    task: str
    lines: list[str] = field(default_factory=list)
    made: list[Made] = field(default_factory=list)
    wanted: set[str] = field(default_factory=set)
    last: str = ""
    """What came of the last call, in which words of the model may stand."""
    problem: str = ""
    """What a tool said that failed, in our words."""

    def is_new(self, name: str, arguments: Mapping[str, object]) -> bool:
        """Whether this call was not made yet; from now on it was."""
        key = json.dumps([name, arguments], sort_keys=True)
        if key in self.wanted:
            return False
        self.wanted.add(key)
        return True

    def add(self, name: str, arguments: Mapping[str, object], told: str) -> None:
        """Note a call and what came of it."""
        self.last = told
        self._tell(name, arguments, told)

    def repeat(self, name: str, arguments: Mapping[str, object]) -> None:
        """Note a call that is not made again: what went wrong is still what did before."""
        self._tell(name, arguments, "refused: this very call was made before")

    def _tell(self, name: str, arguments: Mapping[str, object], told: str) -> None:
        self.lines.append(f"{name}({json.dumps(arguments)}) -> {told}")


def _left(tool: Tool, fixed: Mapping[str, object]) -> Mapping[str, object]:
    """The parameters of ``tool`` that are left to the model."""
    left = {name: schema for name, schema in _properties(tool).items() if name not in fixed}
    required = tool.parameters.get("required")
    needed = [n for n in required if n in left] if isinstance(required, Sequence) else []
    return {"type": "object", "properties": left, "required": needed, "additionalProperties": False}


def _unknown(arguments: Mapping[str, object], tool: Tool) -> str:
    """What is wrong with arguments that ``tool`` does not take: it would repeat their names."""
    left = arguments.keys() - _properties(tool).keys()
    return f"it takes no {', '.join(sorted(left))}" if left else ""


def _properties(tool: Tool) -> Mapping[str, object]:
    properties = tool.parameters.get("properties")
    return properties if isinstance(properties, Mapping) else {}
