"""What is kept of a question over a tiny lake, and what `odabot trace` makes of it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from agent.tracing import Kind
from bot.settings import Settings
from bot.trace_step import Step
from bot.trace_wiring import open_traces
from tests.asking import Thread, analyst_over
from tests.fakes.model_server import in_turn, serving
from tests.stored import NOW

ROOT = Path(__file__).resolve().parents[2]
POWER = "average total power of node 3 on 1 June 2022"
SLANG = "tally of the jobs that croaked on 1 June 2022"


def run(data: Path, *arguments: str, lake: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "ODABOT_DATA": str(data)}  # noqa: TID251 - of another process
    if lake is not None:
        environment["ODABOT_RETRIEVAL__LAKE"] = str(lake)
    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.fixture(scope="module")
def asked(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    data = tmp_path_factory.mktemp("data")
    done = run(data, "ask", POWER, "--json", "--now", "2022-06-02T00:00Z", lake=lake)
    answer: dict[str, Any] = json.loads(done.stdout)
    assert answer["status"] == "completed", done.stderr
    return data, answer


def test_the_trace_of_an_answer_is_shown_by_its_id(asked: tuple[Path, dict[str, Any]]) -> None:
    data, answer = asked

    shown = run(data, "trace", answer["trace_id"])

    assert shown.returncode == 0, shown.stderr
    assert POWER in shown.stdout
    body = answer["sparql"][-1].partition("SELECT")[2].splitlines()
    assert all(line.strip() in shown.stdout for line in body)
    assert "how: virtual, rows: 1" in shown.stdout
    assert "status: completed" in shown.stdout


def test_as_json_every_query_of_the_evidence_is_in_the_tree(
    asked: tuple[Path, dict[str, Any]],
) -> None:
    data, answer = asked

    told = json.loads(run(data, "trace", answer["trace_id"], "--json").stdout)

    steps = list(_all(told["steps"]))
    queries = [step["given"]["sparql"] for step in steps if step["name"] == "query"]
    assert set(queries) == set(answer["sparql"])
    assert told["opentelemetry_trace"].endswith(answer["trace_id"])
    (root,) = told["steps"]
    assert root["output"]["status"] == "completed"
    assert [step["name"] for step in root["steps"]] == ["coordinator"]
    assert [step["name"] for step in root["steps"][0]["steps"]] == [
        "reader",
        "retriever",
        "number guard",
    ]


def test_the_latest_questions_are_listed(asked: tuple[Path, dict[str, Any]]) -> None:
    data, answer = asked

    (line,) = run(data, "trace").stdout.splitlines()

    assert line.startswith(answer["trace_id"])
    assert line.endswith(POWER)


def test_an_unknown_id_is_said_in_a_line(asked: tuple[Path, dict[str, Any]]) -> None:
    data, _ = asked

    done = run(data, "trace", "0123456789abcdef")

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("odabot: no trace '0123456789abcdef' is kept")
    assert len(done.stderr.splitlines()) == 1


def _all(steps: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for step in steps:
        yield step
        yield from _all(step["steps"])


@contextmanager
def traced(
    lake: Path, folder: Path, model_url: str | None = None
) -> Iterator[tuple[Thread, list[Step]]]:
    """A thread, and a list that holds the steps of its only question once it is left."""
    steps: list[Step] = []
    with analyst_over(lake, folder, model_url=model_url) as analyst:
        yield Thread(analyst, NOW), steps
    kept = open_traces(Settings(data=folder / "data"))
    (root,) = kept.latest(5)
    steps += kept.read(root.trace)


def named(steps: list[Step], name: str) -> list[Step]:
    return [step for step in steps if step.name == name]


def test_a_restatement_that_changes_the_question_is_a_check_that_rejected_it(
    lake: Path, tmp_path: Path
) -> None:
    replies = ({"question": "number of failed jobs on node 7"}, {"question": "failed jobs"})
    with (
        serving(in_turn(*map(json.dumps, replies))) as server,
        traced(lake, tmp_path, server.url) as (thread, steps),
    ):
        thread.ask(SLANG)

    first, second = named(steps, "restatement")
    assert first.problem.startswith("it asks something else: it changes the things")
    assert second.problem == ""
    replies_kept = [step for step in steps if step.kind is Kind.GENERATION]
    assert [step.output for step in replies_kept] == list(replies)
    assert {step.usage.prompt_tokens for step in replies_kept} == {100}
    assert {step.model for step in replies_kept} == {"stand-in"}
    (reader,) = named(steps, "reader")
    assert {step.parent for step in (*replies_kept, first, second)} == {reader.span}


def test_a_damaged_file_is_the_problem_of_the_query_that_met_it(lake: Path, tmp_path: Path) -> None:
    broken = tmp_path / "lake"
    for path in lake.rglob("*.parquet"):
        target = broken / path.relative_to(lake)
        target.parent.mkdir(parents=True, exist_ok=True)
        damaged = "metric=total_power" in str(path) and "22-06" in str(path)
        target.write_bytes(b"PAR1 damaged" if damaged else path.read_bytes())

    with traced(broken, tmp_path) as (thread, steps), pytest.raises(Exception, match="power"):
        thread.ask(POWER)

    (retriever,) = named(steps, "retriever")
    assert "LakeError" in retriever.problem
