"""One question on its way to an answer: steps, sessions, and what goes wrong."""

import json
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from agent.analysing import Analysing
from agent.answer import Answer, Answered, Declined, DeclineReason, NeedsClarification
from agent.budget import Budget
from agent.code_agent import CodeAgent
from agent.coordinator import Coordinator
from agent.deep_code_agent import DeepCodeAgent
from agent.language_model import LanguageModel
from agent.query_offers import QueryOffers
from agent.question_reading import QuestionReading
from agent.question_steps import QuestionSteps
from agent.retriever import Retriever
from agent.run_context import RunContext
from agent.session import Question, Session
from retrieval.errors import CompiledQueryRejected, LakeError, WrittenQueryRejected
from retrieval.measures import Group, Wanted
from retrieval.outcome import NoData, Retrieved
from retrieval.understanding import NotUnderstood, Unclear, Understanding, Why
from sandbox.errors import SandboxUnavailable
from sandbox.job import JobResult, JobStatus, Limits, OutputFile
from tests.fakes.canned_data import CannedData, understood
from tests.fakes.canned_sandbox import CannedSandbox
from tests.unit.agent.results import NODE, TIME, a_table, nodes, readings, retrieved, value
from tests.unit.agent.test_query_offers import PROPOSAL, Proposes

NOW = datetime(2022, 6, 15, 10, tzinfo=UTC)
POWER = readings(owners=nodes("900"))
WHICH = Unclear("metric:temperature", "Which one?", (("inlet", "inlet air"), ("gpu", "GPU")))
LATER = Unclear("time", "Over which time?", (("last", "the last hour"),))
REPORT = {
    "kind": "line", "series": 1, "points": 2, "drawn": 2, "missing": 0, "ink": 900,
    "notes": ["Gaps are left open."], "problems": [],
}  # fmt: skip
DRAWN = JobResult(
    JobStatus.FINISHED,
    stdout=json.dumps({"figure_report": REPORT}),
    outputs=(OutputFile("plot.png", b"a picture", "image/png"),),
)


def _measured() -> Retrieved:
    return retrieved(POWER, a_table((value("average"),), (612.3456,)))


def _series() -> Retrieved:
    request = readings(Wanted.SERIES, owners=nodes("900"), groups=(Group.OWNER,))
    rows = [("900", NOW, 600.0), ("900", NOW.replace(minute=1), 620.0)]
    return retrieved(request, a_table((NODE, TIME, value("v")), *rows))


class Desk:
    """A coordinator with everything around it canned."""

    def __init__(
        self,
        folder: Path,
        data: CannedData,
        sandbox: CannedSandbox | None = None,
        model: LanguageModel | None = None,
        offers: QueryOffers | None = None,
    ) -> None:
        self.folder = folder
        self.sandbox = sandbox
        self.notes: list[str] = []
        self.session = Session()
        self.made = 0
        self._asked = 0
        service, zone = data.service, ZoneInfo("UTC")
        self._coordinator = Coordinator(
            QuestionSteps(
                service, Retriever(service), zone, QuestionReading(service, model, offers)
            ),
            Analysing(self._code_agent, "UTC", DeepCodeAgent(model) if model else None),
            lambda question, note: RunContext(
                question, self._folder(question.trace_id), Budget(10_000, 10, 60), note
            ),
        )

    def _code_agent(self) -> CodeAgent:
        self.made += 1
        if self.sandbox is None:
            raise SandboxUnavailable("no bubblewrap here")
        return CodeAgent(self.sandbox, Limits())

    def _folder(self, trace: str) -> Path:
        folder = self.folder / trace
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def ask(self, text: str) -> Answer:
        self._asked += 1
        question = Question(text, NOW, f"trace{self._asked}")
        answer, self.session = self._coordinator.work_on(question, self.session, self.notes.append)
        return answer


def test_a_finding_has_its_words_table_and_evidence(tmp_path: Path) -> None:
    data = CannedData({"power?": understood(POWER, "Taken as the mean.")}, _measured())

    answer = Desk(tmp_path, data).ask("power?")

    assert isinstance(answer, Answered)
    assert "average 612.35 W" in answer.text
    assert "_Taken as the mean._" in answer.text
    assert answer.tables[0].columns == ("average (W)",)
    assert answer.evidence.entities == ("node 900",)
    assert answer.evidence.notes == ("Taken as the mean.",)
    assert answer.artifacts == ()


