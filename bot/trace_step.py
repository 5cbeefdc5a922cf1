"""One step of a question as it is kept, and the names by which steps find each other."""

import hashlib
import json
import re
import secrets
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Protocol, Self

from agent.answer import Usage
from agent.tracing import Kind

Plain = str | int | float | bool | list["Plain"] | dict[str, "Plain"] | None
"""What JSON can say."""

_NO_TRACE = "0" * 32
_PARENT = re.compile(r"00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}")


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose question it is."""

    user: str = ""
    conversation: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A step; what came of it is empty until it ended."""

    trace: str
    """32 hexadecimal digits, as W3C and OpenTelemetry have them."""
    span: str
    """16 hexadecimal digits."""
    parent: str
    """The span above; empty where there is none."""
    kind: Kind
    name: str
    begun: datetime
    """In UTC."""
    given: Plain = None
    owner: Owner = field(default_factory=Owner)
    seconds: float = 0.0
    output: Plain = None
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    problem: str = ""

    @property
    def traceparent(self) -> str:
        """By which another process hangs its steps below this one."""
        return f"00-{self.trace}-{self.span}-01"

    @property
    def ended(self) -> datetime:
        """In UTC."""
        return self.begun + timedelta(seconds=self.seconds)

    def as_json(self) -> dict[str, Any]:
        """The step as JSON has it, without what is empty; whose it is, the root tells."""
        usage = {
            "llm_calls": self.usage.llm_calls,
            "prompt_tokens": self.usage.prompt_tokens,
            "completion_tokens": self.usage.completion_tokens,
        }
        told = {
            "trace": short_id(self.trace),
            "span": self.span,
            "parent": self.parent,
            "kind": self.kind.value,
            "name": self.name,
            "begun": self.begun.isoformat(timespec="microseconds"),
            "seconds": round(self.seconds, 6),
            "user": "" if self.parent else self.owner.user,
            "conversation": "" if self.parent else self.owner.conversation,
            "given": self.given,
            "output": self.output,
            "usage": usage if self.usage != Usage() else None,
            "model": self.model,
            "problem": self.problem,
        }
        return {name: value for name, value in told.items() if value not in (None, "")}

    @classmethod
    def from_json(cls, line: str) -> Self | None:
        """The step that ``line`` holds; None where it is torn or is none of ours."""
        try:
            told = json.loads(line)
            return cls(
                trace_id_of(told["trace"]),
                told["span"],
                told.get("parent", ""),
                Kind(told["kind"]),
                told["name"],
                datetime.fromisoformat(told["begun"]),
                told.get("given"),
                Owner(told.get("user", ""), told.get("conversation", "")),
                float(told["seconds"]),
                told.get("output"),
                Usage(**told.get("usage", {})),
                told.get("model", ""),
                told.get("problem", ""),
            )
        except (ValueError, KeyError, TypeError, AttributeError):
            return None

    def told(self, output: Plain, usage: Usage | None, model: str, problem: str) -> Self:
        """The step with what is not empty of these."""
        return replace(
            self,
            output=self.output if output is None else output,
            usage=usage or self.usage,
            model=model or self.model,
            problem=problem or self.problem,
        )


class Keeper(Protocol):
    """Where steps are kept; what goes wrong there is logged and reaches no question."""

    def begun(self, step: Step) -> None:
        """A step begins."""
        ...

    def ended(self, step: Step) -> None:
        """A step that had begun is over, with what came of it."""
        ...

    def close(self) -> None:
        """Hand over what is not yet kept; no step may begin afterwards."""
        ...


def trace_id_of(trace_id: str) -> str:
    """The 32 digits of OpenTelemetry for one of our trace ids: zeros, then its 16 digits."""
    padded = trace_id.rjust(32, "0") if len(trace_id) == 16 else trace_id
    if re.fullmatch("[0-9a-f]{32}", padded) and padded != _NO_TRACE:
        return padded
    return hashlib.sha256(trace_id.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def short_id(trace: str) -> str:
    """The trace id that people see: what :func:`trace_id_of` was given."""
    return trace[16:] if trace.startswith("0" * 16) else trace


def ids_in(traceparent: str) -> tuple[str, str] | None:
    """Trace and span of a W3C traceparent; None where it is none."""
    found = _PARENT.fullmatch(traceparent)
    if found is None or found[1] == _NO_TRACE:
        return None
    return found[1], found[2]


def new_span() -> str:
    """The name of a new step: 16 hexadecimal digits, never all zero."""
    return f"{secrets.randbits(64) or 1:016x}"


def new_trace() -> str:
    """The name of a tree whose first step hangs below nothing."""
    return trace_id_of(new_span())
