"""A kept trace as a tree: for people, with what was rejected marked, and as JSON."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.text import Text
from rich.tree import Tree

from agent.answer import Usage
from agent.tracing import Kind
from bot.trace_step import Plain, Step, short_id

_LONGEST = 240
"""Characters of a value in the tree for people; a query is shown whole."""
_MOST_LINES = 60
_WIDE = 100_000
_HARMLESS = "\N{REPLACEMENT CHARACTER}"
_CODE = re.compile(
    r"\b(?:SELECT|ASK)\b[^{]*\{|^(?:import|from|def) \w", re.IGNORECASE | re.MULTILINE
)
_COLOURS = {
    Kind.QUESTION: "bold",
    Kind.AGENT: "bold cyan",
    Kind.TOOL: "blue",
    Kind.GENERATION: "magenta",
    Kind.CHECK: "green",
}


@dataclass(frozen=True, slots=True)
class Branch:
    """A step with the steps below it, in the order in which they began."""

    step: Step
    below: tuple["Branch", ...]


def branches_of(steps: Sequence[Step]) -> tuple[Branch, ...]:
    """The trees that ``steps`` make; one, unless what is above a step was never written."""
    known = {step.span for step in steps}
    below: dict[str, list[Step]] = {}
    for step in sorted(steps, key=lambda step: step.begun):
        above = step.parent if step.parent in known and step.parent != step.span else ""
        below.setdefault(above, []).append(step)

    def branch(step: Step) -> Branch:
        return Branch(step, tuple(branch(each) for each in below.get(step.span, ())))

    return tuple(branch(step) for step in below.get("", ()))


def tree_json(steps: Sequence[Step]) -> dict[str, Any]:
    """The trace with its steps nested, and its name in OpenTelemetry."""
    trace = steps[0].trace
    return {
        "trace": short_id(trace),
        "opentelemetry_trace": trace,
        "steps": [_nested(branch) for branch in branches_of(steps)],
    }


def rendered(steps: Sequence[Step]) -> RenderableType:
    """The trees of ``steps`` for a terminal."""
    trees = []
    for branch in branches_of(steps):
        tree = Tree(_label(branch.step), guide_style="dim")
        _grow(tree, branch)
        trees.append(tree)
    return Group(*trees)


def plain_text(steps: Sequence[Step]) -> str:
    """The trees of ``steps`` as lines without colours, each as long as it is."""
    out = StringIO()
    Console(file=out, width=_WIDE, color_system=None).print(rendered(steps))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def line_of(root: Step) -> Text:
    """A trace in one line, by its first step."""
    status = root.output.get("status", "") if isinstance(root.output, dict) else ""
    asked = root.given.get("question", "") if isinstance(root.given, dict) else root.name
    style = "red" if root.problem else ""
    return _harmless(
        Text.assemble(
            (short_id(root.trace), "bold"),
            f"  {root.begun:%Y-%m-%d %H:%M:%S}Z  ",
            (f"{status!s:<13}", style),
            f" {_took(root.seconds):>8}  ",
            _cut(str(asked)),
        )
    )


def _nested(branch: Branch) -> dict[str, Any]:
    told = {name: value for name, value in branch.step.as_json().items() if name != "trace"}
    return told | {"steps": [_nested(each) for each in branch.below]}


def _grow(tree: Tree, branch: Branch) -> None:
    for each in branch.below:
        _grow(tree.add(_label(each.step)), each)


def _label(step: Step) -> Text:
    text = Text.assemble(
        (step.kind.value, "dim"),
        " ",
        (step.name, _COLOURS[step.kind]),
        (f"  {_took(step.seconds)}", "dim"),
    )
    if step.usage != Usage():
        used = step.usage
        text.append(f"  {used.prompt_tokens} + {used.completion_tokens} tokens", "yellow")
    if step.model:
        text.append(f"  {step.model}", "dim")
    if step.kind is Kind.QUESTION and step.owner.user:
        text.append(f"  {step.owner.user} in {step.owner.conversation}", "dim")
    if step.problem:
        word = "REJECTED" if step.kind is Kind.CHECK else "FAILED"
        text.append(f"\n{word}: {step.problem}", "bold red")
    elif step.kind is Kind.CHECK:
        text.append("  accepted", "green")
    _append(text, step.given, "", "")
    _append(text, step.output, "-> ", "dim")
    return _harmless(text)


def _harmless(text: Text) -> Text:
    """``text`` with nothing in it that a terminal would obey: people and models wrote parts."""
    shown = (char if char.isprintable() or char == "\n" else _HARMLESS for char in text.plain)
    text.plain = "".join(shown)
    return text


def _append(text: Text, value: Plain, mark: str, style: str) -> None:
    """Add ``value`` below a step: queries and programs as they are, all else in a line."""
    if value in (None, "", {}, []):
        return
    named = value if isinstance(value, dict) else {"": value}
    blocks = {n: each for n, each in named.items() if isinstance(each, str) and _is_code(each)}
    rest = {name: each for name, each in named.items() if name not in blocks}
    for block in blocks.values():
        text.append(f"\n{mark}{_lines(block)}", style or "cyan")
    if rest:
        said = ", ".join(
            f"{name}: {_inner(each)}" if name else _inner(each) for name, each in rest.items()
        )
        text.append(f"\n{mark}{_cut(said)}", style)


def _is_code(text: str) -> bool:
    """Whether ``text`` is a query, or a program."""
    return _CODE.search(text) is not None


def _lines(code: str) -> str:
    """``code`` without its prefixes; only the beginning of what is very long."""
    kept = [line for line in code.strip().splitlines() if not line.startswith("PREFIX ")]
    more = [f"... ({len(kept)} lines)"] if len(kept) > _MOST_LINES else []
    return "\n".join((*kept[:_MOST_LINES], *more))


def _inner(value: Plain) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _cut(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _LONGEST else f"{flat[:_LONGEST]}..."


def _took(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.0f} ms"
