"""Prompts are files: instructions, example turns, and the place where the request goes."""

import re
from dataclasses import replace
from functools import cache
from importlib.resources import files
from string import Template

from agent.language_model import Prompt

_HEADING = re.compile(r"^# (system|user|assistant)$\n?", re.MULTILINE)


def prompt(name: str, longest: int = 256, **values: str) -> Prompt:
    """The prompt in ``agent/prompts/<name>.md`` with ``values`` in the last turn's places.

    Raises KeyError where the file has a place for which there is no value.
    """
    written = _read(name)
    return replace(written, request=Template(written.request).substitute(values), longest=longest)


@cache
def _read(name: str) -> Prompt:
    text = (files("agent") / "prompts" / f"{name}.md").read_text("utf-8")
    parts = _HEADING.split(text)[1:]
    turns = [(role, body.strip()) for role, body in zip(parts[::2], parts[1::2], strict=True)]
    (first, instructions), *examples, (last, request) = turns
    roles = [role for role, _ in examples]
    if first != "system" or last != "user" or roles != ["user", "assistant"] * (len(roles) // 2):
        raise ValueError(f"agent/prompts/{name}.md: system, pairs of user and assistant, user")
    bodies = [body for _, body in examples]
    return Prompt(name, instructions, tuple(zip(bodies[::2], bodies[1::2], strict=True)), request)


def further_turn(name: str, **values: str) -> str:
    """The text in ``agent/prompts/<name>.txt``, for one more turn behind a reply.

    Raises KeyError where the file has a place for which there is no value.
    """
    text = (files("agent") / "prompts" / f"{name}.txt").read_text("utf-8")
    return Template(text.strip()).substitute(values)
