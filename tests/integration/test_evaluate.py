"""odabot evaluate over canned answers: what is written, gone on with, and told."""

import io
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from agent import Analyst
from agent.errors import ModelUnavailable
from bot.commands.evaluate import Wanted, evaluate, verdicts_file, with_verdicts
from bot.errors import EvaluationError, SettingsError
from bot.evaluation.verdicts import VerdictsFile
from bot.evaluation_wiring import Configuration, build_configured, configuration, model_name
from bot.settings import Settings
from retrieval.settings import RetrievalSettings
from tests.fakes.canned_analyst import a_canned_analyst
from tests.fakes.model_server import MODEL, Fault, in_turn, serving

NEWLINE = b"\n"
ROOT = Path(__file__).resolve().parents[2]
OWN = Configuration("nsa", "open")
QUESTIONS = """
now: '2022-06-15T10:00:00Z'
questions:
- {id: Q01, kind: end_to_end, turns: ['plot the power'], artefact: line}
- {id: Q02, kind: end_to_end, turns: ['which temperature'], choose: ['core'], reply: ambient}
- {id: R01, kind: retrieval, turns: ['power of node 3', 'and 4']}
- {id: R02, kind: refuse, turns: ['which temperature'], choose: ['core'], reply: ambient}
- {id: R03, kind: retrieval, turns: ['this is broken']}
- {id: R04, kind: retrieval, turns: ['power of node 1200']}
"""
CONTRACT = {
    *("status", "summary", "time_ranges", "metrics", "sparql", "tables", "artifacts"),
    *("clarification", "evidence", "usage", "seconds"),
}


def build(settings: Settings, chosen: Configuration, answers: Path) -> Analyst:
    assert settings.data
    assert chosen == OWN
    return a_canned_analyst(answers / "canned")


def some_settings(tmp_path: Path) -> Settings:
    lake = tmp_path / "lake"
    lake.mkdir(exist_ok=True)
    (lake / "a.parquet").write_bytes(b"readings")
    return Settings(data=tmp_path / "data", retrieval=RetrievalSettings(lake=lake))


def wanted(tmp_path: Path, **changed: Any) -> Wanted:
    questions = tmp_path / "set.yaml"
    questions.write_text(QUESTIONS)
    return Wanted(questions, OWN, **{"out": tmp_path / "answers.jsonl", **changed})


def run(tmp_path: Path, terminal: bool = False, **changed: Any) -> tuple[str, str]:
    """What is printed, and what is told beside it."""
    out, notes = io.StringIO(), io.StringIO()
    console = Console(file=notes, force_terminal=terminal, width=200)
    evaluate(wanted(tmp_path, **changed), some_settings(tmp_path), build, out, console)
    return out.getvalue(), notes.getvalue()


def lines(tmp_path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (tmp_path / "answers.jsonl").read_text().splitlines()]


def test_a_line_is_what_a_grader_reads(tmp_path: Path) -> None:
    run(tmp_path)

    by_id = {line["id"]: line for line in lines(tmp_path)}
    assert list(by_id) == ["Q01", "Q02", "R01", "R02", "R03", "R04"]
    for line in by_id.values():
        assert set(line) >= CONTRACT | {"id", "turns"}
        assert {
            key: line["turns"][-1]["answer"][key] for key in CONTRACT - {"usage", "seconds"}
        } == {key: line[key] for key in CONTRACT - {"usage", "seconds"}}
    assert by_id["R01"]["summary"].endswith("you asked: and 4\n\n- one\n- two")
    assert [turn["question"] for turn in by_id["R01"]["turns"]] == ["power of node 3", "and 4"]
    statuses = {name: line["status"] for name, line in by_id.items()}
    assert (statuses["R03"], statuses["R04"]) == ("failed", "rejected")


def test_files_lie_beside_the_answers_and_are_named_from_there(tmp_path: Path) -> None:
    run(tmp_path, only=("Q01",))

    (line,) = lines(tmp_path)
    (table,), (picture,) = line["tables"], line["artifacts"]
    assert table["csv"] == "answers.jsonl.files/Q01-1-0-t0.csv"
    assert (tmp_path / table["csv"]).read_text().startswith("node,average")
    assert (tmp_path / picture["path"]).read_bytes().startswith(b"\x89PNG")
    assert line["turns"][0]["answer"]["tables"] == line["tables"]


def test_asked_back_it_replies_as_the_set_says_and_never_helps_a_refusal(tmp_path: Path) -> None:
    run(tmp_path, only=("Q02", "R02"))

    asked, refused = lines(tmp_path)
    assert [turn["question"] for turn in asked["turns"]] == ["which temperature", "the GPU cores"]
    assert asked["status"] == "completed"
    assert [turn["question"] for turn in refused["turns"]] == ["which temperature"]
    assert refused["status"] == "clarification"


def test_what_is_there_is_not_put_again(tmp_path: Path) -> None:
    run(tmp_path, only=("Q01", "R01"))
    first = lines(tmp_path)

    run(tmp_path, repeats=2)

    assert lines(tmp_path)[:2] == first
    pairs = [(line["id"], line["repeat"]) for line in lines(tmp_path)]
    assert len(pairs) == len(set(pairs)) == 12


def test_another_set_lake_or_model_is_refused(tmp_path: Path) -> None:
    run(tmp_path, only=("Q01",))
    before = lines(tmp_path)

    with pytest.raises(EvaluationError, match="model none and not qwen"):
        run(tmp_path, model="qwen")
    (tmp_path / "lake").mkdir(exist_ok=True)
    (tmp_path / "lake" / "b.parquet").write_bytes(b"more")
    with pytest.raises(EvaluationError, match="lake "):
        run(tmp_path)

    assert lines(tmp_path) == before


