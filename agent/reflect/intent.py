"""Step I: whether a request asks for measured values, of one metric or of several."""

from typing import Literal

from agent.asking_model import AskingModel
from agent.prompt_files import prompt
from agent.reflect.reflection import Reflection, WithConfidence
from retrieval.slots import Slots

_TOKENS = 40

About = Literal["metric", "jobs", "checks", "topology", "other"]


class Intent(WithConfidence):
    """What a request is about; ``cardinality`` counts the metrics whose values it asks for."""

    about: About
    cardinality: Literal["single", "multi"]


def intent_of(
    model: AskingModel, request: str, slots: Slots, reflection: Reflection
) -> Intent | None:
    """The intent of ``request``; None where the model does not become sure of one.

    ``slots`` is what the rules read in it: what they found there cannot be thought away.
    """
    asked = prompt("intent", longest=_TOKENS, question=request)
    return reflection.ask(
        model, asked, Intent, lambda reply: reflection.unsure(reply) or _against(reply, slots)
    )


def _against(reply: Intent, slots: Slots) -> str:
    over_time = bool(slots.mentions and slots.times.windows)
    read = {
        "a metric": over_time and reply.about != "metric",
        "jobs": slots.jobs.mentioned and reply.about == "other",
        "monitoring checks": slots.checks.mentioned and reply.about == "other",
    }
    named = {mention.candidates: mention.words for mention in slots.mentions}
    if len(named) > 1 and reply.about == "metric" and reply.cardinality == "single":
        return f"the request names several metrics: {', '.join(named.values())}."
    missed = [what for what, is_missed in read.items() if is_missed]
    return f"the request names {' and '.join(missed)}." if missed else ""
