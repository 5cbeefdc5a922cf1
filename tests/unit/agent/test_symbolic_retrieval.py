"""Requests by rules: finding, asking back and going on, follow-ups, charts that are not drawn."""

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from agent.answer import Answer, Answered, Declined, NeedsClarification
from agent.budget import Budget
from agent.query_offers import QueryOffers
from agent.question_reading import QuestionReading
from agent.question_steps import QuestionSteps
from agent.retriever import Retriever
from agent.run_context import RunContext
from agent.run_store import RunState, RunStatus, Stage
from agent.session import Question
from agent.symbolic_retrieval import SymbolicRetrieval
from bot.memory_runs import MemoryRuns
from retrieval.measures import Group, Wanted
from retrieval.outcome import NoData, Retrieval, Retrieved
from retrieval.understanding import NotUnderstood, Unclear, Understanding
from tests.fakes.canned_data import CannedData, understood
from tests.unit.agent.results import NODE, TIME, a_table, nodes, readings, retrieved, value
from tests.unit.agent.test_query_offers import PROPOSAL, Proposes

NOW = datetime(2022, 6, 15, 10, tzinfo=UTC)
POWER = readings(owners=nodes("900"))
WHICH = Unclear("metric:temperature", "Which one?", (("inlet", "inlet air"), ("gpu", "GPU")))
LATER = Unclear("time", "Over which time?", (("last", "the last hour"),), free=True)
KNOWN: dict[str, Understanding] = {
    "power?": understood(POWER, "Taken as the mean."),
    "plot the power": understood(POWER),
    "temperature?": WHICH,
    "temperature?#gpu": understood(POWER, "GPU was chosen."),
    "temperature?#inlet": LATER,
    "temperature?#inlet#last": understood(POWER, "The last hour was chosen."),
    "temperature?#inlet#yesterday": understood(POWER, "Yesterday was chosen."),
}


def _measured(rows: int = 1) -> Retrieved:
    return retrieved(POWER, a_table((value("average"),), *[(612.3456,)] * rows))


class Desk:
    """Symbolic retrieval over canned data; each worker has its own, all share the runs."""

    def __init__(
        self,
        folder: Path,
        outcome: Retrieval | Unclear | NotUnderstood | None = None,
        runs: MemoryRuns | None = None,
        offers: QueryOffers | None = None,
    ) -> None:
        self.data = CannedData(KNOWN, outcome or _measured())
        self.runs = runs or MemoryRuns()
        self._folder = folder
        service, zone = self.data.service, ZoneInfo("UTC")
        reading = QuestionReading(service, None, offers)
        steps = QuestionSteps(service, Retriever(service), zone, reading)
        self._tools = SymbolicRetrieval(steps, self.runs)

    def query(self, text: str, name: str = "one", user: str = "", thread: str = "") -> Answer:
        return self._tools.query(text, self._context(text, name, user, thread))

    def clarify(self, choice: str, name: str = "one") -> Answer:
        return self._tools.clarify(name, choice, self._context(choice, name, "", ""))

    def _context(self, text: str, name: str, user: str, thread: str) -> RunContext:
        question = Question(text, NOW, name, user, thread)
        return RunContext(question, self._folder, Budget(0, 0, 60))


def test_a_request_is_answered_as_a_question_is(tmp_path: Path) -> None:
    desk = Desk(tmp_path)

    answer = desk.query("power?")

    assert isinstance(answer, Answered)
    assert "average 612.35 W" in answer.text
    assert answer.evidence.notes == ("Taken as the mean.",)
    state = desk.runs.load("one")
    assert state is not None
    assert (state.stage, state.status) == (Stage.EXECUTION, RunStatus.COMPLETED)


class Watched(MemoryRuns):
    """Tells every state that was saved."""

    def __init__(self) -> None:
        super().__init__()
        self.saved: list[RunState] = []

    def save(self, state: RunState) -> None:
        self.saved.append(state)
        super().save(state)


def test_where_a_request_stands_is_saved_before_each_stage(tmp_path: Path) -> None:
    runs = Watched()
    desk = Desk(tmp_path, runs=runs)
    desk.query("temperature?")

    desk.clarify("gpu")

    assert [(state.stage, state.status) for state in runs.saved] == [
        (Stage.INPUT_VALIDATION, RunStatus.RUNNING),
        (Stage.INPUT_VALIDATION, RunStatus.WAITING),
        (Stage.INPUT_VALIDATION, RunStatus.RUNNING),
        (Stage.EXECUTION, RunStatus.RUNNING),
        (Stage.EXECUTION, RunStatus.COMPLETED),
    ]
    turn = runs.saved[3].artefacts["turn"]
    assert isinstance(turn, dict)
    assert turn["settled"] == [["metric:temperature", "gpu"]]


