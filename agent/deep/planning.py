"""A question to an ordered list of tasks, by the model; rules hold them against the question."""

import re
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from agent.asking_model import AskingModel
from agent.chart_choice import chart_words
from agent.deep.layers import Layers
from agent.deep.sub_agent import Task
from agent.errors import ModelReplyUnusable
from agent.mark_words import kinds_left_out
from agent.prompt_files import prompt
from agent.session import Question, Turn
from agent.tracing import Kind

_MOST_TASKS = 5
_LONGEST_TASK = 400
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


class _OneTask(BaseModel):
    model_config = ConfigDict(extra="forbid")

    agent: Literal["retrieval", "code"]
    task: str = Field(min_length=1, max_length=_LONGEST_TASK)


class _Tasks(BaseModel):
    model_config = ConfigDict(extra="forbid")

    tasks: list[_OneTask] = Field(min_length=1, max_length=_MOST_TASKS)


class _Refined(BaseModel):
    model_config = ConfigDict(extra="forbid")

    task: str = Field(max_length=_LONGEST_TASK)


def tasks_of(
    question: Question, earlier: Sequence[Turn], layers: Layers, skill: str, model: AskingModel
) -> tuple[Task, ...]:
    """The tasks of ``question``; the question itself where the model's do not fit it.

    Raises ModelError, BudgetSpent or Stopped.
    """
    try:
        planned = model.fill(layers.planning(question, earlier, skill), _Tasks)
    except ModelReplyUnusable:
        return plain_tasks(question.text)
    tasks = tuple(Task(one.agent, one.task) for one in planned.tasks)
    if chart_words(question.text).wants_chart and not any(t.agent == "code" for t in tasks):
        tasks += (Task("code", question.text),)
    with model.tracer.span(Kind.CHECK, "tasks", [task.words for task in tasks]) as span:
        wrong = _wrong_with(tasks, question, earlier, layers)
        if not wrong:
            return tasks
        span.tell(problem=wrong)
    return plain_tasks(question.text)


def plain_tasks(question: str) -> tuple[Task, ...]:
    """The tasks that any question has: retrieve what it asks, and draw it where it says so."""
    retrieve = Task("retrieval", question)
    return (retrieve, Task("code", question)) if chart_words(question).wants_chart else (retrieve,)


def refined(task: Task, problem: str, skill: str, model: AskingModel) -> Task | None:
    """``task`` in words that avoid ``problem``; None where there are none.

    Raises ModelError, BudgetSpent or Stopped.
    """
    asked = prompt("refine", longest=150, task=task.words, error=problem, skill=skill)
    try:
        words = model.fill(asked, _Refined).task.strip()
    except ModelReplyUnusable:
        return None
    new = _numbers(words) - _numbers(f"{task.words} {problem} {skill}")
    if not words or new or words == task.words or kinds_left_out(task.words, words):
        return None
    return Task(task.agent, words)


def _wrong_with(
    tasks: Sequence[Task], question: Question, earlier: Sequence[Turn], layers: Layers
) -> str:
    if tasks[0].agent != "retrieval":
        return "the first task retrieves nothing"
    known = " ".join((question.text, *(turn.question for turn in earlier)))
    said = _numbers(" ".join(task.words for task in tasks))
    strict_times = layers.configuration == "exasage"
    new = said - _numbers(known)
    if new and not strict_times:
        return f"numbers that nobody wrote: {', '.join(sorted(new))}"
    missing = _numbers(question.text) - said
    if missing and not strict_times:
        return f"numbers of the question are left out: {', '.join(sorted(missing))}"
    drawn = " ".join(task.words for task in tasks if task.agent == "code")
    kinds = kinds_left_out(question.text, drawn)
    return f"kinds of chart are left out: {', '.join(kinds)}" if kinds else ""


def _numbers(text: str) -> set[str]:
    return set(_NUMBER.findall(text))
