"""The documents against the code: settings, commands, the JSON contract, files that are named."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from agent import Answered
from bot.__main__ import app
from bot.answer_json import answer_json
from bot.messages import Reply, Status, Thread
from bot.outcome import Outcome
from bot.settings_file import all_settings

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")
PACKAGES = ("bot", "agent", "retrieval", "sandbox", "ontology")


def text_of(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def settings_table() -> str:
    # python -c "from tests.architecture.test_documents import *; print(settings_table())"
    rows = [
        f"| `{s.variable}` | {f'`{s.default}`' if s.default else ''} | {s.meaning} |"
        for s in all_settings()
    ]
    return "\n".join(["| variable | default | meaning |", "|---|---|---|", *rows])


def commands(group: Any, before: str = "odabot") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            found |= commands(command, f"{before} {name}")
        else:
            found[f"{before} {name}"] = command
    return found


def test_the_readme_has_every_setting() -> None:
    assert settings_table() + "\n\n" in text_of("README.md")


def test_the_readme_has_every_command_and_no_other() -> None:
    known = commands(get_command(app))
    named = set(re.findall(r"`odabot ([a-z ]+[a-z])", text_of("README.md")))

    assert {f"odabot {name}" for name in named} == set(known)


def test_the_readme_has_every_option_of_ask() -> None:
    ask = commands(get_command(app))["odabot ask"]
    options = {o for parameter in ask.params for o in parameter.opts if o.startswith("--")}

    named = set(re.findall(r"`(--[a-z-]+)", text_of("README.md")))

    assert options - {"--help"} <= named


def test_the_readme_shows_the_json_that_is_printed() -> None:
    (shown,) = re.findall(r"```json\n(.*?)```", text_of("README.md"), re.DOTALL)
    reply = Reply(Thread("command", "ask", "1"), Status.COMPLETED, "")
    printed = answer_json(Outcome(Answered("done"), reply, "trace", 0.1))

    example = json.loads(shown)

    assert list(example) == list(printed)
    evidence = printed["evidence"]
    assert isinstance(evidence, dict)
    assert set(example["evidence"]) <= set(evidence)


def test_the_readme_has_every_status() -> None:
    rows = re.findall(r"^\| `([a-z]+)` \|", text_of("README.md"), re.MULTILINE)

    assert rows == [status.value for status in Status]


def test_the_changelog_has_an_entry_for_the_version() -> None:
    version = tomllib.loads(text_of("pyproject.toml"))["project"]["version"]

    assert f"\n## [{version}]" in text_of("CHANGELOG.md")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_files_that_a_document_names_exist(document: str) -> None:
    paths = re.findall(
        rf"`((?:{'|'.join(PACKAGES)}|deploy|tests|bench)/[\w./-]*)", text_of(document)
    )
    links = [link for link in re.findall(r"\]\(([^)]+)\)", text_of(document)) if "//" not in link]
    alone = set(re.findall(r"`([\w-]+\.(?:py|ttl|toml|json|args))`", text_of(document)))
    somewhere = {path.name for package in PACKAGES for path in (ROOT / package).rglob("*")}

    assert not [path for path in (*paths, *links) if not (ROOT / path).exists()]
    assert not alone - somewhere - {"pyproject.toml"}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_commands_that_a_document_names_exist(document: str) -> None:
    targets = set(re.findall(r"^([a-z]+):", text_of("Makefile"), re.MULTILINE))

    named = set(re.findall(r"(?:`|^ {4})make ([a-z]+)", text_of(document), re.MULTILINE))

    assert named <= targets


def test_every_target_of_the_makefile_says_what_it_does() -> None:
    targets = re.findall(r"^([a-z]+):(.*)$", text_of("Makefile"), re.MULTILINE)

    assert targets
    assert not [name for name, rest in targets if "## " not in rest]
