"""The model's query for what rules do not read: told, confirmed, and only then run."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from agent import Analyst
from agent.answer import Declined, NeedsClarification, Usage
from agent.proposal import CONFIRMED
from bot.stored_forms import SESSIONS
from tests.asking import Thread, analyst_over, table_of
from tests.every_step import Replies
from tests.fakes.model_server import serving
from tests.stored import NOW, Stored
from tests.unit.agent.reflect.test_model_queries import GOOD

DEVOURED = "average and maximum power devoured by node 5 on 1 June 2022"
RATIO = "ratio of the maximum to the average power of node 5 on 1 June 2022"
DIVIDED = GOOD.replace("(AVG(?v) AS ?average) (MAX(?v) AS ?maximum)", "(MAX(?v) / AVG(?v) AS ?x)")
OF_RATIO = {"write_query": DIVIDED}
WRITING = ["intent", "plugin", "time-words", "write-query", "review-query"]


@dataclass
class Desk:
    """One agent for all tests; what its model replies is set for each."""

    analyst: Analyst
    replies: Replies
    folder: Path

    def thread(self, **instead: str) -> Thread:
        self.replies.instead = {step.replace("_", "-"): said for step, said in instead.items()}
        self.replies.asked.clear()
        return Thread(self.analyst, NOW)

    def files_of(self, thread: Thread) -> list[Path]:
        """What was written for the last question of ``thread``."""
        return list((self.folder / "answers" / thread.trace_id).iterdir())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("offered")


@pytest.fixture(scope="module")
def desk(lake: Path, folder: Path) -> Iterator[Desk]:
    replies = Replies()
    with (
        serving(replies.respond) as server,
        analyst_over(lake, folder, model_url=server.url, model_queries=True) as analyst,
    ):
        yield Desk(analyst, replies, folder)


def test_what_the_query_gives_is_told_before_it_runs_and_right_after_a_yes(
    desk: Desk, stored: Stored
) -> None:
    thread = desk.thread()

    back = thread.asked_back(DEVOURED)

    assert [choice.id for choice in back.choices] == ["yes", "no"]
    for told in (
        "average of total_power (W), maximum of total_power (W), of everything together",
        "total_power of ipmi_pub",
        "Of: node 5",
        "on 2022-06-01 UTC",
        "'power devoured' is taken as total node power.",
    ):
        assert told.lower() in back.text.lower()
    assert back.evidence.queries == ()
    assert desk.files_of(thread) == []
    assert desk.replies.asked == ["restate", "restate", *WRITING]
    assert back.cost.total == Usage(7, 700, 70)

    answer = thread.found("yes")

    values = stored.on_1_june("total_power", "5")["value"]
    assert table_of(answer).row(0) == pytest.approx((values.mean(), values.max()))
    assert "a person confirmed it" in " ".join(answer.evidence.notes)
    assert "written by the language model" in answer.text
    assert any(GOOD[GOOD.index("WHERE") :] in query for query in answer.evidence.queries)
    assert answer.cost.total == Usage()
    assert desk.replies.asked == ["restate", "restate", *WRITING]


def test_a_shape_that_rules_read_and_cannot_compute_is_offered_without_a_restatement(
    desk: Desk, stored: Stored
) -> None:
    thread = desk.thread(**OF_RATIO)

    back = thread.asked_back(RATIO)
    answer = thread.found("Yes, please")

    values = stored.on_1_june("total_power", "5")["value"]
    assert "maximum per average" in back.text.lower()
    assert desk.replies.asked == WRITING
    maximum, mean = values.max(), values.mean()
    assert isinstance(maximum, float)
    assert isinstance(mean, float)
    assert table_of(answer).item() == pytest.approx(maximum / mean)


def test_a_no_ends_in_the_refusal_of_the_rules(desk: Desk) -> None:
    thread = desk.thread()
    thread.asked_back(DEVOURED)

    declined = thread.declined("no")

    assert "The query was not run." in declined.text
    assert "'devoured'" in declined.text
    assert declined.evidence.queries == ()
    assert desk.files_of(thread) == []
    assert thread.session.pending is None


@pytest.mark.parametrize("reply", ["yes, but the minimum", "maybe", "yes for node 6"])
def test_another_reply_is_no_yes(desk: Desk, reply: str) -> None:
    thread = desk.thread()
    thread.asked_back(DEVOURED)

    answer = thread.ask(reply)

    assert isinstance(answer, Declined | NeedsClarification)
    assert answer.evidence.queries == ()


def test_a_new_question_in_its_place_drops_the_query(desk: Desk) -> None:
    thread = desk.thread()
    thread.asked_back(DEVOURED)
    thread.found("average total power of node 6 on 1 June 2022")

    answer = thread.ask("yes")

    assert isinstance(answer, Declined)


def test_nothing_leans_on_a_question_that_rules_did_not_read(desk: Desk) -> None:
    thread = desk.thread()
    thread.asked_back(DEVOURED)
    thread.found("yes")

    answer = thread.ask("and for node 6?")

    assert isinstance(answer, Declined)


def test_the_confirmed_query_outlives_a_restart_and_needs_no_model(
    desk: Desk, lake: Path, folder: Path, stored: Stored
) -> None:
    thread = desk.thread()
    thread.asked_back(DEVOURED)

    with analyst_over(lake, folder) as analyst:
        later = Thread(analyst, NOW)
        later.session = SESSIONS.decode(SESSIONS.encode(thread.session))
        answer = later.found("yes")

    values = stored.on_1_june("total_power", "5")["value"]
    assert table_of(answer).row(0) == pytest.approx((values.mean(), values.max()))


def test_a_stored_query_is_let_in_anew_before_it_runs(desk: Desk) -> None:
    thread = desk.thread()
    thread.asked_back(DEVOURED)
    stored = SESSIONS.encode(thread.session).replace(
        rb"VALUES ?node { \"5\"", rb"VALUES ?node { \"6\""
    )
    thread.session = SESSIONS.decode(stored)

    declined = thread.declined("yes")

    assert "may not be run any more" in declined.text
    assert declined.evidence.queries == ()


NOT_OFFERED = {
    "SERVICE": GOOD.replace("FILTER", "SERVICE <http://127.0.0.1:1/> { ?a ?b ?c } FILTER"),
    "an update": "DROP ALL",
    "another metric": GOOD.replace("total_power", "ambient"),
    "another node": GOOD.replace('"5"', '"6"'),
    "another day": GOOD.replace("2022-06-01T00", "2022-05-31T00"),
    "a number of its own": GOOD.replace("AVG(?v)", "4711.0"),
    "what words do not tell": GOOD.replace("FILTER", "OPTIONAL { ?n oda:positionX ?x } FILTER"),
}


@pytest.mark.parametrize("query", NOT_OFFERED.values(), ids=NOT_OFFERED)
def test_a_query_that_is_not_let_in_or_not_told_is_never_offered(desk: Desk, query: str) -> None:
    thread = desk.thread(write_query=query, repair_query=query)

    declined = thread.declined(DEVOURED)

    assert declined.text.startswith("I did not understand 'devoured'")
    assert "4711" not in declined.text
    assert declined.evidence.queries == ()
    assert thread.session.pending is None


REFUSED = {
    "intent": json.dumps({"about": "other", "cardinality": "single", "confidence": 90}),
    "plugin": json.dumps({"plugin": "weather_pub", "confidence": 90}),
    "review_query": "Looks fine to me!",
}


@pytest.mark.parametrize("step", REFUSED)
def test_where_the_model_refuses_or_would_ask_the_rules_have_the_last_word(
    desk: Desk, step: str
) -> None:
    thread = desk.thread(**{step: REFUSED[step]})

    declined = thread.declined(DEVOURED)

    assert declined.text.startswith("I did not understand 'devoured'")


def test_a_question_back_of_the_model_is_not_put_to_a_person(desk: Desk) -> None:
    thread = desk.thread(time_words=json.dumps({"times": []}))

    declined = thread.declined(DEVOURED.removesuffix(" on 1 June 2022"))

    assert "'devoured'" in declined.text
    assert desk.replies.asked[-1] == "time-words"


@pytest.mark.parametrize(
    "question",
    [
        f"{DEVOURED}, as a bar chart",
        "average power devoured by node 99999 on 1 June 2022",
        "average power of all nodes except those of rack 1 on 1 June 2022",
    ],
)
def test_no_query_is_written_for_a_chart_nor_for_what_is_firmly_refused(
    desk: Desk, question: str
) -> None:
    thread = desk.thread()

    thread.declined(question)

    assert "intent" not in desk.replies.asked


def test_it_is_off_by_default(desk: Desk, lake: Path, folder: Path) -> None:
    replies = Replies()
    with (
        serving(replies.respond) as server,
        analyst_over(lake, folder, model_url=server.url) as analyst,
    ):
        thread = Thread(analyst, NOW)
        declined = thread.declined(DEVOURED)

    assert declined.text.startswith("I did not understand 'devoured'")
    assert replies.asked == ["restate", "restate"]
    assert CONFIRMED not in str(thread.session)
