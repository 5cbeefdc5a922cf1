"""What importing us does and does not do, each in a fresh interpreter; and what we may import."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("bot", "agent", "retrieval", "sandbox", "ontology")
HEAVY = ("torch", "langfuse", "sentence_transformers", "transformers", "chromadb")
SERVICES = ("redis", "dramatiq", "uvicorn", "starlette", "langgraph", "fastmcp", "mcp")
# Run by the sandbox alone, beside their data.
INSIDE = ("agent/analysis-programs", "agent/chart-programs", "sandbox/inside")
# Libraries may do as they like when imported, so those come first; what follows is ours.
_WATCH = """
import importlib, json, sys
import langgraph.graph, polars, pyoxigraph, rdflib.plugins.sparql, redis, uvicorn
import matplotlib.font_manager, pyarrow.parquet, rich.markdown, typer, rdflib.plugins.sparql.algebra
sys.dont_write_bytecode = True
seen = []
def hear(event, arguments):
    writes = event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+")
    if writes or event.startswith(("socket.", "subprocess.", "os.mkdir", "os.exec", "os.fork",
                                   "os.posix_spawn", "os.remove", "_thread.start_new_thread")):
        seen.append([event, repr(arguments)[:200]])
sys.addaudithook(hear)
for name in sys.argv[1:]:
    importlib.import_module(name)
print(json.dumps(seen))
"""


@cache
def distributions() -> Mapping[str, list[str]]:
    return packages_distributions()


def modules_of(*packages: str) -> list[str]:
    found = []
    for package in packages:
        for path in sorted((ROOT / package).rglob("*.py")):
            place = path.relative_to(ROOT)
            if not place.as_posix().startswith(INSIDE) and path.name != "__main__.py":
                found.append(".".join(place.with_suffix("").parts).removesuffix(".__init__"))
    return found


def in_a_fresh_interpreter(code: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_nothing_happens_on_import() -> None:
    seen = json.loads(in_a_fresh_interpreter(_WATCH, *modules_of(*PACKAGES)))

    assert seen == []


@pytest.mark.parametrize(
    ("module", "without"),
    [
        ("ontology.conformance", (*HEAVY, *SERVICES, "polars", "matplotlib")),
        ("retrieval.question_reader", (*HEAVY, *SERVICES, "matplotlib")),
        ("retrieval.sentence_embedder", HEAVY),
        ("retrieval.vector_index", HEAVY),
        ("agent", (*HEAVY, *SERVICES, "polars", "rdflib", "matplotlib")),
        ("agent.coordinator", (*HEAVY, "redis", "uvicorn", "starlette", "matplotlib")),
        ("bot.wiring", (*HEAVY, *SERVICES, "polars", "rdflib", "matplotlib")),
        (
            "bot.__main__",
            (*HEAVY, *SERVICES, "polars", "rdflib", "pydantic_settings", "bot.wiring"),
        ),
    ],
)
def test_a_question_waits_only_for_what_it_needs(module: str, without: tuple[str, ...]) -> None:
    code = f"import json, sys, {module}; print(json.dumps([*sys.modules]))"

    loaded = set(json.loads(in_a_fresh_interpreter(code)))

    assert not loaded & set(without)


def test_no_dependency_takes_our_package_names() -> None:
    installed = distributions()
    others = {name: installed[name] for name in PACKAGES if name in installed}

    assert not {name: who for name, who in others.items() if set(who) - {"odabot"}}


def test_every_library_that_is_imported_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = {_distribution(each) for each in project["dependencies"]}
    for_work = {_distribution(each) for each in project["optional-dependencies"]["dev"]}

    ours = _imported(*(ROOT / package for package in PACKAGES))
    of_tests = _imported(ROOT / "tests", ROOT / "bench")

    assert not _undeclared(ours, needed)
    assert not _undeclared(of_tests, needed | for_work)


def _distribution(requirement: str) -> str:
    name = re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0]
    return re.sub(r"[-_.]+", "-", name).lower()


def _imported(*folders: Path) -> set[str]:
    found = set()
    paths = (path for folder in folders for path in folder.rglob("*.py"))
    # The scripts of bench/peers run where the tool that they ask is installed.
    for path in (path for path in paths if not path.match("bench/peers/in_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.split(".")[0])
    return found


def _undeclared(names: set[str], declared: set[str]) -> set[str]:
    beside = {path.stem for path in (ROOT / "agent" / "chart-programs").glob("*.py")}
    own = {*PACKAGES, "tests", "bench", "odabot"} | beside
    providers = distributions()
    return {
        name
        for name in names - own - sys.stdlib_module_names
        if not {_distribution(who) for who in providers.get(name, [name])} & declared
    }
