"""Step D: a request for several metrics, split into sub-queries that keep its context."""

from pydantic import BaseModel, ConfigDict, Field

from agent.asking_model import AskingModel
from agent.prompt_files import prompt
from agent.reflect.reflection import Reflection
from retrieval.question_parts import words_amiss

_MOST = 5
"""Metrics of one request; who asks for more should ask twice."""
_LONGEST = 400
"""Characters of one part."""
_TOKENS = 300


class _Parts(BaseModel):
    model_config = ConfigDict(extra="forbid")

    parts: tuple[str, ...] = Field(min_length=1, max_length=_MOST)


def parts_of(model: AskingModel, request: str, reflection: Reflection) -> tuple[str, ...] | None:
    """The sub-queries, made of words of the request alone; None where the model gives none such."""
    asked = prompt("decompose", longest=_TOKENS, question=request)
    reply = reflection.ask(model, asked, _Parts, lambda given: _against(request, given.parts))
    if reply is None:
        return None
    return tuple(dict.fromkeys(part.strip() for part in reply.parts))


def _against(request: str, parts: tuple[str, ...]) -> str:
    if any(not part.strip() or len(part) > _LONGEST for part in parts):
        return "a part is empty or too long."
    brought, lost = words_amiss(request, parts)
    if brought:
        return f"the request has no {_listed(brought)}: use its words only."
    if lost:
        return f"no part has {_listed(lost)}: leave no word out."
    return ""


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(f"'{word}'" for word in words[:6])