def test_a_query_of_the_model_waits_for_its_yes_in_the_run_store(tmp_path: Path) -> None:
    runs = MemoryRuns()
    back = Desk(tmp_path, runs=runs, offers=QueryOffers(Proposes())).query("devoured?")
    later = Desk(tmp_path, runs=runs)

    assert isinstance(back, NeedsClarification)
    assert [choice.id for choice in back.choices] == ["yes", "no"]
    again = later.clarify("yes, the median")
    assert isinstance(again, NeedsClarification)
    assert later.data.requests == []
    assert isinstance(later.clarify("yes"), Answered)
    assert later.data.requests == [PROPOSAL.request]


def test_a_query_of_the_model_that_gets_a_no_is_not_run(tmp_path: Path) -> None:
    desk = Desk(tmp_path, offers=QueryOffers(Proposes()))
    desk.query("devoured?")

    assert isinstance(desk.clarify("no"), Declined)
    assert desk.data.requests == []


def test_a_chart_is_understood_and_not_drawn(tmp_path: Path) -> None:
    request = readings(Wanted.SERIES, owners=nodes("900"), groups=(Group.OWNER,))
    series = retrieved(request, a_table((NODE, TIME, value("v")), ("900", NOW, 600.0)))

    answer = Desk(tmp_path, series).query("plot the power")

    assert isinstance(answer, Answered)
    assert "No chart is drawn here" in answer.text
    assert answer.artifacts == ()
    assert answer.tables


def test_a_reply_has_at_most_fifty_rows_in_memory(tmp_path: Path) -> None:
    answer = Desk(tmp_path, _measured(rows=80)).query("power?")

    assert isinstance(answer, Answered)
    assert answer.tables[0].row_count == 80
    assert len(answer.tables[0].preview) == 50


@pytest.mark.parametrize(
    ("text", "outcome"), [("gibberish", None), ("power?", NoData(POWER, "None."))]
)
def test_what_is_declined_is_kept_as_rejected(
    tmp_path: Path, text: str, outcome: NoData | None
) -> None:
    desk = Desk(tmp_path, outcome)

    answer = desk.query(text)

    assert isinstance(answer, Declined)
    state = desk.runs.load("one")
    assert state is not None
    assert state.status is RunStatus.REJECTED


def test_another_worker_goes_on_with_a_request_that_waits(tmp_path: Path) -> None:
    runs = MemoryRuns()
    asked = Desk(tmp_path, runs=runs).query("temperature?")

    answer = Desk(tmp_path, runs=runs).clarify("gpu")

    assert isinstance(asked, NeedsClarification)
    assert [choice.id for choice in asked.choices] == ["inlet", "gpu"]
    assert "GPU was chosen." in answer.text


@pytest.mark.parametrize(
    ("when", "noted"),
    [("the last hour", "The last hour was chosen."), ("yesterday", "Yesterday was chosen.")],
)
def test_choices_add_up(tmp_path: Path, when: str, noted: str) -> None:
    desk = Desk(tmp_path)
    desk.query("temperature?")

    second = desk.clarify("inlet")
    answer = desk.clarify(when)

    assert isinstance(second, NeedsClarification)
    assert noted in answer.text


def test_what_is_no_option_is_asked_again(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.query("temperature?")

    again = desk.clarify("power?")
    answer = desk.clarify("gpu")

    assert isinstance(again, NeedsClarification)
    assert again.text == "'power?' is none of the options. Which one?"
    assert [choice.id for choice in again.choices] == ["inlet", "gpu"]
    assert isinstance(answer, Answered)


@pytest.mark.parametrize("name", ["another", "one"])
def test_only_what_waits_can_be_gone_on_with(tmp_path: Path, name: str) -> None:
    desk = Desk(tmp_path)
    desk.query("power?")

    assert isinstance(desk.clarify("gpu", name), Declined)


@pytest.mark.parametrize(
    ("user", "thread", "known"),
    [("ann", "t", ["power?"]), ("ann", "", []), ("ann", "u", []), ("bob", "t", [])],
)
def test_earlier_requests_are_known_to_their_own_conversation_alone(
    tmp_path: Path, user: str, thread: str, known: list[str]
) -> None:
    desk = Desk(tmp_path)
    desk.query("power?", "one", "ann", "t")
    desk.query("gibberish", "two", "ann", "t")

    desk.query("power?", "three", user, thread)

    assert [each.text for each in desk.data.asked[-1].earlier] == known
