"""A language model that says what it was told to; for tests of what is done with a reply."""

from collections.abc import Callable, Iterable, Sequence

from pydantic import ValidationError

from agent.answer import Usage
from agent.errors import ModelReplyUnusable
from agent.language_model import Called, Filled, Prompt, Shape, Written
from agent.tool_calls import wanted_call
from agent.tools import Tool

COST = Usage(1, 100, 10)


class ScriptedModel:
    """Replies with the given texts in turn, or with what a function makes of the prompt."""

    name = "scripted"

    def __init__(self, replies: Iterable[str] | Callable[[Prompt], str]) -> None:
        self.asked: list[Prompt] = []
        if callable(replies):
            self._reply = replies
        else:
            waiting = list(replies)
            self._reply = lambda prompt: waiting.pop(0)

    def fill(self, prompt: Prompt, shape: type[Shape]) -> Filled[Shape]:
        text = self.write(prompt).text
        try:
            return Filled(shape.model_validate_json(text), COST)
        except ValidationError as error:
            raise ModelReplyUnusable(f"the reply to {prompt.name} is {error}", COST) from error

    def call(self, prompt: Prompt, tools: Sequence[Tool]) -> Called:
        text = self.write(prompt).text
        try:
            name, arguments = wanted_call(text, [tool.name for tool in tools])
        except ValueError as error:
            raise ModelReplyUnusable(f"the reply to {prompt.name} is {error}", COST) from error
        return Called(name, arguments, COST)

    def write(self, prompt: Prompt) -> Written:
        self.asked.append(prompt)
        text = self._reply(prompt)
        if not text:
            raise ModelReplyUnusable("the model's reply is empty", COST)
        return Written(text, COST)
