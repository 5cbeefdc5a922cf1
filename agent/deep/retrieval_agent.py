"""The sub-agent of retrieval: hands a task to exasage_query and reads its reply."""

import re
from collections.abc import Mapping
from functools import partial

from agent.answer import Answered, DeclineReason, NeedsClarification
from agent.deep.sub_agent import Report
from agent.deep.tool_agent import Made, ToolAgent
from agent.language_model import LanguageModel
from agent.remote_retrieval import answer_of
from agent.run_context import RunContext
from agent.tools import ToolSet

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_ABOUT = (
    "retrieves tables of sensor readings, jobs, alarms and topology for a task in words, over the"
    " knowledge graph; asks back where a word is ambiguous"
)
_GIVEN_UP = "the language model found nothing"
_MENDABLE = (DeclineReason.NOT_UNDERSTOOD, DeclineReason.UNKNOWN_METRIC, DeclineReason.TIME)
"""Refusals that other words may avoid."""


def retrieval_agent(model: LanguageModel, tools: ToolSet) -> ToolAgent:
    """The sub-agent over the tools exasage_query, exasage_clarify and exasage_download_csv."""
    return ToolAgent(
        model,
        tools,
        ("exasage_query",),
        _ABOUT,
        partial(_settled, tools),
        lambda told, made, context: Report(problem=_GIVEN_UP, error=told),
        vet=_invented,
        fixed=_fixed,
    )


def _fixed(context: RunContext) -> Mapping[str, object]:
    """The moment of the question and who asks; each task stands alone."""
    question = context.question
    moment = question.asked_at.isoformat()
    return {"asked_at": moment, "user": question.user, "conversation": ""}


def _invented(task: str, arguments: Mapping[str, object]) -> str:
    """What is wrong with a request that has numbers which its task does not have."""
    request = str(arguments.get("request", ""))
    new = set(_NUMBER.findall(request)) - set(_NUMBER.findall(task))
    return f"the task has no {', '.join(sorted(new))}; keep to its words" if new else ""


def _settled(tools: ToolSet, made: Made, context: RunContext) -> Report:
    content = made.result.content
    answer = answer_of(content, tools, context.folder)
    match answer:
        case Answered():
            return Report(answer.text, answer)
        case NeedsClarification():
            return Report(answer.text, back=answer, request_id=str(content["request_id"]))
        case _:
            refused = None if answer.reason in _MENDABLE else answer
            return Report(answer.text, problem=answer.text, refused=refused)