def test_says_what_it_is_doing(tmp_path: Path) -> None:
    desk = Desk(tmp_path, CannedData({"power?": understood(POWER)}, _measured()))

    desk.ask("power?")

    assert desk.notes == ["reading the question", "retrieving the data", "writing the answer"]


@pytest.mark.parametrize(
    ("why", "reason"),
    [
        (Why.UNKNOWN_ENTITY, DeclineReason.UNKNOWN_ENTITY),
        (Why.UNKNOWN_METRIC, DeclineReason.UNKNOWN_METRIC),
        (Why.NOT_UNDERSTOOD, DeclineReason.NOT_UNDERSTOOD),
        (Why.OUT_OF_SCOPE, DeclineReason.OUT_OF_SCOPE),
        (Why.TIME, DeclineReason.TIME),
    ],
)
def test_what_is_not_understood_is_declined_for_the_same_reason(
    tmp_path: Path, why: Why, reason: DeclineReason
) -> None:
    data = CannedData({"power?": NotUnderstood(why, "No.")})

    answer = Desk(tmp_path, data).ask("power?")

    assert answer == Declined(reason, "No.")
    assert data.requests == []


def test_no_data_is_declined_with_the_evidence_of_the_search(tmp_path: Path) -> None:
    data = CannedData({"power?": understood(POWER)}, NoData(POWER, "Nothing.", ("SELECT 1",)))

    answer = Desk(tmp_path, data).ask("power?")

    assert isinstance(answer, Declined)
    assert (answer.reason, answer.text) == (DeclineReason.NO_DATA, "Nothing.")
    assert answer.evidence.queries == ("SELECT 1",)


def test_a_failure_of_the_lake_is_not_hidden(tmp_path: Path) -> None:
    data = CannedData({"power?": understood(POWER)}, LakeError("a.parquet is damaged"))

    with pytest.raises(LakeError, match="damaged"):
        Desk(tmp_path, data).ask("power?")


def _asks_back() -> dict[str, Understanding]:
    return {
        "temperature?": WHICH,
        "temperature?#gpu": understood(POWER, "GPU was chosen."),
        "temperature?#inlet": LATER,
        "temperature?#inlet#last": understood(POWER, "The last hour was chosen."),
        "power?": understood(POWER, "Another question."),
    }


def test_asks_back_with_the_choices(tmp_path: Path) -> None:
    desk = Desk(tmp_path, CannedData(_asks_back(), _measured()))

    answer = desk.ask("temperature?")

    assert isinstance(answer, NeedsClarification)
    assert answer.text == "Which one?"
    assert [(c.id, c.label) for c in answer.choices] == [("inlet", "inlet air"), ("gpu", "GPU")]
    assert desk.session.pending is not None


@pytest.mark.parametrize("reply", ["gpu", "GPU", "2", "the second one"])
def test_a_choice_answers_the_first_question(tmp_path: Path, reply: str) -> None:
    desk = Desk(tmp_path, CannedData(_asks_back(), _measured()))
    desk.ask("temperature?")

    answer = desk.ask(reply)

    assert "GPU was chosen." in answer.text
    assert desk.session.pending is None
    assert desk.session.turns[-1].question == "temperature?"
    assert desk.session.turns[-1].settled == (("metric:temperature", "gpu"),)


def test_choices_add_up_until_the_question_is_clear(tmp_path: Path) -> None:
    desk = Desk(tmp_path, CannedData(_asks_back(), _measured()))
    desk.ask("temperature?")

    second = desk.ask("inlet")
    answer = desk.ask("the last hour")

    assert isinstance(second, NeedsClarification)
    assert "The last hour was chosen." in answer.text


def test_another_question_takes_the_place_of_the_pending_one(tmp_path: Path) -> None:
    desk = Desk(tmp_path, CannedData(_asks_back(), _measured()))
    desk.ask("temperature?")

    answer = desk.ask("power?")

    assert "Another question." in answer.text
    assert desk.session.pending is None
    assert [turn.question for turn in desk.session.turns] == ["power?"]


def test_answered_questions_are_remembered_and_declined_ones_are_not(tmp_path: Path) -> None:
    data = CannedData({"power?": understood(POWER)}, _measured())
    desk = Desk(tmp_path, data)

    desk.ask("power?")
    desk.ask("gibberish")
    desk.ask("power?")

    assert [turn.question for turn in desk.session.turns] == ["power?", "power?"]
    assert [each.text for each in data.asked[-1].earlier] == ["power?"]
    assert "612.35" in desk.session.turns[0].answer


