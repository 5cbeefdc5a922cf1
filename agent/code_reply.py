"""The reply of a model to the program in it, and what can be told of that without running it."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_FENCE = re.compile(r"^[ \t]*```[ \t]*([\w+-]*)[ \t]*\n(.*?)(?:^[ \t]*```|\Z)", re.M | re.S)
_WELL_KNOWN = {
    "np": "import numpy as np",
    "pd": "import pandas as pd",
    "pl": "import polars as pl",
    "plt": "import matplotlib.pyplot as plt",
    "mdates": "import matplotlib.dates as mdates",
    "sns": "import seaborn as sns",
    "sm": "import statsmodels.api as sm",
    "stats": "from scipy import stats",
    "linregress": "from scipy.stats import linregress",
}
_ENCODERS = ("LabelEncoder", "OrdinalEncoder", "factorize", "codes")
_PATTERN = re.compile(r"^$|[*?{%]")
"""A path that is yet to be put together."""
_MOST = 20_000
"""Characters; a longer program is not one that was asked for."""
_NO_PROGRAM = "There is no Python program in the reply. Reply with one, in a ```python block."


@dataclass(frozen=True, slots=True)
class Proposed:
    """A program that a model wrote; empty, with the problem, where it wrote none."""

    code: str = ""
    problems: tuple[str, ...] = ()


def proposed_in(reply: str, inputs: Sequence[str]) -> Proposed:
    """The program in ``reply``, which must read one of the ``inputs``, named as in /in."""
    code = _program(reply).strip()
    if not code:
        return Proposed(problems=(_NO_PROGRAM,))
    if len(code) > _MOST:
        return Proposed(problems=("The program is too long; write a shorter one.",))
    try:
        tree = ast.parse(code)
    except SyntaxError as error:
        return Proposed(code, (f"SyntaxError in line {error.lineno}: {error.msg}",))
    except (ValueError, RecursionError, MemoryError):
        return Proposed(problems=(_NO_PROGRAM,))
    imports = "".join(f"{line}\n" for line in _forgotten(tree))
    return Proposed(f"{imports}{code}\n", tuple(_problems(tree, inputs)))


def _forgotten(tree: ast.Module) -> list[str]:
    """Imports of well-known names that the program uses and never binds."""
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    bound = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            bound |= {(each.asname or each.name).partition(".")[0] for each in node.names}
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            bound.add(node.name)
    used = {node.id for node in names} - bound
    return [line for name, line in _WELL_KNOWN.items() if name in used]


def _program(reply: str) -> str:
    blocks = [(m.group(1).lower(), str(m.group(2))) for m in _FENCE.finditer(reply)]
    ours = [code for language, code in blocks if language in ("", "python", "py", "python3")]
    if ours:
        return max(ours, key=len)
    return "" if blocks or not _is_program(reply) else reply


def _is_program(text: str) -> bool:
    """Whether ``text`` as a whole is a program: prose is none, and one word alone is no use."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(isinstance(node, ast.Import | ast.ImportFrom) for node in tree.body)


def _problems(tree: ast.Module, inputs: Sequence[str]) -> Iterator[str]:
    texts = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)]
    said = [text for text in texts if isinstance(text, str)]
    named = [text.removeprefix("/in/") for text in said if text.startswith("/in/")]
    strange = [name for name in named if name not in inputs and not _PATTERN.search(name)]
    if strange and inputs:
        yield f"There is no /in/{strange[0][:100]}. There are only: {', '.join(inputs)}."
    elif inputs and not any(name in text or "/in" in text for text in said for name in inputs):
        yield f"The program reads no table. Read /in/{inputs[0]}; never make data up."
    encoders = [name for node in ast.walk(tree) if (name := _name_of(node)) in _ENCODERS]
    if encoders:
        yield f"{encoders[0]} turns names into numbers, which nobody can read. Keep the names."
    if any(_is_unseeded(node) for node in ast.walk(tree)):
        yield "Random numbers change from run to run. Use none, or seed the generator."


def _is_unseeded(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or node.args or node.keywords:
        return False
    return _name_of(node.func) in ("default_rng", "SystemRandom", "RandomState")


def _name_of(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""
