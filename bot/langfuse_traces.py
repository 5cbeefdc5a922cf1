"""Traces in Langfuse, by its SDK: a step is an observation, under the ids that it has elsewhere."""

import logging
import re
import threading
from contextvars import ContextVar
from hashlib import sha256
from typing import Any

from langfuse import Langfuse, propagate_attributes
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.id_generator import IdGenerator
from opentelemetry.trace import (
    INVALID_SPAN,
    NonRecordingSpan,
    Span,
    SpanContext,
    TraceFlags,
    use_span,
)

from agent.answer import Usage
from agent.tracing import Kind
from bot.trace_step import Step

log = logging.getLogger(__name__)

_TYPES = {
    Kind.QUESTION: "span",
    Kind.AGENT: "agent",
    Kind.TOOL: "tool",
    Kind.GENERATION: "generation",
    Kind.CHECK: "guardrail",
}
_SECONDS = 3
"""How long Langfuse may take for one batch, and closing for all that is left."""
_FLUSH_SECONDS = 2.0
_LONGEST_NAME = 200
"""Characters that Langfuse takes for a user or a session; it drops what is longer."""

_beginning: ContextVar[Step] = ContextVar("beginning_step")


class _IdsOfSteps(IdGenerator):
    """The ids that the beginning step has already, so that a trace is found by them."""

    def generate_span_id(self) -> int:
        """Of the observation."""
        return int(_beginning.get().span, 16)

    def generate_trace_id(self) -> int:
        """Of the tree."""
        return int(_beginning.get().trace, 16)


class LangfuseTraces:
    """Steps are sent in the background; what Langfuse does not take in time is lost, and logged.

    One process has one connection for a public key, whichever of its objects is used.
    """

    def __init__(self, url: str, public_key: str, secret_key: str) -> None:
        """Nothing is sent yet."""
        # A provider of our own: neither do other libraries' spans go to Langfuse, nor ours to them.
        provider = TracerProvider(
            resource=Resource.create({"service.name": "odabot"}),
            id_generator=_IdsOfSteps(),
            shutdown_on_exit=False,
        )
        self._client = Langfuse(
            base_url=url,
            public_key=public_key,
            secret_key=secret_key,
            timeout=_SECONDS,
            flush_interval=_FLUSH_SECONDS,
            sample_rate=1.0,
            tracer_provider=provider,
        )
        self._open: dict[str, Any] = {}

    def begun(self, step: Step) -> None:
        """Open an observation of the kind of ``step``."""
        token = _beginning.set(step)
        try:
            with (
                use_span(_above(step)),
                propagate_attributes(
                    user_id=_name(step.owner.user),
                    session_id=_name(step.owner.conversation),
                    trace_name="question",
                ),
            ):
                start: Any = self._client.start_observation
                kind = _TYPES[step.kind]
                self._open[step.span] = start(name=step.name, as_type=kind, input=step.given)
        finally:
            _beginning.reset(token)

    def ended(self, step: Step) -> None:
        """Hand the observation over to be sent."""
        observation = self._open.pop(step.span, None)
        if observation is None:
            return
        told: dict[str, Any] = {"output": step.output}
        if step.problem:
            told["level"] = "WARNING" if step.kind is Kind.CHECK else "ERROR"
            told["status_message"] = step.problem
        if step.kind is Kind.GENERATION:
            told["model"] = step.model or None
            told["usage_details"] = _tokens(step.usage)
        elif step.usage != Usage():
            # Only replies count as usage: Langfuse adds up what a tree holds.
            told["metadata"] = {"llm_calls": step.usage.llm_calls, **_tokens(step.usage)}
        observation.update(**told)
        observation.end()

    def close(self) -> None:
        """Send what is left; gives up after a few seconds."""
        sending = threading.Thread(target=self._client.flush, daemon=True)
        sending.start()
        sending.join(_SECONDS)
        if sending.is_alive():
            log.warning("Langfuse did not take the last steps", extra={"action": "trace-lost"})


def _above(step: Step) -> Span:
    if not step.parent:
        return INVALID_SPAN
    flags = TraceFlags(TraceFlags.SAMPLED)
    context = SpanContext(
        int(step.trace, 16), int(step.parent, 16), is_remote=True, trace_flags=flags
    )
    return NonRecordingSpan(context)


def _tokens(usage: Usage) -> dict[str, int]:
    return {"input": usage.prompt_tokens, "output": usage.completion_tokens}


def _name(text: str) -> str | None:
    """``text`` as Langfuse takes it, each as something else; None where it is empty."""
    if re.fullmatch(rf"[ -~]{{1,{_LONGEST_NAME}}}", text):
        return text
    if not text:
        return None
    digest = sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
    readable = text.encode("ascii", "replace").decode("ascii")
    return f"{readable[: _LONGEST_NAME - 20]}~{digest}"
