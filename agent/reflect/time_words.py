"""The words of a request that carry its time, copied by the model: code reads them."""

from pydantic import BaseModel, ConfigDict, Field

from agent.asking_model import AskingModel
from agent.prompt_files import prompt
from agent.reflect.reflection import Reflection
from retrieval.copied_times import strange_words

_MOST = 6
_LONGEST = 160
_TOKENS = 120


class _Copied(BaseModel):
    model_config = ConfigDict(extra="forbid")

    times: tuple[str, ...] = Field(max_length=_MOST)


def time_words(model: AskingModel, request: str, reflection: Reflection) -> tuple[str, ...]:
    """Stretches of ``request``; none where it names no time, or the model copies nothing."""
    asked = prompt("time-words", longest=_TOKENS, question=request)
    reply = reflection.ask(model, asked, _Copied, lambda given: _against(request, given.times))
    return () if reply is None else reply.times


def _against(request: str, times: tuple[str, ...]) -> str:
    strange = strange_words(request, times)
    if not strange:
        return ""
    shown = ", ".join(f"'{words[:_LONGEST]}'" for words in strange)
    return f"{shown} does not stand in the request: copy letter by letter."
