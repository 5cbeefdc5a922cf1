"""A question whose every step is the model's, in a process that is killed: another one goes on."""

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.answer import Answer, Answered
from agent.session import Question, Session
from bot.embedded_redis import EmbeddedRedis
from tests.every_step import QUESTION, Replies, every_step_over
from tests.fakes.model_server import serving
from tests.stored import NOW

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 180
_ASK = """
import sys
sys.path.insert(0, sys.argv[1])
from tests.integration.test_every_step_killed import asked
asked(*sys.argv[2:])
"""


def asked(lake: str, folder: str, model_url: str, redis_url: str, trace: str) -> Answer:
    """The answer to the question of ``trace``, below the root that a conversation opens."""
    question = Question(QUESTION, NOW, trace)
    with (
        every_step_over(Path(lake), Path(folder), model_url, redis_url=redis_url) as analyst,
        analyst.tracer.question(question),
    ):
        answer, _ = analyst.answer(question, Session(), lambda note: None)
    return answer


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = EmbeddedRedis(tmp_path_factory.mktemp("store"))
    yield server.open()
    server.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Kept for all tests: the names of metrics are embedded once."""
    return tmp_path_factory.mktemp("killed")


@pytest.mark.parametrize(
    ("at", "left"),
    [
        ("plugin", ["plugin", "time-words", "write-query", "review-query"]),
        ("write-query", ["write-query", "review-query"]),
        ("introduce", []),
    ],
)
def test_another_process_goes_on_where_one_was_killed(
    lake: Path, folder: Path, redis: str, at: str, left: list[str]
) -> None:
    reached, killed = threading.Event(), threading.Event()

    def hold(step: str) -> None:
        if step == at and not killed.is_set():
            reached.set()
            killed.wait(PATIENCE)

    replies = Replies(before=hold)
    with serving(replies.respond) as server:
        given = (str(lake), str(folder), server.url, redis, f"{len(left) + 1:016x}")
        command = [sys.executable, "-c", _ASK, str(ROOT), *given]
        with subprocess.Popen(command, cwd=ROOT) as process:
            try:
                assert reached.wait(PATIENCE)
            finally:
                process.send_signal(signal.SIGKILL)
        before = len(replies.asked)
        killed.set()
        answer = asked(*given)

    assert isinstance(answer, Answered), answer.text
    assert answer.tables[0].row_count == 1
    assert replies.asked[before:] == ["coordinate", "retrieve", *left, "introduce"]
