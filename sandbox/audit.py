"""Reads code before it runs and names what it should not need; a note, never a gate."""

import ast
import posixpath
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_REACHED = ("/in", "/out", "/tmp", "/dev/shm")  # noqa: S108


@dataclass(frozen=True, slots=True)
class Finding:
    """One suspicious construct."""

    line: int
    construct: str


@dataclass(frozen=True, slots=True)
class _Words:
    """The names of suspicious.toml."""

    modules: frozenset[str]
    calls: frozenset[str]
    methods: frozenset[str]
    introspection: frozenset[str]


def audit(code: str) -> tuple[Finding, ...]:
    """The suspicious constructs of ``code``, in order; nothing for code that does not parse.

    A determined program hides all of them. What holds is the sandbox; this tells the code's
    writer early what cannot work there, and an operator what was tried.
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    words = _words()
    found = {finding for node in ast.walk(tree) for finding in _findings(node, words)}
    return tuple(sorted(found, key=lambda each: (each.line, each.construct)))


@cache
def _words() -> _Words:
    lists = tomllib.loads(Path(__file__).with_name("suspicious.toml").read_text())
    sets = {name: frozenset(text.split()) for name, text in lists.items()}
    modules = sets["modules"] | sets["pickles"]
    return _Words(modules, sets["calls"], sets["methods"], sets["introspection"])


def _findings(node: ast.AST, words: _Words) -> Iterator[Finding]:
    match node:
        case ast.Import(names=names, lineno=line):
            yield from (_import(line, e.name) for e in names if _top(e.name) in words.modules)
        case ast.ImportFrom(module=module, names=names, lineno=line):
            if module is not None and _top(module) in words.modules:
                yield _import(line, module)
            yield from (
                _import(line, f"{module}.{e.name}") for e in names if e.name in words.methods
            )
        case ast.Call(func=ast.Name(id=name), lineno=line) if name in words.calls:
            yield Finding(line, f"{name}()")
        case ast.Call(func=ast.Attribute(attr=name), lineno=line) if name in words.methods:
            yield Finding(line, f".{name}()")
        case ast.keyword(arg="allow_pickle", value=value):
            yield Finding(value.lineno, "allow_pickle")
        case ast.Attribute(attr=name, lineno=line) if name in words.introspection:
            yield Finding(line, f".{name}")
        case ast.Name(id=name, lineno=line) if name in words.introspection:
            yield Finding(line, name)
        case ast.Constant(value=str(text), lineno=line):
            yield from _in_text(text, line, words)
        case ast.While(test=ast.Constant(value=value), lineno=line) if value:
            if not any(isinstance(e, ast.Break | ast.Return | ast.Raise) for e in ast.walk(node)):
                yield Finding(line, "endless loop")


def _top(module: str) -> str:
    return module.partition(".")[0]


def _import(line: int, module: str) -> Finding:
    return Finding(line, f"import {module}")


def _in_text(text: str, line: int, words: _Words) -> Iterator[Finding]:
    """What a string literal gives away: an address, a path out of reach, an inner name."""
    if text in words.introspection:
        yield Finding(line, repr(text))
    elif text.startswith(("http://", "https://", "ftp://", "s3://")):
        yield Finding(line, f"address {text[:60]}")
    elif text.startswith(("/", "../")) and "\n" not in text and " " not in text:
        path = posixpath.normpath(posixpath.join("/out", text))
        is_reached = any(path == each or path.startswith(f"{each}/") for each in _REACHED)
        if len(path) > 1 and path.count("/") > 1 and not is_reached:
            yield Finding(line, f"path {path[:60]}")