def test_a_thread_is_remembered_for_its_last_turns(tmp_path: Path) -> None:
    desk = Desk(tmp_path, CannedData({"power?": understood(POWER)}, _measured()))

    for _ in range(25):
        desk.ask("power?")

    assert len(desk.session.turns) == 20


def _draws() -> CannedData:
    return CannedData({"plot the power as a line": understood(_series().request)}, _series())


def test_a_picture_is_drawn_where_one_is_wanted(tmp_path: Path) -> None:
    sandbox = CannedSandbox([DRAWN])
    desk = Desk(tmp_path, _draws(), sandbox)

    answer = desk.ask("plot the power as a line")

    assert isinstance(answer, Answered)
    (picture,) = answer.artifacts
    assert picture.path.read_bytes() == b"a picture"
    assert picture.path.parent == tmp_path / "trace1"
    assert "_Gaps are left open._" in answer.text
    assert "drawing the chart" in desk.notes
    (job,) = sandbox.jobs
    assert answer.evidence.code == (job.code,)
    assert {path.name for path in job.inputs} == {"chart.json", "total-node-power.parquet"}


def test_no_sandbox_is_started_where_no_picture_is_wanted(tmp_path: Path) -> None:
    desk = Desk(tmp_path, CannedData({"power?": understood(POWER)}, _measured()))

    desk.ask("power?")

    assert desk.made == 0


@pytest.mark.parametrize(
    "result",
    [
        JobResult(JobStatus.TIMED_OUT),
        JobResult(JobStatus.FAILED, stderr="ZeroDivisionError"),
        JobResult(JobStatus.FINISHED, stdout=DRAWN.stdout),
        JobResult(JobStatus.FINISHED, outputs=DRAWN.outputs),
    ],
    ids=["too slow", "failed", "no picture", "no report"],
)
def test_a_picture_that_fails_leaves_the_numbers(tmp_path: Path, result: JobResult) -> None:
    desk = Desk(tmp_path, _draws(), CannedSandbox([result]))

    answer = desk.ask("plot the power as a line")

    assert isinstance(answer, Answered)
    assert "The chart could not be drawn" in answer.text
    assert "ZeroDivisionError" not in answer.text
    assert (len(answer.tables), answer.artifacts) == (1, ())


def test_a_host_without_a_sandbox_still_gives_the_numbers(tmp_path: Path) -> None:
    answer = Desk(tmp_path, _draws()).ask("plot the power as a line")

    assert isinstance(answer, Answered)
    assert "The chart could not be drawn" in answer.text
    assert len(answer.tables) == 1


def test_nothing_is_drawn_of_an_empty_table(tmp_path: Path) -> None:
    request = _series().request
    empty = retrieved(request, a_table((NODE, TIME, value("v"))))
    sandbox = CannedSandbox()
    desk = Desk(tmp_path, CannedData({"plot the power": understood(request)}, empty), sandbox)

    answer = desk.ask("plot the power")

    assert "could not be drawn" in answer.text
    assert sandbox.jobs == []


def test_only_the_words_of_the_question_and_its_thread_are_read(tmp_path: Path) -> None:
    data = CannedData({"power?": understood(POWER)}, _measured())
    desk = Desk(tmp_path, data)

    desk.ask("power?")

    (asking,) = data.asked
    assert (asking.text, asking.now, dict(asking.settled)) == ("power?", NOW, {})
    assert asking.earlier == ()


def test_a_request_that_does_not_compile_is_declined_or_offered_as_a_query(tmp_path: Path) -> None:
    data = CannedData({"power?": understood(POWER)}, CompiledQueryRejected("no such property"))

    declined = Desk(tmp_path, data).ask("power?")
    desk = Desk(tmp_path, data, offers=QueryOffers(Proposes()))
    back = desk.ask("power?")

    assert isinstance(declined, Declined)
    assert isinstance(back, NeedsClarification)
    assert back.text == PROPOSAL.text
    assert desk.session.pending is not None


def test_a_confirmed_query_that_is_no_longer_let_in_is_not_run(tmp_path: Path) -> None:
    data = CannedData({}, WrittenQueryRejected("no such metric"))
    desk = Desk(tmp_path, data, offers=QueryOffers(Proposes()))
    desk.ask("devoured?")

    answer = desk.ask("yes")

    assert isinstance(answer, Declined)
    assert "may not be run any more" in answer.text
    assert data.requests == [PROPOSAL.request]