def test_an_answer_that_the_model_had_no_part_in_is_not_kept(tmp_path: Path) -> None:
    there = iter([True, False])

    def must_answer() -> None:
        if not next(there):
            raise ModelUnavailable("the model's endpoint cannot be reached")

    with pytest.raises(ModelUnavailable):
        run(tmp_path, must_answer=must_answer)
    assert [line["id"] for line in lines(tmp_path)] == ["Q01"]

    run(tmp_path)
    assert len(lines(tmp_path)) == 6


def test_prints_tables_with_the_verdicts_of_a_grader(tmp_path: Path) -> None:
    verdicts = tmp_path / "verdicts.csv"
    verdicts.write_text("id,verdict\nQ01,correct\nQ02,wrong\n")

    printed, told = run(tmp_path, only=("Q01", "Q02"), verdicts=(VerdictsFile(verdicts),))
    marked, _ = run(tmp_path, as_markdown=True)

    assert "1 correct, 1 hallucinated, 0 incomplete, 0 failed of 2" in printed
    assert "\n1/2  Q01 (1)" in f"\n{told}"
    assert "\n| Q01 | completed | not graded | 0 |" in marked


def test_a_bar_moves_on_a_terminal(tmp_path: Path) -> None:
    _, told = run(tmp_path, terminal=True)

    assert "6/6" in told
    assert "Q01 (1)" not in told


def test_other_runs_stand_in_the_same_tables(tmp_path: Path) -> None:
    run(tmp_path)

    beside = (with_verdicts(str(tmp_path / "answers.jsonl")),)
    printed, _ = run(tmp_path, out=tmp_path / "again.jsonl", beside=beside)

    table_one = printed.split("II.")[0]
    assert table_one.count("EXASAGE Reflect Agent, symbolic first  none") == 2


def test_a_mistyped_name_is_told_of_before_anything_is_put(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="nowhere"):
        run(tmp_path, verdicts=(VerdictsFile(tmp_path / "nowhere.csv"),))
    with pytest.raises(EvaluationError, match="nowhere"):
        run(tmp_path, beside=((tmp_path / "nowhere.jsonl", ()),))

    assert not (tmp_path / "answers.jsonl").exists()


def test_files_and_repeats_on_the_command_line() -> None:
    assert verdicts_file("2=a.csv") == VerdictsFile(Path("a.csv"), 2)
    assert verdicts_file("a.csv") == VerdictsFile(Path("a.csv"))
    assert with_verdicts("a.jsonl=v.csv") == (Path("a.jsonl"), (VerdictsFile(Path("v.csv")),))
    assert with_verdicts("a.jsonl") == (Path("a.jsonl"), ())


def test_the_model_is_named_by_an_endpoint_that_answers_now(tmp_path: Path) -> None:
    settings = some_settings(tmp_path)

    with serving(in_turn("")) as server:
        named = settings.with_model(server.url)
        assert model_name(named) == MODEL
        server.faults.append(Fault.WEB_PAGE)
        with pytest.raises(ModelUnavailable):
            model_name(named)

    assert model_name(settings.with_model(None)) == "none"
    with pytest.raises(SettingsError, match="http://localhost"):
        settings.with_model("ftp://nowhere")


@pytest.mark.parametrize("chosen", [("exasage", "every"), ("datalake", "every"), ("nsa", "every")])
def test_what_needs_a_model_is_refused_without_one(tmp_path: Path, chosen: Any) -> None:
    with pytest.raises(SettingsError, match="--model"):
        build_configured(some_settings(tmp_path), Configuration(*chosen), tmp_path)


def test_the_baselines_have_the_model_do_every_step(tmp_path: Path) -> None:
    settings = some_settings(tmp_path)

    assert configuration("nsa", None, settings) == OWN
    assert configuration("exasage", None, settings) == Configuration("exasage", "every")
    with pytest.raises(SettingsError, match="--steps every"):
        build_configured(settings, configuration("datalake", "open", settings), tmp_path)


_SLOW = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from agent import Analyst
from agent.errors import ModelUnavailable
from rich.console import Console
from tests.fakes.canned_analyst import CannedCoordinator
from tests.integration.test_evaluate import some_settings, wanted
from bot.commands.evaluate import evaluate

class Slow(CannedCoordinator):
    def work_on(self, question, session, note):
        time.sleep(0.1)
        return super().work_on(question, session, note)

def build(settings, chosen, answers):
    return Analyst(Slow(answers / "canned"))

folder = Path(sys.argv[1])
evaluate(wanted(folder, repeats=20), some_settings(folder), build, sys.stdout, Console(stderr=True))
"""


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_is_ended_goes_on_where_it_was(tmp_path: Path, by: signal.Signals) -> None:
    path = tmp_path / "answers.jsonl"
    with subprocess.Popen(
        [sys.executable, "-c", _SLOW, str(tmp_path), str(ROOT)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        for _ in range(600):
            if path.exists() and path.read_bytes().count(NEWLINE) >= 5:
                break
            time.sleep(0.05)
        process.send_signal(by)
        _, said = process.communicate()
    kept = path.read_bytes()
    whole = kept[: kept.rfind(NEWLINE) + 1]
    assert 5 <= whole.count(NEWLINE) < 120
    if by is signal.SIGINT:
        assert kept == whole
        assert f"Interrupted: {whole.count(NEWLINE)} answers are kept in {path}." in said

    _, told = run(tmp_path, repeats=20)

    assert path.read_bytes().startswith(whole)
    assert len(lines(tmp_path)) == 120
    assert told.startswith(f"{whole.count(NEWLINE) + 1}/120")
