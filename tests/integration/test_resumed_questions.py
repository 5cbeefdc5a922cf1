"""A question whose worker died goes on at its last stage, and its answer is the same."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from agent import Analyst
from agent.answer import Answer, Answered, Declined
from agent.run_store import RunState, RunStatus, RunStore
from agent.session import Question, Session
from bot.memory_runs import MemoryRuns
from bot.settings import Settings
from bot.wiring import build_analyst
from retrieval.settings import RetrievalSettings
from tests.fakes.cut_off_runs import CutOffRuns, WorkerDied
from tests.stored import NOW

QUESTIONS = (
    "average and maximum power of node 5 on 1 June 2022",
    "average power of job 3423336",
    "which checks of node 12 were critical on 1 June 2022",
    "when was the ambient temperature of node 5 above 24 degrees on 1 June 2022",
)
READ, RETRIEVED, DRAWN = "reading the question", "retrieving the data", "drawing the chart"

Work = Callable[[RunStore], Analyst]


class Changing:
    """The store that the test says."""

    def __init__(self) -> None:
        self.store: RunStore = MemoryRuns()

    def save(self, state: RunState) -> None:
        self.store.save(state)

    def load(self, request_id: str) -> RunState | None:
        return self.store.load(request_id)


@pytest.fixture(scope="module")
def worker(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Work]:
    """An analyst over a store: as good as another worker's, since it keeps nothing itself."""
    folder = tmp_path_factory.mktemp("answers")
    settings = Settings(retrieval=RetrievalSettings(lake=lake), data=folder / "data")
    runs = Changing()
    analyst = build_analyst(settings, folder / "answers", runs)

    def over(store: RunStore) -> Analyst:
        runs.store = store
        return analyst

    yield over
    analyst.close()


def told(answer: Answer) -> object:
    """What people see of an answer: files may have other names."""
    if not isinstance(answer, Answered):
        return answer
    tables = tuple(replace(table, csv=Path()) for table in answer.tables)
    pictures = tuple(replace(picture, path=Path()) for picture in answer.artifacts)
    return replace(answer, tables=tables, artifacts=pictures)


@pytest.mark.parametrize("text", QUESTIONS)
def test_whatever_was_saved_last_the_answer_is_the_same(worker: Work, text: str) -> None:
    name = str(QUESTIONS.index(text))
    whole, session = worker(MemoryRuns()).answer(
        Question(text, NOW, f"whole{name}"), Session(), lambda note: None
    )
    assert not isinstance(whole, Declined), whole.text

    for saves in count(1):
        runs, question = MemoryRuns(), Question(text, NOW, f"cut{name}-{saves}")
        died = True
        try:
            worker(CutOffRuns(runs, saves)).answer(question, Session(), lambda note: None)
            died = False
        except WorkerDied:
            pass
        notes: list[str] = []
        again, after = worker(runs).answer(question, Session(), notes.append)

        assert told(again) == told(whole)
        assert after == session
        state = runs.load(f"stages-{question.trace_id}")
        assert state is not None
        assert state.status is RunStatus.COMPLETED
        if not died:
            break
    assert saves >= 4


def test_no_stage_is_done_twice(worker: Work) -> None:
    text = "plot the power of nodes 5 and 6 on 1 June 2022 between 8:00 and 10:00"
    plain = Question(text, NOW, "drawn")
    whole, _ = worker(MemoryRuns()).answer(plain, Session(), lambda note: None)
    done = {}
    for saves in (1, 2, 3):
        runs, question = MemoryRuns(), Question(text, NOW, f"once{saves}")
        with pytest.raises(WorkerDied):
            worker(CutOffRuns(runs, saves)).answer(question, Session(), lambda note: None)
        notes: list[str] = []
        answer, _ = worker(runs).answer(question, Session(), notes.append)
        assert told(answer) == told(whole)
        done[saves] = [note for note in notes if note in (READ, RETRIEVED, DRAWN)]

    assert done == {1: [RETRIEVED, DRAWN], 2: [DRAWN], 3: []}


def test_another_question_under_the_same_name_is_begun_anew(worker: Work) -> None:
    runs = MemoryRuns()
    first = Question("average power of node 5 on 1 June 2022", NOW, "same")
    with pytest.raises(WorkerDied):
        worker(CutOffRuns(runs, 2)).answer(first, Session(), lambda note: None)
    notes: list[str] = []

    other = replace(first, text="average power of node 6 on 1 June 2022")
    answer, _ = worker(runs).answer(other, Session(), notes.append)

    assert READ in notes
    assert isinstance(answer, Answered)
    assert answer.evidence.entities == ("node 6",)


def test_a_table_that_is_gone_is_retrieved_again(worker: Work) -> None:
    runs = MemoryRuns()
    question = Question("average power of node 5 on 1 June 2022", NOW, "gone")
    with pytest.raises(WorkerDied):
        worker(CutOffRuns(runs, 2)).answer(question, Session(), lambda note: None)
    state = runs.load("stages-gone")
    assert state is not None
    for path in Path(str(_first_path(state.artefacts["made"]))).parent.iterdir():
        path.unlink()
    notes: list[str] = []

    answer, _ = worker(runs).answer(question, Session(), notes.append)

    assert RETRIEVED in notes
    assert isinstance(answer, Answered)


def _first_path(plain: object) -> object:
    """The first file that a saved stage names."""
    if isinstance(plain, dict) and plain.get("@") == "path":
        return plain["is"]
    parts = plain.values() if isinstance(plain, dict) else plain if isinstance(plain, list) else ()
    return next((found for part in parts if (found := _first_path(part)) is not None), None)
