"""The public bugs of other bots: each has a test on each platform, or a reason to have none."""

import ast
from pathlib import Path
from typing import Any

import pytest
import yaml

TESTS = Path(__file__).resolve().parents[1]
TABLE: list[dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("public_bugs.yaml").read_text("utf-8")
)
SHORT = {
    "IN": "test_public_bugs_inbound",
    "OUT": "test_public_bugs_outbound",
    "BUTTONS": "test_public_bugs_buttons",
    "DIGESTS": "test_public_bugs_digests",
    "MM": "test_mattermost_bugs_inbound",
}


def names_in(name: str) -> set[str]:
    """The tests of the file of that name."""
    folders = (TESTS / "integration", TESTS / "unit" / "bot")
    (path,) = [path for folder in folders if (path := folder / f"{name}.py").exists()]
    tree = ast.parse(path.read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_bug_is_there() -> None:
    assert [row["bug"] for row in TABLE] == list(range(1, 37))


@pytest.mark.parametrize("row", TABLE, ids=lambda row: str(row["bug"]))
@pytest.mark.parametrize("platform", ["slack", "mattermost"])
def test_every_bug_has_its_tests(row: dict[str, Any], platform: str) -> None:
    named = row[platform]
    if isinstance(named, str):
        assert len(named.split()) > 3, "a reason is a sentence"
        return

    assert named
    for each in named:
        file, test = each.split()
        assert test in names_in(SHORT.get(file, file))
