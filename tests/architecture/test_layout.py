"""The rules of CONTRIBUTING.md that can be read off the source: sizes, names, and who alone may."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("bot", "agent", "retrieval", "sandbox", "ontology")
MODULES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
INSIDE = "sandbox/inside/"
Node = TypeVar("Node", bound=ast.AST)
NAMES_THAT_SAY_NOTHING = {"utils", "util", "helpers", "helper", "manager", "base", "common", "misc"}


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def all_places() -> tuple[tuple[str, ast.AST], ...]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Call, ast.Attribute, ast.ExceptHandler)
    return tuple(
        (path.relative_to(ROOT).as_posix(), node)
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, kinds)
    )


def places(kind: type[Node]) -> Iterator[tuple[str, Node]]:
    return ((place, node) for place, node in all_places() if isinstance(node, kind))


def name_of(node: ast.expr | None) -> str:
    match node:
        case ast.Name(name):
            return name
        case ast.Attribute(_, name):
            return name
        case _:
            return ""


def test_modules_stay_small() -> None:
    lines = {p.relative_to(ROOT).as_posix(): len(p.read_text().splitlines()) for p in MODULES}

    assert not {name: count for name, count in lines.items() if count > 300}


def test_functions_stay_small() -> None:
    lengths = {
        f"{place}:{node.name}": node.end_lineno - node.lineno
        for place, node in all_places()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None
    }

    assert not {name: length for name, length in lengths.items() if length >= 50}


def test_a_module_says_in_one_line_what_it_does() -> None:
    first_lines = {
        path.relative_to(ROOT).as_posix(): (ast.get_docstring(tree_of(path)) or "").split("\n\n")[0]
        for path in MODULES
    }

    assert not {n: line for n, line in first_lines.items() if "\n" in line or line[-1:] != "."}


def test_module_names_say_something() -> None:
    assert not {p.as_posix() for p in MODULES if p.stem in NAMES_THAT_SAY_NOTHING}


def test_a_checked_query_is_made_at_the_gate_alone() -> None:
    makers = {place for place, node in places(ast.Call) if name_of(node.func) == "CheckedQuery"}

    assert makers == {"ontology/conformance.py"}


def test_one_module_reads_the_environment() -> None:
    # What runs inside the sandbox looks there for what it should not see.
    readers = {
        place
        for place, node in places(ast.Attribute)
        if not place.startswith(INSIDE)
        and name_of(node.value) == "os"
        and node.attr in {"environ", "environb", "getenv", "getenvb"}
    }

    assert readers == {"bot/settings.py"}


def test_one_place_catches_everything() -> None:
    # To clean up and raise again is no catching; inside the sandbox, code may raise anything.
    catchers = [
        place
        for place, node in places(ast.ExceptHandler)
        if not place.startswith(INSIDE)
        and (node.type is None or name_of(node.type) in {"Exception", "BaseException"})
        and not (isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None)
    ]

    assert catchers == ["bot/conversation.py"]


def test_nothing_is_patched() -> None:
    files = sorted((ROOT / "tests").rglob("*.py"))
    patching = ("unittest.mock", "monkeypatch")
    mine = Path(__file__)

    assert not [f.name for f in files if f != mine and any(p in f.read_text() for p in patching)]
