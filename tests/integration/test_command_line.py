"""The commands as processes or functions: what they print, keep and give back."""

import io
import json
import subprocess
import sys
import threading
import urllib.request
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from agent import Analyst
from agent.run_store import RunStore
from bot.check_wiring import health_probes
from bot.commands.ask import Asked, ask
from bot.commands.chat import chat
from bot.commands.check import check
from bot.commands.demo import demo
from bot.commands.running import begin
from bot.errors import SettingsError
from bot.page_settings import PageSettings
from bot.settings import Settings
from tests.fakes.canned_analyst import CannedCoordinator, a_canned_analyst

ROOT = Path(__file__).resolve().parents[2]
NOW = datetime(2022, 6, 15, 10, tzinfo=UTC)


def build(settings: Settings, answers: Path, runs: RunStore | None = None) -> Analyst:
    assert settings.data
    return a_canned_analyst(answers / "canned")


def some_settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data", page=PageSettings(port=0))


def asked_as_json(tmp_path: Path, question: str, thread: str | None = None) -> dict[str, Any]:
    out = io.StringIO()
    asked = Asked(question, NOW, thread, as_json=True)
    ask(asked, some_settings(tmp_path), build, out, io.StringIO())
    (line,) = out.getvalue().splitlines()
    answer: dict[str, Any] = json.loads(line)
    return answer


def test_ask_prints_one_line_of_json(tmp_path: Path) -> None:
    answer = asked_as_json(tmp_path, "plot the power")

    assert answer["status"] == "completed"
    assert Path(answer["tables"][0]["csv"]).is_file()
    assert Path(answer["artifacts"][0]["path"]).is_file()


def test_a_question_that_stands_alone_starts_no_store(tmp_path: Path) -> None:
    asked_as_json(tmp_path, "power")

    assert not (tmp_path / "data" / "sessions").exists()


@pytest.mark.parametrize("reply", ["gpu", "the GPU cores"])
def test_questions_of_a_thread_share_a_session(tmp_path: Path, reply: str) -> None:
    first = asked_as_json(tmp_path, "which temperature", "t1")
    second = asked_as_json(tmp_path, reply, "t1")

    assert first["clarification"]["options"][1] == {"id": "gpu", "label": "the GPU cores"}
    assert second["summary"].startswith("You chose")


def test_ask_prints_for_people_and_writes_where_it_is_told(tmp_path: Path) -> None:
    out = io.StringIO()
    asked = Asked("power", NOW, out=tmp_path / "mine")

    code = ask(asked, some_settings(tmp_path), build, out, io.StringIO())

    assert code == 0
    assert str(tmp_path / "mine" / "canned" / "power by node.csv") in out.getvalue()


def test_a_failure_tells_the_cause_on_standard_error_and_logs_it(tmp_path: Path) -> None:
    out, err = io.StringIO(), io.StringIO()

    code = ask(Asked("broken", NOW), some_settings(tmp_path), build, out, err)

    log = (tmp_path / "data" / "log.jsonl").read_text()
    assert code == 1
    assert "RuntimeError: a wire is loose" in err.getvalue()
    assert "wire" not in out.getvalue()
    assert "Traceback" in log
    assert "hunter2" not in log + err.getvalue()


def test_a_data_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")

    with pytest.raises(SettingsError, match="ODABOT_DATA"):
        ask(Asked("power", NOW), some_settings(tmp_path), build, io.StringIO(), io.StringIO())


def test_the_answer_is_printed_before_the_parts_are_closed(tmp_path: Path) -> None:
    out, printed = io.StringIO(), []

    def build_slow(settings: Settings, answers: Path) -> Analyst:
        coordinator = CannedCoordinator(answers / "canned")
        return Analyst(coordinator, close=lambda: printed.append(out.getvalue()))

    ask(Asked("power", NOW), some_settings(tmp_path), build_slow, out, io.StringIO())

    assert "812.5 W" in printed[0]


def test_a_question_that_could_not_be_begun_is_a_failed_one_as_json(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    out = io.StringIO()

    code = ask(Asked("power", NOW, as_json=True), some_settings(tmp_path), build, out, out)

    answer = json.loads(out.getvalue())
    assert (code, answer["status"]) == (1, "failed")
    assert "ODABOT_DATA" in answer["evidence"]["error"]


def test_chat_answers_line_by_line_and_ends_with_the_input(tmp_path: Path) -> None:
    lines = iter(["which temperature", "2", "", "exit", "never read"])
    out = io.StringIO()

    chat(some_settings(tmp_path), build, Console(file=out), lambda _: next(lines), now=NOW)

    assert "Which temperature do you mean?" in out.getvalue()
    assert "You chose gpu." in out.getvalue()
    assert list(lines) == ["never read"]


def test_the_demo_serves_a_page_until_it_is_stopped(tmp_path: Path) -> None:
    out = io.StringIO()
    ends: list[threading.Event] = []
    (tmp_path / "lake").mkdir()
    running = threading.Thread(
        target=demo,
        args=(some_settings(tmp_path), build, Console(file=out)),
        kwargs={"lake": tmp_path / "lake", "now": NOW, "until": ends.append},
    )

    running.start()
    while "Ctrl-C" not in out.getvalue():
        assert running.is_alive()
    url = out.getvalue().partition("Open ")[2].split()[0]
    with urllib.request.urlopen(f"{url}api/site", timeout=10) as answer:
        site = json.load(answer)
    ends[0].set()
    running.join(20)

    assert site["now"] == "15 June 2022, 10:00 UTC"
    assert out.getvalue().endswith("Stopped.\n")
    assert not (tmp_path / "data" / "sessions" / "sessions.sock").exists()


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "HOME": "/nowhere", "PYTHONDONTWRITEBYTECODE": "1"}
        | variables,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "variables", "told"),
    [
        (("ask",), {}, "QUESTION"),
        (("ask", "--now", "yesterday", "power"), {}, "is no moment"),
        (("ask", "--lake", "/nowhere", "power"), {}, "does not exist"),
        (("ask", "power"), {"ODABOT_WORKER": "3"}, "no such setting: ODABOT_WORKER"),
        (("ask", "power"), {"ODABOT_WORKERS": "many"}, "ODABOT_WORKERS"),
        (("ask", "power"), {"ODABOT_SITE__TIME_ZONE": "Mars"}, "ODABOT_SITE__TIME_ZONE"),
        (("dance",), {}, "dance"),
    ],
)
def test_a_wrong_use_is_explained_with_exit_code_two(
    arguments: tuple[str, ...], variables: dict[str, str], told: str
) -> None:
    done = run(*arguments, **variables)

    assert done.returncode == 2
    assert told.lower() in done.stderr.lower()
    assert "Traceback" not in done.stderr


def test_check_says_what_is_missing_with_exit_code_one(tmp_path: Path) -> None:
    settings = some_settings(tmp_path)
    begin(settings)
    # The last three, sandbox, libraries and embedding model, have their own tests and take long.
    quick = health_probes(settings)[:-3]
    out = io.StringIO()

    code = check(settings, quick, out, as_json=False)

    assert code == 1
    assert "FAIL  lake: no lake is configured" in out.getvalue()
    assert "ODABOT_RETRIEVAL__LAKE" in out.getvalue()
    assert "ok    session store: embedded" in out.getvalue()


def test_help_imports_nothing_heavy() -> None:
    heavy = ("polars", "pydantic", "redis", "uvicorn", "torch")
    script = f"import sys, bot.__main__; print([m for m in {heavy} if m in sys.modules])"

    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "[]"
